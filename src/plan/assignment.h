/* An assignment: what students hand in, how it is measured, and which points it gets. A YAML file holds it; the page
 * examples/course/README.md explains its keys.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_ASSIGNMENT_H
#define TILELAB_PLAN_ASSIGNMENT_H

#include "base/number.h"

#include <stdio.h>

/* A submission that is so many times as fast as the baseline gets these points. Both are counted in 1e-9. */
struct assignment_level {
    int64_t ratio, points;
};

enum { ASSIGNMENT_LEVELS_MOST = 32 };
/* The share of submissions whose interval may miss the true ratio, in any of its series. */
#define ASSIGNMENT_ERROR 0.01

struct assignment {
    int64_t schema;
    char *title;
    char *problem, *precision;    /* "matmul", "f64" */
    char *variant, *baseline;     /* names without the problem, "omp-mine" */
    int64_t threads;              /* 0: those that a variant has by default */
    struct number_list shown;     /* the sizes that the students know */
    struct number_list hidden;    /* the sizes that are measured for a mark; none: those that are shown */
    struct number_list verified;  /* sizes that are verified, and not measured */
    struct number_list seeds;     /* of the inputs; none: they are drawn */
    int64_t failed, built, right; /* points of what does not build, of what builds, and of what is right */
    struct assignment_level level[ASSIGNMENT_LEVELS_MOST]; /* [levels], ratios and points ascend */
    size_t levels;
    double time_s;        /* of each run of a submission */
    int64_t memory_bytes; /* of each of its processes */
    int64_t processes;
    int64_t rounds, most_rounds; /* measured at first, and at most where a mark stays undecided */
};

/* Reads an assignment; the caller frees the result with assignment_free. NULL after the faults of the file, with lines
 * and columns, have gone to `diagnostics`. */
struct assignment *assignment_read(const char *path, FILE *diagnostics);
void assignment_free(struct assignment *assignment);

#endif
