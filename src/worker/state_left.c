/* The state of a worker: threads and processes that a variant left, which would take time from the next variants or
 * write into their operands.
 * SPDX-License-Identifier: MIT
 *
 * Libraries make threads too, some of them at the first call that needs them, and keep these threads for the next call.
 * After a call the threads of a library spin for a while, at most 0.2 s, and then sleep. So the rule is: a thread that
 * was not there when the state was noted, and is not in OpenMP's team, has to come to rest while the worker itself only
 * waits. A thread is at rest if it takes no processor time at all for SLICE_S; one that looks at operands now and then
 * is not. It may spin for SPIN_S before. On a busy machine it may take longer, since its processor time counts, but not
 * PATIENCE_S. Threads that come to rest are kept, and are looked at again, each time after twice as many calls as
 * before.
 *
 * A user can have libraries spin for ever (OMP_WAIT_POLICY=active). Then nothing tells their threads from others, and
 * there is no such rule.
 *
 * No process may be left. Libraries start some, such as a linker for a kernel of OpenCL, and wait for their end. */
#include "state_parts.h"

#include "base/timer.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const double SPIN_S = 0.4, PATIENCE_S = 5, SLICE_S = 0.01;
enum { CALLS_MOST = 1024 };

static struct {
    pid_t own[STATE_THREADS_MAX]; /* of the worker and its libraries; ascending */
    int owns;
    pid_t kept[STATE_THREADS_MAX]; /* that came later and slept */
    int kepts;
    int calls, interval; /* calls until they are looked at again, and how many there were last */
    bool spinning;       /* the user has libraries spin for ever */
    bool parent;         /* a library has a process of its own, so that children tell nothing */
} left;

static bool user_lets_spin(void)
{
    static const char *const variables[] = {"GOMP_SPINCOUNT", "KMP_BLOCKTIME", "KMP_LIBRARY"};
    const char *policy = getenv("OMP_WAIT_POLICY");
    bool spins = policy && strcasecmp(policy, "active") == 0;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        spins = spins || getenv(variables[i]);
    return spins;
}

/* Whether a child of this process is alive. Those that have ended are collected. */
static bool has_children(void)
{
    for (;;) {
        siginfo_t child = {.si_pid = 0};
        if (waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0)
            return false;
        if (child.si_pid == 0)
            return true;
        waitid(P_PID, (id_t)child.si_pid, &child, WEXITED | WNOHANG | __WALL);
    }
}

void state_left_note(void)
{
    /* The children of a child that has ended become children of this process. Once it ends too, the supervisor has
     * them, and ends them. */
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    left.parent = has_children();
    const int count = state_thread_list(left.own, STATE_THREADS_MAX);
    left.owns = count < 0 ? 0 : count;
    left.kepts = 0;
    left.spinning = count < 0 || user_lets_spin();
}

/* Lists the threads that came later. Both lists have the order of the kernel, so that most ids are found at once. */
static int list_strange(const pid_t *team, int members, pid_t *strange)
{
    static pid_t now[STATE_THREADS_MAX];
    const int threads = state_thread_list(now, STATE_THREADS_MAX);
    int found = 0;
    for (int i = 0, own = 0; i < threads; i++) {
        if (own < left.owns && left.own[own] == now[i])
            own++;
        else if (!state_thread_is_in(left.own, left.owns, now[i]) && !state_thread_is_in(team, members, now[i]))
            strange[found++] = now[i];
    }
    return found;
}

/* Processor time of a thread of this process. The kernel makes the number of a thread's clock in this way. */
static double cpu_s(pid_t id)
{
    struct timespec time;
    const clockid_t clock = (clockid_t)(~(unsigned)id << 3 | 6);
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : 0;
}

/* Whether one of the threads runs, or waits for a core. */
static bool is_any_running(const pid_t *id, int count)
{
    for (int i = 0; i < count; i++) {
        char path[64], text[128] = "";
        snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)id[i]);
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        const ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
        if (fd >= 0)
            close(fd);
        text[length < 0 ? 0 : length] = '\0';
        const char *end = strrchr(text, ')'); /* of the name, before the state */
        if (end && strncmp(end, ") R", 3) == 0)
            return true;
    }
    return false;
}

/* Waits until the threads are at rest: for a slice none has run, and none is ready to. False: they go on. */
static bool come_to_rest(const pid_t *id, int count)
{
    static double begin_cpu_s[STATE_THREADS_MAX];
    const double begin_s = timer_now_s();
    double sum_s = 0, most_s = 0;
    for (int i = 0; i < count; i++)
        sum_s += begin_cpu_s[i] = cpu_s(id[i]);
    while (most_s < SPIN_S && timer_now_s() - begin_s < PATIENCE_S) {
        const double last_sum_s = sum_s;
        usleep((useconds_t)(1e6 * SLICE_S));
        sum_s = 0;
        for (int i = 0; i < count; i++) {
            const double now_cpu_s = cpu_s(id[i]);
            sum_s += now_cpu_s;
            most_s = fmax(most_s, now_cpu_s - begin_cpu_s[i]);
        }
        if (sum_s <= last_sum_s && !is_any_running(id, count))
            return true;
    }
    return false;
}

bool state_left_process(void)
{
    return !left.parent && has_children();
}

void state_left_find(const pid_t *team, int members, struct state_fault *fault)
{
    static pid_t strange[STATE_THREADS_MAX];
    if (state_left_process())
        state_fail(fault, STATE_SPOILED, "a process that run() started goes on");
    if (left.spinning)
        return;
    const int found = list_strange(team, members, strange);
    bool fresh = false;
    for (int i = 0; i < found; i++)
        if (!state_thread_is_in(left.kept, left.kepts, strange[i])) {
            state_thread_calm(strange[i]);
            fresh = true;
        }
    if (fresh)
        left.interval = 1;
    memcpy(left.kept, strange, (size_t)found * sizeof *strange);
    left.kepts = found;
    if (found == 0 || (!fresh && --left.calls > 0))
        return;
    left.interval = left.interval < CALLS_MOST ? 2 * left.interval : CALLS_MOST;
    left.calls = left.interval;
    if (!come_to_rest(strange, found))
        state_fail(fault, STATE_SPOILED, "%d thread%s that run() made go%s on computing", found, found == 1 ? "" : "s",
                   found == 1 ? "es" : "");
}
