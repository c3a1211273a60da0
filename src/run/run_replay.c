/* Whether the samples of a cell can be the work. A variant that keeps a result needs far less time for the same inputs
 * than for others, behind the same pause.
 * SPDX-License-Identifier: MIT */
#include "run_parts.h"

#include "cell.h"
#include "base/stats.h"
#include "base/timer.h"

#include <math.h>
#include <sys/random.h>

/* A variant that was found to do its work is looked at again where its runs have become so much faster. */
static const double CLEARED = 0.7;

/* Where a run can be faster in a block than on fresh inputs without any fault: it begins with threads that wait, or
 * with a device that does, and finds its inputs in other caches. */
static double start_s(const struct cell *cell)
{
    const bool on_gpu = backend_kind(cell) == KIND_GPU;
    return (on_gpu ? 50e-6 : cell->threads > 1 ? 100e-6 : 20e-6) + (double)cell_bytes(cell) / (on_gpu ? 1e12 : 40e9);
}

/* A solver may take another number of sweeps on other inputs: the sweeps on the timed inputs, as a share of them. */
static double sweeps_share(const struct result *result, const struct outcome *fresh)
{
    const bool known = result->cell.entry->problem->sweeps && result->iterations > 0 && fresh->log.sweeps > 0;
    return known ? (double)result->iterations / (double)fresh->log.sweeps : 1;
}

/* A run behind a change of its inputs. */
struct behind {
    double run_s, seen_s; /* its time, and for how long its inputs lay there before, as a thread may have used that */
    bool quiet;           /* no thread waited long for a core */
};

/* What runs on inputs that are new each time have shown. What disturbs a run makes it longer, and so the shortest times
 * tell what the variant does. Runs on known inputs, made in the same way, tell what the change itself costs. */
struct fresh {
    double total_s;   /* the shortest time from the moment at which the inputs lay there to the end of the run */
    double seen_s;    /* the shortest part of that before the run */
    double again_s;   /* the shortest run in a row on inputs that the variant knew */
    int tries, quiet; /* how many pairs of runs there were, and how many of them were quiet */
    int alike;        /* quiet pairs in which the run on known inputs was long as well */
};

/* Asks for a run on the inputs of a seed, and tells its times. Those of the seed of all rounds are known. */
static bool ask_behind(struct run *run, struct cell_run *cell_run, uint64_t seed, struct behind *behind)
{
    static const double DELAY_MOST = 0.25; /* of the run: threads that other programs keep waiting */
    struct cell_request runs = {.expected_s = cell_run->first_s, .request = {.command = WORKER_FRESH, .seed = seed}};
    if (!run_cell_ask_for_runs(run, cell_run, &runs))
        return false;
    const struct outcome *outcome = run->outcome;
    const bool on_cpu = backend_kind(&cell_run->result.cell) != KIND_GPU;
    const double share = sweeps_share(&cell_run->result, outcome);
    *behind = (struct behind){
        .run_s = outcome->run_s * share,
        .seen_s = on_cpu ? outcome->seen_s * share : 0, /* nothing on a device computes while inputs are copied there */
        .quiet = !(on_cpu && outcome->delay_s > DELAY_MOST * outcome->run_s),
    };
    return true;
}

/* Adds a run on new inputs, and returns whether it is that of a variant that does its work: as short as the time
 * `run_s` that was measured, or the shortest ones as short as on known inputs. */
static bool adds_up(struct fresh *fresh, const struct cell *cell, const struct behind *new, double again_s,
                    double run_s)
{
    enum { TRIES_LEAST = 3 };
    const bool on_cpu = backend_kind(cell) != KIND_GPU;
    const double total_s = new->run_s + new->seen_s;
    fresh->total_s = fmin(fresh->total_s, total_s);
    fresh->seen_s = fmin(fresh->seen_s, new->seen_s);
    fresh->again_s = fmin(fresh->again_s, again_s);
    fresh->tries++;
    return total_s <= 2 * run_s + start_s(cell) ||
           ((!on_cpu || fresh->tries >= TRIES_LEAST) &&
            fresh->total_s <= 2 * fresh->again_s + start_s(cell) + fresh->seen_s);
}

/* Adds a pair of runs. A machine may be slow for some time behind a pause: a hypervisor may wake two processors on one
 * core. Then both runs take longer than runs in a row, but not by more than PAUSE_MOST. */
static void compare(struct fresh *fresh, const struct cell *cell, const struct behind *new, const struct behind *known)
{
    static const double PAUSE_MOST = 4;
    if (!new->quiet || !known->quiet)
        return;
    fresh->quiet++;
    fresh->alike += new->run_s + new->seen_s <= 2 * known->run_s + known->seen_s + start_s(cell) &&
                    new->run_s <= PAUSE_MOST * fresh->again_s + start_s(cell);
}

/* Whether a time of the cell is in doubt until runs on new inputs confirm it. The first run on the timed inputs was
 * slow where the variant keeps results; but that run may have been slow for other reasons. The first run of a short
 * cell tells nothing: where another program takes the core before that run, a thread of the variant has time for it. */
static bool is_doubtful(const struct cell_run *cell_run, double run_s)
{
    static const int64_t BYTES_MOST = INT64_C(1) << 30; /* the other inputs need as much memory again */
    static const double SHORT_S = 0.02;                 /* other programs take a core for about as long */
    const struct cell *cell = &cell_run->result.cell;
    const bool is_new = !(cell_run->cleared_s > 0) || run_s < CLEARED * cell_run->cleared_s;
    const bool began_slowly = cell_run->first_s > 2 * run_s + start_s(cell);
    const bool is_short = backend_kind(cell) != KIND_GPU && run_s < SHORT_S;
    return !timer_is_fake() && !backend_is_team(cell) && !cell->entry->meta->vendor && !cell->entry->problem->probe &&
           cell_bytes(cell) <= BYTES_MOST && run_s > 0 && is_new && (began_slowly || is_short);
}

/* The median time of a run in the samples of an answer. */
static double median_s(const struct outcome *outcome)
{
    double value[sizeof outcome->sample / sizeof *outcome->sample];
    size_t count = 0;
    for (int i = 0; i < outcome->samples; i++)
        if (!isnan(outcome->sample[i].kernel_s))
            value[count++] = outcome->sample[i].kernel_s;
    return count > 0 ? stats_median(value, count) : NAN;
}

bool run_replay_is_none(struct run *run, struct cell_run *cell_run)
{
    enum { QUIET_ENOUGH = 10, QUIET_LEAST = 3, TRIES_MOST = 40, ALIKE_ENOUGH = 2 };
    const struct cell *cell = &cell_run->result.cell;
    const double run_s = median_s(run->outcome);
    struct fresh fresh = {.total_s = INFINITY, .seen_s = INFINITY, .again_s = INFINITY};
    if (!is_doubtful(cell_run, run_s))
        return true;
    while (fresh.quiet < QUIET_ENOUGH && fresh.tries < TRIES_MOST) {
        struct behind new, known;
        uint64_t seed;
        if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
            return true;
        if (!ask_behind(run, cell_run, seed, &new))
            return false;
        bool clear = adds_up(&fresh, cell, &new, run->outcome->again_s, run_s);
        if (!clear) {
            if (!ask_behind(run, cell_run, run->measure->seed, &known))
                return false;
            compare(&fresh, cell, &new, &known);
            clear = fresh.alike >= ALIKE_ENOUGH;
        }
        if (clear) {
            cell_run->cleared_s = run_s;
            return true;
        }
    }
    if (fresh.quiet < QUIET_LEAST || fresh.alike > 0)
        return true; /* too much disturbs the runs: the next round looks again */
    outcome_fail(run->outcome, STATUS_REPLAYED,
                 "a run takes %.3g s on inputs that it has not seen, and %.3g s on the same ones again: the variant "
                 "keeps results from run to run",
                 fresh.total_s - fresh.seen_s, fresh.again_s);
    run_cell_fail(run, cell_run);
    return false;
}
