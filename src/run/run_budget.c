/* Keeping a run within its budget: which cells it begins, and which of the begun cells it leaves to a later run.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "progress.h"
#include "base/timer.h"

#include <math.h>
#include <stdio.h>

/* A run may end later than its budget by this share: to leave a cell that is nearly finished would save nothing. */
static const double OVER_MOST = 0.05;

/* Adds what is left of the unfinished cells that are measured together. */
static void add_left(const struct run *run, double parts_s[PARTS])
{
    for (size_t i = 0; i < run->cell_runs; i++)
        for (int part = 0; part < PARTS && !run->cell_run[i].finished; part++)
            parts_s[part] += run->left_s[run->cell_run[i].item - run->schedule->item][part];
}

bool run_budget_fits(const struct run *run, const struct cost *cost)
{
    double parts_s[PARTS];
    run_expect_parts(cost, parts_s);
    add_left(run, parts_s);
    return timer_now_s() + estimate_correct_s(&run->estimate, parts_s) <= run->options->end_s;
}

void run_budget_refuse(struct run *run, double total_s, char reason[200])
{
    struct run_report *report = run->report;
    char budget[32];
    progress_duration(run->options->budget_s, budget, sizeof budget);
    snprintf(reason, 200, "outside the budget of %s: predicted %.3g s", budget, total_s);
    report->left_least_s = fmin(report->left++ ? report->left_least_s : INFINITY, total_s);
    report->left_s += total_s;
}

/* The unfinished cell of which most is left. NULL: all are finished. */
static struct cell_run *costliest(const struct run *run, double *left_s)
{
    struct cell_run *found = NULL;
    *left_s = 0;
    for (size_t i = 0; i < run->cell_runs; i++) {
        struct cell_run *cell_run = &run->cell_run[i];
        if (cell_run->finished)
            continue;
        const double own_s = estimate_correct_s(&run->estimate, run->left_s[cell_run->item - run->schedule->item]);
        if (!found || own_s > *left_s) {
            found = cell_run;
            *left_s = own_s;
        }
    }
    return found;
}

void run_budget_keep(struct run *run)
{
    const double most_s = run->options->end_s + OVER_MOST * run->options->budget_s;
    while (isfinite(most_s) && !stopped(run)) {
        double parts_s[PARTS] = {0}, left_s;
        add_left(run, parts_s);
        struct cell_run *cell_run = costliest(run, &left_s);
        if (!cell_run || timer_now_s() + estimate_correct_s(&run->estimate, parts_s) <= most_s)
            return;
        char reason[200] = "the budget is spent";
        if (run->again == 0)
            run_budget_refuse(run, left_s, reason);
        run_cell_leave(run, cell_run, reason);
    }
}
