/* Checking and timing cells in this process, a worker, on one backend.
 * SPDX-License-Identifier: MIT
 *
 * A cell stays prepared until measure_close. Cells of one shape share their operands, see operands.h. Every function
 * that fills an outcome starts from outcome_none; where something fails, the outcome has the status and the reason. */
#ifndef TILELAB_WORKER_MEASURE_H
#define TILELAB_WORKER_MEASURE_H

#include "backend/backend.h"
#include "protocol/outcome.h"
#include "protocol/request.h"
#include "verify/wrong_map.h"

/* Loads the backend and binds the process to cores. To be called once, before all other functions. `known`: a worker
 * with this setup was ready before. Returns 0, or non-zero with the reason in `why`, as backend->open does. */
int measure_open(const struct backend_setup *setup, bool known, char *why, size_t size);
/* Poisons the outputs, prepares the cell, runs it once and verifies the result. A result with the digest
 * `known_digest` is bit for bit one that an earlier worker has verified on these inputs, and is not verified again.
 * 0: there is none. */
void measure_check(const struct cell *cell, enum inputs inputs, uint64_t seed, uint64_t known_digest,
                   struct outcome *outcome);
/* Marks the wrong elements of the output that measure_check has found wrong, as far as the problem knows them. The
 * caller frees map->wrong. False: the output is not here, or memory is short. */
bool measure_map(const struct cell *cell, enum inputs inputs, struct wrong_map *map);
/* Warms a cell up that has passed measure_check, as far as the cell needs it. The first cell of a worker also raises
 * the clock of cores or GPU. Then the cell runs until two runs in a row take about the same time. Its checks count as
 * runs, and so does `known_s`, the time of a run in an earlier worker; 0: unknown. outcome->run_s is the time of the
 * last run. */
void measure_warm(const struct cell *cell, const struct measure *measure, double known_s, struct outcome *outcome);
/* One run on the inputs of a seed that the variant has never seen, after runs on the timed ones have warmed it up.
 * outcome->run_s is its time, and its output is judged. A variant that keeps results shows here what a run takes that
 * it has to do. With the seed of the timed inputs, these are copied over themselves: all is the same, but the variant
 * knows the inputs. */
void measure_fresh(const struct cell *cell, const struct measure *measure, uint64_t seed, struct outcome *outcome);
/* Fails if the inputs in memory are not those that were generated: a variant of this worker has changed them. */
void measure_inputs(const struct cell *cell, struct outcome *outcome);
/* One round: runs until two in a row take about the same time, if other cells can have slowed them down, then samples
 * until the median has converged or the round's share of the time is spent. A median has converged if its own relative
 * spread is at most `ci`, or at most `spread`. Each sample has inputs with signs of its own and an output that was
 * filled anew, and is compared with a glimpse of the verified output. The output of the last sample is judged. */
void measure_round(const struct cell *cell, const struct measure *measure, const struct round_request *asked,
                   struct outcome *outcome);
/* For a profiler: the same as measure_check on the timed inputs, with the run between two marks, which are empty
 * kernels of `before` and `after` blocks. The backend must be able to mark. */
void measure_marked(const struct cell *cell, uint64_t seed, int before, int after, struct outcome *outcome);
/* Releases all prepared cells and all operands. */
void measure_close(void);
/* Makes the backend forget what a variant has told its library. To be called before each request. */
void measure_reset(void);
/* Whether the device has an error that stays: every later call in this process fails. */
bool measure_poisoned(void);

#endif
