/* Measuring the cells of a point that are prepared together, round by round.
 * SPDX-License-Identifier: MIT
 *
 * The rounds are divided into launches: each launch has new workers. A member takes part in a round of its share if it
 * has no sample of that round yet, so the rounds that an interrupted run has saved are left out. A member for which its
 * worker has no memory while the worker holds other cells is deferred: it is measured after the other members. */
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

static bool has_round(const struct member *member, int round)
{
    for (size_t i = member->result.sample_count; i-- > 0;)
        if (member->result.sample[i].round == round)
            return true;
    return false;
}

/* Whether a member takes part in a round. A member with fewer rounds than the others has them in all launches. A member
 * whose number of rounds is not known yet takes part in every round. */
static bool takes_part(const struct member *member, int round, int rounds)
{
    int own = member->rounds ? member->rounds : rounds;
    if (member->settled && own > PREDICT_SETTLED_ROUNDS)
        own = PREDICT_SETTLED_ROUNDS;
    return round == 0 || round * own / rounds > (round - 1) * own / rounds;
}

/* Whether a round of a member is still to be measured. */
static bool wants_round(const struct run *run, const struct member *member, int round)
{
    return !member->finished && !member->deferred && takes_part(member, round, run->measure->rounds) &&
           !has_round(member, round);
}

/* Whether a member still wants a round from `first` to `end`, without `end`. */
static bool wants_any(const struct run *run, const struct member *member, int first, int end)
{
    for (int round = first; round < end; round++)
        if (wants_round(run, member, round))
            return true;
    return false;
}

/* Whether the worker of a member is full: the latest cells that it was asked to hold were deferred. */
static bool worker_is_full(const struct run *run, const struct member *member)
{
    int deferred = 0;
    for (const struct member *other = run->member; other < member; other++) {
        if (other->finished || !run_point_same_worker(&other->result.cell, &member->result.cell))
            continue;
        deferred = other->deferred ? deferred + 1 : 0;
    }
    return deferred >= DEFERRED_IN_A_ROW;
}

/* Checks a member on the timed inputs, and warms it up. A member whose run takes longer than once-above is finished. */
static void prepare(struct run *run, struct member *member)
{
    const bool is_new = !member->rounds && member->result.sample_count == 0;
    if (!run_cell_check(run, member, INPUTS_RANDOM))
        return;
    /* Either the prediction or the check says how long a run takes. */
    if (is_new && (member->once || member->run_s > run->measure->once_above_s))
        run_cell_finish_once(run, member);
    else if (run_cell_warm(run, member) && !member->rounds)
        member->rounds = predict_rounds(run->measure, member->run_s);
}

/* Prepares all members that want a round of a launch. All checks on exact inputs are made before all others, so that
 * the inputs change only once. */
static void prepare_all(struct run *run, int first, int end)
{
    for (size_t i = 0; i < run->members && !stopped(run); i++) {
        struct member *member = &run->member[i];
        if (!run_cell_wants_exact(member) || !wants_any(run, member, first, end))
            continue;
        if (worker_is_full(run, member))
            member->deferred = true;
        else
            run_cell_check(run, member, INPUTS_EXACT);
    }
    for (size_t i = 0; i < run->members && !stopped(run); i++) {
        struct member *member = &run->member[i];
        if (!wants_any(run, member, first, end))
            continue;
        if (!member->held_in && worker_is_full(run, member))
            member->deferred = true;
        else
            prepare(run, member);
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
    for (size_t i = 0; i < run->members; i++)
        if (wants_round(run, &run->member[i], round))
            return true;
    return false;
}

/* Ends all workers: no cell is in memory any more. */
static void end_workers(struct run *run)
{
    const double start_s = timer_now_s();
    pool_end_launch();
    run->report->starts_s += timer_now_s() - start_s;
    for (size_t i = 0; i < run->members; i++)
        run->member[i].held_in = 0;
}

/* Measures all rounds of the members that are not deferred, and finishes these members. */
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
        shuffle(order, run->members, measure->seed, at, round);
        for (size_t i = 0; i < run->members && !stopped(run); i++) {
            struct member *member = &run->member[order[i]];
            if (wants_round(run, member, round))
                run_cell_measure(run, member, round, launch + run->again * measure->launches);
            run_keep_rounds(run, false);
        }
    }
    progress_round(-1, 0);
    for (size_t i = 0; i < run->members && !stopped(run); i++)
        if (!run->member[i].finished && !run->member[i].deferred)
            run_cell_finish(run, &run->member[i]);
}

/* Lets the deferred members take part again, in new workers. False if there are none. */
static bool take_deferred(struct run *run)
{
    bool any = false;
    for (size_t i = 0; i < run->members; i++) {
        any |= run->member[i].deferred;
        run->member[i].deferred = false;
    }
    if (any)
        end_workers(run);
    return any;
}

static size_t count_unfinished(const struct run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->members; i++)
        count += !run->member[i].finished;
    return count;
}

/* Defers all unfinished members but the first `most`. */
static void defer_beyond(struct run *run, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < run->members; i++)
        if (!run->member[i].finished)
            run->member[i].deferred = count++ >= most;
}

void run_point_measure(struct run *run, size_t at, size_t *order)
{
    size_t most = run->members, unfinished = run->members;
    do {
        defer_beyond(run, most);
        measure_rounds(run, at, order);
        const size_t left = count_unfinished(run);
        /* Where no member found all the memory that it needs, fewer members are tried. A single one is not deferred. */
        if (left == unfinished)
            most = ((most < left ? most : left) + 1) / 2;
        unfinished = left;
    } while (!stopped(run) && take_deferred(run));
    if (stopped(run))
        run_keep_rounds(run, true);
    else
        pool_close_operands();
}
