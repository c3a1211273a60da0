/* A CPU of its own for each thread of this process, whoever makes the thread.
 * SPDX-License-Identifier: MIT
 *
 * One mask for all threads is not enough: two of them may meet on one CPU, where one waits for whole ticks of the
 * scheduler while the other computes or spins. OpenMP's variables are no way either, since they bind the main thread
 * before a library has counted the CPUs. So this program has a pthread_create of its own, which all libraries use, and
 * binds each thread as it is made. The library that a thread's first function lies in names the thread's pool. Pools
 * work one after the other. Each pool lies over the same CPUs, and a new thread gets a CPU where its pool has the
 * fewest threads. The main thread counts as a thread of every pool. Threads that are made with a mask keep it. */
#ifndef TILELAB_MACHINE_PLACEMENT_H
#define TILELAB_MACHINE_PLACEMENT_H

/* From now on each new thread is bound to one of the CPUs. They stay the caller's. With fewer than two CPUs nothing is
 * bound. */
void placement_begin(const int *cpus, int count);

/* Binds the calling thread, the main one, to the first CPU. Call it when the libraries have counted their CPUs. Returns
 * 0, or -1 with errno. */
int placement_bind_main(void);

/* The CPU of the calling thread, or -1 if it has none of its own. */
int placement_cpu(void);

#endif
