/* What one step of measuring a cell came to.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_OUTCOME_H
#define TILELAB_MEASURE_OUTCOME_H

#include "solver_log.h"
#include "results/result.h"

enum { ROUND_SAMPLES_MAX = 128 };

/* Where the time of a run went, for the record: everything else is overhead. */
enum phase { PHASE_INPUTS, PHASE_VERIFY, PHASE_WARM, PHASE_SAMPLE, PHASES };

struct outcome {
    enum status status;
    char reason[200];
    double run_s;       /* of the latest single run; NAN: none */
    double cpu_s;       /* processor time of that run */
    double alloc_s;     /* allocating and preparing */
    double first_run_s; /* the variant's first call in this process */
    double error, bound, norm2, growth, residual, radius;
    struct solver_log log; /* of a solver's verified run */
    double phase_s[PHASES];
    int converged, bitwise; /* -1: not applicable */
    bool poisoned;          /* the worker is of no further use */
    int samples;
    struct sample sample[ROUND_SAMPLES_MAX + 8];
};

/* Ends a cell: its status, why, and no samples. */
void outcome_fail(struct outcome *outcome, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An outcome with status ok in which nothing is measured yet. */
struct outcome outcome_none(void);
/* The bytes in use: all but the room behind the last sample. */
size_t outcome_size(const struct outcome *outcome);
/* Whether the text of an error says that memory was short. */
bool outcome_says_memory(const char *text);

#endif
