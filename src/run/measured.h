/* What `run` and `record` share: what they say of cells to measure, and how they write the results.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_MEASURED_H
#define TILELAB_RUN_MEASURED_H

#include "run.h"
#include "base/exit.h"
#include "plan/experiments.h"

#include <stdio.h>

/* Warns of CSV files that were changed after their run, and tells what becomes of the changed rows. The store has just
 * been opened. */
void measured_warn_changed(const char *study, const struct store *store);

/* Before the first cell of this process is measured: finds out how many cores behave like cores, and warns of few. Not
 * where times are simulated, or there is nothing to measure. */
void measured_probe_cores(const struct schedule *schedule);

/* Prints how many cells are finished, do not suit this machine, or are to be measured and why. */
void measured_say_missing(const struct schedule *schedule);

/* Says how many of the asked cells the experiment file does not have, and where their results are. */
void measured_say_orphaned(const struct schedule *schedule, const struct store *store);

/* Writes the CSV files and the run record, and counts the cells by status in the report. Returns the exit code of what
 * was measured and written. */
enum exit_code measured_write(struct schedule *schedule, struct store *store, const char *folder,
                              struct run_report *report);

/* Says how many cells failed or are wrong, and how to see them and to measure them again. Prints nothing of none. */
void measured_say_failed(const struct schedule *schedule, const struct run_report *report, const char *folder);

/* What the budget left to measure, in all experiments. */
struct measured_left {
    size_t measured, cells;
    double time_s, least_s;
    struct run_doubts doubts; /* of what was measured */
};
void measured_add_left(struct measured_left *left, const struct run_report *report);

/* Prints the command that goes on with a run that was interrupted, or that the budget ended. */
void measured_say_how_to_go_on(const struct measured_left *left, bool interrupted,
                               const struct experiments_arguments *arguments);

/* Adds the doubts of one run to those of others. */
void measured_add_doubts(struct run_doubts *sum, const struct run_doubts *doubts);

/* Warns of times in doubt: how many of how many, and what the user can do. Prints nothing if no time is in doubt.
 * `calibrates`: the times are those of a calibration. */
void measured_say_doubts(const struct run_doubts *doubts, bool calibrates, FILE *out);

#endif
