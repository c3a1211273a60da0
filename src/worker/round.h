/* One round of a cell: its warm-up and its samples.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_WORKER_ROUND_H
#define TILELAB_WORKER_ROUND_H

#include "prepared.h"
#include "protocol/request.h"

/* Warms a cell up that other cells have pushed out of the caches since its last run. False if a run fails. */
bool round_warm(struct prepared *at, const struct measure *measure, struct outcome *outcome);
/* Takes the samples of one round, then a few samples from host memory to host memory where operands are copied. False
 * if a run fails. A sample whose output differs from the verified one ends the round, so that it is judged. */
bool round_sample(struct prepared *at, const struct measure *measure, const struct round_request *asked,
                  struct outcome *outcome);
/* The share of the cell's time that one round may take. */
double round_share_s(const struct measure *measure);

#endif
