/* What a SYCL kernel file needs beyond variant.h: the description of its work groups, checks for its reject(), and how
 * its device part reaches the operands.
 * SPDX-License-Identifier: MIT
 *
 * A .cpp file has two parts. The kernel stands first, inside `#ifdef __cplusplus`: the SYCL compiler builds it into
 * tilelab-sycl.so. The runner finds the entry points there by name: <problem>_<file>_launch and the others that
 * variant.h lists. The C compiler builds the description behind the kernel.
 *
 * The macros that SYCL shares with CUDA are explained in device_variant.h. */
#ifndef TILELAB_SYCL_VARIANT_H
#define TILELAB_SYCL_VARIANT_H

#include "access.h"
#include "device_variant.h"

#define SYCL_LIST DEVICE_LIST
#define SYCL_ENTRY_BY_PRECISION DEVICE_ENTRY_BY_PRECISION
#define SYCL_ENTRY_BY_FLOAT DEVICE_ENTRY_BY_FLOAT
#define SYCL_LAUNCH_BY_TILE DEVICE_LAUNCH_BY_TILE
#define SYCL_ENTRY DEVICE_ENTRY

/* The groups of a launch and their work items, "blocks" and "threads" of access.h, and the local memory of a group. A
 * device that does not allow so many work items or so much local memory skips the cell. */
struct sycl_groups {
    struct geometry (*geometry)(const struct cell *cell);
    int64_t (*local_bytes)(const struct cell *cell); /* NULL: the kernel has no local memory */
};

#ifdef __cplusplus
#include <cerrno>
#include <exception>
#include <optional>
#include <sycl/sycl.hpp>
#include <unordered_map>

/* What the backend gives the kernels of a job (job->stream). The queue executes its commands in order. */
struct sycl_stream {
    sycl::queue queue;
    /* For a cell with buffers: the buffer that holds an operand's elements, by the operand's address. */
    std::unordered_map<const void *, sycl::buffer<unsigned char>> buffers;
    std::optional<sycl::event> first, last; /* the commands of a timed block */
    bool timed;
};

/* The operands of a job, as the kernel of one command reaches them. Each function gives something that [] indexes. */
template <typename real> struct sycl_pointers {
    const struct job *job;

    const real *read(int operand) const
    {
        return static_cast<const real *>(job->operand[operand]);
    }
    real *write(int operand) const
    {
        return static_cast<real *>(job->operand[operand]);
    }
    real *update(int operand) const
    {
        return static_cast<real *>(job->operand[operand]);
    }
};

template <typename real> struct sycl_accessors {
    const struct job *job;
    sycl_stream &stream;
    sycl::handler &handler;

    sycl::buffer<real> buffer(int operand) const
    {
        auto &bytes = stream.buffers.at(job->operand[operand]);
        return bytes.template reinterpret<real, 1>(sycl::range<1>(bytes.size() / sizeof(real)));
    }
    auto read(int operand) const
    {
        auto of = buffer(operand);
        return sycl::accessor<real, 1, sycl::access::mode::read>(of, handler);
    }
    auto write(int operand) const
    {
        auto of = buffer(operand);
        return sycl::accessor<real, 1, sycl::access::mode::write>(of, handler);
    }
    auto update(int operand) const
    {
        auto of = buffer(operand);
        return sycl::accessor<real, 1, sycl::access::mode::read_write>(of, handler);
    }
};

/* The text of an exception, without the place in AdaptiveCpp's own sources: "from FILE:LINE @ FUNCTION(): ". */
static inline const char *sycl_error_text(const std::exception &caught)
{
    const char *place = strncmp(caught.what(), "from ", 5) == 0 ? strstr(caught.what(), "(): ") : nullptr;
    return place ? place + 4 : caught.what();
}

/* Sets the job's error to that of an exception, and errno to ENOMEM if memory was short. For `return` in a handler. */
static inline int sycl_fail(struct job *job, const char *what, const std::exception &caught)
{
    const auto *error = dynamic_cast<const sycl::exception *>(&caught);
    const bool short_of_memory = (error && error->code() == sycl::errc::memory_allocation) ||
                                 dynamic_cast<const std::bad_alloc *>(&caught) != nullptr;
    job_fail(job, "%s: %.180s", what, sycl_error_text(caught));
    errno = short_of_memory ? ENOMEM : 0;
    return -1;
}

/* Queues one command. `commands` gets the handler and the operands: pointers, or accessors if the cell asks for
 * buffers. Returns 0, or non-zero with job->error set. */
template <typename real, typename Commands> static int sycl_submit(struct job *job, const Commands &commands)
{
    auto &stream = *static_cast<sycl_stream *>(job->stream);
    try {
        sycl::event event = stream.queue.submit([&](sycl::handler &handler) {
            if (job->cell->memory == MEMORY_BUFFER)
                commands(handler, sycl_accessors<real>{job, stream, handler});
            else
                commands(handler, sycl_pointers<real>{job});
        });
        if (stream.timed) {
            if (!stream.first)
                stream.first = event;
            stream.last = event;
        }
        return 0;
    } catch (const std::exception &caught) {
        return sycl_fail(job, "SYCL refuses the kernel", caught);
    }
}

/* Groups of `rows` x `cols` work items that cover height x width elements. Dimension 1 runs along rows. */
static inline sycl::nd_range<2> sycl_cover(int64_t height, int64_t width, int64_t rows, int64_t cols)
{
    const sycl::range<2> group(static_cast<size_t>(rows), static_cast<size_t>(cols));
    const sycl::range<2> groups(static_cast<size_t>((height + rows - 1) / rows),
                                static_cast<size_t>((width + cols - 1) / cols));
    return {groups * group, group};
}
#else

/* Says why a kernel cannot run with a tile that is not in `built`, the kernel's SYCL_LIST; NULL: it can. */
static inline const char *sycl_tile_reason(const struct cell *cell, const int64_t *built)
{
    return device_built_reason("tile", cell->tile, built);
}

/* Says why `tile` does not divide a size; NULL: it does. */
static inline const char *sycl_multiple_reason(const char *name, int64_t size, int64_t tile)
{
    return device_multiple_reason(name, size, tile);
}
#endif

#endif
