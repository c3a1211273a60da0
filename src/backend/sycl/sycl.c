/* The SYCL backend: device memory, copies and timing through tilelab-sycl.so, which also has the kernels. The kernels
 * are found by name.
 * SPDX-License-Identifier: MIT */
#include "sycl.h"

#include "cell.h"
#include "backend/clocks.h"
#include "backend/object.h"
#include "base/timer.h"
#include "machine/nvml.h"

#include <errno.h>
#include <string.h>

/* Set in a worker; NULL in the supervisor. */
static const struct sycl_api *api;
static void *kernels, *stream;
static char device_name[64];
/* What was seen of the job that ran last. */
static const struct job *judged;
static struct clocks_doubts doubts;

static const char *device(const struct cell *cell)
{
    if (api)
        return device_name;
    const struct found_device *found = found_device_of(sycl_discover(), cell);
    return found ? found->name : "";
}

static void environment(const struct backend_setup *setup)
{
    (void)setup;
    sycl_prepare_environment();
}

static int open_device(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    (void)known;
    if (api)
        return 0;
    sycl_prepare_environment();
    const struct sycl_api *found = sycl_object_open(&kernels, why, size);
    if (!found)
        return -1;
    struct found_device here;
    if (found->describe(setup->device, &here) != 0 || found->open(setup->device, &stream) != 0) {
        snprintf(why, size, "%s", found->last_error());
        return BACKEND_TRANSIENT;
    }
    snprintf(device_name, sizeof device_name, "%s", here.name);
    /* SYCL tells no PCI bus of a device, so that NVML can only tell of the machine's only GPU. */
    if (strstr(here.platform, "CUDA") && strcmp(here.kind, registry_kind_names[KIND_GPU]) == 0)
        nvml_open("");
    api = found;
    return 0;
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

static double copy_s(void)
{
    return api->copy_s();
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

/* The shared object with the cell's variant. */
static void *object_of(const struct cell *cell)
{
    char why[240];
    return cell->entry->objects ? object_own(cell, why, sizeof why) : kernels;
}

/* Runs the kernels of a job once on a tiny problem of zeros. Some compilers translate a kernel when it runs first,
 * which takes seconds; no timed run may contain them. */
static int compile(struct job *job)
{
    int (*launch)(struct job *), (*check)(struct job *);
    struct cell tiny = *job->cell;
    struct job trial = *job;
    const struct repeats once = {.count = 1};
    size_t bytes[MAX_OPERANDS] = {0};
    int status = 0;
    *(void **)&launch = object_entry(object_of(job->cell), job->cell, "launch");
    *(void **)&check = object_entry(object_of(job->cell), job->cell, "check");
    /* Two tiles, so that a blocked algorithm runs each of its kernels. */
    tiny.n = tiny.tile > 0 ? 2 * tiny.tile : 64;
    tiny.m = tiny.m > 0 ? tiny.n : 0;
    tiny.k = tiny.k > 0 ? tiny.n : 0;
    trial.cell = &tiny;
    memset(trial.operand, 0, sizeof trial.operand);
    for (int i = 0; i < tiny.entry->problem->operand_count && status == 0; i++) {
        bytes[i] = (size_t)cell_operand_bytes(&tiny, i);
        trial.operand[i] = api->allocate(bytes[i]);
        status = trial.operand[i] ? api->fill(trial.operand[i], 0, bytes[i]) : -1;
    }
    trial.error[0] = '\0';
    if (status == 0)
        status = api->run(launch, &trial, &once, bytes, NULL);
    if (status != 0)
        (void)job_fail(job, "%s", trial.error[0] ? trial.error : api->last_error());
    else if (check)
        (void)check(&trial); /* forgets that zeros are no pivots */
    const int code = errno;
    for (int i = 0; i < MAX_OPERANDS; i++)
        if (trial.operand[i])
            api->release(trial.operand[i]);
    errno = code;
    return status;
}

static int prepare(struct job *job)
{
    int (*variant_prepare)(struct job *);
    job->stream = stream;
    judged = NULL;
    if (job->cell->entry->objects && !object_own(job->cell, job->error, sizeof job->error))
        return -1;
    if (!object_entry(object_of(job->cell), job->cell, "launch"))
        return job_fail(job, "no %s_launch in tilelab-sycl.so (rebuild with `make`)", job->cell->entry->symbol);
    *(void **)&variant_prepare = object_entry(object_of(job->cell), job->cell, "prepare");
    if (variant_prepare && variant_prepare(job) != 0)
        return -1;
    if (compile(job) == 0)
        return 0;
    object_finish(object_of(job->cell), job);
    return -1;
}

/* Fails a job whose work does not lie between the events. */
static int judge(struct job *job, const struct clocks *block)
{
    if (job != judged)
        doubts = (struct clocks_doubts){0};
    judged = job;
    if (timer_is_fake() || clocks_judge(&doubts, block) == CLOCKS_AGREE)
        return 0;
    errno = 0;
    return job_fail(job,
                    "the device's clock tells %.3g s of a block for which the host waited %.3g s: all commands must go "
                    "through sycl_submit()",
                    block->events_s, block->host_s);
}

static int run(struct job *job, const struct repeats *repeats, struct backend_times *times)
{
    int (*launch)(struct job *), (*check)(struct job *);
    struct clocks clocks;
    size_t bytes[MAX_OPERANDS] = {0};
    *(void **)&launch = object_entry(object_of(job->cell), job->cell, "launch");
    *(void **)&check = object_entry(object_of(job->cell), job->cell, "check");
    job->error[0] = '\0';
    for (int i = 0; i < job->cell->entry->problem->operand_count; i++)
        bytes[i] = (size_t)cell_operand_bytes(job->cell, i);
    if (api->run(launch, job, repeats, bytes, times ? &clocks : NULL) != 0)
        return job->error[0] ? -1 : job_fail(job, "%s", api->last_error());
    if (times) {
        if (judge(job, &clocks) != 0)
            return -1;
        times->kernel_s = clocks.events_s;
        backend_times_note_gpu(times);
    }
    return check ? check(job) : 0;
}

static void finish(struct job *job)
{
    object_finish(object_of(job->cell), job);
}

static bool poisoned(void)
{
    return api && api->sticky();
}

static const struct backend_worker worker = {
    .open = open_device,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .copy_s = copy_s,
    .poison = poison,
    .copy = copy,
    .negate = negate,
    .prepare = prepare,
    .run = run,
    .finish = finish,
    .poisoned = poisoned,
    .energy = &nvml_meter,
};

const struct backend backend_sycl = {
    .warm_s = 0.2,
    .reserves_space = true,
    .missing = sycl_missing,
    .memory_bytes = found_memory_bytes,
    .device = device,
    .discover = sycl_discover,
    .through = "SYCL on ",
    .kind = found_kind,
    .identity = found_identity,
    .environment = environment,
    .record_key = "sycl",
    .record = sycl_record,
    .doctor = sycl_doctor,
    .describe = sycl_describe_main,
    .worker = &worker,
};
