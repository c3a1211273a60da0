/* The machine code of a CPU kernel: the functions of one build, as objdump prints them.
 * SPDX-License-Identifier: MIT */
#include "assembly_parts.h"
#include "assembly_symbols.h"
#include "backend/object.h"
#include "base/process.h"
#include "machine/host.h"
#include "own/own.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* The file and the load address of an object: of the program, which is the first that is listed and has no name, or of
 * a shared object by its name. */
struct loaded {
    const char *path;
    ElfW(Addr) base;
};

static int note_base(struct dl_phdr_info *info, size_t size, void *context)
{
    struct loaded *loaded = context;
    (void)size;
    if (*info->dlpi_name && strcmp(info->dlpi_name, loaded->path) != 0)
        return 0;
    loaded->base = info->dlpi_addr;
    return *info->dlpi_name != '\0';
}

/* The range of addresses of the build's functions, [*low, *high). */
static bool find_range(const char *path, const struct variant *build, ElfW(Addr) * low, ElfW(Addr) * high)
{
    struct assembly_symbols symbols;
    struct loaded loaded = {path, 0};
    size_t first, end;
    dl_iterate_phdr(note_base, &loaded);
    if (!assembly_symbols_open(&symbols, path))
        return false;
    const ElfW(Addr) run = (ElfW(Addr))(uintptr_t)build->run - loaded.base;
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

/* The build that the request asks for, and the file that holds its code. */
static const struct variant *find_build(const struct entry *entry, const struct assembly_request *request,
                                        char path[PATH_MAX], struct assembly_code *code, char *why, size_t size)
{
    const struct cell cell = {.entry = entry,
                              .precision = request->cell.precision,
                              .opt = request->cell.opt ? request->cell.opt : OPT_O3,
                              .isa = request->cell.isa ? request->cell.isa : host_get()->isa_best};
    snprintf(code->what, sizeof code->what, "precision %s, opt %s, isa %s", cell_precision_names[cell.precision],
             cell_opt_names[cell.opt], cell_isa_names[cell.isa]);
    const struct variant *build = own_build(&cell) ? object_build(&cell, why, size) : NULL;
    if (!build)
        snprintf(why, size, "%s has no build with %s in this program", entry->name, code->what);
    else if (entry->objects)
        object_own_path(&cell, path, PATH_MAX);
    else if (readlink(PROCESS_SELF, path, PATH_MAX - 1) <= 0)
        path[0] = '\0';
    return build;
}

bool assembly_find_cpu(const struct entry *entry, const struct assembly_request *request, struct assembly_code *code,
                       char *why, size_t size)
{
    char path[PATH_MAX] = "", from[48], to[48];
    ElfW(Addr) low, high;
    const struct variant *build = find_build(entry, request, path, code, why, size);
    if (!build)
        return false;
    if (!find_range(path, build, &low, &high)) {
        snprintf(why, size, "this program has no symbols, as `strip` removes them; build it again with `make`");
        return false;
    }
    snprintf(from, sizeof from, "--start-address=0x%llx", (unsigned long long)low);
    snprintf(to, sizeof to, "--stop-address=0x%llx", (unsigned long long)high);
    if (!assembly_objdump(path, (const char *const[]){from, to}, code, why, size))
        return false;
    code->listing = assembly_listing_objdump(code->text, request->cell.precision == I32);
    return true;
}
