/* What a CUDA kernel file needs beyond variant.h: checks for its reject(), and macros for its device part. The macros
 * that CUDA shares with SYCL are explained in device_variant.h.
 * SPDX-License-Identifier: MIT
 *
 * A launch function puts all its work on the job's stream: kernel<<<grid, block, shared_bytes, (cudaStream_t)
 * job->stream>>>(...). A kernel on the default stream is timed as well. Work on any other stream must begin after what
 * the job's stream holds, and the job's stream must wait for its end (cudaStreamWaitEvent); else the runner refuses the
 * variant. The runner undoes what a variant changes of the device, as limits and the use of its caches. Only the heap
 * of malloc stays as prepare has set it.
 *
 * Kernels of products name their tiles alike. A block owns BM x BN elements of C, and takes BK elements along k in a
 * step. A warp owns WM x WN of these elements, on tensor cores as FM x FN fragments, and a thread TM x TN. */
#ifndef TILELAB_CUDA_VARIANT_CUH
#define TILELAB_CUDA_VARIANT_CUH

#include "device_variant.h"

#define CUDA_LIST DEVICE_LIST
#define CUDA_ENTRY_BY_PRECISION DEVICE_ENTRY_BY_PRECISION
#define CUDA_ENTRY_BY_FLOAT DEVICE_ENTRY_BY_FLOAT
#define CUDA_LAUNCH_BY_TILE DEVICE_LAUNCH_BY_TILE
#define CUDA_ENTRY DEVICE_ENTRY

/* Says why a kernel is not built for a value of an axis; NULL: it is. */
static inline const char *cuda_built_reason(const char *axis, int64_t value, const int64_t *built)
{
    return device_built_reason(axis, value, built);
}

/* Says why `tile` does not divide a size; NULL: it does. */
static inline const char *cuda_multiple_reason(const char *name, int64_t size, int64_t tile)
{
    return device_multiple_reason(name, size, tile);
}

/* Says why CUDA refuses a block of so many threads and so much shared memory; NULL: it does not. */
static inline const char *cuda_block_reason(int64_t tile, int64_t threads, int64_t shared_bytes)
{
    enum { THREADS = 1024, SHARED_BYTES = 48 * 1024 };
    if (threads <= THREADS && shared_bytes <= SHARED_BYTES)
        return NULL;
    return cell_reason("a block of tile %lld has %lld threads and %lld bytes of shared memory; CUDA's limits are %d "
                       "and, without opting in, %d",
                       (long long)tile, (long long)threads, (long long)shared_bytes, THREADS, SHARED_BYTES);
}

/* Says why a grid cannot cover so many rows with blocks of `tile` rows along y; NULL: it can. */
static inline const char *cuda_rows_reason(const char *name, int64_t rows, int64_t tile)
{
    enum { BLOCKS_ALONG_Y = 65535 };
    if ((rows + tile - 1) / tile <= BLOCKS_ALONG_Y)
        return NULL;
    return cell_reason("%s = %lld needs more than the %d blocks of %lld rows that CUDA takes along y", name,
                       (long long)rows, BLOCKS_ALONG_Y, (long long)tile);
}

#ifdef __CUDACC__
/* CUDA's words for an error. errno is then ENOMEM if memory was short, else 0. */
extern "C" const char *cuda_error_text(cudaError_t error);

/* If a call of CUDA fails, return from the calling function with the call's text and CUDA's own words. The error is
 * removed from CUDA's record, so that the next cell's launch does not find it there. */
#define CUDA_TRY(job, call) \
    do { \
        const cudaError_t status_ = (call); \
        if (status_ != cudaSuccess) { \
            cudaGetLastError(); \
            return job_fail((job), "%s: %s", #call, cuda_error_text(status_)); \
        } \
    } while (0)

/* The same for a call of cuBLAS, in a file that includes <cublas_v2.h>. */
#define CUBLAS_TRY(job, call) \
    do { \
        const cublasStatus_t status_ = (call); \
        if (status_ != CUBLAS_STATUS_SUCCESS) \
            return job_fail((job), "%s: %s", #call, cublasGetStatusString(status_)); \
    } while (0)
#endif

#endif
