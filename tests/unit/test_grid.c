/* Grids: order, duplicates, axes that do not apply, symbols, limits, identity.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "plan/probes.h"
#include "study_fixture.h"
#include "test.h"
#include "base/memory.h"

#include <sha2.h>

static const struct grid_limits four_cores = {.threads_all = 4, .isa_best = ISA_V3};

/* Expands an experiment of matmul that has these lines. Returns the exit code; *said gets the diagnostics. */
static int try_expand(const char *lines, const struct grid_limits *limits, struct grid *grid, char **said)
{
    char *text = memory_print("schema: 1\ntitle: T\nproblem: %s\n%s",
                              strstr(lines, "fault/")  ? "[matmul, fault]"
                              : strstr(lines, "omega") ? "jacobi"
                                                       : "matmul",
                              lines);
    setenv("TILELAB_TEST", "1", 1);
    struct study *study = read_study(text, strlen(text), NULL, 0, PROFILE_FULL, said);
    unsetenv("TILELAB_TEST");
    if (!study)
        fail_msg("%s", *said);
    free(*said);
    free(text);
    size_t length;
    FILE *diagnostics = open_memstream(said, &length);
    const int code = grid_expand(study->asked, limits, grid, diagnostics);
    fclose(diagnostics);
    study_free(study);
    return code;
}

static struct grid expand_on(const char *lines, const struct grid_limits *limits)
{
    struct grid grid;
    char *said;
    if (try_expand(lines, limits, &grid, &said))
        fail_msg("%s", said);
    assert_string_equal(said, "");
    free(said);
    return grid;
}

static struct grid expand(const char *lines)
{
    return expand_on(lines, &four_cores);
}

static void refuse(const char *lines, const char *expected)
{
    struct grid grid;
    char *said;
    assert_int_equal(try_expand(lines, &four_cores, &grid, &said), 2);
    if (!strstr(said, expected))
        fail_msg("'%s' is not in: %s", expected, said);
    assert_null(grid.cell);
    assert_int_equal(grid.count, 0);
    free(said);
}

/* Checks the keys of all cells, one a line. */
static void check_keys(const char *lines, const struct grid_limits *limits, const char *expected)
{
    struct grid grid = expand_on(lines, limits);
    char *text = NULL, key[512];
    size_t length;
    FILE *keys = open_memstream(&text, &length);
    for (size_t i = 0; i < grid.count; i++) {
        const size_t written = cell_key(&grid.cell[i], key, sizeof key);
        assert_int_equal(written, strlen(key));
        fprintf(keys, "%s\n", key);
    }
    fclose(keys);
    assert_string_equal(text, expected);
    free(text);
    grid_free(&grid);
}

static int two_devices(enum backend_id id)
{
    return id == BACKEND_OPENCL ? 2 : 1;
}

TEST(a_grid_names_devices_of_a_backend)
{
    const struct grid_limits limits = {.threads_all = 4, .isa_best = ISA_V3, .devices = two_devices};
    const char *const all = "variant=matmul/opencl-tiled precision=f32 m=8 n=8 k=8 device-id=opencl:0 tile=16\n"
                            "variant=matmul/opencl-tiled precision=f32 m=8 n=8 k=8 device-id=opencl:1 tile=16\n";
    /* A variant of another backend ignores the devices. */
    check_keys("grid: {n: 8, variant: [cuda-shared, opencl-tiled], tile: 16}\nprecision: f32\ndevice: opencl:*\n",
               &limits,
               "variant=matmul/cuda-shared precision=f32 m=8 n=8 k=8 tile=16\n"
               "variant=matmul/opencl-tiled precision=f32 m=8 n=8 k=8 device-id=opencl:0 tile=16\n"
               "variant=matmul/opencl-tiled precision=f32 m=8 n=8 k=8 device-id=opencl:1 tile=16\n");
    check_keys("grid: {n: 8, variant: opencl-tiled, tile: 16, device: [opencl:0, opencl:*]}\nprecision: f32\n", &limits,
               all);
    check_keys("grid: {n: 8, variant: opencl-tiled, tile: 16, device: opencl:7}\nprecision: f32\n", &limits,
               "variant=matmul/opencl-tiled precision=f32 m=8 n=8 k=8 device-id=opencl:7 tile=16\n");
    /* Nobody names a device: the first one. */
    check_keys("grid: {n: 8, variant: opencl-tiled, tile: 16}\nprecision: f32\n", &limits,
               "variant=matmul/opencl-tiled precision=f32 m=8 n=8 k=8 device-id=opencl:0 tile=16\n");
}

/* So recorded results from before there were conditions keep their identity. */
TEST(the_usual_conditions_have_no_value)
{
    const char *const usual = "variant=matmul/cublas precision=f32 m=8 n=8 k=8\n",
                      *const all = "variant=matmul/cublas precision=f32 m=8 n=8 k=8\n"
                                   "variant=matmul/cublas precision=f32 m=8 n=8 k=8 host-memory=pinned\n"
                                   "variant=matmul/cublas precision=f32 m=8 n=8 k=8 cache=cold\n"
                                   "variant=matmul/cublas precision=f32 m=8 n=8 k=8 cache=cold host-memory=pinned\n";
    check_keys("grid: {n: 8, variant: cublas}\n", &four_cores, usual);
    check_keys("grid: {n: 8, variant: cublas, cache: hot, host-memory: pageable}\n", &four_cores, usual);
    check_keys("grid: {n: 8, variant: cublas, cache: [cold, hot], host-memory: [pinned, pageable]}\n", &four_cores,
               all);
    /* An exclusion may name the usual state all the same. */
    check_keys("grid: {n: 8, variant: cublas, cache: [cold, hot], host-memory: [pinned, pageable]}\n"
               "exclude: [{cache: cold}, {host-memory: pinned}]\n",
               &four_cores, usual);
    check_keys("grid: {n: 8, variant: cublas, inputs: [zeros, uniform]}\n", &four_cores,
               "variant=matmul/cublas precision=f32 m=8 n=8 k=8\n"
               "variant=matmul/cublas precision=f32 m=8 n=8 k=8 inputs=zeros\n");
    check_keys("grid: {n: 8, variant: cublas}\ncache: cold\nexclude: {cache: hot}\n", &four_cores,
               "variant=matmul/cublas precision=f32 m=8 n=8 k=8 cache=cold\n");
    /* A variant without host memory of its own ignores that axis. */
    check_keys("grid: {n: 8, variant: [seq-ijk, cublas], host-memory: pinned}\nprecision: f32\n", &four_cores,
               "variant=matmul/seq-ijk precision=f32 isa=v3 opt=O3 m=8 n=8 k=8\n"
               "variant=matmul/cublas precision=f32 m=8 n=8 k=8 host-memory=pinned\n");
}

TEST(axes_that_do_not_apply_are_left_out)
{
    check_keys("grid: {n: 8, variant: [seq-ijk, blas-openblas, cublas, cuda-shared], tile: [16, "
               "32], threads: [1, 2]}\n"
               "precision: f32\nisa: v3\nopt: [O2, O3]\n",
               &four_cores,
               "variant=matmul/seq-ijk precision=f32 isa=v3 opt=O2 m=8 n=8 k=8\n"
               "variant=matmul/seq-ijk precision=f32 isa=v3 opt=O3 m=8 n=8 k=8\n"
               "variant=matmul/blas-openblas precision=f32 m=8 n=8 k=8 threads=1\n"
               "variant=matmul/blas-openblas precision=f32 m=8 n=8 k=8 threads=2\n"
               "variant=matmul/cuda-shared precision=f32 m=8 n=8 k=8 tile=16\n"
               "variant=matmul/cuda-shared precision=f32 m=8 n=8 k=8 tile=32\n"
               "variant=matmul/cublas precision=f32 m=8 n=8 k=8\n");
}

/* Checks the points of blas-openblas, "n/threads" in the order of the grid. */
static void check_library(const char *lines, const struct grid_limits *limits, const char *expected)
{
    struct grid grid = expand_on(lines, limits);
    char points[256] = "";
    for (size_t i = 0; i < grid.count; i++)
        if (strcmp(grid.cell[i].entry->name, "matmul/blas-openblas") == 0)
            snprintf(points + strlen(points), sizeof points - strlen(points), "%s%lld/%lld", *points ? " " : "",
                     (long long)grid.cell[i].n, (long long)grid.cell[i].threads);
    assert_string_equal(points, expected);
    grid_free(&grid);
}

TEST(a_library_is_measured_on_one_half_and_all_of_its_threads)
{
    const struct grid_limits two_cores = {.threads_all = 2, .isa_best = ISA_V3},
                             sixteen = {.threads_all = 16, .isa_best = ISA_V3};
    check_library("grid: {n: [8, 16], variant: [omp-ijk, blas-openblas]}\n", &sixteen, "8/1 8/8 8/16 16/1 16/8 16/16");
    check_library("grid: {n: 8, variant: blas-openblas}\n", &two_cores, "8/1 8/2");
    check_library("grid: {n: 8, variant: blas-openblas, threads: [1, all]}\n", &four_cores, "8/1 8/2 8/4");
    check_library("grid: {n: 8, variant: blas-openblas, threads: 1}\n", &sixteen, "8/1");
    /* A study that stops at some threads asks what these threads reach. */
    check_library("grid: {n: 8, variant: blas-openblas, threads: [1, 2, 3, 4]}\n", &sixteen, "8/1 8/2 8/3 8/4");
    check_library("grid: {n: 8, variant: blas-openblas, threads: 6}\n", &sixteen, "8/1 8/3 8/6");
    /* Threads that this machine lacks stay as they are, and foretell no others. */
    check_library("grid: {n: 8, variant: blas-openblas, threads: [2, 64]}\n", &four_cores, "8/1 8/2 8/64");
    check_library("grid: {n: 8, variant: blas-openblas, threads: 64}\n", &four_cores, "8/64");
    /* The other variants keep their threads, and a library may be given its own. */
    check_library("grid: {n: 8, variant: [omp-ijk, blas-openblas], threads: [{for: omp-ijk, values: all}, "
                  "{for: blas-*, values: 1}]}\n",
                  &four_cores, "8/1");
    struct grid grid = expand("grid: {n: 8, variant: omp-ijk, threads: 4}\n");
    assert_int_equal(grid.count, 1);
    grid_free(&grid);
}

TEST(a_library_has_its_threads_at_the_points_of_the_study)
{
    /* A size per thread names a point, at which the library is measured on the other threads too. */
    check_library("grid: {n: {per-thread: 8}, variant: blas-openblas, threads: [1, 2, 4]}\n", &four_cores,
                  "8/1 16/1 16/2 16/4 32/1 32/2 32/4");
    check_library("grid: {n: [8, 16], variant: blas-openblas}\nexclude: [{n: 16}, {threads: 2}]\n", &four_cores,
                  "8/1 8/4");
    check_library("grid: {n: [8, 16], variant: blas-openblas, threads: [1, 4]}\nexclude: {n: 16, threads: 4}\n",
                  &four_cores, "8/1 8/2 8/4 16/1");
    check_library("grid: {n: 8, variant: blas-openblas, cache: [hot, cold]}\nexclude: {cache: hot, threads: 1}\n",
                  &(struct grid_limits){.threads_all = 2, .isa_best = ISA_V3}, "8/1 8/2 8/2");
}

TEST(axes_without_values_have_defaults)
{
    struct grid grid = expand("grid: {n: 8, variant: omp-tiled}\n");
    assert_int_equal(grid.count, 1);
    const struct cell *cell = grid.cell, *defaults = &cell->entry->meta->defaults;
    assert_int_equal(cell->precision, F32);
    assert_int_equal(cell->isa, ISA_V3);
    assert_int_equal(cell->opt, OPT_O3);
    assert_int_equal(cell->threads, 4);
    assert_int_equal(cell->m, 8);
    assert_int_equal(cell->k, 8);
    assert_int_equal(cell->tile, defaults->tile);
    assert_int_equal(cell->row_tile, defaults->row_tile);
    grid_free(&grid);
}

TEST(blocks_without_values_are_left_to_the_variant)
{
    check_keys("grid: {n: 8, variant: omp-packed, threads: 1}\nisa: base\n", &four_cores,
               "variant=matmul/omp-packed precision=f32 isa=base opt=O3 m=8 n=8 k=8 threads=1\n");
    check_keys("grid: {n: 8, variant: [omp-packed, omp-ijk], threads: 1, kc: [4, 2], mc: 3}\n"
               "isa: base\n",
               &four_cores,
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=8 n=8 k=8 threads=1\n"
               "variant=matmul/omp-packed precision=f32 isa=base opt=O3 m=8 n=8 k=8 threads=1 mc=3 "
               "kc=2\n"
               "variant=matmul/omp-packed precision=f32 isa=base opt=O3 m=8 n=8 k=8 threads=1 mc=3 "
               "kc=4\n");
}

TEST(decimals_are_values_like_others)
{
    check_keys("grid: {n: 8, variant: seq, omega: [1, 2/3, 0.5, {from: 0.9, to: 1.15, step: 0.1}]}\n"
               "isa: base\nexclude: {omega: {above: 0.5, below: 0.7}}\n",
               &four_cores,
               "variant=jacobi/seq precision=f32 isa=base opt=O3 n=8 omega=0.5\n"
               "variant=jacobi/seq precision=f32 isa=base opt=O3 n=8 omega=0.9\n"
               "variant=jacobi/seq precision=f32 isa=base opt=O3 n=8 omega=1\n"
               "variant=jacobi/seq precision=f32 isa=base opt=O3 n=8 omega=1.1\n");
    check_keys("grid: {n: 8, variant: seq, sweeps: 100} # no omega\nisa: base\n", &four_cores,
               "variant=jacobi/seq precision=f32 isa=base opt=O3 n=8 omega=1 sweeps=100\n");
}

TEST(points_ascend_and_ladder_follows)
{
    check_keys("grid: {n: [32, 4], k: [2, 1], variant: [omp-ijk, seq-ijk], threads: [2, 1]}\n"
               "precision: [f64, f32]\nisa: base\nexclude: [{n: 32, k: 2}, {precision: f64, k: 1}]\n",
               &four_cores,
               "variant=matmul/seq-ijk precision=f32 isa=base opt=O3 m=4 n=4 k=1\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=4 n=4 k=1 threads=1\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=4 n=4 k=1 threads=2\n"
               "variant=matmul/seq-ijk precision=f32 isa=base opt=O3 m=4 n=4 k=2\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=4 n=4 k=2 threads=1\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=4 n=4 k=2 threads=2\n"
               "variant=matmul/seq-ijk precision=f32 isa=base opt=O3 m=32 n=32 k=1\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=32 n=32 k=1 threads=1\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=32 n=32 k=1 threads=2\n"
               "variant=matmul/seq-ijk precision=f64 isa=base opt=O3 m=4 n=4 k=2\n"
               "variant=matmul/omp-ijk precision=f64 isa=base opt=O3 m=4 n=4 k=2 threads=1\n"
               "variant=matmul/omp-ijk precision=f64 isa=base opt=O3 m=4 n=4 k=2 threads=2\n");
}

TEST(symbols_that_coincide_are_merged)
{
    static const struct {
        int64_t cores;
        size_t count;
        int64_t threads[3];
    } cases[] = {{1, 1, {1}}, {2, 2, {1, 2}}, {3, 2, {1, 3}}, {4, 3, {1, 2, 4}}, {16, 3, {1, 8, 16}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct grid_limits limits = {.threads_all = cases[i].cores, .isa_best = ISA_V4};
        struct grid grid =
            expand_on("grid: {n: 8, variant: omp-ijk, threads: [all, half, 1]}\nisa: [best, v4]\n", &limits);
        assert_int_equal(grid.count, cases[i].count);
        for (size_t j = 0; j < grid.count; j++) {
            assert_int_equal(grid.cell[j].threads, cases[i].threads[j]);
            assert_int_equal(grid.cell[j].isa, ISA_V4);
        }
        grid_free(&grid);
    }
}

static int three(void)
{
    return 3;
}

TEST(cores_that_behave_like_cores_are_a_thread_count)
{
    static const char text[] = "grid: {n: 8, variant: omp-ijk, threads: [1, half, cores, all]}\n";
    static const struct {
        int64_t all;
        int (*cores)(void);
        size_t count;
        int64_t threads[4];
    } cases[] = {{8, three, 4, {1, 3, 4, 8}}, {8, NULL, 3, {1, 4, 8}}, {3, three, 2, {1, 3}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct grid_limits limits = {.threads_all = cases[i].all, .cores = cases[i].cores, .isa_best = ISA_V4};
        struct grid grid = expand_on(text, &limits);
        assert_int_equal(grid.count, cases[i].count);
        for (size_t j = 0; j < grid.count; j++)
            assert_int_equal(grid.cell[j].threads, cases[i].threads[j]);
        grid_free(&grid);
    }
}

TEST(threads_beyond_the_machine_stay)
{
    struct grid grid = expand("grid: {n: 8, variant: omp-ijk, threads: [1, 64]}\n");
    assert_int_equal(grid.count, 2);
    assert_int_equal(grid.cell[1].threads, 64);
    grid_free(&grid);
}

TEST(sizes_per_thread_meet_the_grid)
{
    check_keys("grid: {n: [16, 32, {per-thread: 16}], variant: [omp-ijk, seq-ijk], threads: [1, 2, "
               "3]}\nisa: base\n",
               &four_cores,
               "variant=matmul/seq-ijk precision=f32 isa=base opt=O3 m=16 n=16 k=16\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=16 n=16 k=16 threads=1\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=16 n=16 k=16 threads=2\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=16 n=16 k=16 threads=3\n"
               "variant=matmul/seq-ijk precision=f32 isa=base opt=O3 m=32 n=32 k=32\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=32 n=32 k=32 threads=1\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=32 n=32 k=32 threads=2\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=32 n=32 k=32 threads=3\n"
               "variant=matmul/omp-ijk precision=f32 isa=base opt=O3 m=48 n=48 k=48 threads=3\n");
}

TEST(values_for_patterns_add_up)
{
    check_keys("grid:\n  variant: [seq-ijk, seq-tiled]\n"
               "  n: [8, {for: seq-tiled, values: [8, 16]}]\n  tile: {for: seq-tiled, values: "
               "4}\nisa: base\n",
               &four_cores,
               "variant=matmul/seq-ijk precision=f32 isa=base opt=O3 m=8 n=8 k=8\n"
               "variant=matmul/seq-tiled precision=f32 isa=base opt=O3 m=8 n=8 k=8 tile=4\n"
               "variant=matmul/seq-tiled precision=f32 isa=base opt=O3 m=16 n=16 k=16 tile=4\n");
}

TEST(precisions_a_variant_lacks)
{
    /* A pattern leaves out a variant without the precision. A variant named in full gets a row, which the runner skips
     * with the reason. */
    struct grid pattern = expand("grid: {n: 8, variant: [\"blas-*\", seq-ijk]}\nprecision: [f64, i32]\n");
    size_t integers = 0;
    for (size_t i = 0; i < pattern.count; i++)
        integers += pattern.cell[i].precision == I32;
    assert_int_equal(integers, 1);
    grid_free(&pattern);

    struct grid name = expand("grid: {n: 8, variant: blas-openblas, threads: 1}\nprecision: [f64, i32]\n");
    assert_int_equal(name.count, 2);
    assert_int_equal(name.cell[1].precision, I32);
    grid_free(&name);
}

TEST(exclusions_need_all_conditions)
{
    struct grid grid = expand("grid: {n: [8, 16, 32], variant: [omp-ijk, seq-ijk], threads: [1, 2]}\n"
                              "exclude:\n  - {variant: omp-*, n: {above: 8}, threads: 2}\n  - {n: {above: 16}}\n"
                              "  - {threads: {below: 2}, n: 16}\n");
    /* The exclusions leave seq-ijk at 8 and 16, since seq-ijk has no threads, and omp-ijk at 8 on 1 and 2 threads. */
    assert_int_equal(grid.count, 4);
    assert_int_equal(grid.cell[0].n, 8);
    assert_string_equal(grid.cell[2].entry->idea, "omp-ijk");
    assert_int_equal(grid.cell[3].n, 16);
    assert_string_equal(grid.cell[3].entry->idea, "seq-ijk");
    grid_free(&grid);
}

TEST(problems_follow_each_other)
{
    struct grid grid = expand("grid: {n: [8, 4], variant: [fault/cpu-right, matmul/seq-ijk]}\nprecision: f64\n");
    assert_int_equal(grid.count, 4);
    assert_string_equal(grid.cell[1].entry->name, "matmul/seq-ijk");
    assert_int_equal(grid.cell[1].n, 8);
    assert_string_equal(grid.cell[2].entry->name, "fault/cpu-right");
    assert_int_equal(grid.cell[2].n, 4);
    grid_free(&grid);
}

TEST(empty_grids_are_refused)
{
    refuse("grid: {n: 8, variant: seq-ijk}\nexclude: {n: 8}\n",
           "study.yaml:4:7: error: the grid is empty: every cell is excluded by 'exclude' in line 5");
    refuse("grid: {n: 8, variant: \"blas-*\"}\nprecision: i32\n", "no variant that compiles has the precision");
}

TEST(counts_are_checked_before_allocation)
{
    refuse("grid: {n: {from: 1, to: 3163, step: 1}, m: {from: 1, to: 3163, step: 1}, variant: "
           "seq-ijk}\n",
           "study.yaml:4:7: error: the grid has 10004569 cells; at most 1000000 are allowed");
    refuse("grid: {n: {from: 1, to: 3000000, step: 1}, m: {from: 1, to: 3000000, step: 1}, k: "
           "{from: 1, to: 3000000, step: 1}"
           ", variant: seq-ijk}\n",
           "the grid has more than 2^63 cells");
    refuse("grid: {n: {per-thread: 2147483647}, variant: omp-ijk, threads: 2}\n",
           "'n' per thread is 4294967294 at 2 threads");
}

/* Checks what holds for any grid: the cells ascend strictly, and no two have the same id. Every supported axis is set,
 * except the axes that a variant may choose; every other axis is 0. */
static int by_text(const void *a, const void *b)
{
    return memcmp(a, b, CELL_ID_SIZE);
}

TEST(every_grid_is_sorted_and_unique)
{
    /* Each list has a variant for each axis that the file names. */
    static const char *const names[] = {"\"*\"", "[\"seq-*\", \"cuda-*\", omp-ijk]", "[\"omp-*\", cublas]",
                                        "[\"*tiled*\", omp-ijk]"};
    const unsigned left_open =
        HONOURS(mc) | HONOURS(nc) | HONOURS(kc) | /* the variant chooses, where the experiment does not */
        HONOURS(cache) | HONOURS(host_memory) | HONOURS(inputs); /* the usual state has no value */
    srand(7);
    for (int round = 0; round < 200; round++) {
        char lines[512];
        snprintf(lines, sizeof lines,
                 "precision: [f32, %s]\nisa: [base, best]\ngrid:\n  variant: %s\n"
                 "  n: [%d, %d, {pow2: [%d, 5]}, {per-thread: [%d, 9]}]\n  m: %s\n  threads: [1, "
                 "half, all]\n  tile: [%d, 8]\n",
                 rand() % 2 ? "f64" : "i32", names[rand() % 4], 100 + rand() % 9, 200 + rand() % 9, rand() % 6,
                 1 + rand() % 8, rand() % 2 ? "[1, 20]" : "{from: 1, to: 9, step: 4}", 9 + rand() % 9);
        const struct grid_limits limits = {.threads_all = 1 + rand() % 9, .isa_best = 1 + rand() % ISAS};
        struct grid grid = expand_on(lines, &limits);
        char(*id)[CELL_ID_SIZE] = malloc(grid.count * sizeof *id);
        for (size_t i = 0; i < grid.count; i++) {
            const struct cell *cell = &grid.cell[i];
            for (int axis = 0; axis < AXES; axis++)
                assert_int_equal(cell_value(cell, axis) > 0,
                                 (registry_axes(cell->entry) & BIT(axis) & ~left_open) != 0);
            if (i)
                assert_int_equal(cell_compare(cell - 1, cell), -1);
            cell_id(cell, id[i]);
            assert_int_equal(strspn(id[i], "0123456789abcdef"), CELL_ID_SIZE - 1);
        }
        qsort(id, grid.count, sizeof *id, by_text);
        for (size_t i = 1; i < grid.count; i++)
            assert_true(by_text(id[i - 1], id[i]) < 0);
        free(id);
        grid_free(&grid);
    }
}

/* The arrays of the memory probes exceed the last-level cache, unless memory is short. */
TEST(memory_probes_exceed_the_cache)
{
    enum { MIB = 1 << 20 };
    const struct {
        int64_t l3, memory, limit, expected; /* MiB */
    } cases[] = {{0, 8192, 0, 64},        {16, 8192, 0, 64},           {32, 24064, 0, 128},  {100, 24064, 0, 256},
                 {128, 1 << 17, 0, 256},  {300, 1 << 17, 0, 600},      {480, 24064, 0, 960}, {480, 4800, 0, 600},
                 {480, 24064, 4800, 600}, {480, 4000, 0, 500},         {480, 1024, 0, 256},  {16, 256, 0, 64},
                 {480, 0, 0, 960},        {300, 1 << 17, 1 << 18, 600}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct host host = {.l3_bytes = cases[i].l3 * MIB,
                                  .memory_bytes = cases[i].memory * MIB,
                                  .memory_limit_bytes = cases[i].limit * MIB};
        assert_int_equal(probes_stream_bytes(&host), cases[i].expected * MIB);
        struct cell cell = {.precision = F64, .entry = registry_find("copy/omp")}, former;
        cell.n = cases[i].expected * MIB / 8;
        /* A cell of another size, or of another problem, was never a probe of a former size. */
        const bool changed = cases[i].expected > 256;
        assert_int_equal(probes_former(&host, &cell, &former), changed);
        assert_int_equal(former.n * 8, changed ? 256 * MIB : cell.n * 8);
        cell.n++;
        assert_false(probes_former(&host, &cell, &former));
        cell.n--;
        cell.entry = registry_find("matmul/seq-ijk");
        assert_false(probes_former(&host, &cell, &former));
    }
}

TEST(identity_is_the_hash_of_the_key)
{
    const struct cell cell = {.precision = F64,
                              .isa = ISA_V4,
                              .opt = OPT_O2,
                              .m = 1,
                              .n = 2147483647,
                              .k = 30,
                              .threads = 16,
                              .tile = 8,
                              .row_tile = 4,
                              .entry = registry_find("matmul/omp-tiled")};
    static const char expected[] =
        "variant=matmul/omp-tiled precision=f64 isa=v4 opt=O2 m=1 n=2147483647 k=30 threads=16 "
        "tile=8 row-tile=4";
    char key[512], id[CELL_ID_SIZE], digest[SHA256_DIGEST_STRING_LENGTH], cut[12];
    assert_int_equal(cell_key(&cell, key, sizeof key), strlen(expected));
    assert_string_equal(key, expected);
    cell_id(&cell, id);
    SHA256Data((const uint8_t *)expected, strlen(expected), digest);
    digest[CELL_ID_SIZE - 1] = '\0';
    assert_string_equal(id, digest);

    assert_int_equal(cell_key(&cell, cut, sizeof cut), strlen(expected));
    assert_string_equal(cut, "variant=mat");
    assert_int_equal(cell_key(&cell, NULL, 0), strlen(expected));
}

TEST(merged_grids_hold_each_cell_once)
{
    struct grid merged = {NULL, 0}, none = {NULL, 0};
    struct grid grid = expand("precision: f32\ngrid: {n: [8, 32], variant: [seq-ijk, seq-ikj]}\n");
    struct grid other = expand("precision: f32\ngrid: {n: [16, 32], variant: [seq-ijk]}\n");
    grid_merge(&merged, &grid);
    grid_merge(&merged, &none);
    grid_merge(&merged, &other);
    grid_free(&grid);
    grid_free(&other);
    assert_int_equal(merged.count, 5);
    static const int64_t sizes[] = {8, 8, 16, 32, 32};
    for (size_t i = 0; i < merged.count; i++) {
        assert_int_equal(merged.cell[i].n, sizes[i]);
        assert_true(i == 0 || cell_compare(&merged.cell[i - 1], &merged.cell[i]) < 0);
    }
    grid_free(&merged);
}
