/* Products of residues, for compute capability 9.0a: one product of bytes for each modulus.
 * SPDX-License-Identifier: MIT
 *
 * A block stays on its multiprocessor and computes one tile of C after another. Two neighbouring blocks, a cluster,
 * share the tile of B: each of them copies a half of it into the shared memory of both. One thread of a warpgroup of
 * producers starts the copies. Each of the two warpgroups of consumers owns 64 rows of C. It stores residues of its
 * sums in the order of its registers, so that a warp stores 512 neighbouring bytes. */
#ifndef TILELAB_COMMON_RESIDUE_WGMMA_CUH
#define TILELAB_COMMON_RESIDUE_WGMMA_CUH

#include "product_tiles.cuh"
#include "wgmma.cuh"
#include "residue_tiles.cuh"
#include "residues.h"

struct residue_wgmma {
    enum {
        BM = residue_tile::ROWS,
        BN = 2 * residue_tile::ROWS,
        STAGES = 4,
        CLUSTER = 2, /* neighbours along the rows of C, which together compute a tile of a group by a group */
        GROUP = 128, /* threads of a warpgroup */
        CONSUMERS = 2,
        THREADS = (1 + CONSUMERS) * GROUP,
        /* A multiple of 8 each. Together the three warpgroups have 3 x 168 registers a thread. */
        PRODUCER_REGISTERS = 24,
        CONSUMER_REGISTERS = 240,
        SUMS = BN / 2,       /* of a thread */
        WORDS = BM * BN / 4, /* of the residues of a tile of C */
        SHARED_BYTES = STAGES * ((BM + BN) * residue_tile::BK + 2 * 8),
    };
};

struct residue_wgmma_shared {
    int8_t a[residue_wgmma::STAGES][residue_tile::BYTES];
    int8_t b[residue_wgmma::STAGES][residue_wgmma::CLUSTER][residue_tile::BYTES];
    unsigned long long full[residue_wgmma::STAGES], empty[residue_wgmma::STAGES]; /* barriers */
};

/* The product of a modulus has tiles_m x tiles_n tiles of C, where tiles_m is even, and steps tiles along k. If it is
 * symmetric, B is A^T, and clusters own tiles on and below the diagonal only. */
struct residue_product {
    bool symmetric;
    int tiles_m, tiles_n, steps;
    const uint4 *a, *b; /* tiles of the residues of A by rows and of B by columns, one modulus after another */
    const uint8_t *groups_a, *groups_b; /* of rows of A and of columns of B, see product_residue_look() */
    unsigned *begun;                    /* tiles that clusters have begun; 0 at first */
    uint32_t *c; /* four residues each: of element (16 w + g, 8 j + 2 t), its right neighbour, and both 8 below */
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

static __device__ inline unsigned residue_rank()
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* All threads of both blocks wait for each other. */
static __device__ inline void residue_meet()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

/* Arrives at the barrier of the block with this rank. */
static __device__ inline void residue_arrive(unsigned long long *count, unsigned rank)
{
    asm volatile("{\n.reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(wgmma_address(count)),
                 "r"(rank)
                 : "memory");
}

/* bulk_copy() to the same place in both blocks, whose barriers both count it. */
static __device__ inline void residue_copy_to_both(void *to, const void *from, int bytes, unsigned long long *count)
{
    const uint16_t both = 3;
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;" ::"r"(wgmma_address(to)),
                 "l"(from), "r"(bytes), "r"(wgmma_address(count)), "h"(both)
                 : "memory");
}

/* sum (64 x 256) = a (64 x 32) b^T + (accumulate ? sum : 0) in signed bytes, by description. b has 256 rows. With w =
 * warp of the warpgroup, g = lane / 4 and t = lane % 4, a thread holds in sum[4 j + 2 i + o] element
 * (16 w + 8 i + g, 8 j + 2 t + o). */
#define RESIDUE_FOUR(i) "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
#define RESIDUE_SIXTEEN(i) RESIDUE_FOUR(i), RESIDUE_FOUR(i + 4), RESIDUE_FOUR(i + 8), RESIDUE_FOUR(i + 12)
static __device__ inline void residue_multiply(int32_t (&sum)[128], uint64_t a, uint64_t b, bool accumulate)
{
    asm volatile("{\n.reg .pred accumulate;\n"
                 "setp.ne.b32 accumulate, %130, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "
                 "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "
                 "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
                 "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, "
                 "%66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "
                 "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, "
                 "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, "
                 "%126, %127"
                 "}, %128, %129, accumulate;\n}"
                 : RESIDUE_SIXTEEN(0), RESIDUE_SIXTEEN(16), RESIDUE_SIXTEEN(32), RESIDUE_SIXTEEN(48),
                   RESIDUE_SIXTEEN(64), RESIDUE_SIXTEEN(80), RESIDUE_SIXTEEN(96), RESIDUE_SIXTEEN(112)
                 : "l"(a), "l"(b), "r"((int)accumulate));
}

/* A tile of C and its modulus. */
struct residue_work {
    int modulus, m, n;
    bool good; /* else another kernel computes the tile */
};

/* Of the products of one modulus. */
static __device__ inline int64_t residue_clusters(const residue_product &of)
{
    const int64_t side = of.tiles_m / residue_wgmma::CLUSTER;
    return of.symmetric ? side * (side + 1) / 2 : side * of.tiles_n;
}

static __device__ inline residue_work residue_work_at(const residue_product &of, int64_t at)
{
    const int64_t clusters = residue_clusters(of), side = of.tiles_m / residue_wgmma::CLUSTER;
    const product_tile own =
        of.symmetric ? product_triangle_at(at % clusters, side, 1) : product_tile_at(at % clusters, side, of.tiles_n);
    return {(int)(at / clusters), (int)own.m * residue_wgmma::CLUSTER + (int)residue_rank(), (int)own.n,
            (of.groups_a[own.m] & of.groups_b[own.n]) != 0};
}

/* Counts a tile that the cluster begins, and waits until all clusters have begun as many. Clusters that walk along k
 * together read the same tiles, so that the L2 cache serves all of them but one; apart from each other, they read from
 * memory. A cluster that does not come is not waited for: the result does not depend on this. */
static __device__ inline void residue_keep_pace(const residue_product &of, int rank, int64_t awaited)
{
    enum { POLLS = 100, NANOSECONDS = 100 };
    if (rank == 0)
        atomicAdd(of.begun, 1);
    for (int poll = 0; poll < POLLS && *(volatile unsigned *)of.begun < awaited; poll++)
        __nanosleep(NANOSECONDS);
}

/* The thread that produces. */
static __device__ inline void residue_produce(residue_wgmma_shared *shared, const residue_product &of, int64_t first,
                                              int64_t last, int64_t apart)
{
    typedef residue_wgmma tile;
    enum { VECTORS = residue_tile::BYTES / 16 };
    const int rank = (int)residue_rank();
    for (int64_t at = first, stage = 0, parity = 1; at < last; at += apart) {
        const residue_work own = residue_work_at(of, at);
        residue_keep_pace(of, rank, min(at / apart * apart + apart, last));
        if (!own.good)
            continue;
        const int64_t of_a = (int64_t)own.modulus * of.tiles_m + own.m;
        const int64_t of_b = ((int64_t)own.modulus * of.tiles_n + own.n) * tile::CLUSTER + rank;
        const uint4 *a = of.a + of_a * of.steps * VECTORS, *b = of.b + of_b * of.steps * VECTORS;
        for (int step = 0; step < of.steps; step++, a += VECTORS, b += VECTORS) {
            mbarrier_wait(&shared->empty[stage], parity); /* the consumers of both blocks have read the last tiles */
            mbarrier_expect(&shared->full[stage], (1 + tile::CLUSTER) * residue_tile::BYTES);
            bulk_copy(shared->a[stage], a, residue_tile::BYTES, &shared->full[stage]);
            residue_copy_to_both(shared->b[stage][rank], b, residue_tile::BYTES, &shared->full[stage]);
            stage = stage + 1 < tile::STAGES ? stage + 1 : 0;
            parity ^= stage == 0;
        }
    }
}

/* Stores the residues of a thread's sums. */
static __device__ inline void residue_store(const int32_t (&sum)[128], int32_t divisor, int32_t reciprocal, uint4 *to)
{
#pragma unroll
    for (int i = 0; i < residue_wgmma::SUMS; i += 16) {
        uint32_t four[4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            uint32_t r[4];
#pragma unroll
            for (int o = 0; o < 4; o++)
                r[o] = residues_of_sum(sum[i + 4 * j + o], divisor, reciprocal);
            four[j] = residue_pack(r[0], r[1], r[2], r[3]);
        }
        to[i / 16 * residue_wgmma::GROUP] = make_uint4(four[0], four[1], four[2], four[3]);
    }
}

/* A warpgroup of consumers. */
static __device__ inline void residue_consume(residue_wgmma_shared *shared, const residue_product &of,
                                              const residues &plan, int64_t first, int64_t last, int64_t apart)
{
    typedef residue_wgmma tile;
    enum { PARTS = residue_tile::BK / 32, VECTORS = tile::BM * tile::BN / 16 };
    const int group = threadIdx.x / tile::GROUP - 1, lane = threadIdx.x % 32;
    int32_t sum[tile::SUMS];
    int stage = 0, parity = 0, before = 0;
    /* Two lanes of a warp tell both blocks that the warp has read a stage. */
    const auto release = [&](int which) {
        if (lane < tile::CLUSTER)
            residue_arrive(&shared->empty[which], lane);
    };

    for (int64_t at = first; at < last; at += apart) {
        const residue_work own = residue_work_at(of, at);
        if (!own.good)
            continue;
        for (int step = 0; step < of.steps; step++) {
            mbarrier_wait(&shared->full[stage], parity); /* the tiles are complete */
            const uint64_t a = wgmma_describe(shared->a[stage] + group * 64 * residue_tile::BK),
                           b = wgmma_describe(shared->b[stage]);
            wgmma_fence();
#pragma unroll
            for (int part = 0; part < PARTS; part++)
                residue_multiply(sum, a + part * 2, b + part * 2, step > 0 || part > 0);
            wgmma_commit();
            wgmma_wait<1>(); /* the step before is multiplied */
            if (step > 0)
                release(before);
            before = stage;
            stage = stage + 1 < tile::STAGES ? stage + 1 : 0;
            parity ^= stage == 0;
        }
        wgmma_wait<0>();
        release(before);
        const int64_t tile_c = ((int64_t)own.modulus * of.tiles_m + own.m) * of.tiles_n + own.n;
        residue_store(sum, plan.divisor[own.modulus], plan.reciprocal[own.modulus],
                      (uint4 *)of.c + tile_c * VECTORS + group * (VECTORS / 2) + threadIdx.x % tile::GROUP);
    }
}

#endif

/* The grid has as many clusters as the device holds at once, at most. */
static __global__ void __launch_bounds__(residue_wgmma::THREADS, 1)
    product_residue_wgmma(const __grid_constant__ residue_product of, const __grid_constant__ residues plan)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    typedef residue_wgmma tile;
    extern __shared__ __align__(1024) unsigned char memory[];
    residue_wgmma_shared *const shared = (residue_wgmma_shared *)memory;
    const int64_t first = blockIdx.x / tile::CLUSTER, apart = gridDim.x / tile::CLUSTER;
    const int64_t last = plan.count * residue_clusters(of);
    if (threadIdx.x == 0)
        for (int stage = 0; stage < tile::STAGES; stage++) {
            mbarrier_init(&shared->full[stage], 1);
            mbarrier_init(&shared->empty[stage], tile::CLUSTER * tile::CONSUMERS * tile::GROUP / 32);
        }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    wgmma_publish(); /* the copy engine uses the barriers too */
    residue_meet();  /* the barriers are ready before a thread of either block uses them */
    if (threadIdx.x < tile::GROUP) {
        wgmma_give_registers<tile::PRODUCER_REGISTERS>();
        if (threadIdx.x == 0)
            residue_produce(shared, of, first, last, apart);
    } else {
        wgmma_take_registers<tile::CONSUMER_REGISTERS>();
        residue_consume(shared, of, plan, first, last, apart);
    }
    __syncwarp();
    residue_meet(); /* the other block may still arrive at barriers of this one */
#endif
}

#endif
