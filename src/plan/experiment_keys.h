/* The readers of an experiment file's keys.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_EXPERIMENT_KEYS_H
#define TILELAB_PLAN_EXPERIMENT_KEYS_H

#include "reader.h"

/* Reads the value of a key into reader->experiment. A value that does not suit the key is a fault. */
void experiment_keys_read(struct reader *reader, enum key_id id, const struct yaml_node *node);

#endif
