/* What `verify` finds out about one cell: whether it is right, and if not, where and when it is wrong.
 * SPDX-License-Identifier: MIT */
#include "verify_check.h"

#include "cell.h"
#include "backend/backend.h"
#include "backend/backend_worker.h"
#include "machine/host.h"
#include "worker/measure.h"

#include <stdlib.h>
#include <string.h>

const char *const verify_inputs_names[INPUTS_KINDS] = {"integers", "random",    "normal",    "zeros", "small",
                                                       "graded",   "denormals", "nonfinite", "ties",  "constant"};

/* How often a wrong cell is run again; once where a run takes longer than SLOW_S. */
enum { AGAIN = 4 };
static const double SLOW_S = 2;
/* A run that keeps less memory may have made a buffer of its C library. */
enum { KEPT_LEAST = 1 << 20 };
static const uint64_t SEED = 1;

/* Whether a cell's problem has inputs of this kind. */
static bool has_inputs(const struct cell *cell, enum inputs inputs)
{
    if (backend_is_team(cell))
        return inputs == INPUTS_RANDOM || (inputs == INPUTS_EXACT && cell_has_exact(cell));
    return cell_has_inputs(cell, inputs);
}

/* Notes what is odd about a run of an own kernel. */
static void remark(const struct cell *cell, struct verify_found *found)
{
    const struct outcome *outcome = &found->outcome;
    if (found->remark[0] != '\0' || cell->entry->backend != BACKEND_CPU)
        return;
    const long long asked = cell->threads > 0 ? cell->threads : 1;
    /* OpenMP's team is there before the first run, as it touches the operands. */
    if (outcome->threads_made > 0)
        snprintf(found->remark, sizeof found->remark, "%lld threads ran, and %lld %s asked for",
                 asked + outcome->threads_made, asked, asked == 1 ? "was" : "were");
    else if (cell->threads > 0 && cell->threads <= host_get()->cores && outcome->flags & FLAG_IDLE)
        snprintf(found->remark, sizeof found->remark, "half of the %lld threads that were asked for were idle, or more",
                 (long long)cell->threads);
    else if (outcome->kept >= KEPT_LEAST)
        snprintf(found->remark, sizeof found->remark, "a run allocated %.3g MB that it did not free",
                 1e-6 * (double)outcome->kept);
}

/* Gives OpenMP's team in this process so many threads, whatever a kernel has told it. More threads than cores take
 * turns, which shows races that as many threads as cores do not. */
static void use_threads(const struct cell *cell, int threads)
{
    char why[256];
    struct backend_setup setup = backend_setup(cell);
    setup.threads = threads;
    if (cell->entry->backend == BACKEND_CPU)
        backend_of(cell)->worker->open(&setup, true, why, sizeof why);
}

/* ---- A wrong cell ---- */

/* Whether the result is right on one thread. */
static bool is_right_alone(const struct cell *cell, enum inputs inputs, const struct verify_how *how,
                           struct outcome *outcome)
{
    struct cell alone = *cell;
    alone.threads = 1;
    use_threads(&alone, 1);
    measure_check(&alone, inputs, SEED, 0, outcome);
    use_threads(cell, how->threads);
    return outcome->status == STATUS_OK;
}

/* Tells a race from an error. `differs`: a run before the wrong one was right. */
static void run_again(const struct cell *cell, enum inputs inputs, bool differs, const struct verify_how *how,
                      struct verify_watch *watch, struct verify_found *found)
{
    const int runs = found->outcome.run_s > SLOW_S ? 1 : AGAIN;
    struct outcome *again = malloc(sizeof *again);
    for (int i = 0; again && i < runs && !differs; i++) {
        verify_watch_go_on(watch);
        measure_check(cell, inputs, SEED, 0, again);
        differs = again->status == STATUS_OK || again->digest != found->outcome.digest;
    }
    bool alone = false;
    const bool team = cell->entry->backend == BACKEND_CPU && cell->threads > 1;
    if (again && team) {
        verify_watch_go_on(watch);
        alone = is_right_alone(cell, inputs, how, again);
    }
    free(again);
    const char *words = "";
    if (alone)
        words = differs ? "right on one thread, and differs from run to run: a data race?"
                        : "right on one thread, and wrong in the same way in each run: is the work divided rightly?";
    else if (differs)
        words = team ? "differs from run to run, and is wrong on one thread too: is memory read that nobody wrote?"
                     : "differs from run to run: a data race, or memory that nobody wrote?";
    snprintf(found->when, sizeof found->when, "%s", words);
}

static void examine(const struct cell *cell, enum inputs inputs, bool was_right, const struct verify_how *how,
                    struct verify_watch *watch, struct verify_found *found)
{
    if (measure_map(cell, inputs, &found->map))
        wrong_map_words(&found->map, found->where, sizeof found->where);
    if (!backend_is_team(cell))
        run_again(cell, inputs, was_right, how, watch, found);
}

/* ---- A cell ---- */

/* Runs a cell with one kind of inputs. False if it fails. */
static bool passes(const struct cell *cell, enum inputs inputs, const struct verify_how *how,
                   struct verify_watch *watch, struct verify_found *found)
{
    struct outcome *outcome = &found->outcome;
    for (int i = 0; i < how->repeat; i++) {
        verify_watch_go_on(watch);
        measure_check(cell, inputs, SEED, 0, outcome);
        remark(cell, found);
        if (outcome->status == STATUS_OK)
            continue;
        if (inputs > INPUTS_RANDOM) {
            char reason[sizeof outcome->reason];
            snprintf(reason, sizeof reason, "%s inputs: %.180s", verify_inputs_names[inputs], outcome->reason);
            memcpy(outcome->reason, reason, sizeof reason);
        }
        if (outcome->status == STATUS_WRONG)
            examine(cell, inputs, i > 0, how, watch, found);
        return false;
    }
    return true;
}

void verify_check(const struct cell *cell, const struct verify_how *how, struct verify_watch *watch,
                  struct verify_found *found)
{
    outcome_fail(&found->outcome, STATUS_SKIPPED, "the cell has no such inputs");
    use_threads(cell, how->threads);
    for (int inputs = 0; inputs < INPUTS_KINDS; inputs++)
        if (how->inputs & BIT(inputs) && has_inputs(cell, (enum inputs)inputs) &&
            !passes(cell, (enum inputs)inputs, how, watch, found))
            break;
    measure_close();
}

void verify_found_free(struct verify_found *found)
{
    free(found->map.wrong);
    free(found);
}
