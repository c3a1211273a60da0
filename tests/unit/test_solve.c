/* Every CPU and BLAS variant of jacobi and seidel: the iterates and residuals of the method, the number of sweeps that
 * was published, and each way in which a solve can end.
 * SPDX-License-Identifier: MIT */
#include "blas.h"
#include "host.h"
#include "point.h"
#include "solve.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <cmocka.h>

enum { SEED = 42, TWO_THIRDS = 666666667, MORE_THAN_ONE = 1200000000 };

static struct blas libraries[2]; /* handle NULL: not here */

/* The library of a variant; false if it is not here. */
static bool has_library(const struct entry *entry, struct job *job)
{
    for (size_t i = 0; entry->backend == BACKEND_BLAS && i < 2; i++)
        if (libraries[i].handle && strcmp(entry->library, libraries[i].name) == 0)
            job->blas = &libraries[i];
    return entry->backend == BACKEND_CPU || job->blas;
}

static int open_libraries(void **state)
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

typedef void check(const struct entry *entry, struct job *job);

static void each_variant(const char *problem, check *check)
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        struct job job = {0};
        if ((entry[i].problem == problem_find("jacobi") ||
             entry[i].problem == problem_find("seidel")) &&
            (!problem || strcmp(entry[i].problem->name, problem) == 0) &&
            has_library(&entry[i], &job))
            check(&entry[i], &job);
    }
}

static struct cell cell_of(const struct entry *entry, int64_t precision, int64_t n)
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

static bool in_order(const struct entry *entry)
{
    return !entry->meta->chaotic || omp_get_max_threads() == 1;
}

static const struct solve_log *log_of(const struct point *point)
{
    return point->operand[SOLVE_LOG];
}

static void must_run(struct point *point, struct job *job)
{
    point_poison(point);
    if (point_run(point, job) != 0)
        fail_msg("%s: %s", point->cell.entry->name, job->error);
}

/* --- The method, as textbooks have it, in long double --- */

struct iteration {
    int64_t n, precision;
    const void *a, *b;
    bool jacobi;
    long double omega;
    long double *x, *old;
    double scale; /* norm of |A||x| + |b|: what rounding makes of a residual is in units of it */
};

static long double element(const struct iteration *of, int64_t row, int64_t col)
{
    return operand_value(of->a, of->precision, row * of->n + col);
}

static void iteration_open(struct iteration *of, const struct point *point)
{
    const int64_t n = point->cell.n;
    *of = (struct iteration){.n = n,
                             .precision = point->cell.precision,
                             .a = point->operand[SOLVE_A],
                             .b = point->operand[SOLVE_B],
                             .jacobi = strcmp(point->cell.entry->problem->name, "jacobi") == 0,
                             .omega = solve_rule_of(&point->cell).omega,
                             .x = calloc((size_t)n, sizeof *of->x),
                             .old = calloc((size_t)n, sizeof *of->old)};
    assert_true(of->x && of->old);
}

static void iteration_close(struct iteration *of)
{
    free(of->x);
    free(of->old);
}

static double residual_norm(struct iteration *of)
{
    long double squares = 0, scale = 0;
    for (int64_t i = 0; i < of->n; i++) {
        const long double b = operand_value(of->b, of->precision, i);
        long double sum = b, most = fabsl(b);
        for (int64_t j = 0; j < of->n; j++) {
            sum -= element(of, i, j) * of->x[j];
            most += fabsl(element(of, i, j) * of->x[j]);
        }
        squares += sum * sum;
        scale += most * most;
    }
    of->scale = (double)sqrtl(scale);
    return (double)sqrtl(squares);
}

static void iterate(struct iteration *of)
{
    memcpy(of->old, of->x, (size_t)of->n * sizeof *of->old);
    for (int64_t i = 0; i < of->n; i++) {
        long double sum = operand_value(of->b, of->precision, i);
        for (int64_t j = 0; j < of->n; j++)
            if (j != i)
                sum -= element(of, i, j) * (j < i && !of->jacobi ? of->x[j] : of->old[j]);
        of->x[i] = (1 - of->omega) * of->old[i] + of->omega * sum / element(of, i, i);
    }
}

static double roundoff(const struct cell *cell)
{
    return (cell->precision == F32 ? 0x1p-24 : 0x1p-53) * 4 * sqrt((double)cell->n);
}

/* All residuals that were noted on the way, and the iterate at its end. A sweep makes the errors of a residual, and
 * leaves those of the sweeps before it no larger; D + L divides them by little more than the diagonal. */
static void must_follow_the_method(const struct point *point)
{
    const struct cell *cell = &point->cell;
    const struct solve_log *log = log_of(point);
    struct iteration of;
    double scale = 0, least = INFINITY;
    assert_int_equal(log->end, SOLVE_COUNTED);
    assert_int_equal(log->sweeps, cell->sweeps);
    assert_int_equal(log->recorded, cell->sweeps);
    iteration_open(&of, point);
    for (int64_t k = 0; k < cell->sweeps; k++) {
        const double norm = residual_norm(&of);
        scale += of.scale;
        if (!(fabs(log->history[k] - norm) <= roundoff(cell) * scale))
            fail_msg("%s %s %s n = %lld tile %lld omega %g threads %d: residual %lld is %g, not %g",
                     cell->entry->name, precision_names[cell->precision],
                     cell->isa ? isa_names[cell->isa] : "", (long long)cell->n,
                     (long long)cell->tile, (double)of.omega, omp_get_max_threads(), (long long)k,
                     log->history[k], norm);
        iterate(&of);
    }
    for (int64_t i = 0; i < cell->n; i++)
        least = fmin(least, (double)fabsl(element(&of, i, i)));
    for (int64_t i = 0; i < cell->n; i++) {
        const double x = operand_value(point->operand[SOLVE_X], cell->precision, i);
        if (!(fabsl(x - of.x[i]) <= roundoff(cell) * scale / least))
            fail_msg("%s %s n = %lld tile %lld omega %g threads %d: x(%lld) is %g, not %g",
                     cell->entry->name, precision_names[cell->precision], (long long)cell->n,
                     (long long)cell->tile, (double)of.omega, omp_get_max_threads(), (long long)i,
                     x, (double)of.x[i]);
    }
    iteration_close(&of);
}

static void check_all_builds(struct point *point, struct job *job)
{
    const struct entry *entry = point->cell.entry;
    if (entry->backend == BACKEND_BLAS) {
        must_run(point, job);
        must_follow_the_method(point);
        return;
    }
    for (point->cell.opt = OPT_O2; point->cell.opt <= OPT_O3; point->cell.opt++)
        for (point->cell.isa = ISA_BASE; point->cell.isa <= host_get()->isa_best;
             point->cell.isa++) {
            if (!cell_variant(&point->cell))
                continue;
            must_run(point, job);
            must_follow_the_method(point);
        }
}

static void check_method(const struct entry *entry, struct job *job, int64_t n, int64_t tile)
{
    static const int64_t omega[] = {0, TWO_THIRDS, MORE_THAN_ONE};
    if (!in_order(entry))
        return;
    for (int64_t precision = F32; precision <= F64; precision++) {
        struct cell cell = cell_of(entry, precision, n);
        struct point point;
        cell.tile = entry->meta->axes & HONOURS(tile) ? tile : 0;
        point_open(&point, &cell, INPUTS_RANDOM, SEED);
        for (size_t i = 0; i < sizeof omega / sizeof *omega; i++) {
            point.cell.omega = omega[i];
            if (entry->meta->reject && entry->meta->reject(&point.cell))
                continue;
            for (point.cell.sweeps = 1; point.cell.sweeps <= 6; point.cell.sweeps += 5)
                check_all_builds(&point, job);
        }
        point_close(&point);
    }
}

static void check_sizes(const struct entry *entry, struct job *job)
{
    enum { TILE = 8 };
    static const int64_t size[] = {1, 2, 3, TILE - 1, TILE, TILE + 1, 37};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        check_method(entry, job, size[i], TILE);
}

static void iterates_are_those_of_the_method(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 5; threads += 2) {
        omp_set_num_threads(threads);
        each_variant(NULL, check_sizes);
    }
}

static void check_tiles(const struct entry *entry, struct job *job)
{
    static const int64_t tile[] = {1, 3, 64, 65536};
    for (size_t i = 0; i < sizeof tile / sizeof *tile; i++)
        if (entry->meta->axes & HONOURS(tile))
            check_method(entry, job, 131, tile[i]);
}

static void iterates_are_the_same_with_any_tile(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        each_variant(NULL, check_tiles);
    }
}

/* More than two blocks of the BLAS variants, and of omp-exact's own tile. */
static void check_blocks(const struct entry *entry, struct job *job)
{
    check_method(entry, job, 600, entry->meta->defaults.tile);
}

static void iterates_are_right_over_several_blocks(void **state)
{
    (void)state;
    omp_set_num_threads(2);
    each_variant(NULL, check_blocks);
}

/* A sweep that reads what is not there yet is right by luck once, not every time. */
static void check_often(const struct entry *entry, struct job *job)
{
    struct cell cell = cell_of(entry, F64, 300);
    struct point point;
    if (entry->backend != BACKEND_CPU || !in_order(entry))
        return;
    cell.sweeps = 6;
    if (entry->meta->axes & HONOURS(tile))
        cell.tile = 4;
    point_open(&point, &cell, INPUTS_RANDOM, SEED);
    for (int i = 0; i < 10; i++) {
        must_run(&point, job);
        must_follow_the_method(&point);
    }
    point_close(&point);
}

static void iterates_are_right_every_time(void **state)
{
    (void)state;
    omp_set_num_threads(3);
    each_variant(NULL, check_often);
}

/* --- Solves that converge --- */

/* The answer is the iterate whose residual the log tells. */
static void must_tell_its_residual(const struct point *point)
{
    const struct solve_log *log = log_of(point);
    struct iteration of;
    iteration_open(&of, point);
    for (int64_t i = 0; i < of.n; i++)
        of.x[i] = operand_value(point->operand[SOLVE_X], of.precision, i);
    const double norm = residual_norm(&of);
    if (!(fabs(log->residual - norm) <= roundoff(&point->cell) * of.scale))
        fail_msg("%s: a residual of %g is said to be %g", point->cell.entry->name, norm,
                 log->residual);
    iteration_close(&of);
}

struct window {
    char problem[16];
    int64_t n, omega, low, high;
};

static void check_window(const struct window *window, const struct entry *entry, struct job *job)
{
    struct cell cell = cell_of(entry, F64, window->n);
    struct point point;
    cell.omega = window->omega;
    if (!in_order(entry) || (entry->meta->reject && entry->meta->reject(&cell)))
        return;
    point_open(&point, &cell, INPUTS_RANDOM, SEED);
    must_run(&point, job);
    const struct solve_log *log = log_of(&point);
    if (log->end != SOLVE_CONVERGED || log->sweeps < window->low || log->sweeps > window->high)
        fail_msg("%s n = %lld ended with %lld after %lld sweeps, not %lld to %lld", entry->name,
                 (long long)window->n, (long long)log->end, (long long)log->sweeps,
                 (long long)window->low, (long long)window->high);
    must_tell_its_residual(&point);
    point_close(&point);
}

static void sweeps_are_as_many_as_published(void **state)
{
    const double most = 2e8; /* elements read, or the test takes long */
    FILE *file = fopen("data/published/expected.csv", "re");
    char line[256];
    size_t count, windows = 0;
    const struct entry *entry = registry(&count);
    (void)state;
    assert_non_null(file);
    omp_set_num_threads(2);
    while (fgets(line, sizeof line, file)) {
        struct window window;
        double omega;
        if (sscanf(line, "%15[a-z],%*[a-z],%lf,%" SCNd64 ",f64,%*[^,],%" SCNd64 ",%" SCNd64,
                   window.problem, &omega, &window.n, &window.low, &window.high) != 5 ||
            (double)(window.high * window.n * window.n) > most)
            continue;
        window.omega = omega == 1 ? 0 : TWO_THIRDS;
        windows++;
        for (size_t i = 0; i < count; i++) {
            struct job job = {0};
            if (strcmp(entry[i].problem->name, window.problem) == 0 && has_library(&entry[i], &job))
                check_window(&window, &entry[i], &job);
        }
    }
    fclose(file);
    assert_int_equal(windows, 6);
}

/* Threads without order converge as well, if at no promised pace; and the residual is that of the answer. */
static void check_converges(const struct entry *entry, struct job *job)
{
    for (int64_t precision = F32; precision <= F64; precision++) {
        const struct cell cell = cell_of(entry, precision, 200);
        struct point point;
        point_open(&point, &cell, INPUTS_RANDOM, SEED);
        must_run(&point, job);
        assert_int_equal(log_of(&point)->end, SOLVE_CONVERGED);
        must_tell_its_residual(&point);
        assert_true(point_verify(&point).ok);
        point_close(&point);
    }
}

static void seidel_converges_whatever_the_threads(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        each_variant("seidel", check_converges);
    }
}

/* --- Solves that do not --- */

/* Runs on a system of the test's own; the log. */
static struct solve_log run_on(const struct entry *entry, struct job *job, int64_t n,
                               const double *a, const double *b)
{
    const struct cell cell = cell_of(entry, F64, n);
    struct point point;
    point_open(&point, &cell, INPUTS_RANDOM, SEED);
    memcpy(point.operand[SOLVE_A], a, (size_t)(n * n) * sizeof *a);
    memcpy(point.operand[SOLVE_B], b, (size_t)n * sizeof *b);
    must_run(&point, job);
    const struct solve_log log = *log_of(&point);
    if (isfinite(log.residual))
        must_tell_its_residual(&point);
    point_close(&point);
    return log;
}

/* Nearly singular: each sweep gains a millionth. */
static void check_limit(const struct entry *entry, struct job *job)
{
    const double c = 1 - 1e-6, a[] = {1, c, c, 1}, b[] = {1, 0};
    const struct solve_log log = run_on(entry, job, 2, a, b);
    assert_int_equal(log.end, SOLVE_LIMIT);
    assert_int_equal(log.sweeps, solve_rule_of(&(struct cell){.n = 2}).limit);
}

/* Singular, without a solution: the residual stays. */
static void check_stall(const struct entry *entry, struct job *job)
{
    const double a[] = {1, 1, 1, 1}, b[] = {1, 0};
    const struct solve_log log = run_on(entry, job, 2, a, b);
    assert_int_equal(log.end, SOLVE_STALLED);
    assert_int_equal(log.sweeps, SOLVE_STALL_SWEEPS);
}

static void check_divergence(const struct entry *entry, struct job *job)
{
    const double a[] = {1, 3, 3, 1}, b[] = {1, 1};
    const struct solve_log log = run_on(entry, job, 2, a, b);
    assert_int_equal(log.end, SOLVE_DIVERGED);
    assert_true(log.residual > 1e10 && log.sweeps < 30);
}

static void check_zero_diagonal(const struct entry *entry, struct job *job)
{
    const double a[] = {9, 1, 2, 1, 0, 3, 2, 1, 9}, b[] = {1, 2, 3}, zero = 0;
    assert_int_equal(run_on(entry, job, 3, a, b).end, SOLVE_DIVERGED);
    assert_int_equal(run_on(entry, job, 1, &zero, b).end, SOLVE_DIVERGED);
}

static void check_nan(const struct entry *entry, struct job *job)
{
    double a[] = {9, 1, 2, 1, 9, 3, 2, 1, 9}, b[] = {1, 2, NAN};
    assert_int_equal(run_on(entry, job, 3, a, b).end, SOLVE_DIVERGED);
    b[2] = 3;
    a[1] = NAN;
    assert_int_equal(run_on(entry, job, 3, a, b).end, SOLVE_DIVERGED);
}

static void no_solve_is_endless(void **state)
{
    static check *const checks[] = {check_limit, check_stall, check_divergence, check_zero_diagonal,
                                    check_nan};
    (void)state;
    for (int threads = 1; threads <= 2; threads++) {
        omp_set_num_threads(threads);
        for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
            each_variant(NULL, checks[i]);
    }
}

/* --- BLAS --- */

static void a_library_without_these_calls_says_so(void **state)
{
    (void)state;
    struct blas blas = {.path = "/lib/libhalf.so"};
    struct cell cell = {.precision = F64, .n = 1};
    struct job job = {.blas = &blas, .cell = &cell};
    cell.entry = registry_find("jacobi/blas-openblas-gemv");
    assert_int_not_equal(cell_variant(&cell)->prepare(&job), 0);
    assert_string_equal(job.error, "/lib/libhalf.so has no cblas_sgemv or no cblas_dgemv");
    cell.entry = registry_find("seidel/blas-openblas-gemv-trsv");
    assert_int_not_equal(cell_variant(&cell)->prepare(&job), 0);
    assert_string_equal(job.error,
                        "/lib/libhalf.so has not all of cblas_?gemv, cblas_?trmv, cblas_?trsv");
}

static void trsv_is_for_an_omega_of_1_only(void **state)
{
    (void)state;
    const struct entry *entry = registry_find("seidel/blas-openblas-gemv-trsv");
    struct cell cell = {.entry = entry, .precision = F64, .n = 1};
    assert_null(entry->meta->reject(&cell));
    cell.omega = OMEGA_ONE;
    assert_null(entry->meta->reject(&cell));
    cell.omega = TWO_THIRDS;
    assert_non_null(strstr(entry->meta->reject(&cell), "omega = 1 only"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterates_are_those_of_the_method),
        cmocka_unit_test(iterates_are_the_same_with_any_tile),
        cmocka_unit_test(iterates_are_right_over_several_blocks),
        cmocka_unit_test(iterates_are_right_every_time),
        cmocka_unit_test(sweeps_are_as_many_as_published),
        cmocka_unit_test(seidel_converges_whatever_the_threads),
        cmocka_unit_test(no_solve_is_endless),
        cmocka_unit_test(a_library_without_these_calls_says_so),
        cmocka_unit_test(trsv_is_for_an_omega_of_1_only),
    };
    return cmocka_run_group_tests(tests, open_libraries, NULL);
}
