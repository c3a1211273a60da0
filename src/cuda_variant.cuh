/* What a CUDA kernel file needs beyond variant.h: checks for its reject(), and macros for its device part.
 * SPDX-License-Identifier: MIT
 *
 * The set of tiles that a kernel is built for is told once, by a list macro at the top of the kernel's file:
 *     #define TILES(EACH) EACH(8) EACH(16) EACH(32)
 * With CUDA_LIST(TILES) the host part rejects all other tiles. With CUDA_BY_TILE the device part calls the kernel that
 * is built for the tile of a cell. */
#ifndef TILELAB_CUDA_VARIANT_CUH
#define TILELAB_CUDA_VARIANT_CUH

#include "variant.h"

/* The values of a list macro, as an array that ends with 0. */
#define CUDA_LIST_ITEM(value) value,
#define CUDA_LIST(VALUES) ((const int64_t[]){VALUES(CUDA_LIST_ITEM) 0})

/* Says why a kernel cannot run with a value of an axis: it is not in `built`, the kernel's CUDA_LIST. NULL: it is. */
static inline const char *cuda_built_reason(const char *axis, int64_t value, const int64_t *built)
{
    char list[80] = "";
    for (size_t i = 0; built[i] != 0; i++) {
        if (built[i] == value)
            return NULL;
        const char *between = i == 0 ? "" : built[i + 1] != 0 ? ", " : " and ";
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%lld", between, (long long)built[i]);
    }
    return cell_reason("built for %s %s, not %lld", axis, list, (long long)value);
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

/* Says why `tile` does not divide a size; NULL: it does. For kernels that do not guard the edges of a matrix. */
static inline const char *cuda_multiple_reason(const char *name, int64_t size, int64_t tile)
{
    if (size % tile == 0)
        return NULL;
    return cell_reason("%s = %lld is no multiple of tile = %lld, as this algorithm demands", name, (long long)size,
                       (long long)tile);
}

#ifdef __CUDACC__
/* The body of an entry point: launch<float>(job), launch<double>(job) or launch<uint32_t>(job), by the precision. */
#define CUDA_BY_PRECISION(job, launch) \
    switch ((job)->cell->precision) { \
    case F32: \
        return launch<float>(job); \
    case F64: \
        return launch<double>(job); \
    case I32: \
        return launch<uint32_t>(job); \
    } \
    return job_fail((job), "precision %lld has no kernel", (long long)(job)->cell->precision)

/* The same body for a variant without integers. */
#define CUDA_BY_FLOAT(job, launch) \
    switch ((job)->cell->precision) { \
    case F32: \
        return launch<float>(job); \
    case F64: \
        return launch<double>(job); \
    } \
    return job_fail((job), "precision %lld has no kernel", (long long)(job)->cell->precision)

/* The body of a function template launch<real>(job): launch_tile<real, TILE>(job), by the tile. */
#define CUDA_TILE_CASE(tile) \
    case tile: \
        return launch_tile<real, tile>(job);
#define CUDA_BY_TILE(job, TILES) \
    switch ((job)->cell->tile) { \
        TILES(CUDA_TILE_CASE) \
    } \
    return job_fail((job), "tile %lld has no kernel", (long long)(job)->cell->tile)

/* Stands before an entry point: the runner finds entry points by name in the shared object, which hides all else. */
#define CUDA_ENTRY extern "C" __attribute__((visibility("default")))

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
