/* What the threads of a run did when, made from a record of the entries and exits of functions.
 * SPDX-License-Identifier: MIT
 *
 * The kinds of work are the functions of the kernel. A thread works on the innermost function that it has entered. A
 * thread that has entered none, or that waits in OpenMP, is idle. Making tasks is work of its own. On a GPU each thread
 * block counts as a thread, whose works the kernel tells. */
#ifndef TILELAB_INSPECT_TIMELINE_H
#define TILELAB_INSPECT_TIMELINE_H

#include "recorder.h"
#include "variant.h"

enum { TIMELINE_TASKS, TIMELINE_OTHER, TIMELINE_WORKS = 256, TIMELINE_NAME = 64 }; /* the first two works */

struct timeline_piece {
    double begin_s, end_s; /* since the run began */
    int work;
};

struct timeline {
    struct cell cell;
    double length_s;
    int64_t tile; /* rows of the tiles that are updated; 0: unknown */
    int threads;
    struct timeline_thread {
        struct timeline_piece *piece; /* in the order of time; idle between */
        size_t count;
    } * thread, path; /* the critical path, as if one thread had done its works */
    int works;
    struct timeline_work {
        char name[TIMELINE_NAME];
        size_t calls;
        double inside_s;  /* of these calls, from entry to exit, with what they called */
        double busy_s;    /* of all threads together, as the next one */
        double product_s; /* that its operations would take at the product's rate; see timeline_compare */
        double path_s;    /* on the critical path */
    } work[TIMELINE_WORKS];
    double wait_s; /* of the critical path, between works */

    /* The fastest of several runs, all on the same threads. */
    double plain_s, traced_s; /* without and with the record */
    bool noisy;               /* other programs took time from the recorded run */
    const char *rival;        /* the product that the rate is compared with; NULL: there is none */
    double rival_gflops;
    int product; /* the work that is a product; -1: none */
};

/* Reads the record, a lane for each thread. The name of a function is asked for by its address. False: there is nothing
 * in it. The caller calls timeline_free in any case. */
bool timeline_read(struct timeline *timeline, const struct cell *cell, const struct recorder_lane *lanes, int count,
                   const char *(*name)(uintptr_t function));
void timeline_free(struct timeline *timeline);

/* Follows the critical path. It begins at the last end of a work. Where the thread was idle before a work, it goes on
 * with the work of any thread that had ended last. */
void timeline_follow(struct timeline *timeline);
/* Sets product_s of a factorisation, whose updates are products in tiles. */
void timeline_compare(struct timeline *timeline, const char *rival, double gflops);

/* Makes TIMELINE_OTHER of the works that take less than 0.5 % of the threads' time and of the path, for readers. */
void timeline_gather(struct timeline *timeline);

double timeline_idle_s(const struct timeline *timeline); /* of all threads together */
/* What timeline_compare leaves: the thread seconds that the run takes more than its operations at the product's rate;
 * those of them that the traced run shows in its works, beside TIMELINE_OTHER, and as idle. */
double timeline_gap_s(const struct timeline *timeline);
double timeline_explained_s(const struct timeline *timeline);

#endif
