/* What the files of `tilelab show --assembly` share: the code of a variant, as each backend finds it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_ASSEMBLY_PARTS_H
#define TILELAB_INSPECT_ASSEMBLY_PARTS_H

#include "assembly.h"
#include "assembly_listing.h"

struct assembly_code {
    char *text; /* owned; the listing points into it */
    struct assembly_listing listing;
    char what[200]; /* "precision f32, opt O3, isa v4" */
};

/* Find the code of a variant. False with `why`, which names what is missing and its package. The caller frees
 * code->text, and the listing, in any case. */
typedef bool assembly_finder(const struct entry *entry, const struct assembly_request *request,
                             struct assembly_code *code, char *why, size_t size);
assembly_finder assembly_find_cpu, assembly_find_cuda, assembly_find_opencl;

/* Reads the machine code of an object file with objdump into code->text. `range`: two options that choose addresses, or
 * {NULL}. False with `why`. */
bool assembly_objdump(const char *object, const char *const range[2], struct assembly_code *code, char *why,
                      size_t size);
/* Makes a folder for the files of a compiler; false with `why`. The caller removes it with folder_remove. */
bool assembly_folder(char *path, size_t path_size, char *why, size_t size);

#endif
