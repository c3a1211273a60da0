/* Rounds on cores that have less than their usual rate.
 * SPDX-License-Identifier: MIT
 *
 * The cores of a virtual machine may lose half of their rate for seconds, and no counter tells; see cores_watch.h. So
 * the cores are looked at before and after each round of several threads. A round waits for the usual rate, and is
 * measured again if the rate was lost meanwhile, as long as this takes a small part of the run. */
#include "run_parts.h"

#include "base/timer.h"
#include "machine/cores_watch.h"

#include <poll.h>

/* Of the time of a run, looking again, waiting and measuring again may take so much. */
static const double SHARE_MOST = 0.1;
/* The look after a round serves the next round as well if that follows at once. */
static const double FRESH_S = 0.01;
/* One look of ten meets a moment of another guest. A core that has just worked with wide vectors keeps the lower clock
 * of these for about 2 ms. The state that the watch is for lasts over all of so many looks, with pauses in between. */
enum { PAUSE_MS = 50, LOOKS = 3, CLOCK_MS = 3 };

static bool are_usual(struct run *run, const struct cell *cell)
{
    if (timer_is_fake() || cell->threads < 2 || backend_is_team(cell))
        return true;
    if (cell->threads != run->look.threads || timer_now_s() - run->look.end_s > FRESH_S) {
        pool_rest(); /* threads that a worker lets spin would take the cores from the look */
        run->look.threads = cell->threads;
        run->look.usual = !(cores_watch_share((int)cell->threads) < CORES_WATCH_USUAL);
        const double start_s = timer_now_s();
        for (int i = 1; i < LOOKS && !run->look.usual; i++) {
            poll(NULL, 0, CLOCK_MS);
            run->look.usual = !(cores_watch_share((int)cell->threads) < CORES_WATCH_USUAL);
        }
        run->look.end_s = timer_now_s();
        run->cores_s += run->look.end_s - start_s;
    }
    return run->look.usual;
}

bool run_cores_may_wait(const struct run *run)
{
    return !stopped(run) && run->cores_s < SHARE_MOST * (timer_now_s() - run->begin_s);
}

bool run_cores_await(struct run *run, const struct cell *cell)
{
    bool usual;
    while (!(usual = are_usual(run, cell)) && run_cores_may_wait(run)) {
        const double start_s = timer_now_s();
        poll(NULL, 0, PAUSE_MS);
        run->cores_s += timer_now_s() - start_s;
    }
    return usual;
}

bool run_cores_kept(struct run *run, const struct cell *cell)
{
    run->look.threads = 0; /* the round has passed since */
    return are_usual(run, cell);
}
