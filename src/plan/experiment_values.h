/* The readers of axis values and exclusions.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_EXPERIMENT_VALUES_H
#define TILELAB_PLAN_EXPERIMENT_VALUES_H

#include "reader.h"

/* Appends the values of the axis key->argument to the experiment's. */
void experiment_values_axis(struct reader *reader, const struct key *key, const struct yaml_node *node);
/* Appends the experiment's exclusions. */
void experiment_values_exclude(struct reader *reader, const struct key *key, const struct yaml_node *node);

/* The word number `index` that a grid takes for a value which only the machine knows ("all"); NULL: there are fewer. */
const char *experiment_values_symbol(enum axis_id axis, size_t index);

#endif
