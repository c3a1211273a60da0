/* What tilelab-sycl.so offers the runner, in plain C. dlsym("tilelab_sycl") finds it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_SYCL_API_H
#define TILELAB_BACKEND_SYCL_API_H

#include "backend/clocks.h"
#include "backend/found_device.h"
#include "backend/repeats.h"

struct sycl_api {
    int version; /* SYCL_API_VERSION: the runner refuses another version */
    /* A function that returns int returns 0, or non-zero with last_error() set. No function lets an exception out. */
    int (*count)(int *devices);
    int (*describe)(int device, struct found_device *to);
    int (*open)(int device, void **stream);
    void *(*allocate)(size_t bytes); /* NULL on failure, with errno ENOMEM if memory was short */
    void (*release)(void *memory);
    int (*upload)(void *to, const void *from, size_t bytes); /* complete on return, as are the next four */
    int (*download)(void *to, const void *from, size_t bytes);
    int (*fill)(void *to, int byte, size_t bytes);
    int (*copy)(void *to, const void *from, size_t bytes); /* within the device */
    int (*negate)(void *memory, int64_t precision, int64_t first, int64_t count, int64_t stride);
    double (*copy_s)(void); /* seconds of the last upload or download; NAN: not known */
    /* Runs launch(job) as `repeats` says and waits for the end. `bytes` are the sizes of the operands. A cell with
     * buffers gets a buffer for each operand; copies into and out of the buffers are not timed. With `clocks` the
     * events of the first and the last command give the time of all runs. If launch fails, job->error says why. */
    int (*run)(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
               const size_t bytes[MAX_OPERANDS], struct clocks *clocks);
    bool (*sticky)(void); /* whether the device or its queue is of no further use */
    const char *(*last_error)(void);
};
enum { SYCL_API_VERSION = 4 };

typedef const struct sycl_api *(*tilelab_sycl_function)(void);

#endif
