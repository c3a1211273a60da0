/* What a run would measure, and how long that would take.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_RUN_PLAN_H
#define TILELAB_RUN_RUN_PLAN_H

#include "base/exit.h"
#include "plan/experiments.h"

/* Prints the cells to measure of each point, the reasons, and the time as predicted from the results of the store. The
 * store may be NULL. */
void run_plan_print(const struct schedule *schedule, const struct store *store);

/* Prints that for each study. Nothing is written. */
enum exit_code run_plan_studies(struct study *const studies[], const struct experiments_arguments *arguments);

#endif
