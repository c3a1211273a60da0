/* Verifying in a child process, so that a kernel that crashes, hangs or ends its process costs one cell.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_VERIFY_WATCH_H
#define TILELAB_INSPECT_VERIFY_WATCH_H

#include "status.h"

#include <stdbool.h>
#include <stddef.h>

/* How far `verify` is. Both processes see it. */
struct verify_watch {
    size_t entry; /* of the registry, which is being verified */
    size_t cells; /* of this entry, that were begun */
    size_t seen[STATUSES], chosen;
    int bad;
    size_t mapped; /* of the registry, counted from 1: the entry whose wrong elements were shown last */
    /* What was begun last: a cell, or the opening of the entry's device. */
    char at_hand[600];
    bool opening;
    double limit_s;   /* how long it may take */
    size_t begun;     /* how often something was begun in this process */
    bool shown;       /* a line on the terminal names it */
    char access[160]; /* what the access that crashed did to an operand; empty: nothing is known */
    bool finished;
};

/* Returns memory that a child shares, set to zero. NULL, with errno set, if there is none. */
struct verify_watch *verify_watch_open(void);
/* Notes what is begun, and how long it may take. */
void verify_watch_begin(struct verify_watch *watch, const char *name, bool opening, double limit_s);
/* What is at hand goes on with a further run, which may take as long as the one before. */
void verify_watch_go_on(struct verify_watch *watch);
/* To be called before a line is printed: takes the line that names what is at hand from the terminal. */
void verify_watch_clear(struct verify_watch *watch);
/* Calls `work` in a child process, which goes on at watch->entry behind its first watch->cells cells, sets
 * watch->finished and returns an exit code. Where the child ends before that, or takes too long, a line says so, and
 * `work` is called in the next child. On a terminal, a line names what runs for longer than a moment. Returns the exit
 * code of the program. */
int verify_watch_run(struct verify_watch *watch, int (*work)(const void *context), const void *context);
/* For `work` in this process, without a limit: from now on a crash, and a call of exit(), name what is at hand. */
void verify_watch_here(struct verify_watch *watch);

#endif
