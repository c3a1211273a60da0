/* The machine code of a CPU kernel: the functions of one build in this program, as objdump prints them.
 * SPDX-License-Identifier: MIT */
#include "assembly_parts.h"
#include "assembly_symbols.h"
#include "base/process.h"
#include "machine/host.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The address that this program was loaded at: the first object that is listed is the program. */
static int note_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(ElfW(Addr) *)base = info->dlpi_addr;
    return 1;
}

/* The range of addresses of the build's functions, [*low, *high). */
static bool find_range(const char *program, const struct variant *build, ElfW(Addr) * low, ElfW(Addr) * high)
{
    struct assembly_symbols symbols;
    size_t first, end;
    ElfW(Addr) base = 0;
    dl_iterate_phdr(note_base, &base);
    if (!assembly_symbols_open(&symbols, program))
        return false;
    const ElfW(Addr) run = (ElfW(Addr))(uintptr_t)build->run - base;
    *low = run;
    *high = run;
    if (assembly_symbols_group(&symbols, run, &first, &end))
        for (size_t i = first; i < end; i++) {
            if (!assembly_symbols_is_function(&symbols, i))
                continue;
            const ElfW(Sym) *symbol = &symbols.symbol[i];
            *low = symbol->st_value < *low ? symbol->st_value : *low;
            *high = symbol->st_value + symbol->st_size > *high ? symbol->st_value + symbol->st_size : *high;
        }
    assembly_symbols_close(&symbols);
    return *high > *low;
}

/* The build that the request asks for, and its axes. */
static const struct variant *find_build(const struct entry *entry, const struct assembly_request *request,
                                        struct assembly_code *code, char *why, size_t size)
{
    const int64_t precision = request->cell.precision, opt = request->cell.opt ? request->cell.opt : OPT_O3,
                  isa = request->cell.isa ? request->cell.isa : host_get()->isa_best;
    const struct variant *build = entry->build[precision][opt][isa];
    snprintf(code->what, sizeof code->what, "precision %s, opt %s, isa %s", cell_precision_names[precision],
             cell_opt_names[opt], cell_isa_names[isa]);
    if (!build)
        snprintf(why, size, "%s has no build with %s in this program", entry->name, code->what);
    return build;
}

bool assembly_find_cpu(const struct entry *entry, const struct assembly_request *request, struct assembly_code *code,
                       char *why, size_t size)
{
    char program[PATH_MAX] = "", from[48], to[48];
    ElfW(Addr) low, high;
    const struct variant *build = find_build(entry, request, code, why, size);
    if (!build)
        return false;
    if (readlink(PROCESS_SELF, program, sizeof program - 1) <= 0 || !find_range(program, build, &low, &high)) {
        snprintf(why, size, "this program has no symbols, as `strip` removes them; build it again with `make`");
        return false;
    }
    snprintf(from, sizeof from, "--start-address=0x%llx", (unsigned long long)low);
    snprintf(to, sizeof to, "--stop-address=0x%llx", (unsigned long long)high);
    if (!assembly_objdump(program, (const char *const[]){from, to}, code, why, size))
        return false;
    code->listing = assembly_listing_objdump(code->text, request->cell.precision == I32);
    return true;
}
