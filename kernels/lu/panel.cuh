/* The factorisation of a block of columns by one cluster of thread blocks, panel by panel.
 * SPDX-License-Identifier: MIT
 *
 * Matrices are column-major. A thread holds R rows of a panel of W columns in registers. Rows do not move while the
 * panel is factored. Each thread keeps the positions of its rows, and an exchange of two rows exchanges their
 * positions.
 *
 * In each step, every thread block finds its row with the largest element in the next column, and sends this row to all
 * blocks of the cluster. A block that has received all these rows knows the row of the pivot.
 *
 * In registers, the column of the present step always comes first. Each step shifts the columns by one, so that the
 * loop over steps need not be unrolled. Finished elements lie behind the columns that are still to do. */
#ifndef TILELAB_LU_PANEL_CUH
#define TILELAB_LU_PANEL_CUH

#include "exchanges.cuh"
#include "magnitude.cuh"
#include "bad_pivot.cuh"
#include "common/copy_async.cuh"

#include <stddef.h>

enum {
    CLUSTER_MOST = 16,
    PANEL_THREADS = 512,
    STAGE = 8, /* steps after which the number of shifted columns shrinks */
    /* Three steps can be under way at once. The fastest block sends rows for one step. The slowest block has sent its
     * row for the step before, and still reads the rows of the step before that. */
    SLOTS = 3,
};

template <typename real> struct block_task {
    real *a;
    int64_t ld;
    int n, first, width;   /* the block: columns first to first + width - 1, from row `first` on */
    int begin;             /* the first column whose rows the block exchanges; columns before wait */
    int threads_with_rows; /* threads of a thread block that hold rows: all threads, or the first ones */
    int *pivots;           /* row numbers, counted from 1 */
    exchanges moves;
    lu_bad_pivot *bad_pivot;
    int *started; /* the cluster sets *started = first when it runs */
};

/* A candidate for the pivot's row, as a block sends it to the others. */
template <typename real, int W> struct __align__(16) message
{
    magnitude size; /* of the row's first element */
    int position;
    int unused;
    real row[W];
};

template <typename real, int W> struct __align__(16) panel_memory
{
    message<real, W> slot[SLOTS][CLUSTER_MOST], sent;
    mbarrier arrived[SLOTS];
    struct {
        magnitude size;
        int lane, row;
    } best[2][PANEL_THREADS / WARP_SIZE]; /* candidates of the warps, for even and odd steps */
    real lower[W * W];                    /* L of the panel's square, by columns */
    __align__(16) real upper[1]; /* U right of the square, W rows, by columns; really as many as the block has */
};

template <typename real, int W> constexpr int panel_shared_bytes(int block_width)
{
    return (int)(sizeof(panel_memory<real, W>) + block_width * W * sizeof(real));
}

#ifdef HOPPER

/* What a thread holds of the present panel. */
template <typename real, int W, int R> struct panel {
    enum { CHUNK = vector16<real>::COUNT, STEPS = W < STAGE ? W : STAGE };
    typedef message<real, W> message_type;

    real a[R][W];
    int position[R]; /* of each row, counted from the panel's first row; -1: no row */
    int first, width;
    int slot, parity; /* where the rows of the present step arrive; parity of the phase of its mbarrier */
    int rank, blocks, lane, warp;
    panel_memory<real, W> *shared;

    __device__ panel()
    {
        rank = cluster_rank();
        blocks = cluster_size();
        lane = threadIdx.x % WARP_SIZE;
        warp = threadIdx.x / WARP_SIZE;
        shared = (panel_memory<real, W> *)shared_memory();
        slot = parity = 0;
        if (threadIdx.x < SLOTS)
            mbarrier_init(&shared->arrived[threadIdx.x]);
    }

    __device__ int row(int r, const block_task<real> &task) const
    {
        const int at = (rank * R + r) * task.threads_with_rows + threadIdx.x;
        return (int)threadIdx.x < task.threads_with_rows && at < task.n - first ? at : -1;
    }

    /* The index in a[] at which column c lies after all steps. */
    __device__ static constexpr int slot_of(int c)
    {
        return W - STEPS * (c / STEPS + 1) + c % STEPS;
    }

    __device__ void load(const block_task<real> &task)
    {
        const real *const at = task.a + first * (task.ld + 1);
#pragma unroll
        for (int r = 0; r < R; r++) {
            position[r] = row(r, task);
            const real *const from = at + max(position[r], 0);
#pragma unroll
            for (int c = 0; c < W; c++) {
                const real element = from[min(c, width - 1) * task.ld];
                a[r][c] = c < width && position[r] >= 0 ? element : real(0);
            }
        }
    }

    __device__ void store(const block_task<real> &task) const
    {
        real *const at = task.a + first * (task.ld + 1);
#pragma unroll
        for (int r = 0; r < R; r++) {
            const int was = row(r, task);
            if (was < 0)
                continue;
#pragma unroll
            for (int c = 0; c < W; c++)
                if (c < width)
                    at[c * task.ld + position[r]] = a[r][slot_of(c)];
            if (position[r] < width)
                task.moves.source[first + position[r]] = first + was;
            if (was < width)
                task.moves.target[first + was] = first + position[r];
        }
    }

    /* Chooses the warp's candidate for a step: the row that is left with the largest next[r]. */
    __device__ void nominate(int step, const real (&next)[R])
    {
        magnitude mine = {0, 0};
        int of = 0;
#pragma unroll
        for (int r = 0; r < R; r++) {
            const magnitude other = position[r] >= step ? magnitude_of(next[r]) : magnitude{0, 0};
            if (is_above(other, mine)) {
                mine = other;
                of = r;
            }
        }
        if (lane == largest_lane<real>(mine))
            shared->best[step % 2][warp] = {mine, lane, of};
    }

    /* Sends row r of lane `of` to all blocks: LIVE elements, with zeros for finished ones. A warp calls this. */
    template <int LIVE> __device__ void send(int step, int of, int r)
    {
        enum { CHUNKS = 1 + LIVE / CHUNK };
        if (lane == of) {
            int at = position[0];
            real first_element = a[0][0];
#pragma unroll
            for (int i = 1; i < R; i++) {
                at = r == i ? position[i] : at;
                first_element = r == i ? a[i][0] : first_element;
            }
            shared->sent.size = at >= step ? magnitude_of(first_element) : magnitude{0, 0};
            shared->sent.position = at;
#pragma unroll
            for (int c = 0; c < LIVE; c += CHUNK) {
                vector16<real> part;
#pragma unroll
                for (int j = 0; j < CHUNK; j++) {
                    part.value[j] = a[0][c + j];
#pragma unroll
                    for (int i = 1; i < R; i++)
                        part.value[j] = r == i ? a[i][c + j] : part.value[j];
                }
                *(vector16<real> *)(shared->sent.row + c) = part;
            }
        }
        __syncwarp(); /* the row is in shared memory before other lanes send parts of it */
        if (lane < CHUNKS) {
            vector16<real> part = ((const vector16<real> *)&shared->sent)[lane];
#pragma unroll
            for (int j = 0; j < CHUNK; j++)
                if ((lane - 1) * CHUNK + j >= W - step)
                    part.value[j] = 0;
            vector16<real> *const to = (vector16<real> *)&shared->slot[slot][rank] + lane;
#pragma unroll 4
            for (int block = 0; block < blocks; block++)
                send_remote(to, &shared->arrived[slot], block, part);
        }
    }

    /* Sends the thread block's candidate for a step to all blocks of the cluster. All threads call this after
     * nominate() and update(). */
    template <int LIVE> __device__ void elect(int step)
    {
        const auto *const candidate = shared->best[step % 2];
        __syncthreads(); /* all candidates are written before anyone compares them, and the last rows have been used */
        const bool is_warp = lane < (int)blockDim.x / WARP_SIZE;
        const int chosen = largest_lane<real>(is_warp ? candidate[lane].size : magnitude{0, 0});
        if (warp == chosen)
            send<LIVE>(step, candidate[chosen].lane, candidate[chosen].row);
    }

    /* Waits until the rows of all blocks have arrived, with LIVE elements each. */
    template <int LIVE> __device__ void wait()
    {
        if (threadIdx.x == 0)
            mbarrier_expect(&shared->arrived[slot], blocks * (int)(offsetof(message_type, row) + LIVE * sizeof(real)));
        mbarrier_wait(&shared->arrived[slot], parity);
    }

    __device__ void next_slot()
    {
        slot = slot == SLOTS - 1 ? 0 : slot + 1;
        parity ^= slot == 0;
    }

    /* Finds the message with the step's pivot, and the pivot's inverse by invert(). */
    __device__ const message_type *find_pivot(real *inverse) const
    {
        const message_type *const from = shared->slot[slot];
        const bool is_block = lane < blocks;
        const real mine = invert(is_block ? from[lane].row[0] : real(1));
        const int best = largest_lane<real>(is_block ? from[lane].size : magnitude{0, 0});
        *inverse = __shfl_sync(WHOLE_WARP, mine, best);
        return from + best;
    }

    /* Stores the pivot's row number, and notes a pivot that cannot be used. One thread of the cluster does so. */
    __device__ void report(int step, const message_type *found, const block_task<real> &task) const
    {
        if (rank != 0 || threadIdx.x != 0)
            return;
        task.pivots[first + step] = first + found->position + 1;
        lu_bad_pivot_note(task.bad_pivot, first + step, (double)found->row[0]);
    }

    /* Updates the columns still to do but the next one, which `next` holds, and shifts all of them by one. */
    template <int LIVE>
    __device__ void update(const real *row, const real (&l)[R], const real (&kept)[R], const real (&next)[R])
    {
#pragma unroll
        for (int c = 0; c < LIVE; c += CHUNK) {
            const vector16<real> u = *(const vector16<real> *)(row + c);
#pragma unroll
            for (int i = 0; i < CHUNK; i++)
#pragma unroll
                for (int r = 0; r < R; r++)
                    if (c + i >= 2)
                        a[r][c + i - 1] = a[r][c + i] - l[r] * u.value[i];
        }
#pragma unroll
        for (int r = 0; r < R; r++) {
            a[r][0] = next[r];
            a[r][LIVE - 1] = kept[r];
        }
    }

    /* Moves the pivot's row to its place in the order of rows. l[r] becomes the factor of the pivot's row for row r. */
    __device__ const message_type *choose(int step, real (&l)[R], real (&kept)[R])
    {
        real inverse;
        const message_type *const found = find_pivot(&inverse);
        const int chosen = found->position;
        const real factor = safe_factor(found->row[0]);
#pragma unroll
        for (int r = 0; r < R; r++) {
            if (position[r] == chosen)
                position[r] = step;
            else if (position[r] == step)
                position[r] = chosen;
            if (position[r] > step)
                l[r] = kept[r] = a[r][0] * factor * inverse;
        }
        return found;
    }

    /* Does one step. A step beyond the panel's width only shifts the columns. */
    template <int LIVE> __device__ void take_step(int step, const block_task<real> &task)
    {
        real l[R] = {}, kept[R], next[R];
        const message_type *found = shared->slot[slot];
#pragma unroll
        for (int r = 0; r < R; r++)
            kept[r] = a[r][0];
        if (step < width)
            found = choose(step, l, kept);
#pragma unroll
        for (int r = 0; r < R; r++)
            next[r] = a[r][1] - l[r] * found->row[1];
        if (step + 1 < width)
            nominate(step + 1, next);
        update<LIVE>(found->row, l, kept, next);
        if (step + 1 < width) {
            next_slot();
            elect<LIVE>(step + 1);
        }
        if (step < width)
            report(step, found, task); /* meanwhile the rows are on their way */
        if (step + 1 < width)
            wait<LIVE>();
    }

    template <int LIVE> __device__ void take_steps(const block_task<real> &task)
    {
#pragma unroll 1
        for (int step = W - LIVE; step < W - LIVE + STEPS; step++)
            take_step<LIVE>(step, task);
        if constexpr (LIVE > STEPS)
            take_steps<LIVE - STEPS>(task);
    }

    __device__ void factor(const block_task<real> &task)
    {
        real next[R];
#pragma unroll
        for (int r = 0; r < R; r++)
            next[r] = a[r][0];
        nominate(0, next);
        elect<W>(0);
        wait<W>();
        take_steps<W>(task);
        next_slot();
    }

    /* Exchanges rows in the other columns of the block, and makes U in the columns right of the panel. Each warp takes
     * some columns. */
    __device__ void move_and_solve(const block_task<real> &task)
    {
        enum { COLS = W < 4 ? W : 4 };
        const int left = first - task.begin, others = task.first + task.width - task.begin - width;
        for (int i = threadIdx.x; i < W * W && left < others; i += blockDim.x)
            shared->lower[i] = task.a[(first + i / W) * task.ld + first + i % W];
        __syncthreads(); /* L is in shared memory before anyone reads it */
        const int stride = (int)blockDim.x / WARP_SIZE * blocks * COLS;
        for (int at = (warp * blocks + rank) * COLS; at < others; at += stride) {
            const int col = at < left ? at : at + width, count = min(others - at, (int)COLS);
            real *const column = task.a + (task.begin + col) * task.ld;
            real x[COLS];
            exchange_rows(column, task.ld, count, first, width, task.moves, x);
            for (int k = 0; k < W && at >= left; k++) {
                const real l = lane > k && lane < W ? shared->lower[k * W + lane] : real(0);
#pragma unroll
                for (int i = 0; i < COLS; i++)
                    x[i] -= l * __shfl_sync(WHOLE_WARP, x[i], k);
            }
            store_rows(column, task.ld, count, first, width, x);
        }
    }

    /* Subtracts L U from the thread's rows, in the block's columns right of the panel. L is still in registers. */
    __device__ void catch_up(const block_task<real> &task)
    {
        enum { COLS = W < 4 ? W : 4 };
        const int begin = first + width, right = task.first + task.width - begin;
        real *const upper = shared->upper;
        for (int i = threadIdx.x; i < right * W; i += blockDim.x)
            copy_async<sizeof(real)>(upper + i, task.a + (begin + i / W) * task.ld + first + i % W, sizeof(real));
        copy_async_commit();
        copy_async_wait<0>();
        __syncthreads(); /* U is in shared memory before anyone reads it */
        real *const column = task.a + begin * task.ld + first;
        real ahead[R][COLS];
        fetch(column, task.ld, right, ahead);
        for (int c = 0; c < right; c += COLS) {
            real sum[R][COLS];
#pragma unroll
            for (int r = 0; r < R; r++)
#pragma unroll
                for (int i = 0; i < COLS; i++)
                    sum[r][i] = ahead[r][i];
            fetch(column + (c + COLS) * task.ld, task.ld, right - c - COLS, ahead);
#pragma unroll
            for (int k = 0; k < W; k += CHUNK)
#pragma unroll
                for (int i = 0; i < COLS; i++) {
                    const vector16<real> u = *(const vector16<real> *)(upper + (c + i) * W + k);
#pragma unroll
                    for (int j = 0; j < CHUNK; j++)
#pragma unroll
                        for (int r = 0; r < R; r++)
                            sum[r][i] -= a[r][slot_of(k + j)] * u.value[j];
                }
#pragma unroll
            for (int r = 0; r < R; r++)
#pragma unroll
                for (int i = 0; i < COLS; i++)
                    if (position[r] >= width && c + i < right)
                        column[(c + i) * task.ld + position[r]] = sum[r][i];
        }
    }

    template <int COLS> __device__ void fetch(const real *column, int64_t ld, int count, real (&to)[R][COLS]) const
    {
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int i = 0; i < COLS; i++)
                to[r][i] = position[r] >= width && i < count ? column[i * ld + position[r]] : real(0);
    }
};

#endif

template <typename real, int W, int R>
__global__ void __launch_bounds__(PANEL_THREADS, 1) lu_pivot_block(block_task<real> task)
{
#ifdef HOPPER
    panel<real, W, R> mine;
    if (mine.rank == 0 && threadIdx.x == 0)
        *(volatile int *)task.started = task.first;
    cluster_barrier(); /* every block runs and its mbarriers are initialised before anyone sends to it */
    for (int done = 0; done < task.width; done += W) {
        mine.first = task.first + done;
        mine.width = min(W, task.width - done);
        mine.load(task);
        mine.factor(task);
        mine.store(task);
        cluster_barrier(); /* the panel and its exchanges are in memory before any block applies them */
        if (task.first + task.width - task.begin <= W)
            return; /* there are no other columns */
        mine.move_and_solve(task);
        cluster_barrier(); /* U and the exchanged rows are in memory before catch_up() reads them */
        if (done + W < task.width)
            mine.catch_up(task);
        cluster_barrier(); /* the next panel is up to date before any block loads it */
    }
#endif
}

#endif
