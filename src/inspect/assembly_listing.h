/* Machine code as text: what objdump, cuobjdump and nvcc print, read into instructions, and the loops in it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_ASSEMBLY_LISTING_H
#define TILELAB_INSPECT_ASSEMBLY_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct assembly_line {
    uint64_t address;     /* of PTX: the number of the instruction */
    const char *text;     /* the instruction; belongs to the text that was read */
    const char *jump;     /* PTX, nvdisasm: the label that it jumps to; NULL: none. Belongs to the text that was read */
    int64_t target;       /* the address that it jumps to; -1: it does not jump, or nobody knows where to */
    unsigned work;        /* bytes of a vector that it multiplies; 0: it multiplies no elements */
    const char *function; /* belongs to the text that was read */
    const char *file;     /* the source; NULL: not known. Belongs to the text that was read */
    int source_line;
};

struct assembly_listing {
    struct assembly_line *line; /* owned */
    size_t count;
};

/* The instructions of one loop: from the first to the last, both included. */
struct assembly_loop {
    size_t first, last;
    size_t multiplications; /* instructions that multiply elements */
};

/* Read the whole output of `objdump -d -l --no-show-raw-insn`, of `cuobjdump -sass` or `nvdisasm -g -c`, or a PTX file.
 * They change the text, and the listing points into it. `integers`: the elements are integers, so that integer
 * multiplications count. Of SASS only the code for one architecture is read, "sm_90". The caller frees the listing with
 * assembly_listing_free. */
struct assembly_listing assembly_listing_objdump(char *text, bool integers);
struct assembly_listing assembly_listing_sass(char *text, const char *arch, bool integers);
struct assembly_listing assembly_listing_ptx(char *text, bool integers);
void assembly_listing_free(struct assembly_listing *listing);

/* Finds the innermost loop that multiplies most, in functions whose names contain `owner` if there is such a loop, else
 * in all of them. False if no loop multiplies. */
bool assembly_listing_loop(const struct assembly_listing *listing, const char *owner, struct assembly_loop *loop);

#endif
