/* Probe: what messages between GPUs cost. Each GPU has a part of x, and gets all parts of the others. All parts travel
 * 64 times, one exchange after another: the time of one is the time of a run, divided by 64. A large x shows the rate
 * of the links, a tiny one the least time of a message.
 * SPDX-License-Identifier: MIT */
#include "exchanges.h"

#include "cell.h"
#include "problem.h"
#include "common/probe.h"
#include "team_variant.h"
#include "verify/inputs.h"

#include <stdlib.h>

enum { X, Y };

static void shape_x(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->n;
    *cols = 1;
}

/* The whole x, for each GPU. */
static void shape_y(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = cell->n * (cell->gpus > 0 ? cell->gpus : 1);
    *cols = 1;
}

/* What a GPU receives. */
static double bytes(const struct cell *cell)
{
    const double gpus = (double)(cell->gpus > 0 ? cell->gpus : 1), size = (double)cell_precision_size(cell->precision);
    return ALLGATHER_EXCHANGES * (double)cell->n * size * (gpus - 1) / gpus;
}

static struct team_inputs inputs_of(const struct cell *cell, int operand, enum inputs inputs, uint64_t seed)
{
    (void)cell, (void)inputs;
    return (struct team_inputs){.kind = TEAM_UNIFORM, .key = inputs_key(seed, (uint32_t)operand)};
}

/* The vector that the members have parts of; NULL: memory is short, or the members have broken up. */
static double *collect(struct team_check *check, int operand)
{
    const struct team_matrix *matrix = &check->team->matrix[operand];
    double *vector = calloc((size_t)matrix->rows, sizeof *vector);
    double failed = !vector || check->memory->get(matrix, vector) != 0;
    if (check->messages->most(&failed) == 0 && failed == 0 && check->messages->sum(vector, matrix->rows) == 0)
        return vector;
    free(vector);
    return NULL;
}

static void judge(struct team_check *check, struct verdict *verdict)
{
    const int64_t n = check->cell->n;
    double *x = collect(check, X), *y = x ? collect(check, Y) : NULL;
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    if (!y)
        verdict_no_memory(verdict);
    for (int64_t i = 0; y && verdict->ok && i < check->team->matrix[Y].rows; i++)
        if (!(y[i] == x[i % n]))
            verdict_fail(verdict, "GPU %lld got %.9g as element %lld of x, not %.9g", (long long)(i / n), y[i],
                         (long long)(i % n), x[i % n]);
    free(x);
    free(y);
}

static const struct team_problem team = {.inputs = inputs_of, .judge = judge};

const struct problem problem_allgather = {
    .name = "allgather",
    .summary = "probe: rate and time of messages between GPUs",
    .formula = "y_i = x",
    .baseline = "*",
    .precisions = FLOATS,
    .axes = HONOURS(n),
    .probe = true,
    .operand_count = 2,
    .operand = {{"x", INPUT, shape_x}, {"y", OUTPUT, shape_y}},
    .flops = probe_no_flops,
    .bytes = bytes,
    .team = &team,
};
