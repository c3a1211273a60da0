/* Child processes.
 * SPDX-License-Identifier: MIT */
#include "process.h"

#include "orphans.h"
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

enum { STARTED_MOST = 256, PAUSE_US = 1000 };
static const double TERM_GRACE_S = 2, KILL_GRACE_S = 5, SLICE_S = 0.5;

bool (*process_interrupted)(void);

static pid_t started[STARTED_MOST]; /* children that are alive, for is_started */

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

/* A child starts with the signals of a new program, whatever this process ignores or blocks. `nohup` still holds, and
 * a limit on the size of files is an error of the call that exceeds it. */
static void reset_signals(void)
{
    const struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int signal = 1; signal < NSIG; signal++)
        if (signal != SIGHUP && signal != SIGXFSZ)
            sigaction(signal, &usual, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int process_become(const char *path, const char *const arguments[])
{
    execv(path, (char *const *)arguments);
    return PROCESS_CANNOT_START;
}

/* ---- In the parent ---- */

/* Puts one process id into the place of another one; 0 is a free place. */
static void replace_started(pid_t from, pid_t to)
{
    for (int i = 0; i < STARTED_MOST; i++)
        if (started[i] == from) {
            started[i] = to;
            return;
        }
}

static bool is_started(pid_t pid)
{
    for (int i = 0; i < STARTED_MOST; i++)
        if (started[i] == pid)
            return true;
    /* Without a free place, a child may not have been noted. */
    return started[STARTED_MOST - 1] != 0;
}

int process_start(struct process *process, unsigned options, int (*child)(const void *context), const void *context)
{
    int ends[2] = {-1, -1};
    *process = (struct process){.output = -1};
    if (options & PROCESS_OUTPUT && pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    if (options & PROCESS_OUTPUT)
        fcntl(ends[0], F_SETFL, O_NONBLOCK); /* of the end to read from alone */
    const pid_t parent = getpid();
    fflush(NULL); /* or both processes would write what is buffered */
    const pid_t pid = fork();
    if (pid == 0) {
        if (options & PROCESS_GROUP)
            setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) /* the parent ended before the line above */
            _exit(PROCESS_CANNOT_START);
        reset_signals();
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
    replace_started(0, pid);
    return 0;
}

void process_signal(const struct process *process, int signal)
{
    if (process->pid <= 0)
        return;
    if (process->group)
        kill(-process->pid, signal);
    kill(process->pid, signal); /* it may have left its group */
}

/* Whether the child is in one of these states, WEXITED or WSTOPPED. It stays in the state. */
static bool is_in(const struct process *process, int state)
{
    siginfo_t info;
    int failed;
    do {
        info.si_pid = 0;
        failed = waitid(P_PID, (id_t)process->pid, &info, state | WNOWAIT | WNOHANG);
    } while (failed && errno == EINTR);
    return failed ? errno == ECHILD && state == WEXITED : info.si_pid != 0;
}

bool process_is_stopped(const struct process *process)
{
    return process->pid > 0 && is_in(process, WSTOPPED);
}

static void forget(struct process *process)
{
    if (process->output >= 0)
        close(process->output);
    replace_started(process->pid, 0);
    process->output = -1;
    process->pid = 0;
}

/* Fetches the status of a child that has ended. Until then its id, which is that of its group, belongs to no other. */
static void bury(struct process *process)
{
    if (process->group)
        kill(-process->pid, SIGKILL);
    int status = SIGKILL; /* a child that was taken away tells nothing */
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    process->status = status;
    forget(process);
    if (process->group)
        orphans_end(is_started);
}

bool process_await(struct process *process, double limit_s)
{
    const double end_s = timer_now_s() + limit_s;
    if (process->pid <= 0)
        return true;
    while (!is_in(process, WEXITED)) {
        if (timer_now_s() >= end_s)
            return false;
        usleep(PAUSE_US);
    }
    bury(process);
    return true;
}

void process_end_all(struct process *const processes[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        process_signal(processes[i], SIGTERM);
        process_signal(processes[i], SIGCONT); /* a stopped process takes no SIGTERM */
    }
    double end_s = timer_now_s() + TERM_GRACE_S;
    for (size_t i = 0; i < count; i++)
        if (!process_await(processes[i], fmax(0, end_s - timer_now_s())))
            process_signal(processes[i], SIGKILL);
    end_s = timer_now_s() + KILL_GRACE_S;
    for (size_t i = 0; i < count; i++)
        if (!process_await(processes[i], fmax(0, end_s - timer_now_s()))) {
            processes[i]->status = SIGKILL; /* as waitpid will tell it, whenever the system lets the child go */
            forget(processes[i]);
        }
}

int process_end(struct process *process)
{
    process_end_all(&process, 1);
    return process->status;
}

void process_adopt_orphans(void)
{
    orphans_adopt();
}

static bool is_interrupted(void)
{
    return process_interrupted && process_interrupted();
}

/* Reads until the child closes its output. False where the time ends first, or the room. */
static bool read_output(int from, char *text, size_t size, double end_s)
{
    size_t length = 0;
    text[0] = '\0';
    while (length + 1 < size) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const double left_s = end_s - timer_now_s();
        if (left_s <= 0 || is_interrupted())
            return false;
        if (poll(&ready, 1, (int)ceil(1e3 * fmin(left_s, SLICE_S))) < 0)
            usleep(PAUSE_US);
        const ssize_t got = read(from, text + length, size - 1 - length);
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        length += got > 0 ? (size_t)got : 0;
        text[length] = '\0';
    }
    return false;
}

bool process_collect(struct process *process, char *text, size_t size, double limit_s)
{
    const double end_s = timer_now_s() + limit_s;
    bool whole = read_output(process->output, text, size, end_s);
    while (whole && !process_await(process, fmin(SLICE_S, fmax(0, end_s - timer_now_s()))))
        whole = timer_now_s() < end_s && !is_interrupted();
    process_end(process);
    return whole;
}
