/* What the two halves of the profiler share: profiler.c runs the process, profiler_judge.c judges what it wrote.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COUNTERS_PROFILER_PARTS_H
#define TILELAB_COUNTERS_PROFILER_PARTS_H

#include "profiler.h"
#include "base/process.h"

#include <limits.h>

enum { LINE_SIZE = 512 };
#define NONE SIZE_MAX
/* A counter in a set of counters. */
#define COUNTER_BIT(index) (UINT64_C(1) << (index))
_Static_assert(COUNTERS < 64, "a set of counters has a bit for each");

/* One process of ncu, which counts all cells that are not decided yet. */
struct turn {
    struct counted *cells;
    size_t count, running; /* running: the cell that has begun and not ended, or NONE */
    void (*tell)(const struct cell *cell);
    char folder[PATH_MAX];
    FILE *report;
    struct process ncu;
    pid_t launcher;
    char why[LINE_SIZE]; /* why ncu ended too early; empty: it did not */
    bool hung;
};

/* Opens a file of the folder. */
FILE *profiler_open(const struct turn *turn, const char *name, const char *mode);

/* How many cells are not decided yet, and one status for all of them. */
size_t profiler_undecided(const struct turn *turn);
void profiler_decide_rest(struct turn *turn, enum status status, const char *why);
/* Decides what can be decided after a turn. False if another turn would not help. A counter that ncu does not know is
 * taken out of `wanted`, the counters to ask for. */
bool profiler_judge(struct turn *turn, uint64_t *wanted);

#endif
