/* The worker processes of a run.
 * SPDX-License-Identifier: MIT */
#include "pool.h"

#include "base/timer.h"
#include "machine/host.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_MAX = 64, SLICE_MS = 500 };
static const double START_LIMIT_S = 120;

static struct worker workers[WORKERS_MAX];
static int worker_count;
static unsigned generations;

volatile sig_atomic_t pool_interrupted;
void (*pool_waiting)(void);

static void on_interrupt(int signal)
{
    (void)signal;
    pool_interrupted = 1;
}

void pool_catch_interrupts(void)
{
    const struct sigaction interrupt = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &interrupt, NULL);
    sigaction(SIGHUP, &interrupt, NULL);
}

/* A variant may allocate the operands once more and some room to work, within what the machine has left. */
static void limit_memory(const struct backend_setup *setup, int64_t memory_bytes)
{
#if !defined(__SANITIZE_ADDRESS__)
    if (backend_get(setup->backend)->reserves_space)
        return;
    const int64_t room = (int64_t)4 << 30, available = host_get()->memory_available_bytes;
    int64_t limit = 2 * memory_bytes + room;
    if (available > 0 && limit > available)
        limit = available;
    const struct rlimit data = {.rlim_cur = (rlim_t)limit, .rlim_max = (rlim_t)limit};
    setrlimit(RLIMIT_DATA, &data);
#else
    (void)setup, (void)memory_bytes;
#endif
}

/* What a new worker is told. */
struct start {
    const struct backend_setup *setup;
    bool known;
    int64_t memory_bytes;
    int fd, error_fd;
};

/* In the child. */
static int become_worker(const void *context)
{
    const struct start *start = context;
    char fd[16], id[16], threads[16];
    host_clean_environment();
    setenv("OMP_MAX_TASK_PRIORITY", "2", 1); /* the default, 0, makes OpenMP ignore priorities */
    const struct backend *backend = backend_get(start->setup->backend);
    if (backend->environment)
        backend->environment(start->setup);
    limit_memory(start->setup, start->memory_bytes);
    if (start->error_fd >= 0)
        dup2(start->error_fd, STDERR_FILENO);
    fcntl(start->fd, F_SETFD, 0);
    snprintf(fd, sizeof fd, "%d", start->fd);
    snprintf(id, sizeof id, "%d", (int)start->setup->backend);
    snprintf(threads, sizeof threads, "%d", start->setup->threads);
    const char *const arguments[] = {
        "tilelab", "worker", fd, id, threads, start->known ? "1" : "0", start->setup->library, NULL};
    return process_become(PROCESS_SELF, arguments);
}

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
    if (worker->error_fd >= 0)
        close(worker->error_fd);
    const int at = (int)(worker - workers);
    memmove(worker, worker + 1, (size_t)(--worker_count - at) * sizeof *worker);
}

static void end(struct worker *worker)
{
    process_end(&worker->process);
    forget(worker);
}

/* The last line that the worker wrote to standard error, after "; it said: ". Empty if it wrote nothing. */
static void last_words(const struct worker *worker, char *text, size_t size)
{
    char tail[512];
    text[0] = '\0';
    const off_t end_at = worker->error_fd < 0 ? 0 : lseek(worker->error_fd, 0, SEEK_END);
    const off_t from = end_at > (off_t)sizeof tail - 1 ? end_at - (off_t)sizeof tail + 1 : 0;
    ssize_t got = end_at > 0 ? pread(worker->error_fd, tail, sizeof tail - 1, from) : 0;
    while (got > 0 && (tail[got - 1] == '\n' || tail[got - 1] == '\r'))
        got--;
    if (got <= 0)
        return;
    tail[got] = '\0';
    const char *line = strrchr(tail, '\n');
    snprintf(text, size, "; it said: %.100s", line ? line + 1 : tail);
}

/* The socket is closed. The outcome says how the worker ended. */
static enum exchange post_mortem(struct worker *worker, struct outcome *outcome)
{
    char words[128];
    last_words(worker, words, sizeof words);
    process_await(&worker->process, INFINITY);
    const int status = worker->process.status;
    forget(worker);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        return EXCHANGE_LOST;
    if (WIFSIGNALED(status))
        outcome_fail(outcome, STATUS_CRASH, "the worker was ended by SIG%s (%s)%s", sigabbrev_np(WTERMSIG(status)),
                     strsignal(WTERMSIG(status)), words);
    else
        outcome_fail(outcome, STATUS_EXIT, "the worker process ended by itself with exit code %d%s",
                     WEXITSTATUS(status), words);
    return EXCHANGE_DONE;
}

static enum exchange await(struct worker *worker, double limit_s, struct outcome *outcome)
{
    const double deadline = timer_now_s() + limit_s;
    for (;;) {
        struct pollfd waiting = {.fd = worker->fd, .events = POLLIN};
        const int ready = poll(&waiting, 1, SLICE_MS);
        if (pool_interrupted)
            return EXCHANGE_INTERRUPTED;
        if (ready > 0)
            break;
        if (pool_waiting)
            pool_waiting();
        if (timer_now_s() > deadline) {
            end(worker);
            outcome_fail(outcome, STATUS_TIMEOUT, "no answer in %.3g s", limit_s);
            return EXCHANGE_DONE;
        }
    }
    ssize_t got;
    while ((got = recv(worker->fd, outcome, sizeof *outcome, 0)) < 0 && errno == EINTR)
        ;
    if (got < (ssize_t)offsetof(struct outcome, sample))
        return post_mortem(worker, outcome);
    if (outcome->poisoned)
        end(worker);
    return EXCHANGE_DONE;
}

static void stop_others(const struct worker *alone)
{
    for (int i = 0; i < worker_count; i++)
        if (&workers[i] != alone && !workers[i].stopped) {
            process_signal(&workers[i].process, SIGSTOP);
            workers[i].stopped = true;
        }
}

struct worker *pool_get(const struct backend_setup *setup, int64_t memory_bytes, struct outcome *outcome)
{
    outcome->status = STATUS_OK;
    for (int i = 0; i < worker_count; i++)
        if (backend_same_setup(&workers[i].setup, setup))
            return &workers[i];
    int pair[2];
    if (worker_count == WORKERS_MAX) {
        outcome_fail(outcome, STATUS_FAILED, "more than %d workers at one point", WORKERS_MAX);
        return NULL;
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        outcome_fail(outcome, STATUS_FAILED, "no socket for a worker: %s", strerror(errno));
        return NULL;
    }
    stop_others(NULL);
    struct worker *worker = &workers[worker_count];
    *worker = (struct worker){.setup = *setup, .fd = pair[0], .error_fd = memfd_create("stderr", MFD_CLOEXEC)};
    const struct start start = {setup, was_ready(setup, false), memory_bytes, pair[1], worker->error_fd};
    const int failed = process_start(&worker->process, PROCESS_GROUP, become_worker, &start);
    close(pair[1]);
    if (failed) {
        close(pair[0]);
        if (worker->error_fd >= 0)
            close(worker->error_fd);
        outcome_fail(outcome, STATUS_FAILED, "no process for a worker: %s", strerror(failed));
        return NULL;
    }
    worker->generation = ++generations;
    worker_count++;
    if (await(worker, START_LIMIT_S, outcome) != EXCHANGE_DONE) {
        outcome->status = STATUS_OK;
        return NULL;
    }
    if (outcome->status == STATUS_OK) {
        was_ready(setup, true);
        return worker;
    }
    /* The worker said why it cannot start. It ends by itself, or has ended. */
    for (int i = 0; i < worker_count; i++)
        if (backend_same_setup(&workers[i].setup, setup))
            end(&workers[i]);
    return NULL;
}

enum exchange pool_ask(struct worker *worker, const struct request *request, double limit_s, struct outcome *outcome)
{
    stop_others(worker);
    if (worker->stopped) {
        process_signal(&worker->process, SIGCONT);
        worker->stopped = false;
    }
    if (send(worker->fd, request, sizeof *request, MSG_NOSIGNAL) < 0)
        return post_mortem(worker, outcome);
    return await(worker, limit_s, outcome);
}

void pool_end(void)
{
    while (worker_count > 0)
        end(&workers[worker_count - 1]);
}

void pool_close_operands(void)
{
    const struct request close_all = {.verb = WORKER_CLOSE};
    struct outcome *outcome = malloc(sizeof *outcome);
    for (int i = worker_count; outcome && i-- > 0;)
        pool_ask(&workers[i], &close_all, START_LIMIT_S, outcome);
    free(outcome);
}
