/* The worker processes of a run.
 * SPDX-License-Identifier: MIT */
#include "pool.h"

#include "base/timer.h"
#include "machine/host.h"
#include "machine/noise.h"
#include "protocol/capture.h"
#include "protocol/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS_MAX = 256, SLICE_MS = 500 };
/* A worker whose socket is closed has ended or is about to, unless its variant closed the socket. */
static const double START_LIMIT_S = 120, CLOSE_LIMIT_S = 30, END_LIMIT_S = 2;
/* A worker's clock and the supervisor's agree within a share and a time, beside the time that either process waited for
 * its turn on a processor. */
static const double CLOCKS_SHARE = 0.05, CLOCKS_S = 1e-3;

static struct worker workers[WORKERS_MAX];
static int worker_count;
static unsigned generations;
static uint64_t requests;
static double suspended_s; /* how long the runner was stopped while it waited */
static int window = -1;    /* worker/window.h; inherited by all workers */

volatile sig_atomic_t pool_interrupted;
void (*pool_waiting)(void);

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

/* A crash of a worker must not fill the disk, and its end must not wait for that. */
static void forbid_core_files(void)
{
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) == 0) {
        core.rlim_cur = 0;
        setrlimit(RLIMIT_CORE, &core);
    }
}

/* What the child that becomes a worker needs. */
struct child {
    const struct backend_setup *setup;
    int64_t memory_bytes;
    int fd, error_fd;
};

/* In the child. */
static int become_worker(const void *context)
{
    const struct child *start = context;
    char fd[16];
    host_clean_environment();
    setenv("OMP_MAX_TASK_PRIORITY", "2", 1); /* the default, 0, makes OpenMP ignore priorities */
    const struct backend *backend = backend_get(start->setup->backend);
    if (backend->environment)
        backend->environment(start->setup);
    if (!start->setup->judges)
        limit_memory(start->setup, start->memory_bytes);
    forbid_core_files();
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(start->error_fd, STDERR_FILENO) < 0)
        return PROCESS_CANNOT_START;
    if (fcntl(start->fd, F_SETFD, 0) != 0 || fcntl(window, F_SETFD, 0) != 0)
        return PROCESS_CANNOT_START;
    snprintf(fd, sizeof fd, "%d", start->fd);
    const char *const arguments[] = {"tilelab", "worker", fd, NULL};
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
    close(worker->error_fd);
    const int at = (int)(worker - workers);
    memmove(worker, worker + 1, (size_t)(--worker_count - at) * sizeof *worker);
}

static void end(struct worker *worker)
{
    process_end(&worker->process);
    forget(worker);
}

static enum exchange transient(struct outcome *outcome, const char *format, ...) __attribute__((format(printf, 2, 3)));
static enum exchange transient(struct outcome *outcome, const char *format, ...)
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

/* The socket is closed. The outcome says how the worker ended; a worker that lives on is ended. */
static enum exchange post_mortem(struct worker *worker, struct outcome *outcome)
{
    const bool started = worker->ready, ended = process_await(&worker->process, END_LIMIT_S);
    char words[128];
    last_words(worker, words, sizeof words);
    const int status = ended ? worker->process.status : 0;
    end(worker);
    *outcome = outcome_none();
    if (!ended)
        outcome_fail(outcome, STATUS_EXIT, "the worker closed its socket, lived on and was ended%s", words);
    else if (WIFSIGNALED(status) && comes_from_elsewhere(WTERMSIG(status)))
        return transient(outcome, "the worker was ended from elsewhere, by SIG%s%s", sigabbrev_np(WTERMSIG(status)),
                         words);
    else if (WIFSIGNALED(status))
        outcome_fail(outcome, STATUS_CRASH, "the worker was ended by SIG%s (%s)%s", sigabbrev_np(WTERMSIG(status)),
                     strsignal(WTERMSIG(status)), words);
    else if (!started || strstr(words, "Thread creation failed"))
        return transient(outcome, "the worker could not %s: exit code %d%s", started ? "make a thread" : "start",
                         WEXITSTATUS(status), words);
    else if (WEXITSTATUS(status) == CHANNEL_FAILED)
        return transient(outcome, "a worker could not read a request or send its answer%s", words);
    else
        outcome_fail(outcome, STATUS_EXIT, "the worker process ended by itself with exit code %d%s",
                     WEXITSTATUS(status), words);
    return EXCHANGE_DONE;
}

static enum exchange time_out(struct worker *worker, double limit_s, struct outcome *outcome)
{
    const bool stopped = process_is_stopped(&worker->process);
    end(worker);
    if (stopped)
        return transient(outcome, "the worker was stopped from elsewhere");
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
        if (outcome->poisoned)
            end(worker);
        return true;
    case CHANNEL_CLOSED:
        *exchange = post_mortem(worker, outcome);
        return true;
    case CHANNEL_FOREIGN:
        end(worker);
        *outcome = outcome_none();
        outcome_fail(outcome, STATUS_EXIT, "something else than an answer came from the worker, which was ended");
        return true;
    default:
        *exchange = transient(outcome, "no answer can be read from a worker: %s", strerror(errno));
        end(worker);
        return true;
    }
}

static enum exchange await(struct worker *worker, double limit_s, struct outcome *outcome)
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

/* Gives the memory of the window back to the system; the next result needs it again. */
static void empty_window(void)
{
    if (window >= 0)
        (void)!ftruncate(window, 0);
}

static void close_window(void)
{
    if (window >= 0)
        close(window);
    window = -1;
}

/* Starts a worker as the last one of the table. Returns 0 or an errno. */
static int start(const struct backend_setup *setup, int64_t memory_bytes)
{
    struct worker *worker = &workers[worker_count];
    int worker_end;
    if (window < 0 && (window = memfd_create("tilelab-window", MFD_CLOEXEC)) < 0)
        return errno;
    *worker = (struct worker){.setup = *setup, .error_fd = capture_open("tilelab-stderr")};
    if (worker->error_fd < 0)
        return errno;
    int failed = channel_open(&worker->fd, &worker_end);
    if (failed) {
        close(worker->error_fd);
        return failed;
    }
    process_adopt_orphans();
    const struct child child = {setup, memory_bytes, worker_end, worker->error_fd};
    const struct worker_setup told = {*setup, was_ready(setup, false), window};
    failed = channel_send(worker->fd, &told, sizeof told);
    if (!failed)
        failed = process_start(&worker->process, PROCESS_GROUP, become_worker, &child);
    close(worker_end);
    if (failed) {
        close(worker->fd);
        close(worker->error_fd);
        return failed;
    }
    worker->generation = ++generations;
    worker_count++;
    return 0;
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
        end(least_recent());
    pool_rest();
    const int failed = start(setup, memory_bytes);
    if (failed && worker_count == 0)
        close_window(); /* where open files are short, the results need them */
    if (failed)
        return transient(outcome, "a worker could not be started: %s", strerror(failed));
    struct worker *made = &workers[worker_count - 1];
    const unsigned generation = made->generation;
    const enum exchange exchange = await(made, START_LIMIT_S, outcome);
    const bool lives = worker_count > 0 && workers[worker_count - 1].generation == generation;
    if (exchange == EXCHANGE_DONE && outcome->status == STATUS_OK) {
        was_ready(setup, true);
        made->ready = true;
        *worker = made;
    } else if (lives) {
        /* The worker said why it cannot start. It ends by itself, or has ended. */
        end(made);
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
    const double held_s = suspended_s, delay_s = run_delay_s(pid), start_s = timer_now_s();
    const int failed = ask(worker, request);
    if (failed == EPIPE)
        return post_mortem(worker, outcome);
    if (failed) {
        end(worker);
        return transient(outcome, "a request could not be sent to a worker: %s", strerror(failed));
    }
    const enum exchange exchange = await(worker, limit_s, outcome);
    const double wall_s = timer_now_s() - start_s - (suspended_s - held_s);
    outcome->clocks_differ = exchange == EXCHANGE_DONE && outcome->status == STATUS_OK && !outcome->poisoned &&
                             !clocks_agree(outcome, wall_s, run_delay_s(pid) - delay_s);
    outcome->wall_s = wall_s;
    return exchange;
}

void pool_end_one(struct worker *worker)
{
    end(worker);
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
    empty_window();
}

void pool_close_operands(void)
{
    const struct request close_all = {.command = WORKER_CLOSE};
    const double end_s = timer_now_s() + CLOSE_LIMIT_S;
    struct outcome *outcome = malloc(sizeof *outcome);
    for (int i = worker_count; outcome && i-- > 0;) {
        let_run(&workers[i]);
        if (ask(&workers[i], &close_all) != 0)
            end(&workers[i]);
    }
    bool late = !outcome;
    for (int i = worker_count; !late && i-- > 0 && !pool_interrupted;)
        late = await(&workers[i], fmax(0, end_s - timer_now_s()), outcome) == EXCHANGE_DONE &&
               outcome->status == STATUS_TIMEOUT;
    free(outcome);
    if (late)
        pool_end();
    else
        empty_window();
}
