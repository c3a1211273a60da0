/* Which of two results of a cell counts.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_CHOICE_H
#define TILELAB_RESULTS_CHOICE_H

#include "criterion.h"

#include <stdint.h>

/* What decides between results of the same cell and the same generation. */
struct choice_merit {
    bool skipped, partial, ok, wrong;  /* ok and wrong: the status */
    bool once;                         /* a single run */
    int rounds, samples;               /* as many as were measured */
    uint64_t settings;                 /* equal for equal settings */
    const struct criterion *criterion; /* NULL: not known */
};

/* Whether the older of two results of a generation counts although a newer one is there. The older one counts if it was
 * measured and the newer one was skipped, or if it is complete and the newer one is partial. It also counts if it is
 * more careful, unless the newer one is wrong, or is ok where the older one is not. If the criterion of one of them is
 * not known, more rounds are more careful, and then more samples.
 *
 * The result that counts among many is found from the newest to the oldest: begin with the newest, and take each older
 * one that counts against the one taken so far. Nothing older than a wrong result counts (choice_ends). */
bool choice_keeps_older(const struct choice_merit *older, const struct choice_merit *newer);
/* Whether no result older than this one counts. */
bool choice_ends(const struct choice_merit *merit);

#endif
