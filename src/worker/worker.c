/* A worker: a process that answers requests from a socket.
 * SPDX-License-Identifier: MIT */
#include "worker.h"

#include "cell.h"
#include "judge.h"
#include "measure.h"
#include "operands.h"
#include "state.h"
#include "window.h"
#include "base/timer.h"
#include "protocol/capture.h"
#include "protocol/channel.h"
#include "protocol/request.h"
#include "verify/parallel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* ---- Standard output and standard error ---- */

/* The file that takes the standard output of this process. A variant must not write there. */
static int output_fd = -1;

static bool capture_output(void)
{
    output_fd = capture_open("tilelab-stdout");
    return output_fd >= 0 && dup2(output_fd, STDOUT_FILENO) >= 0;
}

/* A variant that prints has spent part of its time printing, so it fails. */
static void judge_output(struct outcome *outcome)
{
    char text[64];
    fflush(stdout);
    const size_t length = output_fd < 0 ? 0 : capture_length(output_fd);
    if (length == 0)
        return;
    capture_first_line(output_fd, text, sizeof text);
    capture_rewind(output_fd);
    __fpurge(stdout); /* what did not fit would be written with the next answer */
    clearerr(stdout);
    if (outcome->status != STATUS_OK)
        return;
    outcome_fail(outcome, STATUS_FAILED, "wrote %s%zu bytes to standard output: %s",
                 length == CAPTURE_BYTES ? "at least " : "", length, text);
}

/* The file of standard error stays half empty, so that it has room for what a crash says. */
static void make_room_for_errors(void)
{
    if (capture_length(STDERR_FILENO) > CAPTURE_BYTES / 2)
        capture_rewind(STDERR_FILENO);
}

/* ---- Processes that a variant makes ---- */

static pid_t forking;

static void before_fork(void)
{
    forking = getpid();
}

/* A child of this process ends with it, although it may leave the process group. */
static void after_fork(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != forking)
        _exit(1);
}

/* ---- Requests ---- */

static void obey(const struct request *request, struct outcome *outcome)
{
    size_t count;
    struct cell cell = {.entry = &registry(&count)[request->entry]};
    for (int i = 0; i < AXES; i++)
        *cell_axis(&cell, i) = request->axis[i];
    switch (request->command) {
    case WORKER_CHECK:
        measure_check(&cell, request->inputs, request->seed, request->digest, outcome);
        break;
    case WORKER_WARM:
        measure_warm(&cell, &request->measure, request->known_s, outcome);
        break;
    case WORKER_ROUND:
        measure_round(&cell, &request->measure, &request->round, outcome);
        break;
    case WORKER_FRESH:
        measure_fresh(&cell, &request->measure, request->seed, outcome);
        break;
    case WORKER_INPUTS:
        measure_inputs(&cell, outcome);
        break;
    case WORKER_JUDGE:
        judge_verify(&cell, request->inputs, request->seed, &request->signs, request->digest, outcome);
        break;
    case WORKER_CLOSE:
        memset(outcome, 0, offsetof(struct outcome, sample));
        measure_close();
        judge_close();
        break;
    }
    judge_output(outcome);
}

static int answer(int fd, uint64_t number, struct outcome *outcome)
{
    outcome->magic = OUTCOME_MAGIC;
    outcome->request = number;
    return channel_send_answer(fd, outcome);
}

/* Prepares the process for its variants. False, and an outcome with the reason, if that fails. */
static bool open_worker(const struct worker_setup *setup, struct outcome *outcome)
{
    char *why = outcome->reason;
    if (!capture_output() || pthread_atfork(before_fork, NULL, after_fork) != 0) {
        snprintf(why, sizeof outcome->reason, "a worker cannot be set up: %s", strerror(errno));
        outcome->transient = true;
    } else {
        const int failed =
            setup->backend.judges ? 0 : measure_open(&setup->backend, setup->known, why, sizeof outcome->reason);
        outcome->transient = failed > 0 || (!failed && state_note(why, sizeof outcome->reason) != 0);
        if (failed || outcome->transient)
            outcome->status = STATUS_FAILED;
    }
    if (outcome->transient)
        outcome->status = STATUS_SKIPPED;
    judge_output(outcome);
    return outcome->status == STATUS_OK;
}

/* Gives the process the state of its start. */
static enum state_end reset(char *why, size_t size)
{
    make_room_for_errors();
    operands_protect_all();
    measure_reset();
    return state_restore(why, size);
}

/* Serves one request. False if the worker is of no further use. The state is restored before a request, since a thread
 * that an earlier variant left may go on, and at once after it, since a timer that a variant left would hit the next
 * one. */
static bool serve(const struct request *request, struct outcome *outcome)
{
    char why[sizeof outcome->reason - 64];
    if (request->command == WORKER_JUDGE) { /* of a process that runs no variant */
        obey(request, outcome);
        return true;
    }
    if (reset(why, sizeof why) != STATE_RESTORED) {
        *outcome = outcome_none();
        outcome_transient(outcome, "%s", why);
        outcome->poisoned = true;
        return false;
    }
    obey(request, outcome);
    const enum state_end end = reset(why, sizeof why);
    outcome->poisoned = end != STATE_RESTORED || (outcome->status != STATUS_OK && measure_poisoned());
    if (end == STATE_SPOILED && outcome->status == STATUS_OK)
        outcome_fail(outcome, STATUS_FAILED, "left the process in a state that cannot be undone: %s", why);
    if (end == STATE_TRANSIENT)
        outcome_transient(outcome, "%s", why);
    return !outcome->poisoned;
}

int worker_main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "tilelab: `tilelab run` starts its workers itself\n");
        return 2;
    }
    const int fd = atoi(argv[1]);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    parallel_init();
    struct worker_setup setup;
    static struct outcome outcome;
    bool useful = false;
    int failed = channel_await_request(fd, &setup, sizeof setup);
    if (!failed) {
        window_use(setup.window);
        operands_judged_elsewhere();
        useful = open_worker(&setup, &outcome);
        failed = answer(fd, 0, &outcome);
    }
    static struct request request;
    while (useful && !failed && !(failed = channel_await_request(fd, &request, sizeof request))) {
        const double start_s = timer_call_s();
        useful = serve(&request, &outcome);
        outcome.busy_s = timer_call_s() - start_s;
        failed = answer(fd, request.number, &outcome);
    }
    /* The exit handlers of libraries are not needed, and the handler of a driver may hang. */
    _exit(failed && failed != EPIPE ? CHANNEL_FAILED : 0);
}
