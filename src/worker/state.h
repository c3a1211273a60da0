/* The state of a worker's process that a variant can change and that the next variant would inherit.
 * SPDX-License-Identifier: MIT
 *
 * Variants of one point share a worker. Before and after each request the worker goes back to the state of its start;
 * where it cannot, it ends. The state is:
 *   - of OpenMP: its settings and its team;
 *   - of each thread: rounding mode and flush-to-zero, blocked signals, affinity, scheduling class, nice and I/O
 *     priority, timer slack, memory policy, speculation, alignment checks, the alternative signal stack;
 *   - of the process: signal handlers, timers, limits, locked memory, personality, huge pages and other switches of
 *     prctl, environment variables, standard files, working folder, umask, locale;
 *   - what cannot be undone: other credentials, a filter of system calls, another control group, root or namespace;
 *   - threads that go on computing and processes that go on, see state_left.c.
 * A variant that needs another state sets it in `run`. The caller restores the protection of operands. */
#ifndef TILELAB_WORKER_STATE_H
#define TILELAB_WORKER_STATE_H

#include <stdbool.h>
#include <stddef.h>

/* Makes OpenMP's team and notes the state, once the backend is open. Returns 0, or -1 with the reason in `why`. */
int state_note(char *why, size_t size);
/* How going back to the state that was noted came out. */
enum state_end {
    STATE_RESTORED,
    STATE_SPOILED,  /* a variant changed what this process may not change back */
    STATE_TRANSIENT /* the machine refused */
};

/* Goes back to the state that was noted. Where nothing has changed, this takes some tens of microseconds. Unless the
 * state is restored, `why` says what is not, and the worker is of no further use. */
enum state_end state_restore(char *why, size_t size);
/* Goes back to the usual rounding mode and flush-to-zero in the calling thread, for the runner's own arithmetic. */
void state_restore_arithmetic(void);

/* Whether a variant has left what could compute its output only when somebody reads it: a handler for the signal of a
 * page that cannot be read, or a userfaultfd. Call it between the last run and the first look at the output, and fail
 * the cell with `why`. A handler that a library has installed is not the variant's. */
bool state_left_handler(char *why, size_t size);

/* Whether a process that a variant has started goes on. Those that have ended are waited for, so that
 * timer_children_s counts them. */
bool state_left_process(void);

#endif
