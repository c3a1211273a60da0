/* The exchanges of rows left of each block of columns, at the end of a factorisation.
 * SPDX-License-Identifier: MIT
 *
 * Matrices are column-major. L of a column has its final values early, but each later panel still exchanges its rows. A
 * thread block composes the exchanges of all later panels, and then moves a column once. An exchange by itself would
 * move 8 bytes for every sector of memory that it touches. */
#ifndef TILELAB_LU_LEFT_EXCHANGES_CUH
#define TILELAB_LU_LEFT_EXCHANGES_CUH

#include "exchanges.cuh"

#include <stdint.h>

enum {
    LEFT_THREADS = 512,
    LEFT_COLS = 32,    /* a group of columns, which have the same later panels */
    LEFT_LISTED = 2048 /* positions whose exchanges are in shared memory at a time */
};

template <typename real> struct left_task {
    real *a;
    int64_t ld;
    int n, groups;
    exchanges moves;
    const int *panels; /* the first column of each panel, then n */
    const int *later;  /* for each group the index of the first panel after its block */
    real *columns;     /* room for a column for each thread block */
};

static inline int left_shared_bytes(int64_t n)
{
    return 2 * LEFT_LISTED * (int)sizeof(int) + (int)n * (int)sizeof(uint16_t);
}

#ifdef HOPPER

/* content[i] becomes the row that position i gets from the panels `panel` and later. */
static __device__ inline void compose_exchanges(uint16_t *content, int *listed, int n, int panel, const int *panels,
                                                const exchanges &moves)
{
    const int lane = threadIdx.x % WARP_SIZE;
    int first = panels[panel];
    for (int i = first + threadIdx.x; i < n; i += LEFT_THREADS)
        content[i] = (uint16_t)i;
    while (first < n) {
        const int begin = first;
        __syncthreads(); /* the last exchanges are applied, or the contents are set */
        for (int i = threadIdx.x; i < LEFT_LISTED && begin + i < n; i += LEFT_THREADS) {
            listed[i] = moves.source[begin + i];
            listed[LEFT_LISTED + i] = moves.target[begin + i];
        }
        __syncthreads(); /* the lists are complete before anyone reads them */
        for (int end = panels[panel + 1]; first < n && end - begin <= LEFT_LISTED; end = panels[panel + 1]) {
            const int at = first - begin + lane;
            const bool mine = first + lane < end;
            if (threadIdx.x < WARP_SIZE) {
                const int target = mine ? listed[LEFT_LISTED + at] : 0;
                const uint16_t chosen = mine ? content[listed[at]] : 0;
                const uint16_t displaced = mine ? content[first + lane] : 0;
                __syncwarp(); /* all lanes have read their rows before any row is overwritten */
                if (mine)
                    content[first + lane] = chosen;
                if (mine && target >= end)
                    content[target] = displaced;
                __syncwarp(); /* the panel is applied before the next one is */
            }
            first = end;
            panel++;
            if (first == n)
                break;
        }
    }
    __syncthreads(); /* all exchanges are applied before anyone follows them */
}

/* to[i] = from(i) for all rows from `first` on. A thread has LEFT_AHEAD loads under way. */
template <typename real, typename source>
static __device__ inline void copy_rows(real *to, int first, int n, const source &from)
{
    enum { LEFT_AHEAD = 8 };
    for (int begin = first + threadIdx.x; begin < n; begin += LEFT_AHEAD * LEFT_THREADS) {
        real part[LEFT_AHEAD];
#pragma unroll
        for (int at = 0; at < LEFT_AHEAD; at++)
            if (begin + at * LEFT_THREADS < n)
                part[at] = from(begin + at * LEFT_THREADS);
#pragma unroll
        for (int at = 0; at < LEFT_AHEAD; at++)
            if (begin + at * LEFT_THREADS < n)
                to[begin + at * LEFT_THREADS] = part[at];
    }
}

#endif

template <typename real> __global__ void __launch_bounds__(LEFT_THREADS) lu_pivot_left(left_task<real> task)
{
#ifdef HOPPER
    int *const listed = (int *)shared_memory();
    uint16_t *const content = (uint16_t *)(listed + 2 * LEFT_LISTED);
    real *const moved = task.columns + (int64_t)blockIdx.x * task.n;
    for (int group = blockIdx.x; group < task.groups; group += gridDim.x) {
        const int panel = task.later[group], first = task.panels[panel];
        if (first >= task.n)
            continue;
        compose_exchanges(content, listed, task.n, panel, task.panels, task.moves);
        for (int col = group * LEFT_COLS; col < (group + 1) * LEFT_COLS; col++) {
            real *const column = task.a + col * task.ld;
            copy_rows(moved, first, task.n, [=](int i) { return column[content[i]]; });
            __syncthreads(); /* the whole column is read before it is overwritten */
            copy_rows(column, first, task.n, [=](int i) { return moved[i]; });
        }
        __syncthreads(); /* nobody reads the contents any more */
    }
#endif
}

#endif
