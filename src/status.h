/* The status of a cell: how its measurement ended.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_STATUS_H
#define TILELAB_STATUS_H

#include <stdbool.h>
#include <stddef.h>

enum status {
    STATUS_OK,
    STATUS_SKIPPED,    /* the cell does not suit this machine, this variant or this budget; the reason says which */
    STATUS_WRONG,      /* the result is outside the bound, not written, not finite, or written out of place */
    STATUS_FAILED,     /* the variant returned an error, or wrote to standard output */
    STATUS_CRASH,      /* a signal ended the worker */
    STATUS_TIMEOUT,    /* the worker gave no answer in time */
    STATUS_EXIT,       /* the worker ended by itself */
    STATUS_MEMORY,     /* memory was short */
    STATUS_REPLAYED,   /* the variant keeps results: on inputs that it has not seen, a run takes much longer */
    STATUS_IMPOSSIBLE, /* the time is below what the machine needs for the work */
    /* The variant computed what its method prescribes, but the method fails for these inputs. */
    STATUS_UNSTABLE, /* a factorisation: elements have grown so much that the result is useless */
    STATUS_DIVERGED, /* a solver: the residual grows */
    STATUS_STALLED,  /* a solver: the residual stopped shrinking before it was small enough */
    STATUS_LIMIT,    /* a solver: the residual is too large after as many sweeps as are allowed */
    STATUSES
};
extern const char *const status_names[]; /* "ok", "skipped", ... */
/* Finds the status whose name is text[length]. False if there is none. */
bool status_find(const char *text, size_t length, enum status *status);

/* Whether the method failed, and not the variant. */
static inline bool status_blames_method(enum status status)
{
    return status >= STATUS_UNSTABLE && status < STATUSES;
}

#endif
