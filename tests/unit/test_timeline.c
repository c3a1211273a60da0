/* Tests of the critical path of a run, and of the gap to the product's rate.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "registry.h"
#include "base/memory.h"
#include "inspect/timeline.h"
#include "test.h"

#include <math.h>

enum { FACTOR = TIMELINE_OTHER + 1, SOLVE, UPDATE };

/* Two threads. One factors for a second, both update for two, of which one thread leaves after one second; then that
 * thread solves for another second, once the other's update has ended. */
static struct timeline make_run(void)
{
    static const struct timeline_piece pieces[2][3] = {{{0, 1, FACTOR}, {1, 2, UPDATE}, {3, 4, SOLVE}},
                                                       {{1, 3, UPDATE}}};
    static const size_t counts[] = {3, 1};
    struct timeline run = {.length_s = 4, .threads = 2, .works = UPDATE + 1, .product = -1, .plain_s = 4};
    run.cell = (struct cell){.entry = registry_find("lu/omp-tasks"), .precision = F64, .n = 4, .tile = 2, .threads = 2};
    run.thread = memory_allocate(2, sizeof *run.thread);
    for (int t = 0; t < 2; t++) {
        run.thread[t].count = counts[t];
        run.thread[t].piece = memory_allocate(counts[t], sizeof **pieces);
        memcpy(run.thread[t].piece, pieces[t], counts[t] * sizeof **pieces);
        for (size_t p = 0; p < counts[t]; p++)
            run.work[pieces[t][p].work].busy_s += pieces[t][p].end_s - pieces[t][p].begin_s;
    }
    run.tile = run.cell.tile;
    strcpy(run.work[FACTOR].name, "factor");
    strcpy(run.work[SOLVE].name, "solve");
    strcpy(run.work[UPDATE].name, "update");
    return run;
}

static bool is(double value, double wanted)
{
    return fabs(value - wanted) < 1e-9;
}

TEST(the_critical_path_goes_through_the_work_that_others_waited_for)
{
    struct timeline run = make_run();
    timeline_follow(&run);
    assert_true(is(run.work[FACTOR].path_s, 1));
    assert_true(is(run.work[UPDATE].path_s, 2));
    assert_true(is(run.work[SOLVE].path_s, 1));
    assert_true(is(run.wait_s, 0));
    assert_int_equal(run.path.count, 3);
    assert_true(run.path.piece[1].work == UPDATE && is(run.path.piece[1].begin_s, 1));
    assert_true(is(timeline_idle_s(&run), 3));
    timeline_free(&run);
}

TEST(idle_time_and_slow_work_make_up_the_gap)
{
    struct timeline run = make_run();
    timeline_follow(&run);
    /* Two threads do as many operations in a second as the factorisation has: it has one second's work of 4. */
    const double flops = cell_flops(&run.cell), gflops = 1e-9 * flops;
    timeline_compare(&run, "matmul/omp-packed", gflops);
    assert_int_equal(run.product, UPDATE);
    /* Tiles of 2 of a matrix of 4: one update of 2 x 2 elements by 2 products each. */
    assert_true(is(run.work[UPDATE].product_s, 2 * 16 / flops));
    assert_true(is(run.work[FACTOR].product_s, run.work[SOLVE].product_s));
    assert_true(is(timeline_gap_s(&run), 6));
    assert_true(is(timeline_explained_s(&run), 6));
    timeline_free(&run);
}

TEST_MAIN(NULL, NULL)
