/* Products on tensor cores by one warp and by a thread block: f64 directly, f32 as three TF32 products.
 * For the device part of a kernel file; f64 needs compute capability 8.0, and so does f32.
 * SPDX-License-Identifier: MIT
 *
 * Everything is made of fragments: sum (16 x 8) += a (16 x 8) b (8 x 8). With g = lane / 4 and t = lane % 4, a lane of
 * the warp holds
 *   - in a[2 h + i] element (g + 8 i, t + 4 h) of a;
 *   - in b[h] element (t + 4 h, g) of b;
 *   - in sum[2 i + o] element (g + 8 i, 2 t + o) of the sum. */
#ifndef TILELAB_LU_TENSOR_PRODUCT_CUH
#define TILELAB_LU_TENSOR_PRODUCT_CUH

#include "common/product_tiles.cuh"

/* Two neighbours in a row. */
template <typename real> struct __align__(2 * sizeof(real)) pair
{
    real at[2];
};

__device__ static inline void multiply_add(double (&sum)[4], const double (&a)[4], const double (&b)[2])
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
        for (int i = 0; i < 2; i++)
            asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                         : "+d"(sum[2 * i]), "+d"(sum[2 * i + 1])
                         : "d"(a[2 * h + i]), "d"(b[h]));
#endif
}

__device__ static inline void multiply_add_tf32(float (&sum)[4], const uint32_t (&a)[4], const uint32_t (&b)[2])
{
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* The elements of a fragment as big and small TF32 numbers. The big part is rounded, and the tensor cores cut the last
 * bits off the small part, so that 21 bits or more remain. */
template <int COUNT> struct split_fragment {
    uint32_t big[COUNT], small[COUNT];

    __device__ inline void put(int i, float x)
    {
        const uint32_t half = 0x1000, ignored = 0x1FFF;
        big[i] = (__float_as_uint(x) + half) & ~ignored;
        small[i] = __float_as_uint(x - __uint_as_float(big[i]));
    }
};

/* The small products come first, while the sum is small. */
__device__ static inline void multiply_add(float (&sum)[4], const split_fragment<4> &a, const split_fragment<2> &b)
{
    multiply_add_tf32(sum, a.small, b.big);
    multiply_add_tf32(sum, a.big, b.small);
    multiply_add_tf32(sum, a.big, b.big);
}

/* A fragment in the form that multiply_add() takes. */
template <typename real, int COUNT> struct fragment;
template <int COUNT> struct fragment<double, COUNT> {
    double value[COUNT];
    __device__ inline void put(int i, double x)
    {
        value[i] = x;
    }
};
template <int COUNT> struct fragment<float, COUNT> : split_fragment<COUNT> {
};

__device__ static inline void multiply_add(double (&sum)[4], const fragment<double, 4> &a, const fragment<double, 2> &b)
{
    multiply_add(sum, a.value, b.value);
}

/* --- Products of a warp, whose operands lie in shared memory --- */

/* sum (16 FM x 8 FN) += a (16 FM x k) b (k x 8 FN). Rows of a and b are a_row and b_row elements apart. The sums stay
 * on the tensor cores, so that k is small in f32. */
template <int FM, int FN, typename real>
__device__ static inline void warp_multiply(real (&sum)[FM][FN][4], const real *a, int a_row, const real *b, int b_row,
                                            int k)
{
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    a += g * a_row + t;
    b += t * b_row + g;
#pragma unroll 4
    for (int done = 0; done < k; done += 8) {
        fragment<real, 2> right[FN];
        fragment<real, 4> left[FM];
#pragma unroll
        for (int j = 0; j < FN; j++)
#pragma unroll
            for (int h = 0; h < 2; h++)
                right[j].put(h, b[(done + 4 * h) * b_row + 8 * j]);
#pragma unroll
        for (int i = 0; i < FM; i++)
#pragma unroll
            for (int h = 0; h < 4; h++)
                left[i].put(h, a[(16 * i + h % 2 * 8) * a_row + done + h / 2 * 4]);
#pragma unroll
        for (int i = 0; i < FM; i++)
#pragma unroll
            for (int j = 0; j < FN; j++)
                multiply_add(sum[i][j], left[i], right[j]);
    }
}

/* Calls visit(row, col, pair) for each pair of neighbours in a row of sums. */
template <int FM, int FN, typename real, typename visitor>
__device__ static inline void warp_each(real (&sum)[FM][FN][4], const visitor &visit)
{
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
#pragma unroll
    for (int i = 0; i < FM; i++)
#pragma unroll
        for (int half = 0; half < 2; half++)
#pragma unroll
            for (int j = 0; j < FN; j++)
                visit(i * 16 + half * 8 + g, j * 8 + 2 * t, &sum[i][j][half * 2]);
}

/* --- Products of a thread block, whose operands lie in global memory --- */

/* A block of WARPS_M x WARPS_N warps owns BM x BN sums, and a warp FM x FN fragments of them. A ring of STAGES stages
 * holds BK columns of the left operand and BK rows of the right one. */
template <typename real_, int BM_, int BN_, int WARPS_M_, int WARPS_N_> struct block_tile {
    typedef real_ real;
    enum {
        BM = BM_,
        BN = BN_,
        BK = 128 / sizeof(real),
        WARPS_M = WARPS_M_,
        WARPS_N = WARPS_N_,
        THREADS = WARPS_M * WARPS_N * 32,
        FM = BM / WARPS_M / 16,
        FN = BN / WARPS_N / 8,
        STAGES = 4,
        /* Elements from one row to the next in shared memory, so that the lanes that the hardware serves together read
         * different banks. */
        A_ROW = BK + 4,
        B_ROW = BN + (sizeof(real) == 8 ? 4 : 8),
        B_TILE = BM * A_ROW,
        STAGE_SIZE = B_TILE + BK * B_ROW,
        SHARED_BYTES = STAGES * STAGE_SIZE * sizeof(real),
    };
};

/* The sums of a thread. */
template <typename tile> struct block_sums {
    typedef typename tile::real real;
    real sum[tile::FM][tile::FN][4];

    static __device__ inline int warp_row()
    {
        return threadIdx.x / 32 % tile::WARPS_M * (tile::BM / tile::WARPS_M);
    }
    static __device__ inline int warp_col()
    {
        return threadIdx.x / 32 / tile::WARPS_M * (tile::BN / tile::WARPS_N);
    }

    /* Calls visit(row, col, pair) for each pair of neighbours in a row of the tile. */
    template <typename visitor> __device__ inline void each(const visitor &visit)
    {
        const int row = warp_row(), col = warp_col();
        warp_each(sum, [&](int i, int j, real *pair) { visit(row + i, col + j, pair); });
    }

    /* sum = -c, where only rows x cols elements of c exist. WIDE: pairs of elements are aligned, and exist or not. */
    template <bool WIDE> __device__ inline void load_negative(const real *c, int64_t ld, int rows, int cols)
    {
        each([&](int row, int col, real *two) {
            const real *const from = c + row * ld + col;
            pair<real> value = {};
            if (WIDE && row < rows && col < cols)
                value = *(const pair<real> *)from;
            if (!WIDE && row < rows && col < cols)
                value.at[0] = from[0];
            if (!WIDE && row < rows && col + 1 < cols)
                value.at[1] = from[1];
            two[0] = -value.at[0];
            two[1] = -value.at[1];
        });
    }

    __device__ inline void clear()
    {
        each([](int, int, real *two) { two[0] = two[1] = 0; });
    }

    /* Asks for the tile that subtract_from() will read, so that it comes to the L2 cache meanwhile. */
    static __device__ inline void prefetch(const real *c, int64_t ld, int rows, int cols)
    {
        enum { LINE = 128 / sizeof(real), LINES = tile::BN / LINE };
        for (int at = threadIdx.x; at < tile::BM * LINES; at += tile::THREADS)
            if (at / LINES < rows && at % LINES * LINE < cols)
                asm volatile("prefetch.global.L2 [%0];" ::"l"(c + at / LINES * ld + at % LINES * LINE));
    }

    /* c -= sum, likewise. A thread loads the elements of the next fragments before it stores the last ones. */
    template <bool WIDE> __device__ inline void subtract_from(real *c, int64_t ld, int rows, int cols)
    {
        const int lane = threadIdx.x % 32, row = warp_row() + lane / 4, col = warp_col() + lane % 4 * 2;
        pair<real> old[2][2][tile::FN];
        const auto each_pair = [&](int i, bool store) {
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int j = 0; j < tile::FN; j++) {
                    const int r = row + i * 16 + half * 8, k = col + j * 8;
                    real *const at = c + r * ld + k;
                    pair<real> &value = old[i % 2][half][j];
                    const real *const two = &sum[i][j][half * 2];
                    if (store)
                        value = {{value.at[0] - two[0], value.at[1] - two[1]}};
                    if (WIDE && r < rows && k < cols) {
                        if (store)
                            *(pair<real> *)at = value;
                        else
                            value = *(const pair<real> *)at;
                    }
                    for (int of = 0; !WIDE && of < 2; of++)
                        if (r < rows && k + of < cols)
                            (store ? at[of] : value.at[of]) = store ? value.at[of] : at[of];
                }
        };
        each_pair(0, false);
#pragma unroll
        for (int i = 0; i < tile::FM; i++) {
            if (i + 1 < tile::FM)
                each_pair(i + 1, false);
            each_pair(i, true);
        }
    }
};

/* sum += a b for a (BM x k) and b (k x BN) in device memory, whose rows lie ld elements apart; k is a multiple of BK.
 * Only `rows` rows of a and `cols` columns of b exist. WIDE: copies move 16 bytes. The object uses the ring between
 * start() and a barrier that follows run(). */
template <typename tile, bool WIDE> struct block_product {
    typedef typename tile::real real;
    enum { BYTES = WIDE ? 16 : sizeof(real), PARTS = tile::BK / 8 };
    typedef product_copy<real, tile::BM, tile::BK, tile::THREADS, BYTES> copy_a;
    typedef product_copy<real, tile::BK, tile::BN, tile::THREADS, BYTES> copy_b;
    real *const ring;
    const real *a, *b;
    const int64_t ld;
    const int rows, cols, steps;
    int fetched;

    __device__ inline block_product(real *ring, const real *a, const real *b, int64_t ld, int rows, int cols, int k)
        : ring(ring), a(a), b(b), ld(ld), rows(rows), cols(cols), steps(k / tile::BK), fetched(0)
    {
    }

    /* Starts the copies of part `unit` of `units` of the next stage. */
    __device__ inline void fetch(int unit, int units, int stage)
    {
        enum { COPIES = copy_a::PARTS + copy_b::PARTS };
        real *const to = ring + stage * tile::STAGE_SIZE;
        if (fetched < steps)
#pragma unroll
            for (int part = unit * COPIES / units; part < (unit + 1) * COPIES / units; part++)
                if (part < copy_a::PARTS)
                    copy_a::part(part, threadIdx.x, to, a, ld, rows, tile::BK,
                                 [](int i, int j) { return i * tile::A_ROW + j; });
                else
                    copy_b::part(part - copy_a::PARTS, threadIdx.x, to + tile::B_TILE, b, ld, tile::BK, cols,
                                 [](int i, int j) { return i * tile::B_ROW + j; });
        if (unit == units - 1) {
            copy_async_commit();
            a += tile::BK;
            b += tile::BK * ld;
            fetched++;
        }
    }

    __device__ inline void start()
    {
#pragma unroll 1
        for (int step = 0; step < tile::STAGES - 1; step++)
            fetch(0, 1, step);
    }

    /* f64: a warp loads fragments one unit ahead; a unit multiplies one fragment of a by all fragments of b. */
    __device__ inline void run(double (&sum)[tile::FM][tile::FN][4])
    {
        enum { UNITS = PARTS * tile::FM };
        const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
        const double *const own_a = ring + (block_sums<tile>::warp_row() + g) * tile::A_ROW + t;
        const double *const own_b = ring + tile::B_TILE + t * tile::B_ROW + block_sums<tile>::warp_col() + g;
        double left[2][4], right[2][tile::FN][2];
        const auto load = [&](int unit, int stage) {
            const int part = unit / tile::FM, i = unit % tile::FM;
            const double *const at_a = own_a + stage * tile::STAGE_SIZE + i * 16 * tile::A_ROW;
            const double *const at_b = own_b + stage * tile::STAGE_SIZE;
#pragma unroll
            for (int h = 0; h < 4; h++)
                left[unit % 2][h] = at_a[h % 2 * 8 * tile::A_ROW + part * 8 + h / 2 * 4];
            if (i == 0)
#pragma unroll
                for (int j = 0; j < tile::FN; j++)
#pragma unroll
                    for (int h = 0; h < 2; h++)
                        right[part % 2][j][h] = at_b[(part * 8 + h * 4) * tile::B_ROW + j * 8];
        };
        copy_async_wait<tile::STAGES - 2>();
        __syncthreads(); /* the first tiles are complete before any thread reads them */
        load(0, 0);
#pragma unroll 1
        for (int step = 0, stage = 0, free_stage = tile::STAGES - 1; step < steps; step++) {
#pragma unroll
            for (int unit = 0; unit < UNITS; unit++) {
                fetch(unit, UNITS, free_stage);
                if (unit == UNITS - 1) {
                    copy_async_wait<tile::STAGES - 2>();
                    /* The next tiles are complete; all threads have read this stage for the last time. */
                    __syncthreads();
                    free_stage = stage;
                    stage = stage + 1 < tile::STAGES ? stage + 1 : 0;
                }
                load((unit + 1) % UNITS, stage);
#pragma unroll
                for (int j = 0; j < tile::FN; j++)
                    multiply_add(sum[unit % tile::FM][j], left[unit % 2], right[unit / tile::FM % 2][j]);
            }
        }
    }

    /* f32: sums over the BK steps of a stage leave the tensor cores, which truncate. */
    __device__ inline void run(float (&sum)[tile::FM][tile::FN][4])
    {
        const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
        const float *const own_a = ring + (block_sums<tile>::warp_row() + g) * tile::A_ROW + t;
        const float *const own_b = ring + tile::B_TILE + t * tile::B_ROW + block_sums<tile>::warp_col() + g;
#pragma unroll 1
        for (int step = 0, stage = 0, free_stage = tile::STAGES - 1; step < steps; step++) {
            copy_async_wait<tile::STAGES - 2>();
            __syncthreads(); /* the step's tiles are complete, and all threads have read those of the step before */
            fetch(0, 1, free_stage);
            const float *const from_a = own_a + stage * tile::STAGE_SIZE;
            const float *const from_b = own_b + stage * tile::STAGE_SIZE;
            free_stage = stage;
            stage = stage + 1 < tile::STAGES ? stage + 1 : 0;
            split_fragment<2> right[PARTS][tile::FN];
#pragma unroll
            for (int part = 0; part < PARTS; part++)
#pragma unroll
                for (int j = 0; j < tile::FN; j++)
#pragma unroll
                    for (int h = 0; h < 2; h++)
                        right[part][j].put(h, from_b[(part * 8 + h * 4) * tile::B_ROW + j * 8]);
#pragma unroll
            for (int i = 0; i < tile::FM; i++) {
                split_fragment<4> left[PARTS];
                float chunk[tile::FN][4] = {};
#pragma unroll
                for (int part = 0; part < PARTS; part++)
#pragma unroll
                    for (int h = 0; h < 4; h++)
                        left[part].put(h, from_a[(i * 16 + h % 2 * 8) * tile::A_ROW + part * 8 + h / 2 * 4]);
#pragma unroll
                for (int part = 0; part < PARTS; part++) {
#pragma unroll
                    for (int j = 0; j < tile::FN; j++)
                        multiply_add_tf32(chunk[j], left[part].small, right[part][j].big);
#pragma unroll
                    for (int j = 0; j < tile::FN; j++)
                        multiply_add_tf32(chunk[j], left[part].big, right[part][j].small);
                }
#pragma unroll
                for (int part = 0; part < PARTS; part++)
#pragma unroll
                    for (int j = 0; j < tile::FN; j++)
                        multiply_add_tf32(chunk[j], left[part].big, right[part][j].big);
#pragma unroll
                for (int j = 0; j < tile::FN; j++)
#pragma unroll
                    for (int of = 0; of < 4; of++)
                        sum[i][j][of] += chunk[j][of];
            }
        }
    }
};

#endif
