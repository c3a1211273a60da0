/* The parts of the state of a worker's process, for state.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_WORKER_STATE_PARTS_H
#define TILELAB_WORKER_STATE_PARTS_H

#include "state.h"

#include <sys/types.h>

/* A fault: how restoring ended, and what is not restored. STATE_RESTORED: there is none. */
struct state_fault {
    enum state_end end;
    char what[120];
};

/* Keeps the first fault. */
void state_fail(struct state_fault *fault, enum state_end end, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- Signals and timers: state_signals.c ---- */

void state_signals_note(void);
void state_signals_restore(void);

/* ---- The process: state_process.c ---- */

void state_process_note(void);
/* Restores what can be restored, and says what cannot. The limit of open files counts for other parts, so that this
 * part is the first. */
void state_process_restore(struct state_fault *fault);

/* ---- Environment variables, standard files, folder, umask, locale: state_surroundings.c ---- */

void state_surroundings_note(void);
void state_surroundings_restore(struct state_fault *fault);

/* ---- What belongs to each thread: state_thread.c ---- */

enum { STATE_THREADS_MAX = 4096 };

/* Notes what the calling thread, the main one, has; the threads of the team are to have the same. Returns 0 or -1. */
int state_thread_note(void);
/* Makes the calling thread as the main thread was. Returns what cannot be restored, as bits for state_thread_fail. */
unsigned state_thread_restore(void);
void state_thread_fail(struct state_fault *fault, unsigned bad);
/* Notes the threads that are not in OpenMP's team, those of libraries, and makes them as they were. */
void state_thread_note_others(const pid_t *team, int members);
void state_thread_restore_others(struct state_fault *fault);
/* Gives a thread, which was not there when the state was noted, the usual priority. */
void state_thread_calm(pid_t id);
bool state_thread_is_in(const pid_t *id, int count, pid_t one);
/* Lists the threads of the process, in the order of the kernel. Returns their number, at most `most`, or -1 with
 * errno. */
int state_thread_list(pid_t *id, int most);

/* ---- Threads and processes that a variant left: state_left.c ---- */

/* Notes that the threads and processes that there are now belong to the worker and its libraries. Comes before
 * state_process_note, since from now on this process adopts orphans. */
void state_left_note(void);
/* Finds threads that go on computing, and processes. `team`: the threads of OpenMP's team. */
void state_left_find(const pid_t *team, int members, struct state_fault *fault);

#endif
