/* What one step of measuring a cell came to.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PROTOCOL_OUTCOME_H
#define TILELAB_PROTOCOL_OUTCOME_H

#include "problem.h"
#include "solver_log.h"
#include "results/result.h"

enum { ROUND_SAMPLES_MAX = 128 };
static const uint64_t OUTCOME_MAGIC = 0x74696c656c616221;

/* What a worker spends its time on. The run record tells these times. PHASE_INPUTS includes preparing variants,
 * PHASE_VERIFY downloading and hashing the output. */
enum phase { PHASE_INPUTS, PHASE_VERIFY, PHASE_WARM, PHASE_SAMPLE, PHASES };

struct outcome {
    uint64_t magic, request; /* of a worker's answer: OUTCOME_MAGIC, and the number of the request */
    enum status status;
    char reason[200];
    double run_s;     /* time of the latest single run; NAN: there was none */
    double again_s;   /* of WORKER_FRESH: time of a run just before, on inputs that the variant knew */
    double seen_s;    /* of WORKER_FRESH: for how long these inputs lay in the operands before the run */
    double delay_s;   /* of WORKER_FRESH: how long threads waited for a core, from when the inputs lay there */
    double cpu_s;     /* processor time of that run */
    unsigned flags;   /* doubts about that run: FLAG_NOISY, FLAG_IDLE */
    char no_energy[160]; /* of a round with a continuous run: why its energy is not known; empty: it is */
    int threads_made; /* of a check: how many threads the run made that are still there */
    size_t kept;      /* of a check: bytes that the run took by malloc and did not free */
    /* The columns of results.csv that a worker measures. NAN, or -1: not measured. */
#define OUTCOME_REAL(name) double name;
#define OUTCOME_TRISTATE(name) int name;
#define MEASURED(kind, name, ...) OUTCOME_##kind(name)
#define VERDICT(name, ...) double name;
#include "results/results.def"
#undef OUTCOME_REAL
#undef OUTCOME_TRISTATE
    struct solver_log log; /* of a solver's verified run */
    double phase_s[PHASES];
    bool shown;         /* the output lies in the window, for the judge */
    struct signs signs; /* of the inputs of that output */
    bool cut;           /* a round: a sample differed from the verified output, and ended the round */
    double wall_s;      /* supervisor: the time from its request to the answer */
    bool clocks_differ; /* supervisor: the times of the answer cannot be true after that time */
    double busy_s;      /* from the request's arrival to this answer, by the worker's clock */
    bool verified;      /* of a check: the output was verified, and was not only compared with a verified one */
    uint64_t digest;    /* of a check: of the output */
    bool poisoned;  /* the worker is of no further use: its device has an error that stays, or its state is spoiled */
    bool transient; /* the machine failed and not the variant; the reason says how */
    int samples;
    struct sample sample[ROUND_SAMPLES_MAX + 8]; /* those of the end-to-end series and a continuous run are the last */
};

/* Gives an outcome its status and reason, and takes its samples away. */
void outcome_fail(struct outcome *outcome, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says that the machine failed and not the variant, so that the request may be sent again. */
void outcome_transient(struct outcome *outcome, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes over the verdict on an output, and the log of a solver; NULL: the problem has none. */
void outcome_judge(struct outcome *outcome, const struct problem *problem, const struct verdict *verdict,
                   const struct solver_log *log);
/* Takes over what the judge has answered about the output that an answer showed. */
void outcome_take_verdict(struct outcome *outcome, const struct outcome *verdict);
/* Puts what an answer has measured into the result of its cell, by the rules of results.def: all values but those of a
 * verdict; or the verdict, with the log of a solver. False if memory is short. */
void outcome_put_measured(const struct outcome *outcome, struct result *result);
bool outcome_put_verdict(const struct outcome *outcome, struct result *result);
/* An outcome with status ok in which nothing is measured yet. */
struct outcome outcome_none(void);
/* The size in bytes without the room behind the last sample. */
size_t outcome_size(const struct outcome *outcome);

#endif
