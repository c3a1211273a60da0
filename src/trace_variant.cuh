/* Lets a CUDA kernel tell `tilelab trace` what its thread blocks work at. The macros are empty in any other build.
 *   TRACE_BLOCK(SIDE)   stands at the kernel's start; its tiles have SIDE rows and columns
 *   TRACE_WORK(UPDATE)  the block now begins this work, see enum trace_work
 * Thread 0 of a block tells, so that other threads may be a little behind or ahead.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TRACE_VARIANT_CUH
#define TILELAB_TRACE_VARIANT_CUH

#ifndef TILELAB_TRACE
#define TRACE_BLOCK(side)
#define TRACE_WORK(work)
#else
#include "cuda_variant.cuh"
#include "trace_variant.h"

#define TRACE_BLOCK(side) trace_block trace_block_(side);
#define TRACE_WORK(work) trace_block_.begin(TRACE_##work);

static __device__ trace_facts trace_told;
static __device__ trace_event trace_events[TRACE_BLOCKS][TRACE_EVENTS];

class trace_block
{
    int count = 0;

  public:
    __device__ explicit trace_block(int side)
    {
        if (threadIdx.x == 0 && blockIdx.x == 0) {
            trace_told.blocks = gridDim.x;
            trace_told.side = side;
        }
    }

    __device__ void begin(trace_work work)
    {
        int64_t now;
        if (threadIdx.x != 0 || blockIdx.x >= TRACE_BLOCKS)
            return;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
        if (count < TRACE_EVENTS)
            trace_events[blockIdx.x][count] = {now, work};
        count++;
    }

    __device__ ~trace_block()
    {
        begin(TRACE_WAIT);
        if (threadIdx.x == 0 && blockIdx.x < TRACE_BLOCKS)
            trace_told.count[blockIdx.x] = count;
    }
};

/* Copies what the last launch has told, and forgets it. */
CUDA_ENTRY int trace_take(trace_facts *facts, trace_event *events)
{
    static const trace_facts none = {};
    return cudaMemcpyFromSymbol(facts, trace_told, sizeof *facts) == cudaSuccess &&
                   cudaMemcpyFromSymbol(events, trace_events, sizeof trace_events) == cudaSuccess &&
                   cudaMemcpyToSymbol(trace_told, &none, sizeof none) == cudaSuccess
               ? 0
               : -1;
}

#endif

#endif
