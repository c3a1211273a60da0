/* Tests of the verifier of iterative solvers. Right runs pass in either method and precision, and each way of being
 * wrong fails. What the method itself cannot do is not blamed on the variant.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "point.h"
#include "common/solver_problem.h"
#include "common/solver_verify.h"
#include "test.h"

#include <math.h>

enum { SEED = 42 };

/* The ways in which the solver of this test goes wrong. */
enum flaw {
    RIGHT,
    ROW_LEFT_OUT,
    COLUMN_LEFT_OUT,
    X_BEFORE_LAST,
    OTHER_OMEGA,
    SWEEP_LEFT_OUT,
    START_NOT_ZERO,
    OTHER_METHOD,
    LOG_UNTOUCHED,
    LOG_COUNTS_MORE,
    LOG_RESIDUAL_SMALLER,
    LOG_HISTORY_OFF,
    X_UNTOUCHED,
    X_NAN,
    SWEEP_TOO_MANY,
    X_OF_NEXT,
    FLAWS
};
static const char *const flaw_names[FLAWS] = {
    "right",          "row left out", "column left out", "x before last",      "other omega",      "sweep left out",
    "start not zero", "other method", "log untouched",   "log counts more",    "smaller residual", "history off",
    "x untouched",    "x is NaN",     "sweep too many",  "x of the next sweep"};

struct solver {
    struct cell cell;
    enum solver_method method;
    enum flaw flaw;
    void *a, *b, *x, *before;
    struct solver_log log;
    void *reference;
};

static void open_solver(struct solver *solver, int64_t precision, int64_t n, enum solver_method method)
{
    const size_t vector = (size_t)n * sizeof(double);
    *solver = (struct solver){.cell = {.precision = precision, .n = n}, .method = method};
    solver->a = malloc((size_t)n * vector);
    solver->b = malloc(vector);
    solver->x = malloc(vector);
    solver->before = malloc(vector);
    assert_true(solver->a && solver->b && solver->x && solver->before);
    solver_problem_generate(&solver->cell, INPUTS_RANDOM, SEED, (void *[MAX_OPERANDS]){solver->a, solver->b});
}

/* Call this after the test has changed the operands, if it does. */
static void make_reference(struct solver *solver)
{
    const struct linear_system of = {.precision = solver->cell.precision,
                                     .n = solver->cell.n,
                                     .method = solver->method,
                                     .a = solver->a,
                                     .b = solver->b};
    solver_verify_reference_free(solver->reference);
    solver->reference = solver_verify_reference(&of);
    assert_non_null(solver->reference);
}

static void close_solver(struct solver *solver)
{
    solver_verify_reference_free(solver->reference);
    free(solver->a);
    free(solver->b);
    free(solver->x);
    free(solver->before);
}

static double get(const struct solver *solver, const void *from, int64_t i)
{
    return operand_value(from, solver->cell.precision, i);
}

static void put(const struct solver *solver, void *to, int64_t i, double value)
{
    operand_put(to, solver->cell.precision, i, value);
}

static double rounded(const struct solver *solver, double value)
{
    return solver->cell.precision == F32 ? (double)(float)value : value;
}

/* The residual b - A x of a row, summed in the solver's precision from left to right. */
static double row_residual(const struct solver *solver, int64_t row, const void *x)
{
    const int64_t n = solver->cell.n, cols = solver->flaw == COLUMN_LEFT_OUT ? n - 1 : n;
    double sum = get(solver, solver->b, row);
    for (int64_t col = 0; col < cols; col++)
        sum = rounded(solver, sum - rounded(solver, get(solver, solver->a, row * n + col) * get(solver, x, col)));
    return sum;
}

/* Does one sweep. Returns the norm of the residual of the x from before the sweep. */
static double sweep(struct solver *solver, double omega)
{
    const int64_t n = solver->cell.n;
    const bool other = solver->flaw == OTHER_METHOD;
    const bool jacobi = (solver->method == SOLVER_JACOBI) != other;
    double sum = 0;
    memcpy(solver->before, solver->x, (size_t)n * cell_precision_size(solver->cell.precision));
    for (int64_t row = 0; row < n; row++) {
        const double seen = row_residual(solver, row, solver->before);
        const double step = jacobi ? seen : row_residual(solver, row, solver->x);
        sum += seen * seen;
        if (solver->flaw == ROW_LEFT_OUT && row == n / 2)
            continue;
        put(solver, solver->x, row,
            get(solver, solver->before, row) + omega * step / get(solver, solver->a, row * n + row));
    }
    return sqrt(sum);
}

static void spoil_result(struct solver *solver)
{
    const int64_t n = solver->cell.n;
    struct solver_log *log = &solver->log;
    switch (solver->flaw) {
    case X_BEFORE_LAST:
        memcpy(solver->x, solver->before, (size_t)n * cell_precision_size(solver->cell.precision));
        break;
    case LOG_UNTOUCHED:
        memset(log, 0xFF, sizeof *log);
        break;
    case LOG_COUNTS_MORE:
        log->sweeps += 2;
        break;
    case LOG_RESIDUAL_SMALLER:
        log->residual /= 2;
        log->history[log->recorded - 1] /= 2;
        break;
    case LOG_HISTORY_OFF:
        log->history[1] *= 1.5;
        break;
    case X_UNTOUCHED:
        memset(solver->x, 0xFF, (size_t)n * cell_precision_size(solver->cell.precision));
        break;
    case X_NAN:
        put(solver, solver->x, n - 1, NAN);
        break;
    default:
        break;
    }
}

static void run_solver(struct solver *solver, double omega, int64_t sweeps, enum flaw flaw)
{
    const int64_t n = solver->cell.n;
    solver->flaw = flaw;
    solver->cell.omega = (int64_t)llround(omega * OMEGA_ONE);
    solver->cell.sweeps = sweeps;
    const struct solver_rule rule = solver_rule_of(&solver->cell);
    const double weight = flaw == OTHER_OMEGA ? 0.9 * rule.omega : rule.omega;
    for (int64_t i = 0; i < n; i++)
        put(solver, solver->x, i, flaw == START_NOT_ZERO ? 1.0 / (double)n : 0);
    solver_begin(&solver->log);
    if (flaw == SWEEP_LEFT_OUT)
        sweep(solver, 0);
    for (int64_t k = 0;; k++) {
        const double norm = sweep(solver, flaw == SWEEP_LEFT_OUT && k == 1 ? 0 : weight);
        const int64_t end = solver_note(&rule, &solver->log, k, norm);
        if (end == SOLVER_RUNNING)
            continue;
        const double after = flaw == SWEEP_TOO_MANY ? sweep(solver, weight) : 0;
        if (flaw == SWEEP_TOO_MANY && end == SOLVER_CONVERGED)
            solver_note(&rule, &solver->log, k + 1, after);
        if (end != SOLVER_COUNTED && flaw != X_OF_NEXT)
            memcpy(solver->x, solver->before, (size_t)n * cell_precision_size(solver->cell.precision));
        break;
    }
    spoil_result(solver);
}

static struct verdict judge(const struct solver *solver, bool chaotic)
{
    const struct solver_rule rule = solver_rule_of(&solver->cell);
    struct verdict verdict;
    solver_verify(solver->reference, &rule, chaotic, solver->x, &solver->log, &verdict);
    return verdict;
}

static void must_pass(const struct solver *solver)
{
    const struct verdict verdict = judge(solver, false);
    if (!verdict.ok || verdict.status != STATUS_OK)
        print_error("%s n = %lld, %lld sweeps, omega %lld: %s\n", cell_precision_names[solver->cell.precision],
                    (long long)solver->cell.n, (long long)solver->log.sweeps, (long long)solver->cell.omega,
                    verdict.reason);
    assert_true(verdict.ok && verdict.status == STATUS_OK);
    assert_true(verdict.error <= verdict.bound);
    assert_true(verdict.residual >= 0);
}

static void must_fail(const struct solver *solver, const char *what)
{
    const struct verdict verdict = judge(solver, false);
    if (verdict.ok)
        print_error("passed: %s, %s, method %d, %lld sweeps asked for, error %g of %g\n", what,
                    cell_precision_names[solver->cell.precision], solver->method, (long long)solver->cell.sweeps,
                    verdict.error, verdict.bound);
    assert_false(verdict.ok);
    assert_true(verdict.reason[0]);
}

static void each_method(void (*check)(struct solver *solver), const int64_t *sizes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int64_t precision = F32; precision <= F64; precision++)
            for (enum solver_method method = SOLVER_JACOBI; method <= SOLVER_SEIDEL; method++) {
                struct solver solver;
                open_solver(&solver, precision, sizes[i], method);
                make_reference(&solver);
                check(&solver);
                close_solver(&solver);
            }
}

static void right_ways_pass(struct solver *solver)
{
    static const int64_t sweeps[] = {1, 2, 3, 10, 100};
    for (size_t i = 0; i < sizeof sweeps / sizeof *sweeps; i++) {
        run_solver(solver, 1, sweeps[i], RIGHT);
        must_pass(solver);
        run_solver(solver, 2.0 / 3, sweeps[i], RIGHT);
        must_pass(solver);
    }
    run_solver(solver, 2.0 / 3, 0, RIGHT);
    assert_int_equal(solver->log.end, SOLVER_CONVERGED);
    must_pass(solver);
    /* Jacobi's sweeps grow like n, so that only small systems run to convergence; for f32 see below. */
    if (solver->method == SOLVER_SEIDEL || (solver->cell.precision == F64 && solver->cell.n < 40)) {
        run_solver(solver, 1, 0, RIGHT);
        must_pass(solver);
    }
}

TEST(right_runs_pass)
{
    each_method(right_ways_pass, (const int64_t[]){1, 2, 3, 16, 33, 200}, 6);
}

TEST(rounding_of_many_sweeps_stays_within_the_bound)
{
    struct solver solver;
    open_solver(&solver, F32, 700, SOLVER_JACOBI);
    make_reference(&solver);
    run_solver(&solver, 1, 400, RIGHT);
    must_pass(&solver);
    close_solver(&solver);
}

/* At convergence x is right, whichever way the run came there. A residual in f32 is hardly more than its rounding
 * error. */
static bool shows_at_convergence(const struct solver *solver, enum flaw flaw)
{
    return flaw != ROW_LEFT_OUT && flaw != SWEEP_LEFT_OUT && flaw != X_BEFORE_LAST &&
           !(flaw == LOG_RESIDUAL_SMALLER && solver->cell.precision == F32);
}

static void flaws_fail(struct solver *solver)
{
    for (enum flaw flaw = RIGHT + 1; flaw < FLAWS; flaw++) {
        if (flaw != X_OF_NEXT) {
            run_solver(solver, 1, 4, flaw);
            must_fail(solver, flaw_names[flaw]);
        }
        if (!shows_at_convergence(solver, flaw))
            continue;
        run_solver(solver, 2.0 / 3, 0, flaw);
        must_fail(solver, flaw_names[flaw]);
    }
}

TEST(every_flaw_fails)
{
    each_method(flaws_fail, (const int64_t[]){16, 100}, 2);
}

/* A row that is never computed keeps its residual, so that the run stalls. The reference converges, which proves a
 * fault. */
TEST(a_missing_row_stalls_and_is_wrong)
{
    struct solver solver;
    open_solver(&solver, F64, 50, SOLVER_SEIDEL);
    make_reference(&solver);
    run_solver(&solver, 1, 0, ROW_LEFT_OUT);
    assert_int_equal(solver.log.end, SOLVER_STALLED);
    must_fail(&solver, "stalled");
    /* A chaotic variant has no reference to compare with, so that its log is believed. */
    const struct verdict verdict = judge(&solver, true);
    assert_true(verdict.ok && verdict.status == STATUS_STALLED);
    close_solver(&solver);
}

TEST(chaotic_runs_are_judged_by_their_residual)
{
    struct solver solver;
    open_solver(&solver, F64, 60, SOLVER_SEIDEL);
    make_reference(&solver);
    run_solver(&solver, 1, 0, OTHER_METHOD);
    assert_true(judge(&solver, true).ok);
    assert_false(judge(&solver, false).ok);
    put(&solver, solver.x, 7, get(&solver, solver.x, 7) * (1 + 1e-6));
    assert_false(judge(&solver, true).ok);
    run_solver(&solver, 1, 5, OTHER_METHOD);
    assert_true(judge(&solver, true).ok);
    put(&solver, solver.x, 7, 1);
    assert_false(judge(&solver, true).ok);
    put(&solver, solver.x, 7, NAN);
    assert_false(judge(&solver, true).ok);
    close_solver(&solver);
}

static void must_blame(const struct solver *solver, bool chaotic, enum status status, const char *cause)
{
    const struct verdict verdict = judge(solver, chaotic);
    if (!verdict.ok || verdict.status != status || !strstr(verdict.reason, cause))
        print_error("%s: %s\n", status_names[verdict.status], verdict.reason);
    assert_true(verdict.ok);
    assert_int_equal(verdict.status, status);
    assert_non_null(strstr(verdict.reason, cause));
}

TEST(a_method_that_fails_is_no_wrong_variant)
{
    for (int64_t precision = F32; precision <= F64; precision++) {
        struct solver solver;
        open_solver(&solver, precision, 40, SOLVER_JACOBI);
        make_reference(&solver);
        run_solver(&solver, 1.9, 0, RIGHT);
        must_blame(&solver, false, STATUS_DIVERGED, "the smallest was");
        run_solver(&solver, 1.9, 100, RIGHT);
        must_blame(&solver, false, STATUS_DIVERGED, "after 100 sweeps");
        close_solver(&solver);
    }
}

/* One part of the error changes its sign in every sweep of Jacobi, and shrinks by only 1/a_ii of itself. In f32
 * rounding swallows this change while the residual is still too large, so that this part of the error stays for
 * ever. */
TEST(rounding_stalls_jacobi_in_f32)
{
    struct solver solver;
    open_solver(&solver, F32, 33, SOLVER_JACOBI);
    make_reference(&solver);
    run_solver(&solver, 1, 0, RIGHT);
    must_blame(&solver, false, STATUS_STALLED, "sweeps the residual is");
    close_solver(&solver);
}

TEST(limit_and_stall_are_told)
{
    struct solver solver;
    open_solver(&solver, F64, 60, SOLVER_JACOBI);
    make_reference(&solver);
    run_solver(&solver, 1, 0, RIGHT);
    solver.log.end = SOLVER_LIMIT;
    must_blame(&solver, false, STATUS_LIMIT, "sweeps the residual is");
    solver.log.end = SOLVER_STALLED;
    must_blame(&solver, false, STATUS_STALLED, "sweeps the residual is");
    /* If the reference converges, a variant in its order must converge too, unless rounding forbids it. */
    run_solver(&solver, 2.0 / 3, 0, RIGHT);
    solver.log.end = SOLVER_STALLED;
    must_blame(&solver, false, STATUS_STALLED, "sweeps the residual is");
    solver.log.smallest = 1;
    must_fail(&solver, "stalled early");
    close_solver(&solver);
}

TEST(faults_of_the_system_are_named)
{
    static const struct {
        bool in_b;
        int64_t row, col;
        double value;
        const char *name;
    } faults[] = {{false, 3, 3, 0, "A(3, 3) is 0"},
                  {false, 1, 2, NAN, "A(1, 2) is nan"},
                  {true, 4, 0, NAN, "b(4) is nan"},
                  {false, 19, 19, INFINITY, "A(19, 19) is inf"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (enum solver_method method = SOLVER_JACOBI; method <= SOLVER_SEIDEL; method++) {
            struct solver solver;
            open_solver(&solver, F64, 20, method);
            put(&solver, faults[i].in_b ? solver.b : solver.a,
                faults[i].in_b ? faults[i].row : faults[i].row * 20 + faults[i].col, faults[i].value);
            make_reference(&solver);
            run_solver(&solver, 1, 0, RIGHT);
            must_blame(&solver, false, STATUS_DIVERGED, faults[i].name);
            must_blame(&solver, true, STATUS_DIVERGED, faults[i].name);
            run_solver(&solver, 1, 7, RIGHT);
            must_blame(&solver, false, STATUS_DIVERGED, faults[i].name);
            close_solver(&solver);
        }
}

static double radius_of(int64_t n, enum solver_method method, double omega)
{
    struct solver solver;
    open_solver(&solver, F64, n, method);
    make_reference(&solver);
    run_solver(&solver, omega, 1, RIGHT);
    const double radius = judge(&solver, false).radius;
    close_solver(&solver);
    return radius;
}

TEST(radii_are_those_of_the_matrices)
{
    /* Jacobi has an eigenvalue 1/a_ii - 1. Gauss-Seidel tends to 1/|W_1(e)|, where W_1 is a branch of Lambert's
     * function. */
    assert_true(fabs(radius_of(256, SOLVER_JACOBI, 1) - (1 - 1 / (25.0 * 255 + 1))) < 1e-5);
    assert_true(fabs(radius_of(512, SOLVER_SEIDEL, 1) - 0.2161) < 0.003);
    const double weighted = radius_of(512, SOLVER_JACOBI, 2.0 / 3);
    assert_true(weighted > 0.34 && weighted < 0.37);
    assert_true(radius_of(1, SOLVER_JACOBI, 1) == 0);
}

/* For the matrix [[2, 1], [1, 2]] the eigenvalues are +-1/2 with Jacobi, 0 and 1/4 with Gauss-Seidel. Jacobi weighted
 * with w has the eigenvalues 1 - w +- w/2. */
TEST(radii_of_a_small_matrix_are_exact)
{
    const double a[] = {2, 1, 1, 2}, b[] = {1, 2};
    struct linear_system of = {F64, 2, SOLVER_JACOBI, a, b, NULL};
    assert_true(fabs(solver_reference_radius(&of, 1) - 0.5) < 1e-12);
    assert_true(fabs(solver_reference_radius(&of, 0.5) - 0.75) < 1e-12);
    of.method = SOLVER_SEIDEL;
    assert_true(fabs(solver_reference_radius(&of, 1) - 0.25) < 1e-12);
}

static double residual_norm(const struct linear_system *of, const double *x)
{
    double sum = 0;
    for (int64_t row = 0; row < of->n; row++) {
        const double r = operand_value(of->b, of->precision, row) - solver_reference_dot(of, row, 0, of->n, x);
        sum += r * r;
    }
    return sqrt(sum);
}

/* In Gauss-Seidel, the reference makes its residual from the upper parts of two sweeps. It must be the residual of
 * x. */
TEST(residuals_of_the_reference_are_true)
{
    for (enum solver_method method = SOLVER_JACOBI; method <= SOLVER_SEIDEL; method++)
        for (int omega = 0; omega < 2; omega++) {
            struct solver solver;
            open_solver(&solver, omega ? F32 : F64, 2100, method);
            const struct linear_system of = {solver.cell.precision, 2100, method, solver.a, solver.b, NULL};
            struct solver_reference *iteration = solver_reference_begin(&of, omega ? 0.8 : 1, false);
            assert_non_null(iteration);
            for (int k = 0; k < 5; k++) {
                const double expected = residual_norm(&of, solver_reference_x(iteration));
                assert_true(fabs(solver_reference_sweep(iteration) - expected) <= 1e-9 * expected + 1e-12);
            }
            solver_reference_end(iteration);
            close_solver(&solver);
        }
}

/* --- solver.h --- */

TEST(a_log_keeps_as_many_residuals_as_there_is_room_for)
{
    const struct solver_rule rule = {.tolerance = 1e-300, .limit = 100000};
    struct solver_log log;
    solver_begin(&log);
    for (int64_t k = 0; k <= 5000; k++) {
        assert_int_equal(solver_note(&rule, &log, k, 1e6 - (double)k), SOLVER_RUNNING);
        assert_int_equal(log.recorded, k / log.every + 1);
        assert_true(log.recorded <= SOLVER_HISTORY);
    }
    assert_int_equal(log.every, 16);
    for (int64_t i = 0; i < log.recorded; i++)
        assert_true(log.history[i] == 1e6 - (double)(i * log.every));
    assert_int_equal(log.smallest_sweep, 5000);
}

TEST(a_run_ends_as_its_rule_says)
{
    struct solver_rule rule = {.tolerance = 1e-5, .limit = 1500};
    struct solver_log log;
    solver_begin(&log);
    assert_int_equal(solver_note(&rule, &log, 0, 100), SOLVER_RUNNING);
    assert_int_equal(solver_note(&rule, &log, 1, 1e-5), SOLVER_CONVERGED);
    assert_int_equal(log.sweeps, 1);
    solver_begin(&log);
    solver_note(&rule, &log, 0, 100);
    assert_int_equal(solver_note(&rule, &log, 1, 1.1e12), SOLVER_DIVERGED);
    solver_begin(&log);
    solver_note(&rule, &log, 0, 100);
    assert_int_equal(solver_note(&rule, &log, 1, NAN), SOLVER_DIVERGED);
    solver_begin(&log);
    int64_t k = 0;
    while (solver_note(&rule, &log, k, 100) == SOLVER_RUNNING)
        k++;
    assert_int_equal(log.end, SOLVER_STALLED);
    assert_int_equal(k, SOLVER_STALL_SWEEPS);
    solver_begin(&log);
    for (k = 0; solver_note(&rule, &log, k, 100 - 0.01 * (double)k) == SOLVER_RUNNING;)
        k++;
    assert_int_equal(log.end, SOLVER_LIMIT);
    assert_int_equal(k, 1500);
    rule.relative = true;
    solver_begin(&log);
    assert_int_equal(solver_note(&rule, &log, 0, 100), SOLVER_RUNNING);
    assert_int_equal(solver_note(&rule, &log, 1, 1e-3), SOLVER_CONVERGED);
    rule.sweeps = 3;
    solver_begin(&log);
    assert_int_equal(solver_note(&rule, &log, 0, 0), SOLVER_RUNNING);
    assert_int_equal(solver_note(&rule, &log, 1, NAN), SOLVER_RUNNING);
    assert_int_equal(solver_note(&rule, &log, 2, 0), SOLVER_COUNTED);
    assert_int_equal(log.sweeps, 3);
}
