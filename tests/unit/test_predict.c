/* Tests of what is foretold of a cell from results of other sizes.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "registry.h"
#include "store_fixture.h"
#include "backend/cpu/cpu.h"
#include "plan/predict.h"
#include "test.h"

#include <math.h>

enum { ITEMS = 3 };

/* Products of the sizes given, in one family. The store holds the time of the first one alone. */
static void make_items(struct item item[ITEMS], const int64_t n[ITEMS], struct store *store, double median_s)
{
    memset(item, 0, ITEMS * sizeof *item);
    for (size_t i = 0; i < ITEMS; i++) {
        item[i].cell =
            (struct cell){.entry = registry_find("matmul/seq-ikj"), .precision = F64, .m = n[i], .n = n[i], .k = n[i]};
        snprintf(item[i].id, sizeof item[i].id, "%016zu", i);
    }
    predict_link(item, ITEMS);
    struct result result = {0};
    result_clear(&result);
    result.cell = item[0].cell;
    result.status = STATUS_OK;
    result.median_s = median_s;
    strcpy(result.id, item[0].id);
    assert_int_equal(store_append(store, &result), 0);
}

TEST_IN_FOLDER(a_time_grows_with_the_operations)
{
    struct store *store = open_store(false);
    struct item item[ITEMS];
    make_items(item, (const int64_t[]){256, 512, 1024}, store, 0.25);
    assert_true(fabs(predict_run_s(item, store, &item[1]) - 2) < 1e-9);
    assert_true(fabs(predict_run_s(item, store, &item[2]) - 16) < 1e-9);
    /* A cell that is measured again takes what it took before. */
    assert_true(fabs(predict_run_s(item, store, &item[0]) - 0.25) < 1e-9);
    store_close(store);
}

/* A product of 8 x 8 whose team was interrupted for some milliseconds says nothing of a product of 1024 x 1024. */
TEST_IN_FOLDER(a_tiny_run_tells_only_the_most_that_a_long_run_takes)
{
    struct store *store = open_store(false);
    struct item item[ITEMS];
    make_items(item, (const int64_t[]){8, 16, 1024}, store, 4e-3);
    const double typical_s = predict_run_s(item, NULL, &item[2]);
    assert_true(typical_s > 0.1 && typical_s < 100);
    assert_true(fabs(predict_run_s(item, store, &item[1]) - 32e-3) < 1e-9);
    assert_true(predict_run_s(item, store, &item[2]) == typical_s);
    store_close(store);
    assert_int_equal(remove_folder(state), 0);
    assert_int_equal(make_store(state), 0);
    store = open_store(false);
    make_items(item, (const int64_t[]){8, 16, 1024}, store, 1e-9);
    assert_true(fabs(predict_run_s(item, store, &item[2]) / (1e-9 * 128 * 128 * 128) - 1) < 1e-9);
    store_close(store);
}

/* A worker leaves its device idle before its first continuous run, and again once a minute. */
TEST(the_idle_device_is_watched_in_each_worker_and_once_a_minute)
{
    const struct cell cell = {.entry = registry_find("matmul/seq-ikj"), .precision = F64, .m = 64, .n = 64, .k = 64};
    const struct measure measure = {.rounds = 8,
                                    .launches = 3,
                                    .min_samples = 10,
                                    .ci = 0.01,
                                    .max_time_s = 1,
                                    .min_time_s = 0.05,
                                    .once_above_s = 100,
                                    .energy = true};
    const struct cost first = predict_cost(&measure, &cell, 1e-3, PREDICT_STARTS),
                      next = predict_cost(&measure, &cell, 1e-3, PREDICT_GOES_ON),
                      slow = predict_cost(&measure, &cell, 30, PREDICT_GOES_ON);
    assert_true(fabs(first.energy_s - next.energy_s - 3 * PREDICT_IDLE_S) < 1e-9);
    assert_true(next.energy_s > next.rounds * (PREDICT_LEAD_S + PREDICT_CONTINUOUS_S));
    assert_true(fabs(slow.energy_s - slow.rounds * (30 + 30 + PREDICT_IDLE_S)) < 1e-9);
}

static struct item item_of(const char *variant)
{
    return (struct item){.cell = {.entry = registry_find(variant), .precision = F64, .m = 300, .n = 300, .k = 300}};
}

/* All variants of A A^T need one triangle. Those that compute the square are predicted to take twice as long, and none
 * may be faster than the triangle allows. */
TEST(the_whole_square_takes_longer_than_it_needs_to)
{
    const struct item whole = item_of("aat/seq-ijk"), half = item_of("aat/omp-packed"),
                      product = item_of("matmul/seq-ijk");
    const double square = 2.0 * 300 * 300 * 300, triangle = 300.0 * 301 * 300;
    assert_true(cell_flops(&whole.cell) == triangle && cell_flops(&half.cell) == triangle);
    assert_true(fabs(predict_run_s(NULL, NULL, &whole) * 1e9 * whole.cell.entry->meta->typical_gflops - square) < 1);
    assert_true(fabs(predict_run_s(NULL, NULL, &half) * 1e9 * half.cell.entry->meta->typical_gflops - triangle) < 1);
    assert_true(cpu_least_s(&whole.cell) == cpu_least_s(&half.cell));
    assert_true(fabs(cpu_least_s(&half.cell) / cpu_least_s(&product.cell) - triangle / square) < 1e-9);
}
