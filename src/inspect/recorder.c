/* Records when the threads of this process enter and leave the functions of a kernel.
 * SPDX-License-Identifier: MIT */
#include "recorder.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS_MAX = 1024, EVENTS_MAX = 1 << 20 };

/* Pages of the buffers cost memory once they are written. */
static struct recorder_lane lanes[THREADS_MAX];
static atomic_int lanes_taken;
static bool recording;
static _Thread_local struct recorder_lane *mine;

const char *const recorder_link_flags[] = {
    "-Wl,--wrap=GOMP_barrier",  "-Wl,--wrap=GOMP_loop_end",      "-Wl,--wrap=GOMP_critical_start",
    "-Wl,--wrap=GOMP_taskwait", "-Wl,--wrap=GOMP_taskgroup_end", "-Wl,--wrap=GOMP_parallel",
    "-Wl,--wrap=GOMP_task",     "-Wl,--wrap=GOMP_taskloop",      NULL};

/* The lane of a thread that records for the first time; NULL: there is no room for it. */
static struct recorder_lane *take_lane(void)
{
    const int number = atomic_fetch_add(&lanes_taken, 1);
    if (number >= THREADS_MAX)
        return NULL;
    struct recorder_lane *const lane = &lanes[number];
    lane->event = malloc(EVENTS_MAX * sizeof *lane->event);
    return lane->event ? lane : NULL;
}

static inline void note(uintptr_t what)
{
    struct timespec now;
    if (!recording)
        return;
    if (!mine)
        mine = take_lane();
    if (!mine || mine->count == EVENTS_MAX) {
        if (mine)
            mine->full = true;
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    mine->event[mine->count++] = (struct recorder_event){now.tv_sec * INT64_C(1000000000) + now.tv_nsec, what};
}

const struct recorder_lane *recorder_lanes(int *count)
{
    const int taken = atomic_load(&lanes_taken);
    *count = taken < THREADS_MAX ? taken : THREADS_MAX;
    return lanes;
}

void recorder_begin(void)
{
    int count;
    if (!mine)
        mine = take_lane();
    recorder_lanes(&count);
    for (int i = 0; i < count; i++) {
        lanes[i].count = 0;
        lanes[i].full = false;
    }
    recording = true;
}

bool recorder_end(void)
{
    int count;
    bool whole = mine && atomic_load(&lanes_taken) <= THREADS_MAX;
    recording = false;
    recorder_lanes(&count);
    for (int i = 0; i < count; i++)
        whole = whole && lanes[i].event && !lanes[i].full;
    return whole;
}

/* ---- What a kernel calls ---- */

void __cyg_profile_func_enter(void *function, void *caller)
{
    (void)caller;
    note(2 * (uintptr_t)function);
}

void __cyg_profile_func_exit(void *function, void *caller)
{
    (void)caller;
    note(2 * (uintptr_t)function + 1);
}

/* Calls of OpenMP that gcc makes, as libgomp defines them. Tasks that a waiting thread runs lie inside its call. */
#define WRAP(what, name, parameters, arguments) \
    void GOMP_##name parameters; \
    void __wrap_GOMP_##name parameters \
    { \
        note(2 * (what)); \
        GOMP_##name arguments; \
        note(2 * (what) + 1); \
    }

WRAP(RECORDER_WAIT, barrier, (void), ())
WRAP(RECORDER_WAIT, loop_end, (void), ())
WRAP(RECORDER_WAIT, taskwait, (void), ())
WRAP(RECORDER_WAIT, taskgroup_end, (void), ())
WRAP(RECORDER_WAIT, critical_start, (void), ())
WRAP(RECORDER_TASKS, task,
     (void (*run)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool deferred,
      unsigned flags, void **depend, int priority, void *detach),
     (run, data, copy, size, align, deferred, flags, depend, priority, detach))
WRAP(RECORDER_TASKS, taskloop,
     (void (*run)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags,
      unsigned long tasks, int priority, long start, long end, long step),
     (run, data, copy, size, align, flags, tasks, priority, start, end, step))

/* The body of a parallel region is a function that the compiler has made, and that calls nobody at its entry. */
struct region {
    void (*run)(void *);
    void *data;
};

static void run_region(void *context)
{
    const struct region *const region = context;
    note(2 * (uintptr_t)region->run);
    region->run(region->data);
    note(2 * (uintptr_t)region->run + 1);
}

void GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags);
void __wrap_GOMP_parallel(void (*run)(void *), void *data, unsigned threads, unsigned flags)
{
    note(2 * RECORDER_WAIT);
    GOMP_parallel(run_region, &(struct region){run, data}, threads, flags);
    note(2 * RECORDER_WAIT + 1);
}
