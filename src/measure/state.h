/* The state of a worker's process that a variant can change and that the next variant would inherit.
 * SPDX-License-Identifier: MIT
 *
 * Variants of one point share a worker. Before and after each request the worker goes back to the state of its start:
 * the settings of OpenMP, rounding mode and flush-to-zero in all threads, signals, timers, affinity, limits, working
 * directory, umask and locale. A variant that needs another state sets it in `run`. */
#ifndef TILELAB_MEASURE_STATE_H
#define TILELAB_MEASURE_STATE_H

#include <stddef.h>

/* Makes OpenMP's team and notes the state, once the backend is open. Returns 0, or -1 with the reason in `why`. */
int state_note(char *why, size_t size);
/* How going back to the state that was noted came out. */
enum state_end {
    STATE_RESTORED,
    STATE_SPOILED, /* a variant changed what this process may not change back */
    STATE_ACCIDENT /* the machine refused */
};

/* Goes back to the state that was noted, in some ten microseconds. Unless the state is restored, `why` says what is
 * not, and the worker is of no further use. */
enum state_end state_restore(char *why, size_t size);
/* Goes back to the usual rounding mode and flush-to-zero in the calling thread, for the runner's own arithmetic. */
void state_restore_arithmetic(void);

#endif
