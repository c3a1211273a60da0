/* Awaits the answers of workers, and says how a worker ended that gives none.
 * SPDX-License-Identifier: MIT */
#include "pool_parts.h"

#include "base/timer.h"
#include "protocol/capture.h"
#include "protocol/channel.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLICE_MS = 500 };
/* A worker whose socket is closed has ended or is about to, unless its variant closed the socket. */
static const double END_LIMIT_S = 2;

static double suspended_s; /* how long the runner was stopped while it waited */

void (*pool_waiting)(void);
volatile sig_atomic_t pool_interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    pool_interrupted = 1;
}

static bool is_interrupted(void)
{
    return pool_interrupted != 0;
}

void pool_catch_interrupts(void)
{
    process_interrupted = is_interrupted;
    const struct sigaction interrupt = {.sa_handler = on_interrupt};
    struct sigaction hangup;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &interrupt, NULL);
    /* `nohup` has the process ignore the end of its terminal. */
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &interrupt, NULL);
}

enum exchange pool_transient(struct outcome *outcome, const char *format, ...)
{
    char text[sizeof outcome->reason];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    *outcome = outcome_none();
    outcome_transient(outcome, "%s", text);
    return EXCHANGE_TRANSIENT;
}

/* The last line that the worker wrote to standard error, after "; it said: ". Empty if it wrote nothing. */
static void last_words(const struct worker *worker, char *text, size_t size)
{
    char line[101];
    capture_last_line(worker->error_fd, line, sizeof line);
    snprintf(text, size, line[0] ? "; it said: %s" : "%s", line);
}

/* Whether a signal comes from a user or from the system, rather than from a variant's fault. */
static bool comes_from_elsewhere(int signal)
{
    return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP || signal == SIGINT || signal == SIGQUIT;
}

enum exchange pool_post_mortem(struct worker *worker, struct outcome *outcome)
{
    const bool started = worker->ready, ended = process_await(&worker->process, END_LIMIT_S);
    char words[128];
    last_words(worker, words, sizeof words);
    const int status = ended ? worker->process.status : 0;
    worker->lost = true;
    *outcome = outcome_none();
    if (!ended)
        outcome_fail(outcome, STATUS_EXIT, "the worker closed its socket, lived on and was ended%s", words);
    else if (WIFSIGNALED(status) && comes_from_elsewhere(WTERMSIG(status)))
        return pool_transient(outcome, "the worker was ended from elsewhere, by SIG%s%s",
                              sigabbrev_np(WTERMSIG(status)), words);
    else if (WIFSIGNALED(status))
        outcome_fail(outcome, STATUS_CRASH, "the worker was ended by SIG%s (%s)%s", sigabbrev_np(WTERMSIG(status)),
                     strsignal(WTERMSIG(status)), words);
    else if (!started || strstr(words, "Thread creation failed"))
        return pool_transient(outcome, "the worker could not %s: exit code %d%s", started ? "make a thread" : "start",
                              WEXITSTATUS(status), words);
    else if (WEXITSTATUS(status) == CHANNEL_FAILED)
        return pool_transient(outcome, "a worker could not read a request or send its answer%s", words);
    else
        outcome_fail(outcome, STATUS_EXIT, "the worker process ended by itself with exit code %d%s",
                     WEXITSTATUS(status), words);
    return EXCHANGE_DONE;
}

static enum exchange time_out(struct worker *worker, double limit_s, struct outcome *outcome)
{
    worker->lost = true;
    if (process_is_stopped(&worker->process))
        return pool_transient(outcome, "the worker was stopped from elsewhere");
    *outcome = outcome_none();
    outcome_fail(outcome, STATUS_TIMEOUT, "no answer in %.3g s", limit_s);
    return EXCHANGE_DONE;
}

/* Takes what has come from the worker. False: there is no answer yet. */
static bool take(struct worker *worker, struct outcome *outcome, enum exchange *exchange)
{
    *exchange = EXCHANGE_DONE;
    switch (channel_take_answer(worker->fd, worker->request, outcome)) {
    case CHANNEL_NOTHING:
        return false;
    case CHANNEL_ANSWER:
        if (outcome->transient)
            *exchange = EXCHANGE_TRANSIENT;
        worker->lost = outcome->poisoned;
        return true;
    case CHANNEL_CLOSED:
        *exchange = pool_post_mortem(worker, outcome);
        return true;
    case CHANNEL_FOREIGN:
        worker->lost = true;
        *outcome = outcome_none();
        outcome_fail(outcome, STATUS_EXIT, "something else than an answer came from the worker, which was ended");
        return true;
    default:
        worker->lost = true;
        *exchange = pool_transient(outcome, "no answer can be read from a worker: %s", strerror(errno));
        return true;
    }
}

enum exchange pool_await(struct worker *worker, double limit_s, struct outcome *outcome)
{
    double waited_s = 0;
    for (double last_s = timer_now_s(), now_s;; last_s = now_s) {
        enum exchange exchange;
        struct pollfd waiting = {.fd = worker->fd, .events = POLLIN};
        const int ready = poll(&waiting, 1, SLICE_MS);
        if (pool_interrupted)
            return EXCHANGE_INTERRUPTED;
        if (ready < 0)
            usleep(1000);
        if (ready != 0 && take(worker, outcome, &exchange))
            return exchange;
        if (ready == 0 && pool_waiting)
            pool_waiting();
        /* Where this took longer than a slice, the runner was suspended, and the worker with it. */
        now_s = timer_now_s();
        waited_s += fmin(now_s - last_s, 2e-3 * SLICE_MS);
        suspended_s += fmax(0, now_s - last_s - 2e-3 * SLICE_MS);
        if (waited_s > limit_s)
            return time_out(worker, limit_s, outcome);
    }
}

double pool_suspended_s(void)
{
    return suspended_s;
}
