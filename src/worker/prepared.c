/* A cell that this worker has prepared: its operands, its runs, and the verification of its output.
 * SPDX-License-Identifier: MIT */
#include "prepared.h"

#include "cell.h"
#include "state.h"
#include "window.h"
#include "base/timer.h"
#include "verify/signs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static const double STEADY = 0.05;

static struct prepared **prepared;
static size_t prepared_count;

/* How many times longer a simulated stop makes a sample. */
static double fake_stop(const struct cell *cell, int launch, int index)
{
    const char *text = getenv("TILELAB_FAKE_STOPS");
    double factor;
    int n, launches, first;
    const bool is_told = text && sscanf(text, "%d %lf %d %d", &n, &factor, &launches, &first) == 4;
    return is_told && cell->n == n && launch >= 0 && launch < launches && index >= first ? factor : 1;
}

/* The time that TILELAB_FAKE_TIMER gives a run: about 1 GFLOP/s. The cell, the round and the sample decide it, and vary
 * it by 1 %. */
double prepared_fake_s(const struct cell *cell, int round, int launch, int index)
{
    char key[512];
    const size_t length = cell_key(cell, key, sizeof key);
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(round * 1000 + index);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3u;
    hash ^= hash >> 29;
    const double work = cell_flops(cell) + cell_traffic(cell);
    return work * 1e-9 * (1.0 + 1e-2 * (double)(hash % 1000) / 1000.0) * fake_stop(cell, launch, index);
}

/* Ends a cell whose variant returned an error. The variant left the code in errno, as malloc leaves it. */
static void fail_job(const struct job *job, int code, struct outcome *outcome)
{
    outcome_fail(outcome, code == ENOMEM ? STATUS_MEMORY : STATUS_FAILED, "%.190s",
                 job->error[0] ? job->error : "the variant returned an error without saying which");
}

/* A variant may read its inputs in a shorter format, and says so; its bound is then wider. bfloat16 is the shortest. */
static bool states_too_much(const struct cell *cell, struct outcome *outcome)
{
    const double most = 0x1p-8, stated = cell_meta(cell)->input_roundoff;
    if (stated >= 0 && stated <= most)
        return false;
    outcome_fail(outcome, STATUS_FAILED, "input_roundoff is %.3g, and no variant may state more than %.3g", stated,
                 most);
    return true;
}

struct prepared *prepared_get(const struct backend_worker *backend, const struct cell *cell, struct outcome *outcome)
{
    if (states_too_much(cell, outcome))
        return NULL;
    for (size_t i = 0; i < prepared_count; i++)
        if (cell_compare(&prepared[i]->cell, cell) == 0)
            return prepared[i];
    struct operands *operands = operands_open(backend, cell, outcome);
    if (!operands)
        return NULL;
    struct prepared *made = calloc(1, sizeof *made);
    struct prepared **more = realloc(prepared, (prepared_count + 1) * sizeof(struct prepared *));
    if (more)
        prepared = more;
    if (!made || !more) {
        free(made);
        outcome_fail(outcome, STATUS_MEMORY, "no memory to prepare");
        return NULL;
    }
    made->cell = *cell;
    made->operands = operands;
    made->given = *cell;
    made->job.cell = &made->given;
    for (int i = 0; i < operands->problem->operand_count; i++)
        made->job.operand[i] = backend->allocate ? operands->device[i] : operands->host[i].data;
    const double start = timer_now_s();
    errno = 0;
    if (backend->prepare(&made->job) != 0) {
        fail_job(&made->job, errno, outcome);
        free(made);
        return NULL;
    }
    outcome->phase_s[PHASE_INPUTS] += timer_now_s() - start;
    if (backend->team && !timer_is_fake())
        outcome->start_s = backend->team->start_s();
    outcome->alloc_s = timer_is_fake() ? 0.0 : operands->alloc_s + timer_now_s() - start;
    prepared[prepared_count++] = made;
    return made;
}

/* Whether a function of the team has succeeded; else the outcome says why. */
static bool succeeded(struct prepared *at, int failed, struct outcome *outcome)
{
    if (failed)
        fail_job(&at->job, errno, outcome);
    return !failed;
}

bool prepared_fill(struct prepared *at, enum inputs inputs, uint64_t seed, struct outcome *outcome)
{
    const struct backend_team *team = at->operands->backend->team;
    if (!team)
        return operands_fill(at->operands, inputs, seed, outcome);
    const double start = timer_now_s();
    const bool filled = succeeded(at, team->fill(&at->job, inputs, seed), outcome);
    outcome->phase_s[PHASE_INPUTS] += timer_now_s() - start;
    return filled;
}

bool prepared_poison(struct prepared *at, struct outcome *outcome)
{
    const struct backend_team *team = at->operands->backend->team;
    return team ? succeeded(at, team->poison(&at->job), outcome) : operands_poison(at->operands, outcome);
}

bool prepared_freshen(struct prepared *at, struct outcome *outcome)
{
    /* The output of a probe is as large as its work: it has fresh inputs once a round. */
    if (at->operands->problem->probe && at->fresh)
        return true;
    static uint64_t seed, drawn; /* over all rounds, so that none repeats the signs of another */
    if (seed == 0)
        (void)!getrandom(&seed, sizeof seed, 0);
    if (!at->operands->backend->team) {
        enum { TRIES = 8 }; /* few elements have few signs, and one element has none */
        struct signs signs = at->operands->signs;
        for (int i = 0; i < TRIES && memcmp(&signs, &at->operands->signs, sizeof signs) == 0; i++)
            signs = signs_draw(&at->cell, seed, drawn++);
        if (!operands_turn(at->operands, &signs, outcome))
            return false;
    }
    at->fresh = true;
    return prepared_poison(at, outcome);
}

bool prepared_glimpse(struct prepared *at, bool *other, struct outcome *outcome)
{
    const enum glimpse_found found = glimpse_compare(&at->glimpses, at->operands, at->varies);
    *other = found == GLIMPSE_OTHER;
    if (found == GLIMPSE_FAILED)
        outcome_fail(outcome, STATUS_FAILED, "the output cannot be read");
    return found != GLIMPSE_FAILED;
}

bool prepared_run_block(struct prepared *at, const struct repeats *repeats, struct backend_times *times,
                        struct outcome *outcome)
{
    at->given = at->cell;
    at->job.cell = &at->given;
    at->job.error[0] = '\0';
    if (times)
        *times = (struct backend_times){.kernel_s = NAN, .clock_hz = NAN, .temperature_c = NAN};
    errno = 0;
    if (at->operands->backend->run(&at->job, repeats, times) == 0) {
        if (times) {
            at->before_s = at->run_s;
            at->run_s = timer_is_fake() ? prepared_fake_s(&at->cell, -1, -1, 0) : times->kernel_s / repeats->count;
        }
        return true;
    }
    fail_job(&at->job, errno, outcome);
    return false;
}

bool prepared_run_timed(struct prepared *at, const struct repeats *repeats, struct backend_times *times, double *cpu_s,
                        struct outcome *outcome)
{
    state_left_process(); /* the processes of earlier runs that have ended do not count */
    const double children_s = timer_children_s(), own_s = timer_cpu_s();
    if (!prepared_run_block(at, repeats, times, outcome))
        return false;
    *cpu_s = timer_cpu_s() - own_s;
    /* A process that is about to end gets a moment for that. */
    enum { LOOKS = 20, PAUSE_US = 1000 };
    for (int i = 0; state_left_process() && i < LOOKS; i++)
        usleep(PAUSE_US);
    *cpu_s += timer_children_s() - children_s;
    return true;
}

bool prepared_restore(struct prepared *at, int count, struct repeats *repeats, struct outcome *outcome)
{
    return operands_restore(at->operands, count, repeats, outcome) &&
           (at->cell.cache != CACHE_COLD || operands_evict(at->operands, outcome));
}

bool prepared_run(struct prepared *at, int count, struct backend_times *times, struct outcome *outcome)
{
    struct repeats repeats;
    return prepared_restore(at, count, &repeats, outcome) && prepared_run_block(at, &repeats, times, outcome);
}

bool prepared_agree(double a_s, double b_s)
{
    return a_s > 0 && b_s > 0 && fabs(a_s - b_s) <= STEADY * b_s;
}

bool prepared_warm_up(struct prepared *at, double least_s, double most_s, struct outcome *outcome)
{
    const double start_s = timer_now_s();
    for (double spent_s = 0; spent_s <= most_s; spent_s = timer_now_s() - start_s) {
        struct backend_times times;
        if (!prepared_run(at, 1, &times, outcome))
            return false;
        if (timer_is_fake() || (timer_now_s() - start_s >= least_s && prepared_agree(at->run_s, at->before_s)))
            break;
    }
    return true;
}

static bool verify_here(struct prepared *at, struct outcome *outcome)
{
    struct verdict verdict = {.error = NAN, .bound = NAN, .norm2 = NAN};
    const struct backend_team *team = at->operands->backend->team;
    state_restore_arithmetic();
    if (!team) {
        void *operand[MAX_OPERANDS];
        operands_pointers(at->operands, false, operand);
        at->operands->problem->verify(&at->cell, (enum inputs)at->operands->inputs, at->operands->reference, operand,
                                      &verdict);
    } else if (!succeeded(at, team->judge(&at->job, &verdict), outcome)) {
        return false;
    } else {
        verdict.norm2 = at->norm2;
    }
    outcome_judge(outcome, at->operands->problem, &verdict,
                  at->operands->problem->sweeps ? operands_log(at->operands) : NULL);
    return outcome->status == STATUS_OK;
}

/* Takes the output to the host. */
static bool fetch(struct prepared *at, struct outcome *outcome)
{
    char why[sizeof outcome->reason - 8];
    if (state_left_handler(why, sizeof why)) {
        outcome_fail(outcome, STATUS_FAILED, "%s", why);
        return false;
    }
    if (!operands_download(at->operands, outcome) || !operands_intact(at->operands, outcome))
        return false;
    if (at->operands->backend->download || glimpse_unchanged(&at->glimpses, at->operands))
        return true;
    outcome_fail(outcome, STATUS_FAILED,
                 "the output changed after run() had returned: a thread or a process of the variant goes on");
    return false;
}

bool prepared_present(struct prepared *at, uint64_t known_digest, struct outcome *outcome)
{
    const struct backend_team *team = at->operands->backend->team;
    const double start = timer_now_s();
    bool good;
    if (team) {
        good = succeeded(at, team->digest(&at->job, &outcome->digest, &at->norm2), outcome);
    } else if ((good = fetch(at, outcome)) && window_is_open() && !at->operands->problem->probe) {
        outcome->signs = at->operands->signs;
        good = outcome->shown = window_show(at->operands, &at->cell, outcome);
    } else if (good) {
        operands_undo_signs(at->operands, &at->cell);
        outcome->digest = operands_digest(at->operands);
    }
    if (good && !outcome->shown) {
        outcome->verified = known_digest != outcome->digest;
        good = !outcome->verified || verify_here(at, outcome);
    }
    outcome->phase_s[PHASE_VERIFY] += timer_now_s() - start;
    return good;
}

/* The doubts about runs that were made since `begin`. A library may use fewer threads for a small size. Its threads
 * were checked when the library was opened. */
unsigned prepared_doubts(const struct noise *begin, const struct cell *cell, double kernel_s, double cpu_s)
{
    /* The processor time of a team is spent in other processes. */
    if (timer_is_fake() || registry_kind(cell->entry) != KIND_CPU || registry_axes(cell->entry) & HONOURS(ranks))
        return 0;
    const struct noise_verdict verdict = noise_end(begin, kernel_s, cpu_s);
    const bool idle = verdict.idle && cell->entry->library[0] == '\0';
    return (verdict.disturbed ? FLAG_NOISY : 0) | (idle ? FLAG_IDLE : 0);
}

void prepared_close_all(void)
{
    for (size_t i = 0; i < prepared_count; i++) {
        prepared[i]->operands->backend->finish(&prepared[i]->job);
        glimpse_free(&prepared[i]->glimpses);
        free(prepared[i]);
    }
    free(prepared);
    prepared = NULL;
    prepared_count = 0;
    operands_close_all();
}
