/* Whether the cores have their usual rate at this moment.
 * SPDX-License-Identifier: MIT
 *
 * A host may put the threads of a virtual machine on half of the cores for seconds. Then each thread has half of its
 * rate, and no counter of the system tells. So the watch has all threads of a cell work for a moment, and compares
 * their rate with the best one so far. */
#ifndef TILELAB_MACHINE_CORES_WATCH_H
#define TILELAB_MACHINE_CORES_WATCH_H

/* Below this share of their best rate, cores are not what a measurement takes them for. Half of one of two cores is a
 * quarter of their rate. */
#define CORES_WATCH_USUAL 0.8

/* The share of the best rate so far that the first `threads` usable cores have together now, at most 1; NAN: it is not
 * known, since there is one thread, the cores were not probed, or the system refused. Takes some milliseconds. */
double cores_watch_share(int threads);

/* Ends the threads of the watch; the next look starts them anew. */
void cores_watch_end(void);

#endif
