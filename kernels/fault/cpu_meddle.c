/* C = A + 1; then the process is left in another state: one OpenMP thread, other rounding and subnormal numbers lost in
 * all threads, a handler and an alarm, blocked signals, any core, another folder, umask, locale and limit, no huge
 * pages, locked memory, late timers, another variable of the environment, another standard input.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. Any number of threads.
 * The runner must report ok, and no other cell may notice: see cpu_state.c.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_setaffinity */
#include "variant.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static void handle(int signal)
{
    (void)signal;
}

static void spoil_arithmetic(void)
{
#pragma omp parallel
    {
        fesetround(FE_UPWARD);
#if defined(__x86_64__)
        _mm_setcsr(_mm_getcsr() | 0x8040); /* flush to zero, subnormal numbers are zero */
#endif
    }
}

static void spoil_signals(void)
{
    const struct sigaction action = {.sa_handler = handle};
    const struct itimerspec soon = {.it_value = {.tv_nsec = 900000000}};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
    sigset_t blocked;
    timer_t timer;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGUSR1);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    sigaction(SIGTERM, &action, NULL);
    raise(SIGUSR1); /* waits, and would end the process as soon as it is let through */
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &soon, NULL);
    alarm(1);
}

static void spoil_process(void)
{
    struct rlimit files;
    cpu_set_t cpus;
    memset(&cpus, 0xff, sizeof cpus);
    sched_setaffinity(0, sizeof cpus, &cpus);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = 8;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (chdir("/") != 0)
        perror("/");
    umask(0777);
    setlocale(LC_ALL, "C.UTF-8");
}

static void spoil_surroundings(void)
{
    const int other = open("/proc/self/maps", O_RDONLY);
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    prctl(PR_SET_TIMERSLACK, 999999999L, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    mlockall(MCL_FUTURE);
    setenv("OMP_NUM_THREADS", "77", 1);
    if (dup2(other, STDIN_FILENO) < 0)
        perror("standard input");
    close(other);
}

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    spoil_arithmetic();
    spoil_signals();
    spoil_process();
    spoil_surroundings();
    omp_set_num_threads(1);
    omp_set_dynamic(1);
    omp_set_max_active_levels(7);
    omp_set_schedule(omp_sched_guided, 3);
    return 0;
}

VARIANT(fault, cpu_meddle) = {
    .summary = "leaves threads, arithmetic, signals and affinity changed",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 1,
    .run = run,
};
