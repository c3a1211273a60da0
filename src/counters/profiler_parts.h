/* What the two halves of the profiler share: its process, profiler.c, and what that comes to, profiler_judge.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COUNTERS_PROFILER_PARTS_H
#define TILELAB_COUNTERS_PROFILER_PARTS_H

#include "profiler.h"
#include "base/process.h"

#include <limits.h>

enum { LINE_SIZE = 512 };
#define NONE SIZE_MAX

/* One process of ncu. */
struct turn {
    struct counted *cells;
    size_t count, running; /* the cell that has begun and not ended, or NONE */
    void (*tell)(const struct cell *cell);
    char folder[PATH_MAX];
    FILE *report;
    struct process ncu;
    pid_t launcher;
    char why[LINE_SIZE]; /* why it ended too early; empty: it did not */
    bool hung;
};

/* A file of its folder. */
FILE *turn_open(const struct turn *turn, const char *name, const char *mode);

/* How many cells are to be decided yet, and the same verdict for all of them. */
size_t turn_undecided(const struct turn *turn);
void turn_decide_rest(struct turn *turn, enum status status, const char *why);
/* Decides what can be decided after a turn; false if another one has no prospect. `wanted`: the counters to ask for,
 * less those that ncu does not know. */
bool turn_judge(struct turn *turn, unsigned *wanted);

#endif
