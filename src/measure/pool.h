/* The worker processes of a run: starting them, asking them, ending them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_POOL_H
#define TILELAB_MEASURE_POOL_H

#include "worker.h"
#include "base/process.h"

#include <signal.h>

struct worker {
    struct backend_setup setup;
    struct process process;
    int fd;              /* the socket */
    int error_fd;        /* a file with what the worker wrote to standard error */
    bool stopped;        /* the worker was stopped by SIGSTOP */
    unsigned generation; /* the number of this process among all that were started, from 1 */
};

enum exchange {
    EXCHANGE_DONE,       /* the outcome is the answer of the worker, or says how the worker ended */
    EXCHANGE_LOST,       /* a SIGKILL from elsewhere ended the worker: nothing is known, ask again */
    EXCHANGE_INTERRUPTED /* pool_interrupted was set while waiting */
};

/* Set by SIGINT, SIGTERM and SIGHUP after pool_catch_interrupts. */
extern volatile sig_atomic_t pool_interrupted;
void pool_catch_interrupts(void);

/* Called about twice a second while a worker is awaited. */
extern void (*pool_waiting)(void);

/* The living worker with a setup, or a new worker. NULL if the worker cannot start: the outcome has the status and the
 * reason. NULL with STATUS_OK if the worker was lost or the run was interrupted meanwhile. The largest cell of the
 * schedule has `memory_bytes` of operands, which limits what the worker may allocate. */
struct worker *pool_get(const struct backend_setup *setup, int64_t memory_bytes, struct outcome *outcome);

/* Sends one request and waits for the answer, at most `limit_s`. All other workers are stopped meanwhile. */
enum exchange pool_ask(struct worker *worker, const struct request *request, double limit_s, struct outcome *outcome);

/* Ends all workers. */
void pool_end(void);

/* Frees the operands in all living workers. */
void pool_close_operands(void);

#endif
