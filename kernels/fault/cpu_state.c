/* C = A + 1 if the process is as a new worker is, whatever ran in it before; otherwise an error that says what is not.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. Any number of threads.
 * The runner must report ok: it gives every variant the state that cpu_meddle.c spoils.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "variant.h"

#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static bool arithmetic_is_usual(void)
{
    const volatile double least = DBL_MIN, two = 2;
    return fegetround() == FE_TONEAREST && least / two != 0 && least / two * two == least;
}

static const char *signals_changed(void)
{
    struct itimerval timer;
    struct sigaction action;
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int signal = 1; signal < 32; signal++)
        if (sigismember(&blocked, signal) == 1)
            return "a signal is blocked";
    if (sigaction(SIGTERM, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
        return "SIGTERM has a handler";
    if (getitimer(ITIMER_REAL, &timer) == 0 && (timer.it_value.tv_sec || timer.it_value.tv_usec))
        return "an alarm is set";
    return NULL;
}

static const char *process_changed(void)
{
    const mode_t mask = umask(022);
    struct rlimit files;
    char folder[8];
    umask(mask);
    if (mask == 0777)
        return "the umask is another one";
    if (getcwd(folder, sizeof folder) != NULL && strcmp(folder, "/") == 0)
        return "the folder is another one";
    if (strcmp(setlocale(LC_ALL, NULL), "C.UTF-8") == 0)
        return "the locale is another one";
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur == 8)
        return "the limit of open files is another one";
    return NULL;
}

static const char *surroundings_changed(void)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    struct stat input, other;
    int signal = 0;
    if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) > 0)
        return "huge pages are switched off";
    if (prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) == 999999999)
        return "timers are late";
    if (prctl(PR_GET_PDEATHSIG, &signal, 0, 0, 0) == 0 && signal == 0)
        return "the process would outlive its parent";
    if (threads != NULL && strcmp(threads, "77") == 0)
        return "a variable of the environment is another one";
    if (fstat(STDIN_FILENO, &input) == 0 && stat("/proc/self/maps", &other) == 0 && input.st_dev == other.st_dev)
        return "standard input is another file";
    return NULL;
}

static const char *threads_changed(const struct cell *cell)
{
    const int threads = cell->threads > 0 ? (int)cell->threads : 1;
    int strange = 0, unbound = 0, shared = 0, team = 0, chunk;
    cpu_set_t taken;
    omp_sched_t schedule;
    omp_get_schedule(&schedule, &chunk);
    if (omp_get_dynamic() || omp_get_max_active_levels() == 7 || (schedule == omp_sched_guided && chunk == 3))
        return "OpenMP has other settings";
    CPU_ZERO(&taken);
#pragma omp parallel reduction(+ : strange, unbound, shared, team)
    {
        cpu_set_t cpus;
        team++;
        strange += !arithmetic_is_usual();
        unbound += sched_getaffinity(0, sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) != 1;
#pragma omp critical
        {
            cpu_set_t both;
            CPU_AND(&both, &taken, &cpus);
            shared += CPU_COUNT(&both);
            CPU_OR(&taken, &taken, &cpus);
        }
    }
    return team != threads ? "OpenMP uses another number of threads"
           : strange       ? "a thread rounds otherwise or loses subnormal numbers"
           : unbound       ? "a thread has more than one CPU"
           : shared        ? "two threads share a CPU"
                           : NULL;
}

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];
    const char *changed = signals_changed();

    if (!changed)
        changed = process_changed();
    if (!changed)
        changed = surroundings_changed();
    if (!changed)
        changed = threads_changed(job->cell);
    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    return changed ? job_fail(job, "%s", changed) : 0;
}

VARIANT(fault, cpu_state) = {
    .summary = "finds the process as a new worker is",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 1,
    .run = run,
};
