/* The CUDA backend: device memory, copies and timing through tilelab-cuda.so, which also has the kernels. The kernels
 * are found by name.
 * SPDX-License-Identifier: MIT */
#include "cuda.h"

#include "cell.h"
#include "backend/clocks.h"
#include "backend/object.h"
#include "machine/nvml.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
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
    static char text[192];
    const struct cuda_discovery *found = cuda_discover();
    if (*found->missing)
        return found->missing;
    if (!cell || !cell->entry)
        return NULL;
    if (cell->entry->missing)
        return cell->entry->missing;
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
        return BACKEND_TRANSIENT;
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

/* A multiprocessor does 128 multiply-adds a cycle, and 32 times as many of 8 bits on tensor cores, which products of
 * other types are made of. It reads 128 bytes a cycle from its first-level cache. Half of the time for the operations
 * is accepted, since a GPU may raise its clock above the one that its driver names. */
static double least_s(const struct cell *cell)
{
    const struct cuda_device *gpu = cuda_discover_device();
    if (!gpu || gpu->clock_khz <= 0 || cell->entry->problem->probe)
        return 0;
    const double cycles_s = 1e3 * (double)gpu->clock_khz * gpu->multiprocessors;
    const double tensor = cell->entry->meta->tensor || cell->entry->meta->vendor ? 32 : 1;
    return fmax(0.5 * cell_flops(cell) / (2 * 128 * tensor * cycles_s), cell_traffic(cell) / (128 * cycles_s));
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

static int download(void *to, const void *from, size_t first, size_t bytes)
{
    return api->download(to, (const char *)from + first, bytes);
}

static int poison(void *memory, size_t bytes)
{
    return api->fill(memory, 0xFF, bytes);
}

static int copy(void *to, const void *from, size_t bytes)
{
    return api->copy(to, from, bytes);
}

static int negate(void *memory, const void *host, int64_t precision, int64_t first, int64_t count, int64_t stride)
{
    (void)host;
    return api->negate(memory, precision, first, count, stride);
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
    char why[sizeof job->error];
    if (job->cell->entry->objects)
        return object_own(job->cell, why, sizeof why);
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

/* ---- Work on other streams ---- */

/* What was seen of a job's timed blocks. Two jobs may share a slot; each then finds it empty, which costs looks. */
static struct watch {
    const struct job *job;
    struct clocks_doubts doubts;
    double last_s;     /* of the last block */
    int blocks, holds; /* all blocks, and those before which the stream was held */
    bool looked;
} watches[64];

static struct watch *watch_of(const struct job *job)
{
    struct watch *watch = &watches[(uintptr_t)job / sizeof *job % (sizeof watches / sizeof *watches)];
    if (watch->job != job)
        *watch = (struct watch){.job = job};
    return watch;
}

/* Whether the stream is held before the next block. A job needs one block with a look at its outputs. Launches that
 * wait for the stream outlast the hold, so that some blocks are tried. Three kinds of blocks are never held: the first,
 * which tells what loading a kernel costs; one of many runs, whose launches the hold would hide; and, by the block
 * before, a long run, which the host's clock shows. */
static bool holds(const struct watch *watch, const struct repeats *repeats)
{
    enum { HOLDS_MOST = 4 };
    const double LONG_S = 1e-3;
    const bool is_long = watch->blocks > 1 && watch->last_s > LONG_S;
    return repeats->count == 1 && watch->blocks > 0 && !is_long && !watch->looked && watch->holds < HOLDS_MOST;
}

static struct cuda_outputs outputs_of(const struct job *job)
{
    const struct problem *problem = job->cell->entry->problem;
    struct cuda_outputs outputs = {{0}, {false}};
    for (int i = 0; problem && i < problem->operand_count; i++)
        if (problem->operand[i].role != INPUT) {
            outputs.bytes[i] = (size_t)cell_operand_bytes(job->cell, i);
            outputs.fresh[i] = problem->operand[i].role == OUTPUT;
        }
    return outputs;
}

/* Fails a job whose work lies outside of the events. */
static int judge(struct job *job, struct watch *watch, const struct cuda_block *block)
{
    const enum clocks_verdict verdict = clocks_judge(&watch->doubts, &block->clocks);
    watch->last_s = block->clocks.events_s;
    watch->looked |= block->looked;
    watch->blocks++;
    errno = 0;
    if (block->early || (!block->late && verdict == CLOCKS_LATE))
        return job_fail(job, "the kernel was launched on another stream: pass (cudaStream_t)job->stream as the fourth "
                             "launch argument");
    if (block->late)
        return job_fail(job, "the output still changed after the last event: launch all work on "
                             "(cudaStream_t)job->stream, before launch returns");
    if (verdict == CLOCKS_APART)
        return job_fail(job, "the events tell %.3g s of a block for which the host waited %.3g s",
                        block->clocks.events_s, block->clocks.host_s);
    return 0;
}

/* ---- Jobs ---- */

static int prepare(struct job *job)
{
    int (*variant_prepare)(struct job *);
    const bool is_own = job->cell->entry->objects != NULL;
    const int library = is_own ? CUDA_LIBRARIES : library_of(job->cell->entry);
    job->stream = stream;
    *watch_of(job) = (struct watch){.job = job};
    if (is_own && !object_own(job->cell, job->error, sizeof job->error))
        return -1;
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
    struct watch *watch = watch_of(job);
    const bool hold = times && holds(watch, repeats);
    struct cuda_outputs outputs;
    struct cuda_block block;
    *(void **)&launch = entry_point(job, "launch");
    *(void **)&check = entry_point(job, "check");
    job->error[0] = '\0';
    if (hold)
        outputs = outputs_of(job);
    watch->holds += hold;
    if (api->run(launch, job, repeats, hold ? &outputs : NULL, times ? &block : NULL) != 0)
        return job->error[0] ? -1 : job_fail(job, "%s", api->last_error());
    if (times) {
        if (judge(job, watch, &block) != 0)
            return -1;
        times->kernel_s = clocks_time_s(&block.clocks);
        backend_times_note_gpu(times);
    }
    return check ? check(job) : 0;
}

/* A worker resets the state before it has opened the device, too. */
static void reset(void)
{
    if (api)
        api->reset();
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

static const struct backend_worker worker = {
    .open = open_device,
    .reset = reset,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .poison = poison,
    .copy = copy,
    .negate = negate,
    .pin = pin,
    .cache_bytes = cache_bytes,
    .prepare = prepare,
    .run = run,
    .mark = mark,
    .finish = finish,
    .poisoned = poisoned,
    .energy = &nvml_meter,
};

const struct backend backend_cuda = {
    .warm_s = 0.2,
    .reserves_space = true,
    .missing = missing,
    .memory_bytes = memory_bytes,
    .device = device,
    .sums = sums,
    .least_s = least_s,
    .fingerprint = fingerprint,
    .serial = serial,
    .record_key = "gpu",
    .record = cuda_record,
    .doctor = cuda_doctor,
    .describe = cuda_describe_main,
    .worker = &worker,
};
