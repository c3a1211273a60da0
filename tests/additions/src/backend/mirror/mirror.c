/* The backend of an invented device, the mirror: its memory and its processor are those of the host. Otherwise it is a
 * device as others are: its kernels come from a shared object, and operands are copied there and back.
 * SPDX-License-Identifier: MIT */
#include "mirror_variant.h"
#include "cell.h"
#include "backend/backend.h"
#include "backend/backend_worker.h"
#include "backend/object.h"
#include "base/timer.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *kernels; /* of this worker */

static const char *missing(const struct cell *cell)
{
    enum { MOST_ROWS = 64 };
    char path[PATH_MAX];
    if (!object_path("tilelab-mirror.so", path, sizeof path))
        return "built without the mirror: `make mirror` builds its code";
    const struct mirror_kernel *kernel = cell && cell->entry ? cell->entry->meta->kernel : NULL;
    return kernel && kernel->group_rows > MOST_ROWS
               ? cell_reason("a group has %d rows; the mirror takes %d at most", kernel->group_rows, MOST_ROWS)
               : NULL;
}

static int64_t memory_bytes(const struct cell *cell)
{
    (void)cell;
    return INT64_C(1) << 30;
}

static const char *device(const struct cell *cell)
{
    (void)cell;
    return "Mirror";
}

static int open_device(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    char path[PATH_MAX];
    (void)setup, (void)known;
    if (!kernels && object_path("tilelab-mirror.so", path, sizeof path))
        kernels = object_open(path, RTLD_NOW, why, size);
    return kernels ? 0 : -1;
}

static int copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return 0;
}

static int download(void *to, const void *from, size_t first, size_t bytes)
{
    return copy(to, (const char *)from + first, bytes);
}

static int poison(void *memory, size_t bytes)
{
    memset(memory, 0xFF, bytes);
    return 0;
}

static int negate(void *memory, const void *host, int64_t precision, int64_t first, int64_t count, int64_t stride)
{
    const size_t size = cell_precision_size(precision);
    for (int64_t i = 0; i < count; i++) {
        const size_t at = (size_t)(first + i * stride) * size;
        memcpy((char *)memory + at, (const char *)host + at, size);
    }
    return 0;
}

static int prepare(struct job *job)
{
    if (object_entry(kernels, job->cell, "launch"))
        return 0;
    return job_fail(job, "no %s_launch in tilelab-mirror.so (rebuild with `make`)", job->cell->entry->symbol);
}

static int run(struct job *job, const struct repeats *repeats, struct backend_times *times)
{
    int (*launch)(struct job *);
    *(void **)&launch = object_entry(kernels, job->cell, "launch");
    const double start_s = timer_call_s();
    const int status = repeats_run(repeats, launch, job);
    if (times)
        *times = (struct backend_times){.kernel_s = timer_call_s() - start_s, .clock_hz = NAN};
    return status;
}

static void finish(struct job *job)
{
    object_finish(kernels, job);
}

static bool poisoned(void)
{
    return false;
}

static const struct backend_worker worker = {
    .open = open_device,
    .allocate = malloc,
    .release = free,
    .upload = copy,
    .download = download,
    .poison = poison,
    .copy = copy,
    .negate = negate,
    .prepare = prepare,
    .run = run,
    .finish = finish,
    .poisoned = poisoned,
};

const struct backend backend_mirror = {
    .missing = missing,
    .memory_bytes = memory_bytes,
    .device = device,
    .worker = &worker,
};
