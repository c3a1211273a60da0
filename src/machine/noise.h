/* Did another program disturb this stretch of time?
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_NOISE_H
#define TILELAB_MACHINE_NOISE_H

#include <stdbool.h>
#include <sys/types.h>

/* What the system has counted so far. A counter that the system does not tell stays 0. */
struct noise {
    double start_s;
    double run_delay_s;  /* how long the main thread was ready and waited for a core */
    double all_delay_s;  /* the same of all threads together */
    double steal, total; /* jiffies of all cores: taken by the hypervisor, and all */
    int threads;
    double idle_s; /* of the cores of these threads; NAN: not known, or one thread */
};

/* How long the main thread of a process was ready and waited for a core since its start; 0: not known. */
double noise_run_delay_s(pid_t process);
/* The same of all threads of this process together. */
double noise_run_delay_of_all_s(void);

/* Begins a stretch in which a kernel of so many threads runs. */
struct noise noise_begin(int threads);

/* What a stretch of time says of its measurements. */
struct noise_verdict {
    bool disturbed; /* another program, or another guest of the machine, took time from the kernel */
    bool idle;      /* the kernel left half of its threads idle, and the cores were free */
};

/* Judges the time since noise_begin. The kernel took `kernel_s` of it, and `cpu_s` of processor time. It was disturbed
 * if steal exceeds 0.5 %, or the run delay 1 % of the wall time, of the main thread or of all threads at the mean, or,
 * with one thread, the kernel's time its processor time by 2 %. Several threads that were busy less than half of the
 * time were idle, or disturbed if no core was free. */
struct noise_verdict noise_end(const struct noise *begin, double kernel_s, double cpu_s);

/* Seconds that the first `threads` usable cores have spent idle since the machine started; NAN: not known. */
double noise_idle_s(int threads);

#endif
