/* The worker processes of a run.
 * SPDX-License-Identifier: MIT */
#include "pool_parts.h"

#include "base/timer.h"
#include "machine/noise.h"
#include "protocol/channel.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { WORKERS_MAX = 256 };
static const double START_LIMIT_S = 120, CLOSE_LIMIT_S = 30;
/* A worker's clock and the supervisor's agree within a share and a time, beside the time that either process waited for
 * its turn on a processor. */
static const double CLOCKS_SHARE = 0.05, CLOCKS_S = 1e-3;

static struct worker workers[WORKERS_MAX];
static int worker_count;
static uint64_t requests;

/* Whether a worker with this setup became ready before. `now` says that one has just become ready, which is noted. */
static bool was_ready(const struct backend_setup *setup, bool now)
{
    static struct backend_setup ready[WORKERS_MAX];
    static int count;
    for (int i = 0; i < count; i++)
        if (backend_same_setup(&ready[i], setup))
            return true;
    if (now && count < WORKERS_MAX)
        ready[count++] = *setup;
    return false;
}

static void forget(struct worker *worker)
{
    close(worker->fd);
    close(worker->error_fd);
    const int at = (int)(worker - workers);
    memmove(worker, worker + 1, (size_t)(--worker_count - at) * sizeof *worker);
}

void pool_end_one(struct worker *worker)
{
    process_end(&worker->process);
    forget(worker);
}

/* Awaits an answer, and ends the worker where it has none to give any more. */
static enum exchange await(struct worker *worker, double limit_s, struct outcome *outcome)
{
    const enum exchange exchange = pool_await(worker, limit_s, outcome);
    if (worker->lost)
        pool_end_one(worker);
    return exchange;
}

static void stop_others(const struct worker *alone)
{
    for (int i = 0; i < worker_count; i++)
        if (&workers[i] != alone && !workers[i].stopped) {
            process_signal(&workers[i].process, SIGSTOP);
            workers[i].stopped = true;
        }
}

static void let_run(struct worker *worker)
{
    if (worker->stopped)
        process_signal(&worker->process, SIGCONT);
    worker->stopped = false;
}

void pool_rest(void)
{
    stop_others(NULL);
}

/* The worker whose latest request is the oldest. */
static struct worker *least_recent(void)
{
    struct worker *oldest = &workers[0];
    for (int i = 1; i < worker_count; i++)
        if (workers[i].turn < oldest->turn)
            oldest = &workers[i];
    return oldest;
}

enum exchange pool_get(const struct backend_setup *setup, int64_t memory_bytes, struct worker **worker,
                       struct outcome *outcome)
{
    for (int i = 0; i < worker_count; i++)
        if (backend_same_setup(&workers[i].setup, setup)) {
            *worker = &workers[i];
            return EXCHANGE_DONE;
        }
    *worker = NULL;
    if (worker_count == WORKERS_MAX)
        pool_end_one(least_recent());
    pool_rest();
    struct worker *const made = &workers[worker_count];
    const int failed = pool_start(made, setup, memory_bytes, was_ready(setup, false));
    if (failed && worker_count == 0)
        pool_close_window(); /* where open files are short, the results need them */
    if (failed)
        return pool_transient(outcome, "a worker could not be started: %s", strerror(failed));
    worker_count++;
    const enum exchange exchange = pool_await(made, START_LIMIT_S, outcome);
    if (exchange == EXCHANGE_DONE && outcome->status == STATUS_OK && !made->lost) {
        was_ready(setup, true);
        made->ready = true;
        *worker = made;
    } else {
        pool_end_one(made); /* it was lost, or has said why it cannot start */
    }
    return exchange;
}

/* Sends a request. EXCHANGE_DONE: it was sent; the worker's answer has the number worker->request. */
static int ask(struct worker *worker, const struct request *request)
{
    struct request numbered = *request;
    worker->turn = ++requests;
    do /* what nobody can foretell; 0 is the number of the first answer */
        if (getrandom(&worker->request, sizeof worker->request, 0) != sizeof worker->request)
            return errno ? errno : EIO;
    while (worker->request == 0);
    numbered.number = worker->request;
    return channel_send(worker->fd, &numbered, sizeof numbered);
}

/* How long the main thread of a worker and this process have waited for their turn on a processor, as the kernel counts
 * it; 0 where it does not. */
static double run_delay_s(pid_t worker)
{
    return noise_run_delay_s(worker) + noise_run_delay_s(getpid());
}

/* The time that the samples of an answer took together, copies included. */
static double sampled_s(const struct outcome *outcome)
{
    double sum_s = 0;
    for (int i = 0; i < outcome->samples; i++) {
        const struct sample *sample = &outcome->sample[i];
        sum_s += isnan(sample->kernel_s) ? 0 : sample->kernel_s * sample->repeats;
        sum_s += isnan(sample->total_s) ? 0 : sample->total_s;
    }
    return sum_s;
}

/* Whether the times of an answer can be true, after the wall time that it took. A variant may have changed the clock of
 * its process, or written the answer itself. */
static bool clocks_agree(const struct outcome *outcome, double wall_s, double waited_s)
{
    const double slack_s = CLOCKS_SHARE * wall_s + CLOCKS_S + waited_s, sum_s = sampled_s(outcome);
    return timer_is_fake() || (sum_s >= 0 && sum_s <= wall_s + slack_s && outcome->busy_s <= wall_s + slack_s &&
                               outcome->busy_s >= wall_s - slack_s);
}

enum exchange pool_ask(struct worker *worker, const struct request *request, double limit_s, struct outcome *outcome)
{
    stop_others(worker);
    let_run(worker);
    const pid_t pid = worker->process.pid;
    const double held_s = pool_suspended_s(), delay_s = run_delay_s(pid), start_s = timer_now_s();
    const int failed = ask(worker, request);
    if (failed) {
        const enum exchange lost =
            failed == EPIPE ? pool_post_mortem(worker, outcome)
                            : pool_transient(outcome, "a request could not be sent to a worker: %s", strerror(failed));
        pool_end_one(worker);
        return lost;
    }
    const enum exchange exchange = await(worker, limit_s, outcome);
    const double wall_s = timer_now_s() - start_s - (pool_suspended_s() - held_s);
    outcome->clocks_differ = exchange == EXCHANGE_DONE && outcome->status == STATUS_OK && !outcome->poisoned &&
                             !clocks_agree(outcome, wall_s, run_delay_s(pid) - delay_s);
    outcome->wall_s = wall_s;
    return exchange;
}

static void end_workers(bool with_judge)
{
    struct process *processes[WORKERS_MAX];
    size_t count = 0;
    for (int i = 0; i < worker_count; i++)
        if (with_judge || !workers[i].setup.judges)
            processes[count++] = &workers[i].process;
    process_end_all(processes, count);
    for (int i = worker_count; i-- > 0;)
        if (with_judge || !workers[i].setup.judges)
            forget(&workers[i]);
}

void pool_end_launch(void)
{
    end_workers(false);
}

void pool_end(void)
{
    end_workers(true);
    pool_empty_window();
}

void pool_close_operands(void)
{
    const struct request close_all = {.command = WORKER_CLOSE};
    const double end_s = timer_now_s() + CLOSE_LIMIT_S;
    struct outcome *outcome = malloc(sizeof *outcome);
    for (int i = worker_count; outcome && i-- > 0;) {
        let_run(&workers[i]);
        if (ask(&workers[i], &close_all) != 0)
            pool_end_one(&workers[i]);
    }
    bool late = !outcome;
    for (int i = worker_count; !late && i-- > 0 && !pool_interrupted;)
        late = await(&workers[i], fmax(0, end_s - timer_now_s()), outcome) == EXCHANGE_DONE &&
               outcome->status == STATUS_TIMEOUT;
    free(outcome);
    if (late)
        pool_end();
    else
        pool_empty_window();
}
