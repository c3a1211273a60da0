/* Every CPU and BLAS variant of jacobi and seidel follows its method. It computes the iterates and the residuals of the
 * method, and takes as many sweeps as the sources published.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "solver_cases.h"
#include "machine/host.h"
#include "test.h"

#include <inttypes.h>
#include <math.h>
#include <omp.h>

/* Compares all residuals in the log and the last iterate. A sweep adds the errors of one residual and does not enlarge
 * the errors of earlier sweeps. Solving with D + L divides the errors by little more than the diagonal. */
static void must_follow_the_method(const struct point *point)
{
    const struct cell *cell = &point->cell;
    const struct solver_log *log = log_of(point);
    struct iteration of;
    double scale = 0, least = INFINITY;
    assert_int_equal(log->end, SOLVER_COUNTED);
    assert_int_equal(log->sweeps, cell->sweeps);
    assert_int_equal(log->recorded, cell->sweeps);
    iteration_open(&of, point);
    for (int64_t k = 0; k < cell->sweeps; k++) {
        const double norm = iteration_residual(&of);
        scale += of.scale;
        if (!(fabs(log->history[k] - norm) <= roundoff(cell) * scale))
            fail_msg("%s %s %s n = %lld tile %lld omega %g threads %d: residual %lld is %g, not %g", cell->entry->name,
                     cell_precision_names[cell->precision], cell->isa ? cell_isa_names[cell->isa] : "",
                     (long long)cell->n, (long long)cell->tile, (double)of.omega, omp_get_max_threads(), (long long)k,
                     log->history[k], norm);
        iteration_sweep(&of);
    }
    for (int64_t i = 0; i < cell->n; i++)
        least = fmin(least, (double)fabsl(iteration_element(&of, i, i)));
    for (int64_t i = 0; i < cell->n; i++) {
        const double x = operand_value(point->operand[SOLVER_X], cell->precision, i);
        if (!(fabsl(x - of.x[i]) <= roundoff(cell) * scale / least))
            fail_msg("%s %s n = %lld tile %lld omega %g threads %d: x(%lld) is %g, not %g", cell->entry->name,
                     cell_precision_names[cell->precision], (long long)cell->n, (long long)cell->tile, (double)of.omega,
                     omp_get_max_threads(), (long long)i, x, (double)of.x[i]);
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
        for (point->cell.isa = ISA_BASE; point->cell.isa <= host_get()->isa_best; point->cell.isa++) {
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

TEST(iterates_are_those_of_the_method)
{
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

TEST(iterates_are_the_same_with_any_tile)
{
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        each_variant(NULL, check_tiles);
    }
}

/* This size has more than two blocks in the BLAS variants, and more than two default tiles in omp-exact. */
static void check_blocks(const struct entry *entry, struct job *job)
{
    check_method(entry, job, 600, entry->meta->defaults.tile);
}

TEST(iterates_are_right_over_several_blocks)
{
    omp_set_num_threads(2);
    each_variant(NULL, check_blocks);
}

/* A sweep that reads an element too early may be right once by luck, but not every time. */
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

TEST(iterates_are_right_every_time)
{
    omp_set_num_threads(3);
    each_variant(NULL, check_often);
}

/* --- Runs until convergence --- */

static struct window {
    char problem[16];
    int64_t n, omega, low, high;
} window;

static void check_window(const struct entry *entry, struct job *job)
{
    struct cell cell = cell_of(entry, F64, window.n);
    struct point point;
    cell.omega = window.omega;
    if (!in_order(entry) || (entry->meta->reject && entry->meta->reject(&cell)))
        return;
    point_open(&point, &cell, INPUTS_RANDOM, SEED);
    must_run(&point, job);
    const struct solver_log *log = log_of(&point);
    if (log->end != SOLVER_CONVERGED || log->sweeps < window.low || log->sweeps > window.high)
        fail_msg("%s n = %lld ended with %lld after %lld sweeps, not %lld to %lld", entry->name, (long long)window.n,
                 (long long)log->end, (long long)log->sweeps, (long long)window.low, (long long)window.high);
    must_tell_its_residual(&point);
    point_close(&point);
}

TEST(sweeps_are_as_many_as_published)
{
    const double most = 2e8; /* elements of A that a run reads; more would take long */
    FILE *file = fopen("data/published/expected.csv", "re");
    char line[256];
    int windows = 0;
    assert_non_null(file);
    omp_set_num_threads(2);
    while (fgets(line, sizeof line, file)) {
        double omega;
        if (sscanf(line, "%15[a-z],%*[a-z],%lf,%" SCNd64 ",f64,%*[^,],%" SCNd64 ",%" SCNd64, window.problem, &omega,
                   &window.n, &window.low, &window.high) != 5 ||
            (double)(window.high * window.n * window.n) > most)
            continue;
        window.omega = omega == 1 ? 0 : TWO_THIRDS;
        windows++;
        each_variant(window.problem, check_window);
    }
    fclose(file);
    assert_int_equal(windows, 6);
}

/* Without an order of the threads, a variant converges too, in any number of sweeps. Its log tells the residual of its
 * answer. */
static void check_converges(const struct entry *entry, struct job *job)
{
    for (int64_t precision = F32; precision <= F64; precision++) {
        const struct cell cell = cell_of(entry, precision, 200);
        struct point point;
        point_open(&point, &cell, INPUTS_RANDOM, SEED);
        must_run(&point, job);
        assert_int_equal(log_of(&point)->end, SOLVER_CONVERGED);
        must_tell_its_residual(&point);
        assert_true(point_verify(&point).ok);
        point_close(&point);
    }
}

TEST(seidel_converges_whatever_the_threads)
{
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        each_variant("seidel", check_converges);
    }
}

TEST_MAIN(open_libraries, NULL)
