/* What the kernel files of CUDA and SYCL share: the values that a kernel is built for, and how its entry point chooses
 * among them. Kernel files include cuda_variant.cuh or sycl_variant.h, which name these macros for their backend.
 * SPDX-License-Identifier: MIT
 *
 * A compiler of a device makes better code where the tile is a constant. So a kernel is built for each of a set of
 * tiles, which a list macro at the top of the kernel's file tells once:
 *     #define TILES(EACH) EACH(8) EACH(16) EACH(32)
 * With DEVICE_LIST(TILES) the host part rejects all other tiles. With DEVICE_LAUNCH_BY_TILE the device part calls the
 * kernel that is built for the tile of a cell. */
#ifndef TILELAB_DEVICE_VARIANT_H
#define TILELAB_DEVICE_VARIANT_H

#include "variant.h"

/* The values of a list macro, as an array that ends with 0. */
#define DEVICE_LIST_ITEM(value) value,
#define DEVICE_LIST(VALUES) ((const int64_t[]){VALUES(DEVICE_LIST_ITEM) 0})

/* Says why a kernel cannot run with a value of an axis: it is not in `built`, the kernel's DEVICE_LIST. NULL: it is. */
static inline const char *device_built_reason(const char *axis, int64_t value, const int64_t *built)
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

/* Says why `tile` does not divide a size; NULL: it does. For kernels that do not guard the edges of a matrix. */
static inline const char *device_multiple_reason(const char *name, int64_t size, int64_t tile)
{
    if (size % tile == 0)
        return NULL;
    return cell_reason("%s = %lld is no multiple of tile = %lld, as this algorithm demands", name, (long long)size,
                       (long long)tile);
}

/* Stands before an entry point: the runner finds entry points by name in the shared object, which hides all else. */
#define DEVICE_ENTRY extern "C" __attribute__((visibility("default")))

/* DEVICE_ENTRY_BY_PRECISION(matmul_cuda_shared) is the entry point matmul_cuda_shared_launch(job), which calls
 * launch<float>(job), launch<double>(job) or launch<uint32_t>(job). */
#define DEVICE_ENTRY_BY_PRECISION(symbol) \
    DEVICE_ENTRY int symbol##_launch(struct job *job) \
    { \
        DEVICE_BY_PRECISION(job); \
    }
#define DEVICE_BY_PRECISION(job) \
    switch ((job)->cell->precision) { \
    case F32: \
        return launch<float>(job); \
    case F64: \
        return launch<double>(job); \
    case I32: \
        return launch<uint32_t>(job); \
    } \
    return job_fail((job), "precision %lld has no kernel", (long long)(job)->cell->precision)

/* The same for a variant without integers. */
#define DEVICE_ENTRY_BY_FLOAT(symbol) \
    DEVICE_ENTRY int symbol##_launch(struct job *job) \
    { \
        DEVICE_BY_FLOAT(job); \
    }
#define DEVICE_BY_FLOAT(job) \
    switch ((job)->cell->precision) { \
    case F32: \
        return launch<float>(job); \
    case F64: \
        return launch<double>(job); \
    } \
    return job_fail((job), "precision %lld has no kernel", (long long)(job)->cell->precision)

/* DEVICE_LAUNCH_BY_TILE(TILES) is launch<real>(job), which calls launch_tile<real, TILE>(job). */
#define DEVICE_LAUNCH_BY_TILE(TILES) \
    template <typename real> static int launch(struct job *job) \
    { \
        DEVICE_BY_TILE(job, TILES); \
    }
#define DEVICE_TILE_CASE(tile) \
    case tile: \
        return launch_tile<real, tile>(job);
#define DEVICE_BY_TILE(job, TILES) \
    switch ((job)->cell->tile) { \
        TILES(DEVICE_TILE_CASE) \
    } \
    return job_fail((job), "tile %lld has no kernel", (long long)(job)->cell->tile)

#endif
