/* What the tests of the iterative solvers share.
 * SPDX-License-Identifier: MIT */
#include "solver_cases.h"
#include "test.h"

#include "backend/blas/blas_open.h"
#include "machine/host.h"

#include <math.h>
#include <omp.h>

static struct blas libraries[2]; /* handle NULL: this machine does not have the library */

/* Gives the job the library of a variant. False if this machine does not have the library. */
static bool has_library(const struct entry *entry, struct job *job)
{
    for (size_t i = 0; entry->backend == BACKEND_BLAS && i < 2; i++)
        if (libraries[i].handle && strcmp(entry->library, libraries[i].name) == 0)
            job->blas = &libraries[i];
    return entry->backend == BACKEND_CPU || job->blas;
}

int open_libraries(void **state)
{
    static const char *const names[2] = {"openblas", "blis"};
    char why[256];
    (void)state;
    for (size_t i = 0; i < 2; i++)
        if (!blas_open(names[i], 2, &libraries[i], why, sizeof why)) {
            print_message("%s\n", why);
            libraries[i].handle = NULL;
        }
    return 0;
}

void each_variant(const char *problem, check *check)
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        struct job job = {0};
        if ((entry[i].problem == registry_problem("jacobi") || entry[i].problem == registry_problem("seidel")) &&
            (!problem || strcmp(entry[i].problem->name, problem) == 0) && has_library(&entry[i], &job))
            check(&entry[i], &job);
    }
}

struct cell cell_of(const struct entry *entry, int64_t precision, int64_t n)
{
    struct cell cell = entry->meta->defaults;
    cell.entry = entry;
    cell.precision = precision;
    cell.n = n;
    if (entry->backend == BACKEND_CPU) {
        cell.isa = host_get()->isa_best;
        cell.opt = OPT_O3;
    }
    return cell;
}

bool in_order(const struct entry *entry)
{
    return !entry->meta->chaotic || omp_get_max_threads() == 1;
}

const struct solver_log *log_of(const struct point *point)
{
    return point->operand[SOLVER_LOG];
}

void must_run(struct point *point, struct job *job)
{
    point_poison(point);
    if (point_run(point, job) != 0)
        fail_msg("%s: %s", point->cell.entry->name, job->error);
}

/* --- The methods as textbooks write them, in long double --- */

long double iteration_element(const struct iteration *of, int64_t row, int64_t col)
{
    return operand_value(of->a, of->precision, row * of->n + col);
}

void iteration_open(struct iteration *of, const struct point *point)
{
    const int64_t n = point->cell.n;
    *of = (struct iteration){.n = n,
                             .precision = point->cell.precision,
                             .a = point->operand[SOLVER_A],
                             .b = point->operand[SOLVER_B],
                             .jacobi = strcmp(point->cell.entry->problem->name, "jacobi") == 0,
                             .omega = solver_rule_of(&point->cell).omega,
                             .x = calloc((size_t)n, sizeof *of->x),
                             .old = calloc((size_t)n, sizeof *of->old)};
    assert_true(of->x && of->old);
}

void iteration_close(struct iteration *of)
{
    free(of->x);
    free(of->old);
}

double iteration_residual(struct iteration *of)
{
    long double squares = 0, scale = 0;
    for (int64_t i = 0; i < of->n; i++) {
        const long double b = operand_value(of->b, of->precision, i);
        long double sum = b, most = fabsl(b);
        for (int64_t j = 0; j < of->n; j++) {
            sum -= iteration_element(of, i, j) * of->x[j];
            most += fabsl(iteration_element(of, i, j) * of->x[j]);
        }
        squares += sum * sum;
        scale += most * most;
    }
    of->scale = (double)sqrtl(scale);
    return (double)sqrtl(squares);
}

void iteration_sweep(struct iteration *of)
{
    memcpy(of->old, of->x, (size_t)of->n * sizeof *of->old);
    for (int64_t i = 0; i < of->n; i++) {
        long double sum = operand_value(of->b, of->precision, i);
        for (int64_t j = 0; j < of->n; j++)
            if (j != i)
                sum -= iteration_element(of, i, j) * (j < i && !of->jacobi ? of->x[j] : of->old[j]);
        of->x[i] = (1 - of->omega) * of->old[i] + of->omega * sum / iteration_element(of, i, i);
    }
}

double roundoff(const struct cell *cell)
{
    return (cell->precision == F32 ? 0x1p-24 : 0x1p-53) * 4 * sqrt((double)cell->n);
}

void must_tell_its_residual(const struct point *point)
{
    const struct solver_log *log = log_of(point);
    struct iteration of;
    iteration_open(&of, point);
    for (int64_t i = 0; i < of.n; i++)
        of.x[i] = operand_value(point->operand[SOLVER_X], of.precision, i);
    const double norm = iteration_residual(&of);
    if (!(fabs(log->residual - norm) <= roundoff(&point->cell) * of.scale))
        fail_msg("%s: a residual of %g is said to be %g", point->cell.entry->name, norm, log->residual);
    iteration_close(&of);
}
