/* Compares the clock of a device with the clock of the host.
 * SPDX-License-Identifier: MIT */
#include "clocks.h"

#include <stdbool.h>

/* An idle device answers within 10 us. 50 us and 5 % of a block are more than that, and less than a result may be wrong
 * by. A host whose processor is taken away just then sees more once, but not three times in a row. */
static const double LATE_S = 50e-6, LATE_SHARE = 0.05;
enum { LATE_BLOCKS = 3 };

/* The host also sees the launch, the head start before the first event, and its own waking up. On a crowded host these
 * take several milliseconds in each block, as other programs run meanwhile. So the bound is wide: the events tell next
 * to nothing. They never tell more than the host saw, except for the error of the clocks. */
static const double APART_S = 20e-3, APART_FACTOR = 20, AHEAD_S = 50e-6, AHEAD_SHARE = 0.05;
enum { APART_BLOCKS = 8 };

static bool is_late(const struct clocks *block)
{
    return block->busy_s > LATE_S && block->busy_s > LATE_SHARE * block->events_s;
}

/* The comparisons are false where a clock is not known. */
static bool is_apart(const struct clocks *block)
{
    return block->host_s > APART_FACTOR * block->events_s + APART_S ||
           block->events_s > (1 + AHEAD_SHARE) * block->host_s + AHEAD_S;
}

enum clocks_verdict clocks_judge(struct clocks_doubts *doubts, const struct clocks *block)
{
    doubts->late = is_late(block) ? doubts->late + 1 : 0;
    doubts->apart = is_apart(block) ? doubts->apart + 1 : 0;
    return doubts->late >= LATE_BLOCKS ? CLOCKS_LATE : doubts->apart >= APART_BLOCKS ? CLOCKS_APART : CLOCKS_AGREE;
}

double clocks_time_s(const struct clocks *block)
{
    return is_late(block) ? block->events_s + block->busy_s : block->events_s;
}
