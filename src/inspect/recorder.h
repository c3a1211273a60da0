/* Records when the threads of this process enter and leave the functions of a kernel.
 * SPDX-License-Identifier: MIT
 *
 * A kernel that gcc has compiled with -finstrument-functions calls the program at each entry and exit. The linker's
 * --wrap leads its calls of OpenMP that wait or make tasks through the program too. Each thread writes to a buffer of
 * its own, without a lock. */
#ifndef TILELAB_INSPECT_RECORDER_H
#define TILELAB_INSPECT_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands for a function where a thread is in OpenMP: it waits, or it makes tasks. */
enum { RECORDER_WAIT = 1, RECORDER_TASKS = 2 };

struct recorder_event {
    int64_t ns;
    uintptr_t what; /* 2 * the address of the function, or of the above, and 1 at its end */
};

/* What one thread has recorded. A thread keeps its lane to the end of the process. */
struct recorder_lane {
    struct recorder_event *event;
    size_t count;
    bool full; /* events had no room */
};

/* The options of the linker that lead calls of OpenMP through the program; ends with NULL. */
extern const char *const recorder_link_flags[];

/* Begins a record anew, and ends it. False: a thread had more events than there is room for, or there were more threads
 * than that; the record lacks what came later. */
void recorder_begin(void);
bool recorder_end(void);
/* The lanes of the threads that have recorded anything in this process. The first is of the one that began. */
const struct recorder_lane *recorder_lanes(int *count);

#endif
