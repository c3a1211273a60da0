/* Child processes.
 * SPDX-License-Identifier: MIT */
#include "process.h"

#include "timer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_START = 127 }; /* the exit code that a shell gives */
static const double TERM_GRACE_S = 2, SLICE_S = 60;

/* ---- In the child ---- */

static void redirect(unsigned options, int output)
{
    if (options & PROCESS_QUIET) {
        const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
        dup2(nothing, STDIN_FILENO);
        dup2(nothing, STDERR_FILENO);
    }
    if (options & PROCESS_OUTPUT)
        dup2(output, STDOUT_FILENO);
}

static void unblock_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int process_become(const char *path, const char *const arguments[])
{
    execv(path, (char *const *)arguments);
    return CANNOT_START;
}

/* ---- In the parent ---- */

int process_start(struct process *process, unsigned options, int (*child)(const void *context), const void *context)
{
    int ends[2] = {-1, -1};
    *process = (struct process){.output = -1};
    if (options & PROCESS_OUTPUT && pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    const pid_t parent = getpid();
    fflush(NULL); /* or both processes would write what is buffered */
    const pid_t pid = fork();
    if (pid == 0) {
        if (options & PROCESS_GROUP)
            setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) /* the parent ended before the line above */
            _exit(CANNOT_START);
        unblock_signals();
        redirect(options, ends[1]);
        _exit(child(context));
    }
    const int failed = pid < 0 ? errno : 0;
    if (options & PROCESS_OUTPUT)
        close(ends[1]);
    if (failed) {
        if (options & PROCESS_OUTPUT)
            close(ends[0]);
        return failed;
    }
    /* The child does the same. Whoever comes first, the group is there when this function returns. */
    if (options & PROCESS_GROUP)
        setpgid(pid, pid);
    *process = (struct process){.pid = pid, .group = options & PROCESS_GROUP, .output = ends[0]};
    return 0;
}

void process_signal(const struct process *process, int signal)
{
    if (process->pid > 0)
        kill(process->group ? -process->pid : process->pid, signal);
}

/* Whether the child has ended. Its status stays to be fetched. */
static bool has_ended(const struct process *process, bool wait)
{
    siginfo_t info;
    int failed;
    do {
        info.si_pid = 0;
        failed = waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOWAIT | (wait ? 0 : WNOHANG));
    } while (failed && errno == EINTR);
    return failed || info.si_pid != 0;
}

/* Fetches the status of a child that has ended. Until then its id, which is that of its group, belongs to no other. */
static void forget(struct process *process)
{
    if (process->group)
        kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, &process->status, 0) < 0 && errno == EINTR)
        continue;
    if (process->output >= 0)
        close(process->output);
    process->output = -1;
    process->pid = 0;
}

bool process_await(struct process *process, double limit_s)
{
    const double end_s = timer_now_s() + limit_s;
    if (process->pid <= 0)
        return true;
    while (!has_ended(process, isinf(limit_s))) {
        if (timer_now_s() >= end_s)
            return false;
        poll(NULL, 0, 1);
    }
    forget(process);
    return true;
}

int process_end(struct process *process)
{
    process_signal(process, SIGCONT); /* a stopped process takes no SIGTERM */
    process_signal(process, SIGTERM);
    if (!process_await(process, TERM_GRACE_S)) {
        process_signal(process, SIGKILL);
        process_await(process, INFINITY);
    }
    return process->status;
}

/* Reads until the child closes its output. False where the time ends first, or the room. */
static bool read_output(int from, char *text, size_t size, double end_s)
{
    size_t length = 0;
    text[0] = '\0';
    while (length + 1 < size) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const double left_s = end_s - timer_now_s();
        if (left_s <= 0)
            return false;
        if (poll(&ready, 1, (int)ceil(1e3 * fmin(left_s, SLICE_S))) <= 0)
            continue;
        const ssize_t got = read(from, text + length, size - 1 - length);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return false;
        length += got > 0 ? (size_t)got : 0;
        text[length] = '\0';
    }
    return false;
}

bool process_collect(struct process *process, char *text, size_t size, double limit_s)
{
    const double end_s = timer_now_s() + limit_s;
    const bool whole =
        read_output(process->output, text, size, end_s) && process_await(process, fmax(0, end_s - timer_now_s()));
    process_end(process);
    return whole;
}
