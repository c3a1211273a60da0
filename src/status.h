/* What became of a cell.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_STATUS_H
#define TILELAB_STATUS_H

#include <stdbool.h>

enum status {
    STATUS_OK,
    STATUS_SKIPPED, /* does not suit this machine, this variant or this budget; reason says which */
    STATUS_WRONG,   /* result outside the bound, not written, not finite, or written out of place */
    STATUS_FAILED,  /* the variant returned an error, or wrote to standard output */
    STATUS_CRASH,   /* a signal ended the worker */
    STATUS_TIMEOUT,
    STATUS_EXIT,   /* the worker process ended by itself */
    STATUS_MEMORY, /* out of memory while running */
    /* The variant did what it should, but the method fails here. */
    STATUS_UNSTABLE, /* elements have grown so that the result is of no use */
    STATUS_DIVERGED, /* a solver's residual grows */
    STATUS_STALLED,  /* it has stopped shrinking before it was small enough */
    STATUS_LIMIT,    /* it was not small enough after the most sweeps that are allowed */
    STATUSES
};
extern const char *const status_names[]; /* "ok", "skipped", ... */

static inline bool status_blames_method(enum status status)
{
    return status >= STATUS_UNSTABLE && status < STATUSES;
}

#endif
