/* What `verify` finds out about one cell: whether it is right, and if not, where and when it is wrong.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_VERIFY_CHECK_H
#define TILELAB_INSPECT_VERIFY_CHECK_H

#include "verify_watch.h"
#include "protocol/outcome.h"
#include "verify/wrong_map.h"

/* The names of the kinds of inputs, by enum inputs. */
extern const char *const verify_inputs_names[INPUTS_KINDS];

struct verify_how {
    unsigned inputs; /* BIT() of the kinds of inputs */
    int repeat;      /* how often each of them is run */
    int threads;     /* of OpenMP's team in this process */
};

struct verify_found {
    struct outcome outcome;
    struct wrong_map map; /* map.wrong is NULL if nothing is known of single elements */
    char where[240];      /* which elements are wrong; empty: not known */
    char when[160];       /* what further runs, and one on one thread, tell of a wrong result; empty: nothing */
    char remark[160];     /* what is odd about a run, right or wrong; empty: nothing */
};

/* Runs and verifies a cell with each kind of inputs that its problem has, up to the first one that fails. A wrong cell
 * is run again, and once on one thread. Each run has the time limit of the watch. */
void verify_check(const struct cell *cell, const struct verify_how *how, struct verify_watch *watch,
                  struct verify_found *found);
void verify_found_free(struct verify_found *found);

#endif
