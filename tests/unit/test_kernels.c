/* Every CPU kernel of the products is right in every build that this CPU runs, over sizes around its tiles. The probes
 * compute what they count.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "point.h"
#include "backend/blas/blas_open.h"
#include "machine/host.h"
#include "test.h"

#include <omp.h>
#include <time.h>

static void must_be_right(struct point *point, struct job *job)
{
    const struct cell *cell = &point->cell;
    assert_int_equal(point_run(point, job), 0);
    const struct verdict verdict = point_verify(point);
    if (!verdict.ok)
        print_error("%s %s %s %s, %lld x %lld x %lld, tile %lld, row tile %lld: %s\n", cell->entry->name,
                    cell_precision_names[cell->precision], cell_opt_names[cell->opt], cell_isa_names[cell->isa],
                    (long long)cell->m, (long long)cell->n, (long long)cell->k, (long long)cell->tile,
                    (long long)cell->row_tile, verdict.reason);
    assert_true(verdict.ok);
}

/* Checks all builds of an entry at one shape. The operands are made once for each precision. */
static void check_builds(const struct cell *shape, unsigned precisions)
{
    for (int64_t precision = F32; precision <= I32; precision++) {
        if (!(precisions & shape->entry->meta->precisions & BIT(precision)))
            continue;
        struct cell cell = *shape;
        cell.precision = precision;
        cell.isa = ISA_BASE;
        cell.opt = OPT_O2;
        const bool exact = cell_has_exact(&cell);
        struct point point;
        point_open(&point, &cell, exact ? INPUTS_EXACT : INPUTS_RANDOM, 1);
        for (point.cell.opt = OPT_O2; point.cell.opt <= OPT_O3; point.cell.opt++)
            for (point.cell.isa = ISA_BASE; point.cell.isa <= host_get()->isa_best; point.cell.isa++) {
                struct job job = {0};
                if (!cell_variant(&point.cell))
                    continue;
                point_poison(&point);
                must_be_right(&point, &job);
            }
        point_close(&point);
    }
}

static bool is_product(const struct entry *entry)
{
    return strcmp(entry->problem->name, "matmul") == 0 || strcmp(entry->problem->name, "aat") == 0;
}

static bool this_processor_has(const char *simd)
{
    return !simd || strstr(host_get()->simd, simd);
}

static void each_product_kernel(void (*check)(const struct entry *entry))
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (entry[i].backend == BACKEND_CPU && is_product(&entry[i]) && this_processor_has(entry[i].meta->simd))
            check(&entry[i]);
}

static void check_sizes_around_tile(const struct entry *entry)
{
    enum { TILE = 8 };
    static const int64_t size[][3] = {{1, 1, 1},  {7, 7, 7},   {8, 8, 8},  {9, 9, 9},  {31, 31, 31},
                                      {5, 33, 9}, {33, 2, 17}, {1, 16, 3}, {16, 1, 3}, {3, 16, 1}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        struct cell cell = {.n = size[i][1], .k = size[i][2], .entry = entry};
        if (entry->problem->axes & HONOURS(m))
            cell.m = size[i][0];
        if (entry->meta->axes & HONOURS(tile))
            cell.tile = TILE;
        if (entry->meta->axes & HONOURS(row_tile))
            cell.row_tile = TILE / 2;
        if (entry->meta->axes & HONOURS(kc))
            cell.mc = cell.nc = cell.kc = TILE;
        check_builds(&cell, ALL_PRECISIONS);
    }
}

static void check_tiles(const struct entry *entry)
{
    static const int64_t tile[][2] = {{1, 1}, {1, 7}, {2, 64}, {13, 5}, {64, 3}, {65536, 65536}};
    for (size_t i = 0; i < sizeof tile / sizeof *tile; i++) {
        const struct cell cell = {
            .m = 19, .n = 23, .k = 29, .tile = tile[i][0], .row_tile = tile[i][1], .entry = entry};
        if (entry->meta->axes & HONOURS(tile))
            check_builds(&cell, ALL_PRECISIONS);
    }
}

TEST(product_kernels_are_right_around_their_tiles)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        omp_set_num_threads(threads);
        each_product_kernel(check_sizes_around_tile);
    }
}

TEST(product_kernels_are_right_with_any_tile)
{
    omp_set_num_threads(2);
    each_product_kernel(check_tiles);
}

/* Checks random inputs at a size that has several default tiles. */
static void check_random(const struct entry *entry)
{
    for (int64_t precision = F32; precision <= F64; precision++) {
        struct cell cell = entry->meta->defaults;
        cell.entry = entry;
        cell.precision = precision;
        cell.opt = OPT_O3;
        cell.isa = host_get()->isa_best;
        cell.n = 200, cell.k = 131;
        if (entry->problem->axes & HONOURS(m))
            cell.m = 129;
        struct point point;
        struct job job = {0};
        point_open(&point, &cell, INPUTS_RANDOM, 1);
        must_be_right(&point, &job);
        point_close(&point);
    }
}

TEST(product_kernels_stay_within_the_rounding_bound)
{
    omp_set_num_threads(2);
    each_product_kernel(check_random);
}

TEST(a_blas_library_is_right_and_refuses_integers)
{
    char why[256];
    struct blas blas;
    if (!blas_open("openblas", 2, &blas, why, sizeof why)) {
        skip_because(why);
    }
    static const char *const names[] = {"matmul/blas-openblas", "aat/blas-openblas-syrk", "aat/blas-openblas-gemm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int64_t precision = F32; precision <= F64; precision++)
            for (int inputs = INPUTS_EXACT; inputs <= INPUTS_RANDOM; inputs++) {
                const struct cell cell = {
                    .precision = precision, .m = i == 0 ? 33 : 0, .n = 70, .k = 129, .entry = registry_find(names[i])};
                struct point point;
                struct job job = {.blas = &blas};
                if (cell.entry->meta->reject)
                    assert_null(cell.entry->meta->reject(&cell));
                point_open(&point, &cell, (enum inputs)inputs, 1);
                must_be_right(&point, &job);
                point_close(&point);
            }
    const struct entry *entry = registry_find(names[0]);
    const struct cell integers = {.precision = I32, .m = 1, .n = 1, .k = 1, .entry = entry};
    assert_string_equal(entry->meta->reject(&integers), "no BLAS computes integers");
}

TEST(a_library_without_syrk_says_so_and_keeps_gemm)
{
    struct blas blas = {.path = "/lib/libhalf.so"};
    struct cell cell = {.precision = F32, .n = 1, .k = 1};
    struct job job = {.blas = &blas, .cell = &cell};
    cell.entry = registry_find("aat/blas-openblas-syrk");
    assert_int_not_equal(cell_variant(&cell)->prepare(&job), 0);
    assert_string_equal(job.error, "/lib/libhalf.so has no cblas_ssyrk or no cblas_dsyrk");
    cell.entry = registry_find("aat/blas-openblas-gemm");
    assert_null(cell_variant(&cell)->prepare);
}

/* --- Probes --- */

static void check_probe(const char *name, const int64_t (*size)[2], size_t sizes)
{
    const struct entry *entry = registry_find(name);
    assert_non_null(entry);
    for (size_t i = 0; i < sizes; i++) {
        const struct cell cell = {.m = size[i][0], .n = size[i][1], .entry = entry};
        check_builds(&cell, ALL_PRECISIONS);
    }
}

/* The variants of `read` split their array by the threads of the cell. */
static void check_read(int64_t threads, const int64_t (*size)[2], size_t sizes)
{
    for (size_t i = 0; i < sizes; i++) {
        const struct cell cell = {.n = size[i][1], .threads = threads, .entry = registry_find("read/omp")};
        check_builds(&cell, ALL_PRECISIONS);
    }
}

TEST(probes_compute_what_they_count)
{
    static const int64_t fma[][2] = {{1, 1}, {767, 1000}, {768, 1}, {1537, 17}, {5000, 333}};
    static const int64_t row[][2] = {{0, 1}, {0, 63}, {0, 4097}, {0, 100003}};
    omp_set_num_threads(2);
    check_probe("fma/omp", fma, sizeof fma / sizeof *fma);
    check_probe("fma/omp-scalar", fma, sizeof fma / sizeof *fma);
    check_probe("copy/omp", row, sizeof row / sizeof *row);
    check_probe("triad/omp", row, sizeof row / sizeof *row);
    for (int64_t threads = 0; threads <= 3; threads++)
        check_read(threads, row, sizeof row / sizeof *row);
}

TEST(probes_find_a_wrong_result)
{
    static const char *const names[] = {"fma/omp", "fma/omp-scalar", "copy/omp", "triad/omp", "read/omp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int64_t precision = F32; precision <= I32; precision++) {
            const struct cell cell = {.precision = precision,
                                      .isa = ISA_BASE,
                                      .opt = OPT_O3,
                                      .m = 100,
                                      .n = 50000,
                                      .entry = registry_find(names[i])};
            const int output = cell.entry->problem->operand_count - 1;
            struct point point;
            struct job job = {0};
            point_open(&point, &cell, INPUTS_RANDOM, 1);
            assert_false(point_verify(&point).ok);
            must_be_right(&point, &job);
            ((unsigned char *)point.operand[output])[point.size_bytes[output] - 1] ^= 0x01;
            assert_false(point_verify(&point).ok);
            point_close(&point);
        }
}

TEST(steps_that_a_float_cannot_count_are_rejected)
{
    const struct entry *entry = registry_find("fma/omp");
    struct cell cell = {.precision = F32, .m = 1, .n = (1 << 23) + 1, .entry = entry};
    assert_non_null(entry->meta->reject(&cell));
    cell.n--;
    assert_null(entry->meta->reject(&cell));
    cell.precision = F64, cell.n++;
    assert_null(entry->meta->reject(&cell));
}

static double time_s(const struct cell *cell)
{
    struct point point;
    struct job job = {0};
    struct timespec before, after;
    point_open(&point, cell, INPUTS_RANDOM, 1);
    point_run(&point, &job);
    clock_gettime(CLOCK_MONOTONIC, &before);
    point_run(&point, &job);
    clock_gettime(CLOCK_MONOTONIC, &after);
    point_close(&point);
    return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

/* Fails if a compiler has folded the steps of the loop. Five attempts allow for a busy machine. */
TEST(four_times_the_steps_take_twice_the_time_at_least)
{
    static const char *const names[] = {"fma/omp", "fma/omp-scalar"};
    omp_set_num_threads(1);
    for (int of = 0; of < 2 * PRECISIONS; of++) {
        struct cell cell = {.precision = F32 + of % PRECISIONS,
                            .isa = host_get()->isa_best,
                            .opt = OPT_O3,
                            .m = 768,
                            .entry = registry_find(names[of / PRECISIONS])};
        bool grows = false;
        for (int attempt = 0; attempt < 5 && !grows; attempt++) {
            cell.n = 50000;
            const double once_s = time_s(&cell);
            cell.n *= 4;
            grows = time_s(&cell) > 2 * once_s;
        }
        assert_true(grows);
    }
}

/* A short array is read in many passes, as many bytes as a long array. If the sum of a pass were reused, the passes
 * would take no time. Five attempts allow for a busy machine. */
TEST(passes_over_a_short_array_are_all_made)
{
    for (int64_t precision = F32; precision <= I32; precision++) {
        const struct cell whole = {.precision = precision,
                                   .isa = host_get()->isa_best,
                                   .opt = OPT_O3,
                                   .n = 1 << 21,
                                   .threads = 1,
                                   .entry = registry_find("read/omp")};
        struct cell part = whole;
        part.n = 4096;
        bool read = false;
        for (int attempt = 0; attempt < 5 && !read; attempt++)
            read = 200 * time_s(&part) > time_s(&whole);
        assert_true(read);
    }
}

/* --- Faults that end in a verdict; tests/system/faults.bats has the others --- */

TEST(faulty_results_are_wrong_and_the_right_one_is_not)
{
    static const struct {
        const char *name;
        bool ok;
    } faults[] = {{"fault/cpu-right", true},
                  {"fault/cpu-wrong", false},
                  {"fault/cpu-nan", false},
                  {"fault/cpu-untouched", false}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int64_t n = 1; n <= 40; n += 13)
            for (int64_t precision = F32; precision <= I32; precision++) {
                const struct cell cell = {
                    .precision = precision,
                    .isa = ISA_BASE,
                    .opt = OPT_O3,
                    .n = n,
                    .entry = registry_find(faults[i].name),
                };
                struct point point;
                struct job job = {0};
                if (!(cell.entry->meta->precisions & BIT(precision)))
                    continue;
                point_open(&point, &cell, INPUTS_RANDOM, 1);
                assert_int_equal(point_run(&point, &job), 0);
                assert_int_equal(point_verify(&point).ok, faults[i].ok);
                point_close(&point);
            }
}

TEST(the_overrun_is_sixteen_bytes_behind_a_right_result)
{
    const struct cell cell = {
        .precision = F32, .isa = ISA_BASE, .opt = OPT_O3, .n = 5, .entry = registry_find("fault/cpu-overrun")};
    struct point point;
    struct job job = {0};
    point_open(&point, &cell, INPUTS_RANDOM, 1);
    unsigned char *c = realloc(point.operand[1], point.size_bytes[1] + 32);
    assert_non_null(c);
    point.operand[1] = c;
    memset(c, 0xA5, point.size_bytes[1] + 32);
    must_be_right(&point, &job);
    for (size_t i = 0; i < 32; i++)
        assert_int_equal(c[point.size_bytes[1] + i] != 0xA5, i < 16);
    point_close(&point);
}
