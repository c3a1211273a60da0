/* Which times are refused because a measured ceiling does not allow them.
 * SPDX-License-Identifier: MIT */
#include "run/run_parts.h"
#include "test.h"

#include "registry.h"
#include "store_fixture.h"

#include <math.h>

/* A made-up study: a variant, and the probes of multiply-adds and of reading. The probes reached 10 GFLOP/s and 8 GB/s.
 * The time of the variant is that of a product of 64 x 64 matrices, or of 512 x 512 ones with cold caches. */
enum { VARIANT_ITEM, FMA_ITEM, READ_ITEM, ITEMS };
static struct item item[ITEMS];
static int timed[ITEMS];
static double reached[ITEMS];
static bool doubtful[ITEMS];
static struct schedule schedule;
static struct run_report report;
static struct run run;

static void begin(const char *variant, int64_t n, int64_t cache)
{
    const char *const names[ITEMS] = {variant, "fma/omp", "read/omp"};
    for (int i = 0; i < ITEMS; i++) {
        item[i] = (struct item){.cell = {.entry = registry_find(names[i]), .precision = F64, .isa = ISA_BASE, .n = n}};
        assert_non_null(item[i].cell.entry);
        snprintf(item[i].id, sizeof item[i].id, "%016d", i);
        timed[i] = 1;
        doubtful[i] = false;
    }
    item[VARIANT_ITEM].cell.m = item[VARIANT_ITEM].cell.k = n;
    item[VARIANT_ITEM].cell.cache = cache;
    item[FMA_ITEM].cell.m = 768;
    item[FMA_ITEM].cell.threads = item[READ_ITEM].cell.threads = 1;
    memcpy(reached, (double[]){0, 10e9, 8e9}, sizeof reached);
    schedule = (struct schedule){.item = item, .count = ITEMS};
    run = (struct run){.schedule = &schedule,
                       .store = open_store(false),
                       .report = &report,
                       .timed = timed,
                       .reached = reached,
                       .doubtful = doubtful};
}

/* Stores a time of the variant. */
static void keep(double median_s)
{
    struct result result = {0};
    result_clear(&result);
    result.cell = item[VARIANT_ITEM].cell;
    memcpy(result.id, item[VARIANT_ITEM].id, sizeof result.id);
    result.sample_count = 1;
    result.sample = calloc(1, sizeof *result.sample);
    assert_non_null(result.sample);
    result.sample[0] = (struct sample){.kernel_s = median_s, .cpu_s = median_s, .repeats = 1};
    result.flops = cell_flops(&result.cell);
    result.bytes = cell_traffic(&result.cell);
    result_summarise(&result);
    run_keep(&run, &result);
    result_clear(&result);
}

/* A time at which the product of the variant reaches a rate. */
static double at(double flops_per_s)
{
    return cell_flops(&item[VARIANT_ITEM].cell) / flops_per_s;
}

static const struct result *stored(void)
{
    return store_find(run.store, item[VARIANT_ITEM].id);
}

TEST_IN_FOLDER(a_time_above_the_ceiling_is_measured_again_and_then_refused)
{
    begin("matmul/seq-ijk", 64, 0);
    keep(at(10.6e9));
    assert_false(run_ceilings_refuse(&run, VARIANT_ITEM)); /* it was measured once */
    assert_true(run_ceilings_choose(&run, VARIANT_ITEM));
    assert_true(doubtful[FMA_ITEM]);
    timed[VARIANT_ITEM] = 2;
    assert_true(run_ceilings_refuse(&run, VARIANT_ITEM));
    assert_int_equal(stored()->status, STATUS_IMPOSSIBLE);
    assert_true(isnan(stored()->median_s));
    assert_non_null(strstr(stored()->reason, "10.6 GFLOP/s, but the probes of this machine reached 10 at most"));
    store_close(run.store);
}

TEST_IN_FOLDER(a_time_that_the_ceiling_allows_stays)
{
    begin("matmul/seq-ijk", 64, 0);
    keep(at(10.4e9));
    timed[VARIANT_ITEM] = 2;
    assert_false(run_ceilings_choose(&run, VARIANT_ITEM));
    assert_false(run_ceilings_refuse(&run, VARIANT_ITEM));
    assert_false(doubtful[FMA_ITEM]);
    assert_int_equal(stored()->status, STATUS_OK);
    store_close(run.store);
}

TEST_IN_FOLDER(the_time_of_a_library_and_that_of_an_earlier_run_stay)
{
    begin("matmul/blas-openblas", 64, 0);
    keep(at(20e9));
    assert_false(run_ceilings_choose(&run, VARIANT_ITEM));
    store_close(run.store);
    begin("matmul/seq-ijk", 64, 0);
    keep(at(20e9));
    timed[VARIANT_ITEM] = 0;
    assert_false(run_ceilings_choose(&run, VARIANT_ITEM));
    store_close(run.store);
}

TEST_IN_FOLDER(only_steady_rounds_of_a_probe_are_a_ceiling)
{
    begin("matmul/seq-ijk", 64, 0);
    struct sample sample[] = {{.kernel_s = 1.0}, {.kernel_s = 1.1}};
    struct result probe = {.cell = item[FMA_ITEM].cell,
                           .flops = 3e9,
                           .sample = sample,
                           .sample_count = 2,
                           .rounds = 5,
                           .launches = 3,
                           .median_s = 1.05,
                           .ci_lo_s = 1.0,
                           .ci_hi_s = 1.1};
    reached[FMA_ITEM] = 0;
    keep(at(20e9));
    for (int fault = 0; fault < 4; fault++) {
        struct result bad = probe;
        bad.flags = fault == 0 ? FLAG_NOISY : 0;
        bad.rounds = fault == 1 ? 4 : 5;
        bad.launches = fault == 2 ? 2 : 3;
        bad.ci_hi_s = fault == 3 ? 1.2 : 1.1;
        run_ceilings_note(&run, FMA_ITEM, &bad);
        assert_false(run_ceilings_choose(&run, VARIANT_ITEM)); /* no ceiling is known */
    }
    run_ceilings_note(&run, FMA_ITEM, &probe);
    assert_true(reached[FMA_ITEM] == 3e9);
    assert_true(run_ceilings_choose(&run, VARIANT_ITEM));
    reached[FMA_ITEM] = 30e9;
    run_ceilings_note(&run, FMA_ITEM, &probe);
    assert_true(reached[FMA_ITEM] == 30e9);
    store_close(run.store);
}

TEST_IN_FOLDER(with_cold_caches_the_inputs_come_from_memory)
{
    const double bytes = 2.0 * 512 * 512 * 8;
    for (int64_t cache = CACHE_HOT; cache <= CACHE_COLD; cache++) {
        begin("matmul/seq-ijk", 512, cache);
        reached[FMA_ITEM] = 1e15;
        keep(bytes / 9e9);
        assert_int_equal(run_ceilings_choose(&run, VARIANT_ITEM), cache == CACHE_COLD);
        timed[VARIANT_ITEM] = 2;
        assert_int_equal(run_ceilings_refuse(&run, VARIANT_ITEM), cache == CACHE_COLD);
        assert_int_equal(stored()->status, cache == CACHE_COLD ? STATUS_IMPOSSIBLE : STATUS_OK);
        store_close(run.store);
    }
}

/* A variant that multiplies numbers of another precision has the ceiling of these. */
TEST(test_products_of_bytes_have_the_ceiling_of_bytes)
{
    const struct cell of_bytes = {.entry = registry_find("matmul/cuda-int8-f64"), .precision = F64};
    const struct cell of_reals = {.entry = registry_find("matmul/cuda-dmma"), .precision = F64};
    const struct cell bytes = {.entry = registry_find("fma/cuda-tensor-i8"), .precision = I32};
    const struct cell reals = {.entry = registry_find("fma/cuda-tensor"), .precision = F64};
    assert_true(schedule_bounds(&bytes, &of_bytes));
    assert_false(schedule_bounds(&reals, &of_bytes));
    assert_true(schedule_bounds(&reals, &of_reals));
    assert_false(schedule_bounds(&bytes, &of_reals));
}
