/* What a run still expects to spend on each cell.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "base/timer.h"

#include <math.h>
#include <string.h>

/* New results tell the times of later points better. To predict many points again takes time, of which this is the
 * largest share. */
static const double EXPECT_EVERY_S = 10, EXPECT_SHARE_MOST = 0.01;

/* Replaces what is left of an item. */
static void set_left(struct run *run, const struct item *item, const double left_s[PARTS])
{
    double *old_s = run->left_s[item - run->schedule->item];
    for (int part = 0; part < PARTS; part++)
        run->estimate.left_s[part] += left_s[part] - old_s[part];
    memcpy(old_s, left_s, PARTS * sizeof *old_s);
}

void run_expect_parts(const struct cost *cost, double parts_s[PARTS])
{
    parts_s[PART_START] = cost->starts * cost->start_s;
    parts_s[PART_CHECK] = cost->exact_s + cost->verify_s + cost->launches * cost->check_s;
    parts_s[PART_WARM] = cost->launches * cost->warm_s + cost->raise_s;
    parts_s[PART_ROUND] = cost->rounds * cost->round_s;
}

void run_expect_nothing(struct run *run, const struct item *item)
{
    set_left(run, item, (const double[PARTS]){0});
}

void run_expect_cell(struct run *run, struct cell_run *cell_run)
{
    const struct measure *measure = run->measure;
    if (cell_run->finished) {
        run_expect_nothing(run, cell_run->item);
        return;
    }
    cell_run->cost = predict_cost(measure, &cell_run->result.cell, cell_run->run_s, cell_run->start);
    struct cost left = cell_run->cost;
    const int launches_done = launch_of(run, cell_run->rounds_done);
    const int all = cell_run->rounds ? cell_run->rounds : predict_rounds(measure, cell_run->run_s);
    const int needed = predict_needed_rounds(&cell_run->result.cell, all);
    const int rounds = cell_run->converged || cell_run->rounds_done < needed ? needed : all;
    left.exact_s = cell_run->exact_done ? 0 : left.exact_s;
    left.verify_s = cell_run->checks > 0 ? 0 : left.verify_s;
    left.launches = left.launches > launches_done ? left.launches - launches_done : 0;
    left.rounds = rounds > cell_run->rounds_done ? rounds - cell_run->rounds_done : 0;
    /* The present launch has done its start, its check and perhaps its warm-up. */
    const bool is_checked = cell_run->checks > launches_done, is_warm = cell_run->warm_ups > launches_done;
    const int starts_most = left.launches > is_checked ? left.launches - is_checked : 0;
    left.starts = left.starts < starts_most ? left.starts : starts_most;
    left.raise_s = cell_run->warm_ups > 0 ? 0 : left.raise_s;
    double left_s[PARTS];
    run_expect_parts(&left, left_s);
    if (left.launches > 0 && is_checked)
        left_s[PART_CHECK] -= left.check_s;
    if (left.launches > 0 && is_warm)
        left_s[PART_WARM] -= left.warm_s;
    set_left(run, cell_run->item, left_s);
}

/* Predicts a point whose cells are not measured yet. */
static void expect_point(struct run *run, const struct point *point, struct predict_workers *workers)
{
    const struct schedule *schedule = run->schedule;
    predict_next_point(workers);
    for (size_t i = 0; i < point->count; i++) {
        const struct item *item = &schedule->item[schedule->order[point->first + i]];
        if (!item_pending(item))
            continue;
        const double run_s = predict_run_s(schedule->item, run->store, item);
        double parts_s[PARTS] = {0};
        if (run_s <= run->measure->skip_above_s) {
            const struct cost cost =
                predict_cost(run->measure, &item->cell, run_s, predict_starts_worker(workers, &item->cell));
            run_expect_parts(&cost, parts_s);
        }
        set_left(run, item, parts_s);
    }
}

void run_expect_points(struct run *run, size_t from)
{
    const double start_s = timer_now_s();
    if (start_s < run->expect_due_s)
        return;
    struct predict_workers workers = run->workers;
    for (size_t i = from; i < run->schedule->points; i++)
        expect_point(run, &run->schedule->point[i], &workers);
    const double end_s = timer_now_s();
    run->expect_due_s = end_s + fmax(EXPECT_EVERY_S, (end_s - start_s) / EXPECT_SHARE_MOST);
}
