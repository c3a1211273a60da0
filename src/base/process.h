/* Child processes: the runner starts, awaits and ends every one of them here.
 * SPDX-License-Identifier: MIT
 *
 * A child is ended by SIGKILL when the thread that started it ends, however that happens. No caller sees EINTR: a call
 * that a signal interrupted is made again here. */
#ifndef TILELAB_BASE_PROCESS_H
#define TILELAB_BASE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum process_options {
    /* The child leads a process group of its own. Signals from the terminal do not reach the group, and every process
     * of the group ends with the child. */
    PROCESS_GROUP = 1,
    PROCESS_OUTPUT = 2, /* standard output is a pipe, which process_collect reads */
    PROCESS_QUIET = 4,  /* standard input and standard error are /dev/null */
};

enum { PROCESS_CANNOT_START = 127 }; /* the exit code that a shell gives */

struct process {
    pid_t pid;  /* 0: it was not started, or it has ended */
    bool group; /* it was started with PROCESS_GROUP */
    int output; /* the end of its pipe to read from; -1: it has none */
    int status; /* how it ended, as waitpid tells it */
};

/* Starts a child that calls `child` with the context and exits with the code that `child` returns. The child may end by
 * becoming another program, see process_become. Returns 0 or an errno. Every process that was started must be ended by
 * process_end or process_collect, or process_await must have returned true. */
int process_start(struct process *process, unsigned options, int (*child)(const void *context), const void *context);

/* For use in a child: it becomes the program at `path`. Returns only if that fails, the exit code for it. */
int process_become(const char *path, const char *const arguments[]);
/* The path of this program, for process_become. */
#define PROCESS_SELF "/proc/self/exe"

/* Waits for the child's end, at most so long. True once it has ended: the status is set, and what remains of its group
 * is ended. */
bool process_await(struct process *process, double limit_s);

/* Sends a signal to the child, or to its group. */
void process_signal(const struct process *process, int signal);

/* Whether the child was stopped by a signal and waits for SIGCONT. */
bool process_is_stopped(const struct process *process);

/* Ends the child and its group: SIGTERM, after two seconds SIGKILL. Returns the status. A child that the system cannot
 * end even so, because a driver holds it, is left to itself after some seconds more. */
int process_end(struct process *process);
/* Ends several children at once. This takes no longer than ending one of them. */
void process_end_all(struct process *const processes[], size_t count);

/* From now on, processes that a child leaves behind become children of this process, also where they have left the
 * child's group. They are ended whenever a child with PROCESS_GROUP has ended. */
void process_adopt_orphans(void);

/* Reads what the child prints, until it ends. True if that took at most `limit_s` and fits `text`, with its final zero;
 * otherwise, or once process_interrupted() is true, the child is ended, and `text` holds what it printed before. */
bool process_collect(struct process *process, char *text, size_t size, double limit_s);

/* Whether the user has interrupted this process; NULL: it ends by itself then. */
extern bool (*process_interrupted)(void);

#endif
