/* What a run would measure, and how long that would take.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_PLAN_H
#define TILELAB_COMMAND_PLAN_H

#include "commands.h"
#include "experiments.h"

/* Prints the cells to measure of each point, the reasons, and the time as predicted from the results of the store. The
 * store may be NULL. */
void plan_print(const struct schedule *schedule, const struct store *store);

/* Prints that for each study. Nothing is written. */
enum exit_code plan_studies(struct study *const studies[], const struct experiments_arguments *arguments);

#endif
