/* Names for instructions of compute capability 9.0: clusters of thread blocks, messages between them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_HOPPER_CUH
#define TILELAB_LU_HOPPER_CUH

#include <stdint.h>

/* For older devices the kernels are empty, and the runner does not launch them. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define HOPPER
#endif

enum { WARP_SIZE = 32 };
static const unsigned WHOLE_WARP = 0xFFFFFFFF;

/* A vector of 16 bytes, which one instruction moves. */
template <typename real> struct __align__(16) vector16
{
    enum { COUNT = 16 / sizeof(real) };
    real value[COUNT];
};

/* A barrier in shared memory that counts the bytes of arriving messages. It goes through phases; the parity of the
 * first phase is 0. */
typedef unsigned long long mbarrier;

#ifdef HOPPER

/* The thread block's dynamic shared memory, whose size the launch sets. */
__device__ static inline void *shared_memory()
{
    extern __shared__ uint4 memory[];
    return memory;
}

__device__ static inline unsigned shared_address(const void *pointer)
{
    return (unsigned)__cvta_generic_to_shared(pointer);
}

/* --- Clusters --- */

__device__ static inline int cluster_rank()
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return (int)rank;
}

__device__ static inline int cluster_size()
{
    unsigned size;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    return (int)size;
}

/* After cluster_wait(), a thread sees what any thread of the cluster has written before its cluster_arrive(), in shared
 * and in global memory. Whole warps call these functions. */
__device__ static inline void cluster_arrive()
{
    __syncwarp(); /* the instruction needs all lanes of the warp together */
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

__device__ static inline void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ static inline void cluster_barrier()
{
    cluster_arrive();
    cluster_wait();
}

/* --- Messages between the blocks of a cluster --- */

/* Initialises the barrier. One thread calls this, before a barrier of the cluster. */
__device__ static inline void mbarrier_init(mbarrier *count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(count)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Says how many bytes end the phase; some may have arrived already. One thread calls this, once a phase. */
__device__ static inline void mbarrier_expect(mbarrier *count, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(count)), "r"(bytes)
                 : "memory");
}

/* Waits until the phase with this parity has ended. The thread then sees the bytes that have arrived. */
__device__ static inline void mbarrier_wait(mbarrier *count, int parity)
{
    int ended;
    do
        asm volatile("{\n.reg .pred ended;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
                     "selp.s32 %0, 1, 0, ended;\n}"
                     : "=r"(ended)
                     : "r"(shared_address(count)), "r"(parity)
                     : "memory");
    while (!ended);
}

/* Stores a vector in the shared memory of block `rank` of the cluster. `to` and `count` are addresses in this block;
 * the vector goes to the same address in block `rank`. The barrier `count` of block `rank` counts the bytes. */
template <typename real>
__device__ static inline void send_remote(vector16<real> *to, mbarrier *count, int rank, const vector16<real> &part)
{
    const uint4 value = *(const uint4 *)&part;
    unsigned remote, remote_count;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(shared_address(to)), "r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote_count) : "r"(shared_address(count)), "r"(rank));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], "
                 "{%1, %2, %3, %4}, [%5];" ::"r"(remote),
                 "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(remote_count)
                 : "memory");
}

#endif

#endif
