/* The run record <experiment>.run.json: the experiment, its variants, the machine and how the run went.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_RUN_RECORD_H
#define TILELAB_RUN_RUN_RECORD_H

#include "run.h"

/* Writes the record beside the CSV files, if a cell was measured, the CSV files changed, or there is no record yet. The
 * variants and the counts are those of the rows of results.csv. If nothing was measured now, the new record keeps what
 * the old record says of the profile, the machine and the time. schedule_list must have made the list. Returns 0 or an
 * errno. */
int run_record_write(const char *folder, const struct schedule *schedule, const struct store *store,
                     const struct run_report *report, bool changed);

#endif
