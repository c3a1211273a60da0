/* Host memory for one operand, with sentinels around it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_GUARDED_H
#define TILELAB_MEASURE_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guarded {
    void *data; /* page aligned; `size` bytes */
    size_t size;
    char *base; /* of the mapping: guard page, sentinel page, data, sentinels, guard page */
    size_t mapped;
};

/* Zero on success, ENOMEM. First touch is by the cores of the calling process's binding. */
int guarded_allocate(struct guarded *guarded, size_t size);
void guarded_free(struct guarded *guarded);
/* Copies by the threads that compute, each what it has touched first. */
void guarded_copy(void *to, const void *from, size_t size);
/* Stores into a read-only operand end the process with SIGSEGV. */
void guarded_protect(const struct guarded *guarded, bool read_only);
/* False if a byte next to the operand was changed; repairs it. */
bool guarded_intact(const struct guarded *guarded);
/* 64-bit digest of the contents, to tell whether an output changed. */
uint64_t guarded_digest(const struct guarded *guarded);

#endif
