/* The window: memory through which a worker shows the result of a run to the process that judges it.
 * SPDX-License-Identifier: MIT
 *
 * The supervisor makes the window, a file in memory without a name, and each of its processes inherits it. A worker
 * copies the operands that its variant has written into it. The judge reads them while all workers are stopped. */
#ifndef TILELAB_WORKER_WINDOW_H
#define TILELAB_WORKER_WINDOW_H

#include "operands.h"

/* Tells this process which descriptor is the window. */
void window_use(int fd);
/* Whether this process has a window. */
bool window_is_open(void);
/* Worker: copies the written operands of the host into the window. False, and an outcome with the reason: no memory, or
 * a transient error of the machine. */
bool window_show(const struct operands *operands, const struct cell *cell, struct outcome *outcome);
/* Judge: where the written operands of a cell lie in the window; NULL for all others. False, and an
 * outcome with the reason: the window is smaller, no memory, or a transient error of the machine. */
bool window_look(const struct cell *cell, void *operand[MAX_OPERANDS], struct outcome *outcome);

#endif
