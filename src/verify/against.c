/* Verification by a variant of the problem.
 * SPDX-License-Identifier: MIT */
#include "against.h"

#include "cell.h"
#include "poison.h"
#include "registry.h"
#include "backend/object.h"
#include "machine/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct expected {
    void *operand[MAX_OPERANDS]; /* what the variant wrote; NULL for an INPUT */
    double most[MAX_OPERANDS];   /* the largest finite magnitude in it */
    char why[200];               /* why there is no result; empty: there is one */
};

bool against_cell(const struct cell *of, struct cell *cell)
{
    const struct problem *problem = of->entry->problem;
    char name[sizeof of->entry->name];
    snprintf(name, sizeof name, "%s/%s", problem->name, problem->against ? problem->against : "");
    const struct entry *entry = problem->against ? registry_find(name) : NULL;
    if (!entry || registry_backends[entry->backend].made != MADE_BUILDS ||
        !(entry->meta->precisions & BIT(of->precision)))
        return false;
    *cell = (struct cell){.entry = entry, .precision = of->precision, .m = of->m, .n = of->n, .k = of->k};
    const unsigned axes = registry_axes(entry);
    for (int axis = 0; axis < AXES; axis++)
        if (axes & BIT(axis) && !cell_value(cell, axis))
            *cell_axis(cell, axis) = cell_default(entry, axis); /* its own tuning */
    cell->opt = OPT_O2;
    cell->isa = 1;
    cell->threads = axes & HONOURS(threads) ? 1 : 0;
    if (!entry->objects && !cell_variant(cell)) { /* a sanitizer has compiled the user's own kernel, for `verify` */
        cell->opt = OPT_O3;
        cell->isa = host_get()->isa_best;
    }
    return true;
}

/* The largest finite magnitude in an operand of numbers. */
static double find_most(const struct cell *cell, int operand, const void *values)
{
    int64_t rows, cols;
    double most = 0;
    cell->entry->problem->operand[operand].shape(cell, &rows, &cols);
    for (int64_t e = 0; e < rows * cols; e++) {
        const double magnitude = fabs(operand_value(values, cell->precision, e));
        most = isfinite(magnitude) ? fmax(most, magnitude) : most;
    }
    return most;
}

/* Makes the operands that the variant writes. False: no memory. */
static bool make_operands(struct expected *expected, const struct cell *cell, void *const given[], struct job *job)
{
    const struct problem *problem = cell->entry->problem;
    for (int i = 0; i < problem->operand_count; i++) {
        const size_t bytes = (size_t)cell_operand_bytes(cell, i);
        job->operand[i] = given[i];
        if (problem->operand[i].role == INPUT)
            continue;
        job->operand[i] = expected->operand[i] = aligned_alloc(64, (bytes + 64) / 64 * 64);
        if (!expected->operand[i])
            return false;
        if (problem->operand[i].role == INOUT)
            memcpy(expected->operand[i], given[i], bytes);
    }
    return true;
}

/* Runs the variant, and notes the magnitudes of what it wrote. */
static void run(struct expected *expected, const struct variant *variant, struct job *job)
{
    const struct problem *problem = job->cell->entry->problem;
    job->caches = host_caches(host_get());
    const bool failed = (variant->prepare && variant->prepare(job) != 0) || variant->run(job) != 0;
    if (variant->release)
        variant->release(job);
    if (failed)
        snprintf(expected->why, sizeof expected->why, "the reference %s failed: %.120s", job->cell->entry->name,
                 job->error);
    for (int i = 0; i < problem->operand_count; i++)
        if (expected->operand[i] && !problem->element_bytes[i])
            expected->most[i] = find_most(job->cell, i, expected->operand[i]);
}

void *against_reference(const struct cell *of, enum inputs inputs, uint64_t seed, void *const operand[])
{
    (void)inputs, (void)seed;
    struct cell cell;
    struct job job = {.error = "", .cell = &cell};
    struct expected *expected = calloc(1, sizeof *expected);
    if (!expected)
        return NULL;
    if (!against_cell(of, &cell)) {
        snprintf(expected->why, sizeof expected->why,
                 "the problem is verified by %s/%s, which is no %s variant of the CPU", of->entry->problem->name,
                 of->entry->problem->against, cell_precision_names[of->precision]);
        return expected;
    }
    char why[160] = "";
    const struct variant *variant = object_build(&cell, why, sizeof why);
    if (!variant) {
        snprintf(expected->why, sizeof expected->why, "the reference cannot be loaded: %s", why);
        return expected;
    }
    if (!make_operands(expected, &cell, operand, &job)) {
        against_free(expected);
        return NULL;
    }
    run(expected, variant, &job);
    return expected;
}

void against_free(void *reference)
{
    struct expected *expected = reference;
    for (int i = 0; i < MAX_OPERANDS; i++)
        free(expected->operand[i]);
    free(expected);
}

/* Says how an element differs. */
static bool refuse(const struct cell *cell, int operand, int64_t row, int64_t col, const void *found, int64_t at,
                   double want, struct verdict *verdict)
{
    const char *name = cell->entry->problem->operand[operand].name;
    const double is = operand_value(found, cell->precision, at);
    if (poison_is_left(found, cell->precision, at) || !isfinite(is))
        return verdict_refuse(verdict, "%s(%lld, %lld) %s", name, (long long)row, (long long)col,
                              poison_is_left(found, cell->precision, at) ? "was not written"
                                                                         : poison_words(found, cell->precision, at));
    return verdict_refuse(verdict, "%s(%lld, %lld) is %.9g, not %.9g as with %s", name, (long long)row, (long long)col,
                          is, want, cell->entry->problem->against);
}

/* Compares an operand of numbers. An error counts in `unit`; the verdict says how many are allowed. */
static bool check_values(const struct cell *cell, int operand, const void *expected, const void *found, double unit,
                         struct verdict *verdict)
{
    int64_t rows, cols;
    cell->entry->problem->operand[operand].shape(cell, &rows, &cols);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t col = 0; col < cols; col++) {
            const int64_t at = row * cols + col;
            const double want = operand_value(expected, cell->precision, at);
            const double is = operand_value(found, cell->precision, at);
            const double error = want == is ? 0 : verdict->bound > 0 ? fabs(is - want) / unit : INFINITY;
            if (!(error <= verdict->bound)) /* NaN fails */
                return refuse(cell, operand, row, col, found, at, want, verdict);
            verdict->error = fmax(verdict->error, error);
        }
    return true;
}

void against_verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                    struct verdict *verdict)
{
    const struct problem *problem = cell->entry->problem;
    const struct expected *expected = reference;
    const double roundoff = cell->precision == F64 ? ldexp(1, -53) : ldexp(1, -24);
    const bool exact = inputs == INPUTS_EXACT || cell->precision == I32;
    *verdict = (struct verdict){.ok = true, .bound = exact ? 0 : problem->within, .norm2 = NAN};
    if (*expected->why) {
        verdict_fail(verdict, "%s", expected->why);
        return;
    }
    for (int i = 0; i < problem->operand_count && verdict->ok; i++) {
        if (!expected->operand[i])
            continue;
        if (!problem->element_bytes[i])
            check_values(cell, i, expected->operand[i], operand[i], roundoff * expected->most[i], verdict);
        else if (memcmp(expected->operand[i], operand[i], (size_t)cell_operand_bytes(cell, i)) != 0)
            verdict_fail(verdict, "%s differs from that of %s", problem->operand[i].name, problem->against);
    }
}
