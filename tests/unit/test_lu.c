/* Tests of every CPU variant of lu, in every build that this CPU runs. Sizes lie around the tile, and there are
 * sometimes more threads than tiles. Some matrices have no factors, or hardly any.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "point.h"
#include "backend/blas/blas_open.h"
#include "machine/host.h"
#include "verify/inputs.h"
#include "test.h"

#include <math.h>
#include <omp.h>

enum { SEED = 42 };

static void must_be_right(struct point *point, struct job *job)
{
    const struct cell *cell = &point->cell;
    point_poison(point);
    const int status = point_run(point, job);
    const struct verdict verdict = point_verify(point);
    if (status != 0 || !verdict.ok || verdict.status != STATUS_OK)
        print_error("%s %s %s %s n = %lld, tile %lld: %s%s\n", cell->entry->name, cell_precision_names[cell->precision],
                    cell_opt_names[cell->opt], cell_isa_names[cell->isa], (long long)cell->n, (long long)cell->tile,
                    job->error, verdict.reason);
    assert_int_equal(status, 0);
    assert_true(verdict.ok && verdict.status == STATUS_OK);
}

static void each_variant(void (*check)(const struct entry *entry))
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entry[i].problem->name, "lu") == 0 && entry[i].backend == BACKEND_CPU)
            check(&entry[i]);
}

/* Checks all builds at one size and tile. The builds of a precision share their operands. */
static void check_builds(const struct entry *entry, int64_t n, int64_t tile)
{
    for (int64_t precision = F32; precision <= F64; precision++) {
        const struct cell cell = {.precision = precision,
                                  .isa = ISA_BASE,
                                  .opt = OPT_O2,
                                  .n = n,
                                  .tile = entry->meta->axes & HONOURS(tile) ? tile : 0,
                                  .entry = entry};
        struct point point;
        point_open(&point, &cell, INPUTS_RANDOM, SEED);
        for (point.cell.opt = OPT_O2; point.cell.opt <= OPT_O3; point.cell.opt++)
            for (point.cell.isa = ISA_BASE; point.cell.isa <= host_get()->isa_best; point.cell.isa++) {
                struct job job = {0};
                if (cell_variant(&point.cell))
                    must_be_right(&point, &job);
            }
        point_close(&point);
    }
}

static void check_sizes(const struct entry *entry)
{
    enum { TILE = 16 };
    static const int64_t size[] = {1, 2, TILE - 1, TILE, TILE + 1, 2 * TILE, 2 * TILE + 1, 45, 101};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        check_builds(entry, size[i], TILE);
}

TEST(variants_are_right_around_their_tile)
{
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        each_variant(check_sizes);
    }
}

static void check_tiles(const struct entry *entry)
{
    static const int64_t tile[] = {1, 2, 7, 64, 65536};
    for (size_t i = 0; i < sizeof tile / sizeof *tile; i++)
        if (entry->meta->axes & HONOURS(tile))
            check_builds(entry, 37, tile[i]);
}

TEST(variants_are_right_with_any_tile)
{
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        each_variant(check_tiles);
    }
}

/* Tasks that miss a dependence may be right once by luck, but not every time. */
static void check_often(const struct entry *entry)
{
    struct cell cell = {.precision = F64,
                        .isa = host_get()->isa_best,
                        .opt = OPT_O3,
                        .n = 300,
                        .tile = entry->meta->axes & HONOURS(tile) ? 8 : 0,
                        .entry = entry};
    struct point point;
    point_open(&point, &cell, INPUTS_RANDOM, SEED);
    for (int i = 0; i < 20; i++) {
        struct job job = {0};
        must_be_right(&point, &job);
    }
    point_close(&point);
}

TEST(variants_are_right_every_time)
{
    omp_set_num_threads(3);
    each_variant(check_often);
}

/* Candidates for pivots that are equal, or nearly, and rows of widely different magnitudes. */
static void check_hard(const struct entry *entry)
{
    static const int64_t size[] = {1, 2, 3, 17, 31, 50, 101, 300};
    for (int inputs = INPUTS_GRADED; inputs <= INPUTS_TIES; inputs += INPUTS_TIES - INPUTS_GRADED)
        for (int64_t precision = F32; precision <= F64; precision++)
            for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
                const struct cell cell = {.precision = precision,
                                          .isa = host_get()->isa_best,
                                          .opt = OPT_O3,
                                          .n = size[i],
                                          .tile = entry->meta->axes & HONOURS(tile) ? 16 : 0,
                                          .entry = entry};
                struct point point;
                struct job job = {0};
                if (!entry->problem->has_special(&cell, (enum inputs)inputs))
                    continue;
                point_open(&point, &cell, (enum inputs)inputs, SEED);
                must_be_right(&point, &job);
                point_close(&point);
            }
}

TEST(variants_are_right_on_hard_matrices)
{
    omp_set_num_threads(3);
    each_variant(check_hard);
}

/* A team factors a panel together only if each member gets enough rows. There are more threads than cores here. */
TEST(teams_factor_panels)
{
    static const int64_t size[] = {256, 300, 530, 1030}, tile[] = {3, 32, 96, 200};
    const struct entry *entry = registry_find("lu/omp-recursive-pivot");
    for (int threads = 4; threads <= 16; threads *= 2)
        for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
            omp_set_num_threads(threads);
            check_builds(entry, size[i], tile[i]);
        }
}

/* --- LAPACK --- */

static bool open_lapack(struct blas *blas)
{
    char why[256];
    if (blas_open("openblas", 2, blas, why, sizeof why) && blas->lapack)
        return true;
    return false;
}

static struct cell getrf_cell(int64_t precision, int64_t n)
{
    return (struct cell){.precision = precision, .n = n, .entry = registry_find("lu/blas-openblas-getrf")};
}

TEST(lapack_is_right)
{
    static const int64_t size[] = {1, 2, 33, 150};
    struct blas blas;
    if (!open_lapack(&blas))
        skip_because("OpenBLAS with LAPACK is missing");
    for (int64_t precision = F32; precision <= F64; precision++)
        for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
            const struct cell cell = getrf_cell(precision, size[i]);
            struct job job = {.blas = &blas};
            struct point point;
            point_open(&point, &cell, INPUTS_RANDOM, SEED);
            must_be_right(&point, &job);
            point_close(&point);
        }
}

/* --- Matrices that are singular or nearly singular --- */

static int run_on(const struct entry *entry, int64_t n, void (*fill)(double *a, int64_t n), struct job *job,
                  struct verdict *verdict)
{
    struct cell cell = entry->meta->defaults;
    struct point point;
    cell.entry = entry;
    cell.precision = F64;
    cell.isa = ISA_BASE;
    cell.opt = OPT_O3;
    cell.n = n;
    point_open(&point, &cell, INPUTS_RANDOM, SEED);
    fill(point.pristine[0], n);
    entry->problem->reference_free(point.reference);
    point.reference = entry->problem->reference(&cell, INPUTS_RANDOM, SEED, point.pristine);
    assert_non_null(point.reference);
    const int status = point_run(&point, job);
    *verdict = point_verify(&point);
    point_close(&point);
    return status;
}

static void general(double *a, int64_t n)
{
    inputs_fill_matrix(a, n, F64, FAMILY_GENERAL, INPUTS_RANDOM, false, SEED, 7);
}

static void all_ones(double *a, int64_t n)
{
    for (int64_t i = 0; i < n * n; i++)
        a[i] = 1;
}

static void nearly_all_ones(double *a, int64_t n)
{
    general(a, n);
    for (int64_t i = 0; i < n * n; i++)
        a[i] = 1 + 1e-13 * a[i];
}

static void zero_corner(double *a, int64_t n)
{
    general(a, n);
    a[0] = 0;
}

static void nan_inside(double *a, int64_t n)
{
    inputs_fill_matrix(a, n, F64, FAMILY_DOMINANT, INPUTS_RANDOM, false, SEED, 7);
    a[n * n / 2] = NAN;
}

static void check_useless(const struct entry *entry)
{
    struct verdict verdict;
    struct job job = {0};
    if (entry->meta->pivoting != PIVOTING_NONE)
        return;
    assert_int_equal(run_on(entry, 200, general, &job, &verdict), 0);
    assert_true(verdict.ok && verdict.status == STATUS_UNSTABLE && verdict.growth > 10);
    assert_memory_equal(verdict.reason, "elements grew by a factor of ", 29);

    assert_int_not_equal(run_on(entry, 20, zero_corner, &job, &verdict), 0);
    assert_string_equal(job.error, "the pivot of step 0 is 0");
    assert_int_not_equal(run_on(entry, 200, all_ones, &job, &verdict), 0);
    assert_string_equal(job.error, "the pivot of step 1 is 0");
    assert_int_not_equal(run_on(entry, 1, zero_corner, &job, &verdict), 0);
    assert_string_equal(job.error, "the pivot of step 0 is 0");
    assert_int_not_equal(run_on(entry, 300, nan_inside, &job, &verdict), 0);
    assert_non_null(strstr(job.error, "nan"));
    assert_false(verdict.ok);
}

TEST(without_pivoting_general_matrices_are_told_apart)
{
    omp_set_num_threads(2);
    each_variant(check_useless);
}

static void check_pivoted(const struct entry *entry, struct job *job)
{
    struct verdict verdict;
    for (int64_t n = 150; n <= 300; n += 150) {
        assert_int_equal(run_on(entry, n, zero_corner, job, &verdict), 0);
        assert_true(verdict.ok && verdict.status == STATUS_OK && verdict.growth > 1);
    }
    assert_int_equal(run_on(entry, 150, nearly_all_ones, job, &verdict), 0);
    assert_true(verdict.ok);
    assert_int_not_equal(run_on(entry, 40, all_ones, job, &verdict), 0);
    assert_non_null(strstr(job->error, "the pivot of step 1 is 0"));
    assert_int_not_equal(run_on(entry, 1, zero_corner, job, &verdict), 0);
    assert_non_null(strstr(job->error, "the pivot of step 0 is 0"));
    for (int64_t n = 150; n <= 300; n += 150) {
        run_on(entry, n, nan_inside, job, &verdict);
        assert_false(verdict.ok);
    }
}

static void zero_column(double *a, int64_t n)
{
    general(a, n);
    for (int64_t i = 0; i < n; i++)
        a[i * n + n / 2] = 0;
}

/* All members of a team see a pivot that cannot be used, and stop. */
TEST(teams_end_where_no_pivot_is)
{
    struct verdict verdict;
    struct job job = {0};
    const struct entry *entry = registry_find("lu/omp-recursive-pivot");
    omp_set_num_threads(8);
    assert_int_not_equal(run_on(entry, 600, zero_column, &job, &verdict), 0);
    assert_string_equal(job.error, "the pivot of step 300 is 0");
    run_on(entry, 600, nan_inside, &job, &verdict);
    assert_false(verdict.ok);
}

static void check_own_pivoted(const struct entry *entry)
{
    struct job job = {0};
    if (entry->meta->pivoting == PIVOTING_PARTIAL)
        check_pivoted(entry, &job);
}

TEST(with_pivoting_only_singular_matrices_fail)
{
    struct blas blas;
    struct job job = {.blas = &blas};
    each_variant(check_own_pivoted);
    if (open_lapack(&blas))
        check_pivoted(registry_find("lu/blas-openblas-getrf"), &job);
}
