/* Whether two clocks tell the same of a block of runs: the device's clock, between two events, and the host's clock.
 * Work that a kernel put elsewhere than on the runner's stream or queue lies outside of the events.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_CLOCKS_H
#define TILELAB_BACKEND_CLOCKS_H

/* Seconds of one block; NAN: not known. */
struct clocks {
    double events_s; /* from the first event to the last, by the device's clock */
    double busy_s;   /* how long the device was still busy after the last event, by the host's clock */
    double host_s;   /* from before the first event until the device was idle, by the host's clock */
};

/* What was seen of a job's blocks. All zero before the first. */
struct clocks_doubts {
    int late, apart; /* blocks in a row */
};

/* CLOCKS_LATE: block after block, the device was busy after the last event. CLOCKS_APART: block after block, the events
 * tell a small part of what the host saw, or more than the host saw. One block alone is never judged so, because
 * another program may take the processor from the host at any moment. */
enum clocks_verdict { CLOCKS_AGREE, CLOCKS_LATE, CLOCKS_APART };

/* Judges a job by its next block, and notes the block. */
enum clocks_verdict clocks_judge(struct clocks_doubts *doubts, const struct clocks *block);

/* Seconds of the runs of a block: what the events tell, and what the device did after them if that is no noise. */
double clocks_time_s(const struct clocks *block);

#endif
