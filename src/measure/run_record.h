/* <experiment>.run.json: the machine and the circumstances of a run.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_RUN_RECORD_H
#define TILELAB_MEASURE_RUN_RECORD_H

#include "run.h"

/* Writes the record beside the CSV files, if a cell was measured, the CSV files changed, or there is none yet; when and
 * how well was measured is carried over from the old record where nothing was measured now. Returns 0 or an errno. */
int record_write(const char *folder, const struct schedule *schedule, const char *profile,
                 const struct run_report *report, bool changed);

#endif
