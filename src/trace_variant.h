/* What a kernel on a device tells `tilelab trace`: what each thread block works at, and since when.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TRACE_VARIANT_H
#define TILELAB_TRACE_VARIANT_H

#include <stdint.h>

enum trace_work { TRACE_WAIT, TRACE_UPDATE, TRACE_SOLVE, TRACE_FACTOR, TRACE_COPY };

/* Thread blocks that can tell, and how often each of them can. */
enum { TRACE_BLOCKS = 1024, TRACE_EVENTS = 1 << 13 };

struct trace_event {
    int64_t ns, work; /* the block's work from this time on, to the next event; the last one only tells the end */
};

struct trace_facts {
    int blocks, side;        /* of the grid; rows of a tile */
    int count[TRACE_BLOCKS]; /* events of each block, with those that had no room */
};

#endif
