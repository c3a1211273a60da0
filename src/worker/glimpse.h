/* Glimpses: what a verified output holds at a few places. Every sample is compared with one of them.
 * SPDX-License-Identifier: MIT
 *
 * The judge sees the whole output once a round. A glimpse is a few hundred elements at a random place, which cost some
 * microseconds. It is taken at once after a run. So it finds a run that did not write its output, and a run that
 * returned before a thread of its own had finished. */
#ifndef TILELAB_WORKER_GLIMPSE_H
#define TILELAB_WORKER_GLIMPSE_H

#include "operands.h"

enum { GLIMPSES = 8, GLIMPSE_ELEMENTS = 512, GLIMPSE_BYTES = GLIMPSE_ELEMENTS * 8 };
struct glimpse {
    int operand;
    int64_t first, count;
    char verified[GLIMPSE_BYTES]; /* for inputs without signs */
};
struct glimpses {
    int count;
    struct glimpse *at; /* owned; NULL: none were taken */
    int latest;         /* which one glimpse_compare looked at last */
    char seen[GLIMPSE_BYTES];
};

/* Takes glimpses of the output of a run on inputs without signs, at places that nobody knows before. */
void glimpse_take(struct glimpses *glimpses, const struct operands *operands);
void glimpse_free(struct glimpses *glimpses);
/* Compares the output of a run with one glimpse, chosen at random. `varies`: no two runs of this variant give the same
 * bits, so that only elements that were not written are found. */
enum glimpse_found { GLIMPSE_SAME, GLIMPSE_OTHER, GLIMPSE_FAILED };
enum glimpse_found glimpse_compare(struct glimpses *glimpses, const struct operands *operands, bool varies);
/* Whether the output still holds what glimpse_compare saw right after the run. */
bool glimpse_unchanged(const struct glimpses *glimpses, const struct operands *operands);

#endif
