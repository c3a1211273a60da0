/* What an OpenCL kernel file needs beyond variant.h: the description of its kernel, what it may do on the device, and
 * checks for its reject().
 * SPDX-License-Identifier: MIT
 *
 * A .cl file has two parts: the kernel inside `#ifdef __OPENCL_VERSION__`, then the description, which the C compiler
 * builds. The program carries the text of the whole file. The device's own compiler builds the text when a cell is
 * prepared, with these macros:
 *     REAL, REAL4         the element, float, double or uint, and a vector of four of them
 *     TILE, PADDING       the values of these axes, if the variant supports them
 *     KERNEL              begins a kernel, and tells the compiler the work items of a group: GROUP_X x GROUP_Y
 * The kernel's arguments are those of the sizes m, n and k that the problem has, each a `long`, then the operands. */
#ifndef TILELAB_OPENCL_VARIANT_H
#define TILELAB_OPENCL_VARIANT_H

#include "access.h"

struct opencl_kernel {
    const char *name; /* of the __kernel function */
    /* The groups of a launch and their work items: "blocks" and "threads" of access.h. A device that does not allow so
     * many work items or so much local memory skips the cell. */
    struct geometry (*geometry)(const struct cell *cell);
    int64_t (*local_bytes)(const struct cell *cell); /* NULL: the kernel has no local memory */
};

/* What a variant with a prepare and a run of its own may do (job->opencl). Memory is a memory object of OpenCL, as the
 * operands are. A function that returns int returns 0, or non-zero with job->error set. */
struct opencl {
    /* Memory that is filled with zeros; NULL with job->error set, and errno ENOMEM if memory was short. */
    void *(*allocate)(struct job *job, size_t bytes);
    void (*release)(void *memory);
    /* Queues a copy of `rows` rows of `row_bytes` bytes. The rows are `to_pitch` and `from_pitch` bytes apart. */
    int (*copy_rows)(struct job *job, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t row_bytes,
                     size_t rows);
    /* Queues the kernel over the geometry of the cell, with these sizes and memory as arguments. */
    int (*launch)(struct job *job, const int64_t *sizes, int size_count, void *const *memory, int memory_count);
};

/* Says why no kernel here is written for a tile; NULL: kernels take the tile. A device may still refuse it. */
static inline const char *opencl_tile_reason(const struct cell *cell)
{
    enum { MOST = 64 };
    return cell->tile <= MOST
               ? NULL
               : cell_reason("tile is %lld; a work group has 64 x 64 work items at most", (long long)cell->tile);
}

/* Says why a size is no multiple of the four elements of a vector; NULL: it is one. */
static inline const char *opencl_vector_reason(const char *name, int64_t size)
{
    enum { ELEMENTS = 4 };
    return size % ELEMENTS == 0 ? NULL
                                : cell_reason("%s = %lld is no multiple of %d, the elements of a vector", name,
                                              (long long)size, ELEMENTS);
}

#endif
