/* A cell that this worker has prepared: its operands, its runs, and the verification of its output.
 * SPDX-License-Identifier: MIT
 *
 * A cell stays prepared until prepared_close_all. A function that fails sets the status and the reason of the outcome
 * that it is given, and returns false or NULL. */
#ifndef TILELAB_WORKER_PREPARED_H
#define TILELAB_WORKER_PREPARED_H

#include "glimpse.h"
#include "machine/noise.h"
#include "protocol/outcome.h"

struct prepared {
    struct cell cell;
    struct cell given; /* what the variant sees of it, and may write to */
    struct job job;
    struct operands *operands;
    uint64_t digest; /* of the output that this process has verified */
    struct glimpses glimpses;
    bool varies;     /* no two runs give the same bits */
    bool fresh;      /* the inputs have changed since the round began */
    double norm2;    /* squared Frobenius norm of a team's output */
    double run_s;    /* time of the latest single run; 0: there was none yet */
    double before_s; /* time of the run before that one; 0: there was none */
    int repeats;     /* runs that make up one sample; 0: not known yet */
};

/* The prepared cell. It is prepared on `backend` if this worker has not done so yet. */
struct prepared *prepared_get(const struct backend_worker *backend, const struct cell *cell, struct outcome *outcome);
/* Fills the inputs of the cell, unless they are there; they have no signs then. */
bool prepared_fill(struct prepared *at, enum inputs inputs, uint64_t seed, struct outcome *outcome);
/* Fills the outputs with bytes that are NaN. prepared_freshen also gives the inputs new signs at random. */
bool prepared_poison(struct prepared *at, struct outcome *outcome);
bool prepared_freshen(struct prepared *at, struct outcome *outcome);
/* Compares the output of the latest sample with a glimpse. *other becomes true where it differs. False, and the reason,
 * if it cannot be read. */
bool prepared_glimpse(struct prepared *at, bool *other, struct outcome *outcome);
/* Has the output judged. It is taken to the host, unless a team keeps it. If this process has a window, it is shown
 * there for the judge, and outcome->shown is set. Else it is verified here, unless its digest is `known_digest`. A
 * probe is verified here: its output is as large as its work, and only the project's own variants are probes. */
bool prepared_present(struct prepared *at, uint64_t known_digest, struct outcome *outcome);
/* Makes one block of runs. With `times` NULL, nothing is measured. */
bool prepared_run_block(struct prepared *at, const struct repeats *repeats, struct backend_times *times,
                        struct outcome *outcome);
/* Makes one block of runs, and tells the processor time that this takes: of all threads, and of the processes that the
 * variant starts, as far as they have ended. */
bool prepared_run_timed(struct prepared *at, const struct repeats *repeats, struct backend_times *times, double *cpu_s,
                        struct outcome *outcome);
/* Makes the operands ready for a block of `count` runs: fresh where runs change them, and in the caches or not as the
 * cell wants it. If the caches are to be cold, a block has one run. */
bool prepared_restore(struct prepared *at, int count, struct repeats *repeats, struct outcome *outcome);
/* Makes one block of runs on fresh operands. */
bool prepared_run(struct prepared *at, int count, struct backend_times *times, struct outcome *outcome);
/* Makes single runs until two in a row take about the same time. The last run that was made before counts as the first
 * one. At least `least_s` seconds of runs are made, and about `most_s` at most. */
bool prepared_warm_up(struct prepared *at, double least_s, double most_s, struct outcome *outcome);
/* Whether two times of one run are about the same; false where one is not known, which is 0. */
bool prepared_agree(double a_s, double b_s);
/* The doubts about runs that were made since `begin`: FLAG_NOISY, FLAG_IDLE. */
unsigned prepared_doubts(const struct noise *begin, const struct cell *cell, double kernel_s, double cpu_s);
/* The time that the fake timer gives a run. The cell, the round and the sample decide it.
 * TILELAB_FAKE_STOPS="N FACTOR LAUNCHES FIRST" simulates stops of the scheduler: in the first launches, the samples of
 * cells with this n take longer, from the sample `first` of each round on. */
double prepared_fake_s(const struct cell *cell, int round, int launch, int index);
/* Releases all prepared cells and all operands. */
void prepared_close_all(void);

#endif
