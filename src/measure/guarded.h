/* Host memory for one operand, between sentinel bytes and guard pages that detect a write outside the operand.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_GUARDED_H
#define TILELAB_MEASURE_GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One mapping: a guard page, a page of sentinels, the data, sentinels up to the page's end, a guard page. */
struct guarded {
    void *data; /* aligned to a page */
    size_t size;
    char *base; /* the first byte of the mapping */
    size_t mapped;
};

/* Returns 0 or ENOMEM. The threads that will compute touch the pages first, so that the pages lie near their cores. */
int guarded_allocate(struct guarded *guarded, size_t size);
void guarded_free(struct guarded *guarded);
/* Copies with all threads; each thread copies the pages that it touched first. */
void guarded_copy(void *to, const void *from, size_t size);
/* Makes the operand read-only, or writable again. A store into a read-only operand ends the process with SIGSEGV.
 * Returns 0, or ENOMEM where the system cannot divide its mappings any further. */
int guarded_protect(const struct guarded *guarded, bool read_only);
/* False if a byte beside the operand was changed. The byte is then repaired. */
bool guarded_intact(const struct guarded *guarded);
/* A digest of the contents, which tells whether an output changed. */
uint64_t guarded_digest(const struct guarded *guarded);

#endif
