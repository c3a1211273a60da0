/* Scales A and B to integers and takes their residues. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT
 *
 * A row is a row of A, or a column of B. A first kernel finds its largest element and the mean of its absolute values,
 * a second one writes residues in tiles of 128 rows of 128 bytes along k, as wgmma_describe() wants them. What the
 * kernels note of a row tells later whether the products with its integers are as exact as those of f64. */
#ifndef TILELAB_COMMON_RESIDUE_TILES_CUH
#define TILELAB_COMMON_RESIDUE_TILES_CUH

#include <stdint.h>

#include "residues.h"

struct residue_tile {
    enum { ROWS = 128, BK = 128, BYTES = ROWS * BK, VECTORS = BYTES / 16 };
};

/* A row can be scaled; its mean is not too small beside its largest element; no element exists but zeros; an element
 * was rounded. */
enum { ROW_FITS = 1, ROW_EVEN = 2, ROW_ZERO = 4, ROW_ROUNDED = 8 };

struct __align__(32) residue_row
{
    double up, down;  /* from elements to integers, and back */
    double over_mean; /* one over the mean of the absolute values of the integers */
    unsigned clipped; /* sum of the integers' absolute values up to the mean, in RESIDUES_CLIPPED parts of the mean */
    unsigned state;
};

/* Rows whose elements are `ld_row` and `ld_k` apart. */
struct residue_source {
    const double *from;
    int64_t ld_row, ld_k, rows, k;
    int bits; /* of integers */
};

static __device__ inline uint32_t residue_pack(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return __byte_perm(__byte_perm(a, b, 0x0040), __byte_perm(c, d, 0x0040), 0x5410);
}

/* What the largest element and the sum of the absolute values say of a row. `high` is the high word of the largest. */
static __device__ inline residue_row residue_judge(unsigned high, double sum, const residue_source &source,
                                                   double most_crest)
{
    const int exponent = (int)(high >> 20) - 1022; /* all elements are below 2^exponent */
    if (sum == 0)
        return {1, 1, 0, 0, ROW_FITS | ROW_EVEN | ROW_ZERO};
    if (exponent < -RESIDUES_RANGE || exponent > RESIDUES_RANGE)
        return {0, 0, 0, 0, 0};
    const double up = __hiloint2double((1023 + source.bits - exponent) << 20, 0);
    const double down = __hiloint2double((1023 + exponent - source.bits) << 20, 0);
    const double mean = sum / (double)source.k * up, one = __hiloint2double((1023 + source.bits) << 20, 0);
    return {up, down, 1 / mean, 0, one <= most_crest * mean ? ROW_FITS | ROW_EVEN : (unsigned)ROW_FITS};
}

struct residue_measure {
    enum { SLICES = 16 };
};

/* The grid covers all rows of the tiles. ALONG_K: elements of a row are neighbours, and a warp has a row. Else rows are
 * neighbours, and a block has 32 of them. */
template <bool ALONG_K>
__global__ void __launch_bounds__(32 * residue_measure::SLICES)
    product_residue_measure(residue_source source, double most_crest, residue_row *__restrict__ rows)
{
    enum { SLICES = residue_measure::SLICES };
    __shared__ double sums[SLICES][32];
    __shared__ unsigned highs[SLICES][32];
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t row = (int64_t)blockIdx.x * (ALONG_K ? SLICES : 32) + (ALONG_K ? y : x);
    const double *const from = source.from + row * source.ld_row;
    unsigned high = 0;
    double sum = 0;
    if (row < source.rows)
#pragma unroll 8
        for (int64_t at = ALONG_K ? x : y; at < source.k; at += ALONG_K ? 32 : SLICES) {
            const double size = fabs(__ldg(from + at * source.ld_k));
            high = max(high, (unsigned)__double2hiint(size));
            sum += size;
        }
    if (ALONG_K) {
        for (int apart = 16; apart > 0; apart /= 2) {
            high = max(high, __shfl_xor_sync(0xFFFFFFFF, high, apart));
            sum += __shfl_xor_sync(0xFFFFFFFF, sum, apart);
        }
        if (x == 0)
            rows[row] = residue_judge(high, sum, source, most_crest);
        return;
    }
    sums[y][x] = sum;
    highs[y][x] = high;
    __syncthreads(); /* all slices are summed */
    if (y > 0)
        return;
    for (int slice = 1; slice < SLICES; slice++) {
        sum += sums[slice][x];
        high = max(high, highs[slice][x]);
    }
    rows[row] = residue_judge(high, sum, source, most_crest);
}

struct residue_convert {
    enum { ROWS = 32, THREADS = 256, ROW = residue_tile::BK + 9, PARTS = ROWS * residue_tile::BK / THREADS };
};

/* A block converts 32 rows of one step along k. Blocks of neighbours in memory are neighbours in the grid. */
template <bool ALONG_K>
__global__ void __launch_bounds__(residue_convert::THREADS)
    product_residue_convert(residue_source source, const __grid_constant__ residues plan, int64_t groups, int64_t steps,
                            residue_row *__restrict__ rows, uint4 *__restrict__ to)
{
    typedef residue_convert block;
    enum { BK = residue_tile::BK };
    /* Sixteen elements along k are read by one thread: a gap after them leads the next thread to another bank. */
    __shared__ double staged[block::ROWS * block::ROW];
    const int thread = threadIdx.x;
    const int64_t step = ALONG_K ? blockIdx.x % steps : blockIdx.x / groups;
    const int64_t group = ALONG_K ? blockIdx.x / steps : blockIdx.x % groups;
    const int64_t first_row = group * block::ROWS, first_k = step * BK;
#pragma unroll
    for (int part = 0; part < block::PARTS; part++) {
        const int at = thread + part * block::THREADS;
        const int row = ALONG_K ? at / BK : at % block::ROWS, col = ALONG_K ? at % BK : at / block::ROWS;
        const bool exists = first_row + row < source.rows && first_k + col < source.k;
        const double *const from = source.from + (first_row + row) * source.ld_row + (first_k + col) * source.ld_k;
        staged[row * block::ROW + col + col / 16] = exists ? __ldg(from) : 0;
    }
    __syncthreads(); /* the elements are staged */

    const int row = thread / 8, chunk = thread % 8;
    residue_row *const facts = rows + first_row + row;
    const double up = facts->up, down = facts->down, over_mean = facts->over_mean;
    double x[16], clipped = 0;
    bool rounded = false;
#pragma unroll
    for (int i = 0; i < 16; i++) {
        const double value = staged[row * block::ROW + chunk * 17 + i];
        x[i] = residues_integer(value, up);
        rounded = rounded || x[i] * down != value; /* value * up may underflow */
        clipped += fmin(fabs(x[i]) * over_mean, 1.0);
    }
    for (int apart = 4; apart > 0; apart /= 2)
        clipped += __shfl_xor_sync(0xFFFFFFFF, clipped, apart);
    const unsigned of_row = __ballot_sync(0xFFFFFFFF, rounded) >> thread % 32 / 8 * 8 & 0xFF;
    if (chunk == 0) {
        atomicAdd(&facts->clipped, (unsigned)(clipped * RESIDUES_CLIPPED));
        if (of_row)
            atomicOr(&facts->state, (unsigned)ROW_ROUNDED);
    }

    const int64_t in_tile = first_row % residue_tile::ROWS + row;
    to += ((first_row / residue_tile::ROWS * steps + step) * residue_tile::ROWS + in_tile) * 8 + (chunk ^ row % 8);
    const int64_t apart = groups * block::ROWS / residue_tile::ROWS * steps * residue_tile::VECTORS;
    for (int i = 0; i < plan.count; i++, to += apart) {
        const double modulus = plan.modulus[i], inverse = plan.inverse[i];
        uint32_t four[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            uint32_t r[4];
#pragma unroll
            for (int o = 0; o < 4; o++)
                r[o] = residues_of_integer(x[4 * j + o], modulus, inverse);
            four[j] = residue_pack(r[0], r[1], r[2], r[3]);
        }
        *to = make_uint4(four[0], four[1], four[2], four[3]);
    }
}

/* What is true of all rows of a group. Products of integers are good if one of these is true of both their groups. */
enum { ROWS_EXACT = 1, ROWS_EVEN = 2 };

struct residue_group {
    enum { ROWS = 2 * residue_tile::ROWS };
};

/* A block looks at one group of rows. */
static __global__ void __launch_bounds__(residue_group::ROWS)
    product_residue_look(unsigned least_clipped, const residue_row *__restrict__ rows, uint8_t *__restrict__ groups,
                         unsigned *begun)
{
    const residue_row row = rows[(int64_t)blockIdx.x * residue_group::ROWS + threadIdx.x];
    const bool exact = (row.state & ROW_FITS) && !(row.state & ROW_ROUNDED);
    const bool even = (row.state & ROW_ZERO) || ((row.state & ROW_EVEN) && row.clipped >= least_clipped);
    const bool all_exact = __syncthreads_and(exact), all_even = __syncthreads_and(even);
    if (threadIdx.x == 0)
        groups[blockIdx.x] = (all_exact ? ROWS_EXACT : 0) | (all_even ? ROWS_EVEN : 0);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *begun = 0; /* for the products, which follow */
}

#endif
