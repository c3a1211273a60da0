/* The CUDA backend: device memory, copies and timing through tilelab-cuda.so, which also has the kernels. The kernels
 * are found by name.
 * SPDX-License-Identifier: MIT */
#include "cuda.h"

#include "object.h"
#include "machine/nvml.h"

#include <dlfcn.h>
#include <limits.h>
#include <string.h>

/* Memory that the operands leave to the driver: for the context and code, the heap of kernels that call malloc, and
 * workspaces. */
static const int64_t RESERVED_BYTES = INT64_C(768) << 20;

/* Set in a worker; NULL in the supervisor. */
static const struct cuda_api *api;
static void *kernels, *library_object[CUDA_LIBRARIES];
static void *stream;

/* The library that a variant needs; CUDA_LIBRARIES: it needs none. */
static int library_of(const struct entry *entry)
{
    int i = 0;
    while (i < CUDA_LIBRARIES && strcmp(registry_library(entry), cuda_libraries[i].key) != 0)
        i++;
    return i;
}

static const char *missing(const struct cell *cell)
{
    static char text[160];
    const struct cuda_discovery *found = cuda_discover();
    if (*found->missing)
        return found->missing;
    if (!cell || !cell->entry)
        return NULL;
    const int library = library_of(cell->entry);
    if (library < CUDA_LIBRARIES && *found->missing_library[library])
        return found->missing_library[library];
    const int least = cell->entry->meta->compute_capability;
    if (10 * found->device.major + found->device.minor < least) {
        snprintf(text, sizeof text, "%s has compute capability %d.%d; %s needs %d.%d", found->device.name,
                 found->device.major, found->device.minor, cell->entry->name, least / 10, least % 10);
        return text;
    }
    return NULL;
}

static int64_t memory_bytes(const struct cell *cell)
{
    (void)cell;
    const struct cuda_device *gpu = cuda_discover_device();
    if (!gpu)
        return 0;
    const bool told = gpu->memory_free_bytes >= 0 && gpu->memory_free_bytes < gpu->memory_bytes;
    const int64_t free_bytes = told ? gpu->memory_free_bytes : gpu->memory_bytes;
    return free_bytes > RESERVED_BYTES ? free_bytes - RESERVED_BYTES : 1; /* 0 would mean host memory */
}

static const char *device(const struct cell *cell)
{
    (void)cell;
    static struct cuda_device here;
    if (api && !*here.name && api->describe(0, &here) != 0)
        snprintf(here.name, sizeof here.name, "unknown GPU");
    if (api)
        return here.name;
    const struct cuda_device *gpu = cuda_discover_device();
    return gpu ? gpu->name : "";
}

static void fingerprint(char *text, size_t size)
{
    const struct cuda_device *gpu = cuda_discover_device();
    char driver[64] = "";
    if (gpu != NULL)
        nvml_driver(driver, sizeof driver);
    snprintf(text, size, "%s|%s", gpu != NULL ? gpu->name : "", driver);
}

static void serial(char *text, size_t size)
{
    snprintf(text, size, "%s", cuda_discover_device() != NULL ? cuda_discover()->uuid : "");
}

static int open_device(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    (void)setup, (void)known;
    if (api)
        return 0;
    const struct cuda_api *found = cuda_object_open(&kernels, why, size);
    if (!found)
        return -1;
    struct cuda_device here;
    if (found->open(0, &stream) != 0 || found->describe(0, &here) != 0) {
        snprintf(why, size, "%s", found->last_error());
        return BACKEND_ACCIDENT;
    }
    nvml_open(here.pci_bus);
    api = found;
    return 0;
}

/* 16 for each thread that the GPU holds at once. Without a GPU: as many as a usual GPU needs. */
static int64_t sums(const struct cell *cell)
{
    (void)cell;
    enum { SUMS_PER_THREAD = 16, USUAL_THREADS = 1 << 17 };
    const struct cuda_device *gpu = cuda_discover_device();
    const int64_t threads = gpu ? (int64_t)gpu->multiprocessors * gpu->threads_per_sm : USUAL_THREADS;
    return threads * SUMS_PER_THREAD;
}

static void *allocate(size_t bytes)
{
    return api->allocate(bytes);
}

static void release(void *memory)
{
    api->release(memory);
}

static int upload(void *to, const void *from, size_t bytes)
{
    return api->upload(to, from, bytes);
}

static int download(void *to, const void *from, size_t bytes)
{
    return api->download(to, from, bytes);
}

static int poison(void *memory, size_t bytes)
{
    return api->fill(memory, 0xFF, bytes);
}

static int copy(void *to, const void *from, size_t bytes)
{
    return api->copy(to, from, bytes);
}

static int pin(void *host, size_t bytes, bool pinned)
{
    return api->pin(host, bytes, pinned);
}

static int64_t cache_bytes(void)
{
    static struct cuda_device here;
    enum { USUAL = 64 << 20 };
    if (here.l2_bytes <= 0 && (api->describe(0, &here) != 0 || here.l2_bytes <= 0))
        return USUAL;
    return here.l2_bytes;
}

/* The shared object with the cell's variant. */
static void *object_of(const struct job *job)
{
    const int library = library_of(job->cell->entry);
    return library < CUDA_LIBRARIES ? library_object[library] : kernels;
}

/* An entry point of the cell's variant; NULL if the variant has none of that name. */
static void *entry_point(const struct job *job, const char *suffix)
{
    return object_entry(object_of(job), job->cell, suffix);
}

static int load_library(struct job *job, int library)
{
    char path[PATH_MAX];
    const char *file = cuda_libraries[library].object;
    void **object = &library_object[library];
    if (*object)
        return 0;
    if (!object_path(file, path, sizeof path))
        return job_fail(job, "%s was not found (rebuild with `make`)", file);
    *object = object_open(path, RTLD_NOW | RTLD_LOCAL, job->error, sizeof job->error);
    return *object ? 0 : -1;
}

static int prepare(struct job *job)
{
    int (*variant_prepare)(struct job *);
    const int library = library_of(job->cell->entry);
    job->stream = stream;
    if (library < CUDA_LIBRARIES && load_library(job, library) != 0)
        return -1;
    if (!entry_point(job, "launch"))
        return job_fail(job, "no %s_launch in the shared objects (rebuild with `make`)", job->cell->entry->symbol);
    *(void **)&variant_prepare = entry_point(job, "prepare");
    return variant_prepare ? variant_prepare(job) : 0;
}

static int run(struct job *job, const struct repeats *repeats, struct backend_times *times)
{
    int (*launch)(struct job *), (*check)(struct job *);
    *(void **)&launch = entry_point(job, "launch");
    *(void **)&check = entry_point(job, "check");
    job->error[0] = '\0';
    if (api->run(launch, job, repeats, times ? &times->kernel_s : NULL) != 0)
        return job->error[0] ? -1 : job_fail(job, "%s", api->last_error());
    if (times) {
        times->clock_hz = nvml_sm_clock_hz();
        times->throttled = nvml_throttled();
    }
    return check ? check(job) : 0;
}

static int mark(int blocks, char *why, size_t size)
{
    if (api->mark(blocks) == 0)
        return 0;
    snprintf(why, size, "%s", api->last_error());
    return -1;
}

static void finish(struct job *job)
{
    object_finish(object_of(job), job);
}

static bool poisoned(void)
{
    return api && api->sticky();
}

const struct backend backend_cuda = {
    .warm_s = 0.2,
    .reserves_space = true,
    .missing = missing,
    .memory_bytes = memory_bytes,
    .device = device,
    .sums = sums,
    .fingerprint = fingerprint,
    .serial = serial,
    .record_key = "gpu",
    .record = cuda_record,
    .doctor = cuda_doctor,
    .describe = cuda_describe_main,
    .open = open_device,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .poison = poison,
    .copy = copy,
    .pin = pin,
    .cache_bytes = cache_bytes,
    .prepare = prepare,
    .run = run,
    .mark = mark,
    .finish = finish,
    .poisoned = poisoned,
};
