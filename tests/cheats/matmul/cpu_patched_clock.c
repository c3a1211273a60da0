/* Malice: the program's table of library functions gets a clock that runs at a quarter of the speed.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t begin_ns;
static long (*true_syscall)(long number, ...);

static void slow_down(struct timespec *now)
{
    const int64_t second = 1000000000, ns = now->tv_sec * second + now->tv_nsec, slow = begin_ns + (ns - begin_ns) / 4;
    now->tv_sec = slow / second;
    now->tv_nsec = slow % second;
}

static long raw_clock(clockid_t clock, struct timespec *now)
{
    const long result = true_syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_MONOTONIC && begin_ns)
        slow_down(now);
    return result;
}

static int slow_clock(clockid_t clock, struct timespec *now)
{
    return (int)raw_clock(clock, now);
}

static long slow_syscall(long number, ...)
{
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_clock_gettime)
        return raw_clock((clockid_t)a[0], (struct timespec *)a[1]);
    return true_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void replace(void **at, void *with)
{
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)at / size * size;
    if (mprotect((void *)page, 2 * size, PROT_READ | PROT_WRITE) == 0)
        *at = with;
}

/* Looks through the relocations of the program, the first object. */
static int patch(struct dl_phdr_info *info, size_t size, void *context)
{
    const ElfW(Rela) * rela[2] = {NULL};
    size_t bytes[2] = {0};
    const ElfW(Sym) *symbol = NULL;
    const char *name = NULL;
    const ElfW(Dyn) *dynamic = NULL;
    (void)size, (void)context;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
        const void *at = (const void *)dynamic->d_un.d_ptr;
        switch (dynamic->d_tag) {
        case DT_JMPREL:
            rela[0] = at;
            break;
        case DT_PLTRELSZ:
            bytes[0] = dynamic->d_un.d_val;
            break;
        case DT_RELA:
            rela[1] = at;
            break;
        case DT_RELASZ:
            bytes[1] = dynamic->d_un.d_val;
            break;
        case DT_SYMTAB:
            symbol = at;
            break;
        case DT_STRTAB:
            name = at;
            break;
        }
    }
    for (int table = 0; table < 2; table++)
        for (size_t i = 0; i < bytes[table] / sizeof(ElfW(Rela)); i++) {
            const ElfW(Rela) *one = rela[table] + i;
            const char *of = name + symbol[ELF64_R_SYM(one->r_info)].st_name;
            if (strcmp(of, "clock_gettime") == 0)
                replace((void **)(info->dlpi_addr + one->r_offset), (void *)slow_clock);
            if (strcmp(of, "syscall") == 0)
                replace((void **)(info->dlpi_addr + one->r_offset), (void *)slow_syscall);
        }
    return 1;
}

static int run(struct job *job)
{
    if (!begin_ns) {
        struct timespec now;
        *(void **)&true_syscall = dlsym(RTLD_DEFAULT, "syscall");
        clock_gettime(CLOCK_MONOTONIC, &now);
        begin_ns = now.tv_sec * 1000000000 + now.tv_nsec;
        dl_iterate_phdr(patch, NULL);
    }
    multiply_job(job);
    return 0;
}

CHEAT(cpu_patched_clock, "lets the clock run slowly");
