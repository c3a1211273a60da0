/* Whether the files of a recorded folder agree with its run records, so that no row is lost without a trace.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_AGREEMENT_H
#define TILELAB_RESULTS_AGREEMENT_H

#include <stddef.h>

/* The file of a folder that says which rows somebody left out, and why. A line with a cell marks a row of results.csv.
 * A line with a status and a number counts rows that the run record counts and results.csv lacks. */
extern const char agreement_left_out[]; /* "left-out.csv" */

struct agreement {
    size_t studies;  /* with a run record or with results */
    size_t left_out; /* whose results.csv lacks rows, as left-out.csv says */
    size_t faults;   /* told on stderr */
};

/* Compares the run record of each study with its files: the counts of results.csv by status, and the hashes of all
 * files. All rows must be of one kind of machine: they have one machine_hash, and the run records do not tell of two
 * kinds (see kind.h). A cell that left-out.csv marks must be there. Tells each fault on stderr. */
struct agreement agreement_check(const char *folder);

#endif
