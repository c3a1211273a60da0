/* The machine code of a CUDA kernel: SASS, which cuobjdump finds in the backend's shared object. Where cuobjdump is
 * missing: PTX, which nvcc makes of the kernel's source.
 * SPDX-License-Identifier: MIT */
#include "assembly_parts.h"
#include "assembly_symbols.h"
#include "packages.h"
#include "rebuild.h"
#include "backend/cuda/cuda.h"
#include "backend/object.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/tool.h"
#include "own/own.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* The architectures that a shared object has machine code for. */
struct archs {
    struct arch {
        int number; /* 90 */
        bool own;   /* 9.0a: with instructions that no other architecture has */
    } arch[64];
    size_t count;
};

/* Reads "ELF file    3: tilelab-cuda.3.sm_90a.cubin" and the like. */
static void read_archs(const char *text, struct archs *archs)
{
    for (const char *at = text; (at = strstr(at, ".sm_"));) {
        char *end;
        const struct arch arch = {(int)strtol(at + 4, &end, 10), *end == 'a'};
        size_t i = 0;
        at = end;
        while (i < archs->count && (archs->arch[i].number != arch.number || archs->arch[i].own != arch.own))
            i++;
        if (i == archs->count && i < sizeof archs->arch / sizeof *archs->arch)
            archs->arch[archs->count++] = arch;
    }
}

/* The code that a GPU of compute capability `number` runs: that of the nearest lower one of its family. Without such
 * code, 0. A number of 0 asks for the newest code. */
static int nearest(const struct archs *archs, int number)
{
    int best = 0;
    for (size_t i = 0; i < archs->count; i++) {
        const int has = archs->arch[i].number;
        if (!archs->arch[i].own && (number == 0 || (has / 10 == number / 10 && has <= number)) && has > best)
            best = has;
    }
    return best;
}

/* The compute capability asked for, else that of this machine's GPU, else the least that the variant needs, else 0. */
static bool wanted(const struct entry *entry, const struct assembly_request *request, int *number, char *why,
                   size_t size)
{
    const struct cuda_device *gpu = request->arch ? NULL : cuda_discover_device();
    const int least = entry->meta->compute_capability;
    *number = gpu ? 10 * gpu->major + gpu->minor : least;
    if (!request->arch)
        return true;
    char *end;
    *number = strncmp(request->arch, "sm_", 3) == 0 ? (int)strtol(request->arch + 3, &end, 10) : 0;
    if (*number > 0 && (*end == '\0' || strcmp(end, "a") == 0))
        return true;
    snprintf(why, size, "--arch takes the name of a GPU architecture, such as sm_90, not '%.40s'", request->arch);
    return false;
}

/* Whether a mangled name is that of a kernel for another precision: its first template argument is the type. */
static bool is_of_other_precision(const char *name, int64_t precision)
{
    static const char letters[] = {[F32] = 'f', [F64] = 'd', [I32] = 'j'};
    char *at;
    name += strncmp(name, "_Z", 2) == 0 ? 2 : 0;
    const unsigned long length = strtoul(name + (*name == 'L'), &at, 10);
    if (length == 0 || strlen(at) < length + 2 || at[length] != 'I' || !strchr("fdj", at[length + 1]))
        return false;
    return at[length + 1] != letters[precision];
}

/* The kernels of a variant for one architecture, joined by commas; NULL if there are none. The file of the variant gave
 * the functions around its entry point. Its kernels are those that the device's code has too. */
static char *list_kernels(const struct entry *entry, int64_t precision, const char *object, const char *device_symbols)
{
    struct assembly_symbols symbols;
    char point[96], *list = NULL;
    size_t first, end;
    if (!assembly_symbols_open(&symbols, object))
        return NULL;
    snprintf(point, sizeof point, "%s_launch", entry->symbol);
    const ElfW(Addr) launch = assembly_symbols_address(&symbols, point);
    if (launch && assembly_symbols_group(&symbols, launch, &first, &end))
        for (size_t i = first; i < end; i++) {
            const char *name = assembly_symbols_name(&symbols, i);
            const char *at = assembly_symbols_is_function(&symbols, i) ? strstr(device_symbols, name) : NULL;
            while (at && (at == device_symbols || !isspace((unsigned char)at[-1]) ||
                          !isspace((unsigned char)at[strlen(name)])))
                at = strstr(at + 1, name);
            if (at && !is_of_other_precision(name, precision))
                memory_append(&list, "%s%s", list ? "," : "", name);
        }
    assembly_symbols_close(&symbols);
    return list;
}

/* The shared object that holds a variant: its own, that of its library, or that of all others. */
static bool find_object(const struct entry *entry, char *path, size_t size)
{
    const char *file = "tilelab-cuda.so";
    const struct cell cell = {.entry = entry};
    if (entry->objects) {
        object_own_path(&cell, path, size);
        return own_build(&cell);
    }
    for (int i = 0; i < CUDA_LIBRARIES; i++)
        if (strcmp(registry_library(entry), cuda_libraries[i].key) == 0)
            file = cuda_libraries[i].object;
    return object_path(file, path, size);
}

static bool disassemble(const char *cuobjdump, const char *object, const struct entry *entry, int number,
                        const struct assembly_request *request, struct assembly_code *code, char *why, size_t size)
{
    struct archs archs = {.count = 0};
    char *list = tool_run((const char *const[]){cuobjdump, "-lelf", object, NULL});
    if (list)
        read_archs(list, &archs);
    free(list);
    const int built = nearest(&archs, number);
    if (built == 0) {
        snprintf(why, size, "%s has no machine code for sm_%d; the driver makes it of PTX", object, number);
        return false;
    }
    /* Asked for 9.0a, cuobjdump also prints code for 9.0. A GPU prefers the code that only its family can run. */
    bool own = false;
    for (size_t i = 0; i < archs.count; i++)
        own = own || (archs.arch[i].number == built && archs.arch[i].own);
    char arch[24];
    snprintf(arch, sizeof arch, "sm_%d%s", built, own ? "a" : "");
    char *symbols = tool_run((const char *const[]){cuobjdump, "-symbols", "-arch", arch, object, NULL});
    char *kernels = symbols ? list_kernels(entry, request->cell.precision, object, symbols) : NULL;
    char *sass = kernels
                     ? tool_run((const char *const[]){cuobjdump, "-sass", "-arch", arch, "-fun", kernels, object, NULL})
                     : NULL;
    free(symbols);
    free(kernels);
    for (; sass; own = false) {
        snprintf(arch, sizeof arch, "sm_%d%s", built, own ? "a" : "");
        snprintf(code->what, sizeof code->what, "precision %s, SASS for %s",
                 cell_precision_names[request->cell.precision], arch);
        free(code->text);
        code->text = memory_copy(sass);
        code->listing = assembly_listing_sass(code->text, arch, request->cell.precision == I32);
        if (code->listing.count > 0 || !own)
            break;
    }
    free(sass);
    if (code->listing.count > 0)
        return true;
    snprintf(why, size, "%s has no kernels of %s with precision %s for sm_%d", object, entry->name,
             cell_precision_names[request->cell.precision], built);
    return false;
}

/* Compiles the source of a kernel to PTX, with the flags of the build. */
static bool compile(const char *nvcc, const struct entry *entry, int number, const struct assembly_request *request,
                    struct assembly_code *code, char *why, size_t size)
{
    enum { OLDEST_OF_MANY = 80 };
    char arch[40], *root = rebuild_root(entry);
    if (!root) {
        snprintf(why, size,
                 "cuobjdump is missing, and so is the source, %s, of which nvcc would make PTX; run this in the folder "
                 "of tilelab's sources",
                 entry->file);
        return false;
    }
    snprintf(arch, sizeof arch, "-arch=compute_%d%s", number ? number : OLDEST_OF_MANY,
             number == 90 && entry->meta->compute_capability == 90 ? "a" : "");
    char folder[PATH_MAX - 16], file[PATH_MAX];
    if (!assembly_folder(folder, sizeof folder, why, size)) {
        free(root);
        return false;
    }
    snprintf(file, sizeof file, "%s/kernel.ptx", folder);
    char *headers = memory_print("-I%s/src", root), *kernels = memory_print("-I%s/kernels", root);
    char *source = memory_print("%s/%s", root, entry->file);
    char *printed = tool_run(
        (const char *const[]){nvcc, "-O3", "-std=c++17", headers, kernels, arch, "-ptx", "-o", file, source, NULL});
    if (printed)
        code->text = file_read(file, NULL);
    free(printed);
    free(source);
    free(kernels);
    free(headers);
    free(root);
    folder_remove(folder);
    if (!code->text) {
        snprintf(why, size, "%s cannot compile %s", nvcc, entry->file);
        return false;
    }
    code->listing = assembly_listing_ptx(code->text, request->cell.precision == I32);
    /* Kernels for other precisions are left out. */
    size_t kept = 0;
    for (size_t i = 0; i < code->listing.count; i++)
        if (!is_of_other_precision(code->listing.line[i].function, request->cell.precision))
            code->listing.line[kept++] = code->listing.line[i];
    code->listing.count = kept;
    snprintf(code->what, sizeof code->what, "precision %s, PTX for %s, as cuobjdump is missing",
             cell_precision_names[request->cell.precision], arch + strlen("-arch="));
    return true;
}

bool assembly_find_cuda(const struct entry *entry, const struct assembly_request *request, struct assembly_code *code,
                        char *why, size_t size)
{
    char tool[PATH_MAX], object[PATH_MAX];
    int number;
    if (!wanted(entry, request, &number, why, size))
        return false;
    if (tool_find("cuobjdump", true, tool, sizeof tool) && find_object(entry, object, sizeof object))
        return disassemble(tool, object, entry, number, request, code, why, size);
    if (tool_find("nvcc", true, tool, sizeof tool))
        return compile(tool, entry, number, request, code, why, size);
    snprintf(why, size, "%s; install the CUDA Toolkit (Debian, Ubuntu: " PACKAGE_INSTALL PACKAGE_nvcc "), then `make`",
             find_object(entry, object, sizeof object) ? "cuobjdump and nvcc are missing"
                                                       : "the GPU's code was not built here, and nvcc is missing");
    return false;
}
