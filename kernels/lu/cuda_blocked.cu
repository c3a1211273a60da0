/* A = L U in place, by block columns of `tile`. Each step factors the diagonal block, then finds L below it and U to
 * its right. Then it subtracts the product of this L and this U from the rest of the matrix.
 * A (n x n) is row-major and contiguous; n is any, tile is 8 to 128. No pivoting: the run fails at a pivot that is 0.
 * A step launches three kernels: one thread block for the diagonal block; a thread for each row of L and column of U; a
 * thread for 8 x 8 elements of the rest.
 * Differs from cuda-naive: a pass over the rest serves `tile` columns, not one. Source: feup.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(8) EACH(16) EACH(32) EACH(64) EACH(128)

#ifdef __CUDACC__

#include "bad_pivot.cuh"
#include "common/copy_async.cuh"

template <int TILE> struct shape {
    /* The diagonal block has SIDE x SIDE threads; each owns EACH x EACH elements, SIDE apart. */
    enum { SIDE = TILE > 64 ? 32 : TILE > 16 ? 16 : TILE, EACH = TILE / SIDE };
    /* Number of unknowns that a thread solves for at a time, in registers. */
    enum { CHUNK = TILE < 32 ? TILE : 32 };
};

/* --- The diagonal block --- */

/* A00 = L00 U00 (size x size, size <= TILE). Elements stay in registers. At each step, the threads that own the pivot's
 * row and column publish them in shared memory, in one of two places in turn. */
template <typename real, int TILE>
__global__ void __launch_bounds__(shape<TILE>::SIDE *shape<TILE>::SIDE)
    lu_blocked_diagonal(int64_t n, int64_t k0, real *a, lu_bad_pivot *bad_pivot)
{
    enum { SIDE = shape<TILE>::SIDE, EACH = shape<TILE>::EACH };
    __shared__ real pivot_row[2][TILE], pivot_col[2][TILE];
    const int x = threadIdx.x, y = threadIdx.y, size = n - k0 < TILE ? (int)(n - k0) : TILE;
    real element[EACH][EACH] = {};
    a += k0 * n + k0;
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            if (y + i * SIDE < size && x + j * SIDE < size)
                element[i][j] = a[(y + i * SIDE) * n + x + j * SIDE];
#pragma unroll
    for (int part = 0; part < EACH; part++)
        for (int in_part = 0; in_part < SIDE; in_part++) {
            const int k = part * SIDE + in_part, turn = k & 1;
            if (k >= size)
                break;
#pragma unroll
            for (int i = part; i < EACH; i++) {
                if (y == in_part)
                    pivot_row[turn][x + i * SIDE] = element[part][i];
                if (x == in_part)
                    pivot_col[turn][y + i * SIDE] = element[i][part];
            }
            /* Barrier: row and column are complete before anyone reads them. Everyone has read those of the last step,
             * whose place the next step overwrites. */
            __syncthreads();
            const real pivot = pivot_row[turn][k], inverse = 1 / pivot;
            if (x == 0 && y == 0)
                lu_bad_pivot_note(bad_pivot, k0 + k, (double)pivot);
#pragma unroll
            for (int i = part; i < EACH; i++) {
                const real factor = pivot_col[turn][y + i * SIDE] * inverse;
                if (y + i * SIDE <= k)
                    continue;
                if (x == in_part)
                    element[i][part] = factor;
#pragma unroll
                for (int j = part; j < EACH; j++)
                    if (x + j * SIDE > k)
                        element[i][j] -= factor * pivot_row[turn][x + j * SIDE];
            }
        }
#pragma unroll
    for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++)
            if (y + i * SIDE < size && x + j * SIDE < size)
                a[(y + i * SIDE) * n + x + j * SIDE] = element[i][j];
}

/* --- L below the diagonal block, and U to its right --- */

enum { LINES = 64 }; /* number of threads of a block; each solves one row of L or one column of U */

template <typename real, int CHUNK> struct work_area {
    /* A square of L00 or U00. 16 bytes of padding keep its rows aligned and move them to different banks. */
    alignas(16) real square[CHUNK][CHUNK + 16 / sizeof(real)];
    real strip[LINES][CHUNK + 1];
    real inverse[CHUNK];
};

/* L10 = A10 / U00: a thread for each of LINES rows. The rows pass through shared memory, so that the threads access
 * global memory along rows. */
template <typename real, int TILE>
static __device__ void solve_left(int64_t n, int64_t k0, int64_t first_row, real *a,
                                  work_area<real, shape<TILE>::CHUNK> &area)
{
    enum { CHUNK = shape<TILE>::CHUNK };
    const int t = threadIdx.x;
    const auto copy_strip = [&](int col, bool store) {
        for (int i = t; i < LINES * CHUNK; i += LINES) {
            const int64_t row = first_row + i / CHUNK;
            if (row < n) {
                real &outside = a[row * n + k0 + col + i % CHUNK];
                real &inside = area.strip[i / CHUNK][i % CHUNK];
                (store ? outside : inside) = store ? inside : outside;
            }
        }
    };
    const auto load_square = [&](int row, int col) {
        for (int i = t; i < CHUNK * CHUNK; i += LINES)
            area.square[i / CHUNK][i % CHUNK] = a[(k0 + row + i / CHUNK) * n + k0 + col + i % CHUNK];
    };
    for (int col = 0; col < TILE; col += CHUNK) {
        real x[CHUNK];
        copy_strip(col, false);
        __syncthreads(); /* the strip is complete before anyone reads it */
#pragma unroll
        for (int j = 0; j < CHUNK; j++)
            x[j] = area.strip[t][j];
        __syncthreads(); /* everyone has read the strip before another one overwrites it */
        for (int before = 0; before < col; before += CHUNK) {
            copy_strip(before, false);
            load_square(before, col);
            __syncthreads(); /* strip and square are complete before anyone reads them */
            for (int k = 0; k < CHUNK; k++) {
                const real factor = area.strip[t][k];
#pragma unroll
                for (int j = 0; j < CHUNK; j++)
                    x[j] -= factor * area.square[k][j];
            }
            __syncthreads(); /* everyone has read strip and square before the next ones overwrite them */
        }
        load_square(col, col);
        if (t < CHUNK)
            area.inverse[t] = 1 / a[(k0 + col + t) * n + k0 + col + t];
        __syncthreads(); /* the square is complete before anyone reads it */
#pragma unroll
        for (int k = 0; k < CHUNK; k++) {
            x[k] *= area.inverse[k];
            area.strip[t][k] = x[k];
#pragma unroll
            for (int j = k + 1; j < CHUNK; j++)
                x[j] -= x[k] * area.square[k][j];
        }
        __syncthreads(); /* the strip is complete before it is stored */
        copy_strip(col, true);
        __syncthreads(); /* the strip is stored before the next one overwrites it, and before anyone loads it from A */
    }
}

/* U01 = L00^-1 A01: a thread for each of LINES columns. */
template <typename real, int TILE>
static __device__ void solve_upper(int64_t n, int64_t k0, int64_t first_col, real *a,
                                   work_area<real, shape<TILE>::CHUNK> &area)
{
    enum { CHUNK = shape<TILE>::CHUNK };
    const int t = threadIdx.x;
    const bool inside = first_col + t < n;
    real *own = a + k0 * n + (inside ? first_col + t : n - 1); /* a thread without a column only reads the last one */
    /* The square is transposed: a column of L is a row in shared memory. */
    const auto load_square = [&](int row, int col) {
        for (int i = t; i < CHUNK * CHUNK; i += LINES)
            area.square[i % CHUNK][i / CHUNK] = a[(k0 + row + i / CHUNK) * n + k0 + col + i % CHUNK];
        __syncthreads(); /* the square is complete before anyone reads it */
    };
    for (int row = 0; row < TILE; row += CHUNK) {
        real x[CHUNK];
#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            x[i] = own[(row + i) * n];
        for (int before = 0; before < row; before += CHUNK) {
            load_square(row, before);
#pragma unroll 4
            for (int k = 0; k < CHUNK; k++) {
                const real factor = own[(before + k) * n];
#pragma unroll
                for (int i = 0; i < CHUNK; i++)
                    x[i] -= area.square[k][i] * factor;
            }
            __syncthreads(); /* everyone has read the square before another is loaded */
        }
        load_square(row, row);
#pragma unroll
        for (int k = 0; k < CHUNK; k++)
#pragma unroll
            for (int i = k + 1; i < CHUNK; i++)
                x[i] -= area.square[k][i] * x[k];
        __syncthreads(); /* everyone has read the square before the next one overwrites it */
#pragma unroll
        for (int i = 0; i < CHUNK; i++)
            if (inside)
                own[(row + i) * n] = x[i];
    }
}

/* blockIdx.y chooses L or U. The two parts share no elements that either of them writes. */
template <typename real, int TILE>
__global__ void __launch_bounds__(LINES) lu_blocked_solve(int64_t n, int64_t k0, real *a)
{
    __shared__ work_area<real, shape<TILE>::CHUNK> area;
    const int64_t first = k0 + TILE + (int64_t)blockIdx.x * LINES;
    if (blockIdx.y == 0)
        solve_left<real, TILE>(n, k0, first, a, area);
    else
        solve_upper<real, TILE>(n, k0, first, a, area);
}

/* --- The update of the rest --- */

enum { BM = 128, BN = 64, BK = 8, TM = 8, TN = 8 };
enum { THREADS_X = BN / TN, THREADS_Y = BM / TM, UPDATE_THREADS = THREADS_X * THREADS_Y };

/* The elements that one instruction loads or stores: 16 bytes. */
template <typename real> struct alignas(16) vector {
    enum { LENGTH = 16 / sizeof(real) };
    real at[LENGTH];
};

/* BK columns of L, transposed, and BK rows of U. 16 bytes of padding in a row of L spread the stores over the banks. */
template <typename real> struct slab {
    alignas(16) real l[BK][BM + 16 / sizeof(real)];
    alignas(16) real u[BK][BN];
};

/* Copies an element to shared memory, or a zero. A GPU that can does so without registers; the copy is complete after
 * copy_async_wait_all(). */
template <typename real> static __device__ void copy_or_zero(real *to, const real *from, bool inside)
{
#if __CUDA_ARCH__ >= 800
    copy_async<sizeof(real)>(to, from, inside ? (int)sizeof(real) : 0);
#else
    *to = inside ? *from : 0;
#endif
}

/* Copies columns k to k + BK - 1 of L and the same rows of U, with zeros beyond the last row or column. */
template <typename real>
static __device__ void fetch(int64_t n, int64_t k, int64_t first_row, int64_t first_col, const real *a, slab<real> &to)
{
    const int t = threadIdx.x;
#pragma unroll
    for (int i = 0; i < BM * BK; i += UPDATE_THREADS) {
        const int row = (i + t) / BK, col = (i + t) % BK;
        const bool inside = first_row + row < n;
        copy_or_zero(&to.l[col][row], a + (inside ? first_row + row : 0) * n + k + col, inside);
    }
#pragma unroll
    for (int i = 0; i < BK * BN; i += UPDATE_THREADS) {
        const int row = (i + t) / BN, col = (i + t) % BN;
        const bool inside = first_col + col < n;
        copy_or_zero(&to.u[row][col], a + (k + row) * n + (inside ? first_col + col : 0), inside);
    }
}

template <typename real> static __device__ void multiply(const slab<real> &slab, int x, int y, real (&sum)[TM][TN])
{
    enum { V = vector<real>::LENGTH };
#pragma unroll
    for (int k = 0; k < BK; k++) {
        vector<real> l[TM / V], u[TN / V];
#pragma unroll
        for (int i = 0; i < TM / V; i++)
            l[i] = *(const vector<real> *)&slab.l[k][(y + i * THREADS_Y) * V];
#pragma unroll
        for (int j = 0; j < TN / V; j++)
            u[j] = *(const vector<real> *)&slab.u[k][(x + j * THREADS_X) * V];
#pragma unroll
        for (int i = 0; i < TM; i++)
#pragma unroll
            for (int j = 0; j < TN; j++)
                sum[i][j] += l[i / V].at[i % V] * u[j / V].at[j % V];
    }
}

/* a[i] -= sum[i] for i < V, as far as i < count. */
template <typename real> static __device__ void subtract(real *a, const real *sum, int64_t count, bool aligned)
{
    enum { V = vector<real>::LENGTH };
    if (aligned && count >= V) {
        vector<real> value = *(vector<real> *)a;
#pragma unroll
        for (int v = 0; v < V; v++)
            value.at[v] -= sum[v];
        *(vector<real> *)a = value;
        return;
    }
#pragma unroll
    for (int v = 0; v < V; v++)
        if (v < count)
            a[v] -= sum[v];
}

/* A11 -= L10 U01: a thread block for BM x BN elements of A11. Two slabs take turns: while the threads multiply one, the
 * next one is being copied. */
template <typename real>
__global__ void __launch_bounds__(UPDATE_THREADS, 2) lu_blocked_update(int64_t n, int64_t k0, int tile, real *a)
{
    enum { V = vector<real>::LENGTH };
    __shared__ slab<real> slabs[2];
    const int64_t first_row = k0 + tile + (int64_t)blockIdx.y * BM;
    const int64_t first_col = k0 + tile + (int64_t)blockIdx.x * BN;
    /* Neighbouring lanes share their columns, and lanes two apart share their rows. Shared memory then serves reads of
     * 16 bytes for two quarters of a warp at once. */
    const int t = threadIdx.x;
    const int y = (t & 1) | (t >> 1 & 2) | (t >> 3 & ~3);
    const int x = (t >> 1 & 1) | (t >> 2 & 6);
    real sum[TM][TN] = {};
    fetch(n, k0, first_row, first_col, a, slabs[0]);
    for (int k = 0; k < tile; k += BK) {
        copy_async_wait_all();
        __syncthreads(); /* the slab is complete before anyone reads it, and the other one is read before its refill */
        if (k + BK < tile)
            fetch(n, k0 + k + BK, first_row, first_col, a, slabs[k / BK + 1 & 1]);
        multiply(slabs[k / BK & 1], x, y, sum);
    }
#pragma unroll
    for (int i = 0; i < TM; i++) {
        const int64_t row = first_row + (y + i / V * THREADS_Y) * V + i % V;
        if (row < n)
#pragma unroll
            for (int j = 0; j < TN; j += V) {
                const int64_t col = first_col + (x + j / V * THREADS_X) * V;
                subtract(a + row * n + col, &sum[i][j], n - col, n % V == 0);
            }
    }
}

/* --- The whole factorisation --- */

static unsigned blocks(int64_t elements, int64_t each)
{
    return (unsigned)((elements + each - 1) / each);
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const int64_t n = job->cell->n;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    const dim3 diagonal(shape<TILE>::SIDE, shape<TILE>::SIDE);
    real *a = (real *)job->operand[0];
    for (int64_t k0 = 0; k0 < n; k0 += TILE) {
        const int64_t rest = n - k0 - TILE;
        lu_blocked_diagonal<real, TILE><<<1, diagonal, 0, stream>>>(n, k0, a, (lu_bad_pivot *)job->state);
        if (rest <= 0)
            break;
        lu_blocked_solve<real, TILE><<<dim3(blocks(rest, LINES), 2), LINES, 0, stream>>>(n, k0, a);
        lu_blocked_update<<<dim3(blocks(rest, BN), blocks(rest, BM)), UPDATE_THREADS, 0, stream>>>(n, k0, TILE, a);
    }
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_LAUNCH_BY_TILE(TILES)

CUDA_ENTRY int lu_cuda_blocked_prepare(struct job *job)
{
    job->state = lu_bad_pivot_new(job);
    return job->state ? 0 : -1;
}

CUDA_ENTRY_BY_FLOAT(lu_cuda_blocked)

CUDA_ENTRY int lu_cuda_blocked_check(struct job *job)
{
    return lu_bad_pivot_check(job, (lu_bad_pivot *)job->state);
}

CUDA_ENTRY void lu_cuda_blocked_release(struct job *job)
{
    cudaFree(job->state);
    job->state = NULL;
}

#else

static const char *reject(const struct cell *cell)
{
    const char *reason = cuda_built_reason("tile", cell->tile, CUDA_LIST(TILES));
    return reason ? reason : cuda_rows_reason("n", cell->n, 128);
}

VARIANT(lu, cuda_blocked) = {
    .summary = "right-looking by blocks of columns, one trailing update for each block",
    .summary_ru = "по блокам столбцов, за каждым блоком обновление остатка матрицы",
    .source = "feup",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 64},
    .typical_gflops = 3000,
    .reject = reject,
    .unmodelled = "its accesses differ from step to step",
};

#endif
