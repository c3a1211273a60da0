/* Host memory for one operand, between sentinels and guard pages that detect a write outside the operand. The sentinels
 * also show a read, as they are a NaN in f32 and f64 and an odd number in i32, which spoil a sum (verify/poison.h).
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_WORKER_GUARDED_H
#define TILELAB_WORKER_GUARDED_H

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

/* Returns 0 or ENOMEM. The data hold sentinels too. The threads that will compute touch the pages first, so that the
 * pages lie near their cores. */
int guarded_allocate(struct guarded *guarded, size_t size);
void guarded_free(struct guarded *guarded);
/* Whether this process may wake OpenMP's team between runs. Its threads wait actively for a while after a loop, and
 * would take the cores from a library that has threads of its own. */
void guarded_use_team(bool use);
bool guarded_uses_team(void);
/* From now on AddressSanitizer tells of each access beside an operand, if it is loaded and has compiled the access. */
void guarded_use_sanitizer(void);
/* Copies with all threads; each thread copies the pages that it touched first. */
void guarded_copy(void *to, const void *from, size_t size);
/* Fills the operand with the poison of a precision (verify/poison.h), with all threads as guarded_copy does. */
void guarded_poison(const struct guarded *guarded, int64_t precision);
/* Makes the operand read-only, or writable again. A store into a read-only operand ends the process with SIGSEGV.
 * Returns 0, or ENOMEM where the system cannot divide its mappings any further. */
int guarded_protect(const struct guarded *guarded, bool read_only);
/* What an access of an address does that the operand forbids, as the end of a sentence: "writes into operand A, which
 * is read-only". False: the address is not of this operand. */
bool guarded_blame(const struct guarded *guarded, const char *name, const void *address, char *text, size_t size);
/* False if a byte beside the operand was changed. The byte is then repaired. */
bool guarded_intact(const struct guarded *guarded);
/* A digest of the contents, which tells whether an output changed. */
uint64_t guarded_digest(const void *contents, size_t size);

#endif
