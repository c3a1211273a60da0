/* The worker processes of a run: starting them, asking them, ending them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_POOL_H
#define TILELAB_RUN_POOL_H

#include "backend/backend.h"
#include "base/process.h"
#include "protocol/outcome.h"
#include "protocol/request.h"

#include <signal.h>

struct worker {
    struct backend_setup setup;
    struct process process;
    int fd;           /* the socket */
    int error_fd;     /* a file with what the worker wrote to standard error */
    bool ready;       /* the worker has started */
    bool stopped;     /* the worker was stopped by SIGSTOP */
    bool lost;        /* the worker gives no answer any more, and is to be ended */
    uint64_t request; /* the number of the latest request */
    uint64_t turn;    /* how many requests there were before */
    unsigned number;  /* the number of this process among all that were started, from 1 */
};

enum exchange {
    EXCHANGE_DONE,       /* the outcome is the answer of the worker, or says how the variant ended the worker */
    EXCHANGE_TRANSIENT,  /* the machine failed, outcome->reason tells how; nothing is known about the cell: ask again */
    EXCHANGE_INTERRUPTED /* pool_interrupted was set while waiting */
};

/* Set by SIGINT, SIGTERM and SIGHUP after pool_catch_interrupts. */
extern volatile sig_atomic_t pool_interrupted;
void pool_catch_interrupts(void);

/* Called about twice a second while a worker is awaited. */
extern void (*pool_waiting)(void);

/* Finds the living worker with a setup, or starts one. EXCHANGE_DONE: `worker` is the worker; it is NULL if the setup
 * cannot work, and the outcome has the status and the reason. Otherwise `worker` is NULL. The largest cell of the
 * schedule has `memory_bytes` of operands, which limits what the worker may allocate. */
enum exchange pool_get(const struct backend_setup *setup, int64_t memory_bytes, struct worker **worker,
                       struct outcome *outcome);

/* Sends one request and waits for the answer, at most `limit_s`. All other workers are stopped meanwhile. If the times
 * of the answer cannot be true after the time that the supervisor waited, outcome->clocks_differ is set. */
enum exchange pool_ask(struct worker *worker, const struct request *request, double limit_s, struct outcome *outcome);

/* Stops all workers until they are asked again, so that none of their threads takes a core. */
void pool_rest(void);

/* Ends one worker. */
void pool_end_one(struct worker *worker);
/* Ends all workers, all at once. pool_end_launch leaves the judge, which has run no variant. */
void pool_end(void);
void pool_end_launch(void);

/* Frees the operands in all living workers. */
void pool_close_operands(void);

#endif
