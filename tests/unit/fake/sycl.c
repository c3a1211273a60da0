/* A tilelab-sycl.so whose faults a test chooses, for tests/system/sycl.bats: no SYCL compiler is needed. Its memory is
 * the host's, and its kernels compute nothing.
 * SPDX-License-Identifier: MIT
 *
 *     FAKE_SYCL_DEVICES=0       there is no device
 *     FAKE_SYCL_CRASH=1         looking for devices crashes
 *     FAKE_SYCL_PLUGIN=1        a plugin of the runtime looks for the runtime's data
 *     FAKE_SYCL_CHATTER=1       looking for devices prints to standard output
 *     FAKE_SYCL_VERSION=N       the version of the interface
 *     FAKE_SYCL_FP64=0          the device has no f64
 *     FAKE_SYCL_USM=0           the device has no memory that pointers reach
 *     FAKE_SYCL_ITEMS=N         work items that a group may have (default 256)
 *     FAKE_SYCL_LOCAL=N         bytes of local memory (default 16384)
 *     FAKE_SYCL_GONE=1          the device is gone when a worker opens it
 *     FAKE_SYCL_LOST=N          the device is gone after N runs, and stays so
 *     FAKE_SYCL_ASYNC=TEXT      a run ends with an error that SYCL found while the kernel ran
 *     FAKE_SYCL_MEMORY=N        bytes that the device gives at most
 */
#include "backend/layout.h"
#include "backend/sycl/sycl_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static char error_text[240];
static long runs;
static int handle;  /* what the stream points to */
int fake_sycl_data; /* what the plugins of a runtime share with it */

static long setting(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

static int fail(const char *text, int code)
{
    snprintf(error_text, sizeof error_text, "%s", text);
    errno = code;
    return -1;
}

static bool lost(void)
{
    return runs > setting("FAKE_SYCL_LOST", 1000000);
}

static int count(int *devices)
{
    if (setting("FAKE_SYCL_CHATTER", 0))
        puts("Warning: kernels are compiled");
    if (setting("FAKE_SYCL_CRASH", 0))
        raise(SIGSEGV);
    if (setting("FAKE_SYCL_PLUGIN", 0) && dlsym(dlopen(NULL, RTLD_NOW), "fake_sycl_data") != &fake_sycl_data)
        return fail("a plugin does not find the runtime's data", 0);
    *devices = (int)setting("FAKE_SYCL_DEVICES", 1);
    return 0;
}

static int describe(int device, struct found_device *to)
{
    if (device > 0)
        return fail("no such device", 0);
    *to = (struct found_device){
        .name = "Fake Device",
        .platform = "Fake Backend",
        .version = "1.0",
        .driver = "1.0",
        .kind = "GPU",
        .fp64 = (int)setting("FAKE_SYCL_FP64", 1),
        .usm = (int)setting("FAKE_SYCL_USM", 1),
        .compute_units = 1,
        .group_items = (int)setting("FAKE_SYCL_ITEMS", 256),
        .items_x = (int)setting("FAKE_SYCL_ITEMS", 256),
        .items_y = (int)setting("FAKE_SYCL_ITEMS", 256),
        .memory_bytes = INT64_C(1) << 30,
        .allocation_bytes = INT64_C(1) << 30,
        .local_bytes = setting("FAKE_SYCL_LOCAL", 16384),
    };
    return 0;
}

static int open_device(int device, void **stream)
{
    (void)device;
    *stream = &handle;
    return setting("FAKE_SYCL_GONE", 0) ? fail("the device cannot be opened: it is gone", 0) : 0;
}

static void *allocate(size_t bytes)
{
    if (lost())
        fail("malloc_device: the device is lost", 0);
    else if (bytes > (size_t)setting("FAKE_SYCL_MEMORY", 1L << 30))
        fail("malloc_device: no device memory", ENOMEM);
    else
        return calloc(1, bytes);
    return NULL;
}

static void release(void *memory)
{
    free(memory);
}

static int copy(void *to, const void *from, size_t bytes)
{
    if (lost())
        return fail("copy: the device is lost", 0);
    memcpy(to, from, bytes);
    return 0;
}

static int fill(void *to, int byte, size_t bytes)
{
    if (lost())
        return fail("fill: the device is lost", 0);
    memset(to, byte, bytes);
    return 0;
}

static int negate(void *memory, int64_t precision, int64_t first, int64_t count, int64_t stride)
{
    (void)memory, (void)precision, (void)first, (void)count, (void)stride;
    return lost() ? fail("negate: the device is lost", 0) : 0;
}

static double copy_s(void)
{
    return 1e-6;
}

static int run(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
               const size_t bytes[MAX_OPERANDS], struct clocks *clocks)
{
    (void)bytes;
    runs++;
    if (lost())
        return fail("kernel: the device is lost", 0);
    if (getenv("FAKE_SYCL_ASYNC"))
        return fail(getenv("FAKE_SYCL_ASYNC"), 0);
    if (clocks)
        *clocks = (struct clocks){.events_s = 1e-6 * repeats->count, .host_s = 1e-6 * repeats->count};
    return launch(job);
}

static bool sticky(void)
{
    return lost();
}

static const char *last_error(void)
{
    return error_text;
}

const struct layout *tilelab_layout(void)
{
    return &layout_here;
}

const struct sycl_api *tilelab_sycl(void)
{
    static struct sycl_api api = {
        0,    count, describe, open_device, allocate, release, copy,       copy,
        fill, copy,  negate,   copy_s,      run,      sticky,  last_error,
    };
    api.version = (int)setting("FAKE_SYCL_VERSION", SYCL_API_VERSION);
    return &api;
}

static int compute_nothing(struct job *job)
{
    (void)job;
    return 0;
}

int matmul_sycl_global_launch(struct job *job)
{
    return compute_nothing(job);
}

int matmul_sycl_tiled_launch(struct job *job)
{
    return compute_nothing(job);
}
