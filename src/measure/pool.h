/* Worker processes: starting, asking, stopping.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_POOL_H
#define TILELAB_MEASURE_POOL_H

#include "worker.h"
#include "base/process.h"

#include <signal.h>

struct worker {
    struct backend_setup setup;
    struct process process;
    int fd, error_fd;    /* the socket; what the worker wrote to standard error */
    bool stopped;        /* by SIGSTOP */
    unsigned generation; /* unique for each process started, from 1 */
};

enum exchange {
    EXCHANGE_DONE,       /* the outcome is the worker's, or says how it ended */
    EXCHANGE_LOST,       /* killed by a SIGKILL that was not ours: nothing is known, ask again */
    EXCHANGE_INTERRUPTED /* pool_interrupted was set while waiting */
};

/* Set by SIGINT, SIGTERM and SIGHUP, once they are caught. */
extern volatile sig_atomic_t pool_interrupted;
void pool_catch_interrupts(void);

/* Runs about twice a second while waiting for a worker. */
extern void (*pool_waiting)(void);

/* The living worker with a setup, or a new one. NULL with outcome->status and reason set where it cannot start, or with
 * STATUS_OK where it was lost or interrupted on the way. */
struct worker *pool_get(const struct backend_setup *setup, int64_t memory_bytes, struct outcome *outcome);

/* Sends one request while all other workers are stopped, and waits at most `limit_s`. */
enum exchange pool_ask(struct worker *worker, const struct request *request, double limit_s, struct outcome *outcome);

/* Ends all workers: SIGTERM, after two seconds SIGKILL. */
void pool_end(void);

/* Frees operands in all living workers. */
void pool_close_sets(void);

#endif
