/* One study is measured: from its results so far to its written results.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_RUN_STUDY_H
#define TILELAB_RUN_RUN_STUDY_H

#include "measured.h"

/* Measures one study until `end_s`. `of`: the part of each of its points, or NULL. `together`: a point is measured as a
 * whole. */
enum exit_code run_study(struct study *study, const struct experiments_arguments *arguments, const int *of,
                         bool together, double end_s, struct measured_left *left);

/* Measures one study for a comparison. All cells of a point are measured in the same rounds, and all of them again
 * where one of them is to be measured. */
enum exit_code run_together(struct study *study, const struct experiments_arguments *arguments);

#endif
