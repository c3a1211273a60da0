/* Measuring the cells of a point that are prepared together, round by round.
 * SPDX-License-Identifier: MIT
 *
 * The rounds are divided into launches: each launch has new workers. A cell takes part in a round of its share if it
 * has no sample of that round yet, so the rounds that an interrupted run has saved are left out. A cell for which its
 * worker has no memory while the worker holds other cells is deferred: it is measured after the other cells. */
#include "run_parts.h"

#include "cell.h"
#include "progress.h"
#include "base/timer.h"
#include "plan/predict.h"
#include "verify/inputs.h"

/* After so many deferred cells in a row, a worker counts as full, and further cells are not tried in it. A single cell
 * may simply be too large. */
enum { DEFERRED_IN_A_ROW = 3 };

bool run_point_same_worker(const struct cell *a, const struct cell *b)
{
    const struct backend_setup setup_a = backend_setup(a), setup_b = backend_setup(b);
    return backend_same_setup(&setup_a, &setup_b);
}

/* A random order for each round. The seed decides it, so that every run of a study has the same orders. */
static void shuffle(size_t *order, size_t count, uint64_t seed, uint64_t point, int round)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i-- > 1;) {
        const uint64_t bits = inputs_bits(seed, (uint32_t)(1000 + round), point << 20 | i);
        const size_t j = bits % (i + 1), swapped = order[i];
        order[i] = order[j];
        order[j] = swapped;
    }
}

static bool has_round(const struct cell_run *cell_run, int round)
{
    for (size_t i = cell_run->result.sample_count; i-- > 0;)
        if (cell_run->result.sample[i].round == round)
            return true;
    return false;
}

/* Whether a cell takes part in a round. A cell with fewer rounds than the others has them in all launches. A cell
 * whose number of rounds is not known yet takes part in every round. */
static bool takes_part(const struct cell_run *cell_run, int round, int rounds)
{
    int own = cell_run->rounds ? cell_run->rounds : rounds;
    if (cell_run->converged && own > PREDICT_CONVERGED_ROUNDS)
        own = PREDICT_CONVERGED_ROUNDS;
    return round == 0 || round * own / rounds > (round - 1) * own / rounds;
}

/* Whether a round of a cell is still to be measured. */
static bool wants_round(const struct run *run, const struct cell_run *cell_run, int round)
{
    return !cell_run->finished && !cell_run->deferred && takes_part(cell_run, round, run->measure->rounds) &&
           !has_round(cell_run, round);
}

/* Whether a cell still wants a round from `first` to `end`, without `end`. */
static bool wants_any(const struct run *run, const struct cell_run *cell_run, int first, int end)
{
    for (int round = first; round < end; round++)
        if (wants_round(run, cell_run, round))
            return true;
    return false;
}

/* Whether the worker of a cell is full: the latest cells that it was asked to hold were deferred. */
static bool worker_is_full(const struct run *run, const struct cell_run *cell_run)
{
    int deferred = 0;
    for (const struct cell_run *other = run->cell_run; other < cell_run; other++) {
        if (other->finished || !run_point_same_worker(&other->result.cell, &cell_run->result.cell))
            continue;
        deferred = other->deferred ? deferred + 1 : 0;
    }
    return deferred >= DEFERRED_IN_A_ROW;
}

/* Checks a cell on the timed inputs, and warms it up. A cell whose run takes longer than once-above is finished. */
static void prepare(struct run *run, struct cell_run *cell_run)
{
    const bool is_new = !cell_run->rounds && cell_run->result.sample_count == 0;
    if (!run_cell_check(run, cell_run, cell_inputs(&cell_run->result.cell)))
        return;
    /* Either the prediction or the check says how long a run takes. */
    if (is_new && (cell_run->once || cell_run->run_s > run->measure->once_above_s))
        run_cell_finish_once(run, cell_run);
    else if (run_cell_warm(run, cell_run) && !cell_run->rounds)
        cell_run->rounds =
            run->options->all_rounds ? run->measure->rounds : predict_rounds(run->measure, cell_run->run_s);
}

/* Prepares all cells that want a round of a launch. All checks on exact inputs are made before all others, so that
 * the inputs change only once. */
static void prepare_all(struct run *run, int first, int end)
{
    for (size_t i = 0; i < run->cell_runs && !stopped(run); i++) {
        struct cell_run *cell_run = &run->cell_run[i];
        if (!run_cell_wants_exact(cell_run) || !wants_any(run, cell_run, first, end))
            continue;
        if (worker_is_full(run, cell_run))
            cell_run->deferred = true;
        else
            run_cell_check(run, cell_run, INPUTS_EXACT);
    }
    for (size_t i = 0; i < run->cell_runs && !stopped(run); i++) {
        struct cell_run *cell_run = &run->cell_run[i];
        if (!wants_any(run, cell_run, first, end))
            continue;
        if (!cell_run->held_in && worker_is_full(run, cell_run))
            cell_run->deferred = true;
        else
            prepare(run, cell_run);
        run_budget_keep(run);
    }
}

/* The first round behind a launch. */
static int end_of_launch(const struct run *run, int launch)
{
    int round = 0;
    while (round < run->measure->rounds && launch_of(run, round) <= launch)
        round++;
    return round;
}

static bool any_wants(const struct run *run, int round)
{
    for (size_t i = 0; i < run->cell_runs; i++)
        if (wants_round(run, &run->cell_run[i], round))
            return true;
    return false;
}

/* Ends all workers: no cell is in memory any more. */
static void end_workers(struct run *run)
{
    const double start_s = timer_now_s();
    pool_end_launch();
    run->report->starts_s += timer_now_s() - start_s;
    for (size_t i = 0; i < run->cell_runs; i++)
        run->cell_run[i].held_in = 0;
}

/* Measures all rounds of the cells that are not deferred, and finishes these cells. */
static void measure_rounds(struct run *run, size_t at, size_t *order)
{
    const struct measure *measure = run->measure;
    int launch = -1;
    for (int round = 0; round < measure->rounds && !stopped(run); round++) {
        if (!any_wants(run, round))
            continue;
        if (launch_of(run, round) != launch) {
            if (launch >= 0)
                end_workers(run);
            launch = launch_of(run, round);
            prepare_all(run, round, end_of_launch(run, launch));
        }
        progress_round(round, measure->rounds);
        shuffle(order, run->cell_runs, measure->seed, at, round);
        for (size_t i = 0; i < run->cell_runs && !stopped(run); i++) {
            struct cell_run *cell_run = &run->cell_run[order[i]];
            if (wants_round(run, cell_run, round)) {
                if (run_cell_measure(run, cell_run, round, launch + run->again * measure->launches) &&
                    run_replay_is_none(run, cell_run))
                    run_cell_believe(run, cell_run);
                run_budget_keep(run);
            }
            run_keep_rounds(run, false);
        }
    }
    progress_round(-1, 0);
    for (size_t i = 0; i < run->cell_runs && !stopped(run); i++)
        if (!run->cell_run[i].finished && !run->cell_run[i].deferred)
            run_cell_finish(run, &run->cell_run[i]);
}

/* Lets the deferred cells take part again, in new workers. False if there are none. */
static bool take_deferred(struct run *run)
{
    bool any = false;
    for (size_t i = 0; i < run->cell_runs; i++) {
        any |= run->cell_run[i].deferred;
        run->cell_run[i].deferred = false;
    }
    if (any)
        end_workers(run);
    return any;
}

static size_t count_unfinished(const struct run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->cell_runs; i++)
        count += !run->cell_run[i].finished;
    return count;
}

/* Defers all unfinished cells but the first `most`. */
static void defer_beyond(struct run *run, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < run->cell_runs; i++)
        if (!run->cell_run[i].finished)
            run->cell_run[i].deferred = count++ >= most;
}

void run_point_measure(struct run *run, size_t at, size_t *order)
{
    size_t most = run->cell_runs, unfinished = run->cell_runs;
    do {
        defer_beyond(run, most);
        measure_rounds(run, at, order);
        const size_t left = count_unfinished(run);
        /* Where no cell found all the memory that it needs, fewer cells are tried. A single one is not deferred. */
        if (left == unfinished)
            most = ((most < left ? most : left) + 1) / 2;
        unfinished = left;
    } while (!stopped(run) && take_deferred(run));
    if (stopped(run))
        run_keep_rounds(run, true);
    else
        pool_close_operands();
}
