/* The machine code of an OpenCL kernel, as the driver of a device makes it. A child process compiles and runs the
 * kernel once in a folder of its own. PoCL leaves a shared object there, which objdump prints. NVIDIA's driver gives
 * PTX, of which ptxas makes SASS where it is installed.
 * SPDX-License-Identifier: MIT */
#include "assembly_parts.h"
#include "backend/backend.h"
#include "backend/opencl/opencl.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/tool.h"
#include "machine/host.h"
#include "worker/measure.h"

#include <ctype.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The cell that is compiled: four tiles wide, with the axes that the request names and the variant's own defaults. */
static struct cell cell_of(const struct entry *entry, const struct assembly_request *request)
{
    enum { TILES = 4, WITHOUT_TILE = 64 };
    const unsigned supported = registry_axes(entry);
    struct cell cell = {.entry = entry};
    for (int axis = 0; axis < AXES; axis++)
        if (supported & BIT(axis))
            *cell_axis(&cell, axis) = cell_default(entry, axis);
    cell.precision = request->cell.precision;
    cell.device_id = request->cell.device_id ? request->cell.device_id : cell_default(entry, AXIS_device_id);
    if (request->cell.tile && supported & HONOURS(tile))
        cell.tile = request->cell.tile;
    cell.n = cell.tile ? TILES * cell.tile : WITHOUT_TILE;
    cell.m = supported & HONOURS(m) ? cell.n : 0;
    cell.k = supported & HONOURS(k) ? cell.n : 0;
    return cell;
}

struct build {
    const struct cell *cell;
    const char *folder;
};

/* In the child process: compiles the kernel and runs it. Prints why that fails. The code of a kernel with wrong results
 * is shown too. */
static int build_here(const void *context)
{
    const struct build *build = context;
    struct backend_setup setup = backend_setup(build->cell);
    struct outcome *outcome = memory_allocate(1, sizeof *outcome);
    char why[256];
    setup.threads = host_get()->cores;
    opencl_program_keep(build->folder);
    if (measure_open(&setup, false, why, sizeof why) != 0) {
        dprintf(STDOUT_FILENO, "%s", why);
        return 1;
    }
    measure_check(build->cell, INPUTS_EXACT, 1, 0, outcome);
    if (outcome->status == STATUS_OK || outcome->status == STATUS_WRONG)
        return 0;
    dprintf(STDOUT_FILENO, "%s", outcome->reason);
    return 1;
}

/* Fills the folder with what the driver makes of the kernel. */
static bool build(const struct cell *cell, const char *folder, char *why, size_t size)
{
    enum { LIMIT_S = 120 };
    const struct build context = {cell, folder};
    const char *reason = cell->entry->meta->reject ? cell->entry->meta->reject(cell) : NULL;
    struct process child;
    if (!reason)
        reason = backend_of(cell)->missing(cell);
    snprintf(why, size, "%s", reason ? reason : "");
    if (reason || process_start(&child, PROCESS_OUTPUT | PROCESS_QUIET, build_here, &context) != 0)
        return false;
    const bool ended = process_collect(&child, why, size, LIMIT_S);
    if (ended && child.status == 0)
        return true;
    if (!*why)
        snprintf(why, size, "the driver of %s %s", backend_of(cell)->device(cell),
                 ended ? "crashed" : "did not answer");
    return false;
}

/* Keeps the lines of one function, and names the file of the kernel as the repository does: compilers put the current
 * folder before the name. */
static void tidy(struct assembly_listing *listing, const char *function, const char *file)
{
    size_t kept = 0;
    for (size_t i = 0; i < listing->count; i++) {
        struct assembly_line line = listing->line[i];
        const size_t last = line.file ? strlen(line.file) : 0;
        if (strcmp(line.function, function) != 0)
            continue;
        if (last > strlen(file) && strcmp(line.file + last - strlen(file), file) == 0)
            line.file += last - strlen(file);
        listing->line[kept++] = line;
    }
    listing->count = kept;
}

/* The shared object that PoCL has left. It has the work of a whole group three times: as a function of its own, which
 * has the source lines, and inlined into two functions, which a run calls. */
static bool read_pocl(const char *object, const struct cell *cell, struct assembly_code *code, char *why, size_t size)
{
    char function[96];
    if (!assembly_objdump(object, (const char *const[]){NULL, NULL}, code, why, size))
        return false;
    code->listing = assembly_listing_objdump(code->text, cell->precision == I32);
    snprintf(function, sizeof function, "_pocl_kernel_%s", opencl_kernel_of(cell->entry)->name);
    tidy(&code->listing, function, cell->entry->file);
    snprintf(code->what + strlen(code->what), sizeof code->what - strlen(code->what), "PoCL's machine code");
    return true;
}

/* The architecture that PTX is written for, "sm_90". */
static bool find_target(const char *ptx, char *arch, size_t size)
{
    const char *at = strstr(ptx, ".target ");
    if (!at)
        return false;
    at += strlen(".target ");
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    snprintf(arch, size, "%.*s", (int)length, at);
    return true;
}

/* The SASS that ptxas of the CUDA Toolkit makes of a PTX text; NULL if a tool is missing or refuses. */
static char *assemble(const char *text, const char *arch, const char *folder)
{
    char ptxas[PATH_MAX], nvdisasm[PATH_MAX], gpu[40], ptx[PATH_MAX], cubin[PATH_MAX];
    snprintf(gpu, sizeof gpu, "-arch=%s", arch);
    snprintf(ptx, sizeof ptx, "%s/kernel.ptx", folder);
    snprintf(cubin, sizeof cubin, "%s/cubin", folder);
    FILE *file = fopen(ptx, "we");
    if (!file)
        return NULL;
    const bool written = fputs(text, file) >= 0; /* without the zero that the driver puts at its end */
    if (fclose(file) != 0 || !written || !tool_find("ptxas", true, ptxas, sizeof ptxas) ||
        !tool_find("nvdisasm", true, nvdisasm, sizeof nvdisasm))
        return NULL;
    char *printed = tool_run((const char *const[]){ptxas, gpu, "-lineinfo", "-o", cubin, ptx, NULL});
    char *sass = printed ? tool_run((const char *const[]){nvdisasm, "-g", "-c", cubin, NULL}) : NULL;
    free(printed);
    return sass;
}

/* The program that a driver has given: PTX as text. */
static bool read_program(const char *path, const char *folder, const struct cell *cell, struct assembly_code *code,
                         char *why, size_t size)
{
    char arch[24];
    const bool integers = cell->precision == I32;
    const size_t used = strlen(code->what);
    code->text = file_read(path, NULL);
    if (!code->text || !find_target(code->text, arch, sizeof arch)) {
        snprintf(why, size, "the driver of %s does not give the machine code that it makes",
                 backend_of(cell)->device(cell));
        return false;
    }
    char *sass = assemble(code->text, arch, folder);
    if (sass) {
        free(code->text);
        code->text = sass;
        code->listing = assembly_listing_sass(code->text, arch, integers);
        snprintf(code->what + used, sizeof code->what - used, "SASS that ptxas makes of the driver's PTX for %s", arch);
    } else {
        code->listing = assembly_listing_ptx(code->text, integers);
        snprintf(code->what + used, sizeof code->what - used, "the driver's PTX for %s", arch);
    }
    tidy(&code->listing, opencl_kernel_of(cell->entry)->name, cell->entry->file);
    return true;
}

bool assembly_find_opencl(const struct entry *entry, const struct assembly_request *request, struct assembly_code *code,
                          char *why, size_t size)
{
    const struct cell cell = cell_of(entry, request);
    char folder[PATH_MAX - 16], path[PATH_MAX];
    glob_t objects;
    if (!assembly_folder(folder, sizeof folder, why, size))
        return false;
    bool found = build(&cell, folder, why, size);
    if (found) {
        snprintf(code->what, sizeof code->what, "precision %s, tile %lld, %s: ", cell_precision_names[cell.precision],
                 (long long)cell.tile, backend_of(&cell)->device(&cell));
        snprintf(path, sizeof path, "%s" OPENCL_POCL_CODE, folder);
        const bool pocl = glob(path, 0, NULL, &objects) == 0;
        snprintf(path, sizeof path, "%s/program", folder);
        found = pocl ? read_pocl(objects.gl_pathv[0], &cell, code, why, size)
                     : read_program(path, folder, &cell, code, why, size);
        globfree(&objects);
    }
    folder_remove(folder);
    return found;
}
