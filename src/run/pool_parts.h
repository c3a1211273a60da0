/* The parts of the pool: starting workers, and awaiting their answers.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_POOL_PARTS_H
#define TILELAB_RUN_POOL_PARTS_H

#include "pool.h"

/* Starts the process of a worker and sends it its setup. `was_ready` says that one with this setup has been ready
 * before. Returns 0 or an errno. */
int pool_start(struct worker *worker, const struct backend_setup *setup, int64_t memory_bytes, bool was_ready);
/* Gives the memory of the results' window (worker/window.h) back to the system; the next result needs it again. */
void pool_empty_window(void);
void pool_close_window(void);

/* Waits for the answer to the latest request, at most `limit_s`. A worker that gives none is lost. */
enum exchange pool_await(struct worker *worker, double limit_s, struct outcome *outcome);
/* How long this process has been suspended while it waited, in all. */
double pool_suspended_s(void);
/* The socket is closed, and the worker lost. The outcome says how the worker ended. */
enum exchange pool_post_mortem(struct worker *worker, struct outcome *outcome);
/* Makes an outcome that tells a failure of the machine. */
enum exchange pool_transient(struct outcome *outcome, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
