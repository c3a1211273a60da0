/* Checking and timing one cell in this process, on one backend.
 * SPDX-License-Identifier: MIT
 *
 * Cells of one shape share an operand set: host operands between guard pages, inputs read-only while a variant runs,
 * device copies where the backend has them. Inputs are generated and verification's reference is computed once for
 * each kind of inputs. */
#ifndef TILELAB_MEASURE_MEASURE_H
#define TILELAB_MEASURE_MEASURE_H

#include "outcome.h"
#include "backend/backend.h"
#include "plan/experiment.h"

/* Loads the backend and binds the process; once, before anything else. 0, or non-zero with `why`. */
int measure_open(const struct backend_setup *setup, bool known, char *why, size_t size);
/* Poison, prepare, one run, verify. */
void measure_check(const struct cell *cell, enum inputs inputs, uint64_t seed, struct outcome *outcome);
/* Warm-up at the cell's own size; outcome->run_s is the time of its last run. The cell has passed measure_check. */
void measure_warm(const struct cell *cell, const struct measure *measure, struct outcome *outcome);
/* One round: an untimed run, then samples until the median is settled or the round's share of the time is spent. Then
 * the output is compared with the verified one. */
void measure_round(const struct cell *cell, const struct measure *measure, int round, int launch,
                   struct outcome *outcome);
/* Poison, prepare, one untimed run on the timed inputs between marks of `before` and `after` blocks, verify: for a
 * profiler. Only on a backend that marks. */
void measure_marked(const struct cell *cell, uint64_t seed, int before, int after, struct outcome *outcome);
/* Releases all prepared cells and operand sets. */
void measure_close(void);
/* A sticky error of the device: this process is of no further use. */
bool measure_poisoned(void);

#endif
