/* The state of a worker's process that a variant can change and that the next variant would inherit.
 * SPDX-License-Identifier: MIT */
#include "state_parts.h"

#include "guarded.h"

#include <errno.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    int threads, dynamic, levels, schedule_chunk;
    omp_sched_t schedule;
} noted;

/* The threads of OpenMP's team. */
static struct {
    pid_t id[STATE_THREADS_MAX];
    int count;
} team;

void state_fail(struct state_fault *fault, enum state_end end, const char *format, ...)
{
    va_list args;
    if (fault->end != STATE_RESTORED)
        return;
    fault->end = end;
    va_start(args, format);
    vsnprintf(fault->what, sizeof fault->what, format, args);
    va_end(args);
}

/* Makes each thread of the team as the main thread was, but for its CPU. OpenMP keeps the threads of its team. */
static void restore_team(struct state_fault *fault)
{
    unsigned bad = 0;
    team.count = 0;
#pragma omp parallel num_threads(noted.threads) default(none) shared(noted, team) reduction(| : bad)
    {
        const int number = omp_get_thread_num();
        bad |= state_thread_restore();
        if (number < STATE_THREADS_MAX)
            team.id[number] = gettid();
#pragma omp master
        team.count = omp_get_num_threads();
    }
    state_thread_fail(fault, bad);
    if (team.count != noted.threads)
        state_fail(fault, STATE_TRANSIENT, "OpenMP made a team of %d threads instead of %d", team.count, noted.threads);
    team.count = team.count < STATE_THREADS_MAX ? team.count : STATE_THREADS_MAX;
}

int state_note(char *why, size_t size)
{
    struct state_fault fault = {.end = STATE_RESTORED};
    noted.threads = omp_get_max_threads();
    noted.dynamic = omp_get_dynamic();
    noted.levels = omp_get_max_active_levels();
    omp_get_schedule(&noted.schedule, &noted.schedule_chunk);
    if (state_thread_note() != 0)
        state_fail(&fault, STATE_TRANSIENT, "the affinity of a worker cannot be read: %s", strerror(errno));
    else
        restore_team(&fault);
    if (fault.end != STATE_RESTORED) {
        snprintf(why, size, "the threads of a worker cannot be made or bound: %s", fault.what);
        return -1;
    }
    state_thread_note_others(team.id, team.count);
    state_left_note();
    state_signals_note();
    state_process_note();
    state_surroundings_note();
    return 0;
}

enum state_end state_restore(char *why, size_t size)
{
    struct state_fault fault = {.end = STATE_RESTORED};
    omp_set_dynamic(noted.dynamic);
    omp_set_num_threads(noted.threads);
    omp_set_max_active_levels(noted.levels);
    omp_set_schedule(noted.schedule, noted.schedule_chunk);
    state_process_restore(&fault);
    state_signals_restore();
    state_surroundings_restore(&fault);
    state_thread_restore_others(&fault);
    if (guarded_uses_team())
        restore_team(&fault);
    else
        state_thread_fail(&fault, state_thread_restore());
    state_left_find(team.id, team.count, &fault);
    if (fault.end != STATE_RESTORED)
        snprintf(why, size, "%s", fault.what);
    errno = 0;
    return fault.end;
}
