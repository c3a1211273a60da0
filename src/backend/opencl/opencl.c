/* The OpenCL backend: memory, copies, kernels and their times on a device that the OpenCL loader finds.
 * SPDX-License-Identifier: MIT
 *
 * All commands go through one queue in order. Each leaves an event; the first and the last event of a block of runs
 * give the time of the block by the device's own clock. */
#include "opencl.h"

#include "cell.h"
#include "backend/clocks.h"
#include "base/timer.h"
#include "machine/nvml.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Set in a worker; in the supervisor nothing is open. */
static struct opencl_session session;
static char device_name[64];
static double last_copy_s;
static bool lost; /* the device or its queue is of no further use */

static const char *device(const struct cell *cell)
{
    if (session.api)
        return device_name;
    const struct found_device *found = found_device_of(opencl_discover(), cell);
    return found ? found->name : "";
}

static void environment(const struct backend_setup *setup)
{
    (void)setup;
    (void)opencl_cache_prepare();
}

/* ---- The device ---- */

static bool is_lost(int error)
{
    return error == CL_DEVICE_NOT_AVAILABLE || error == CL_OUT_OF_RESOURCES || error == CL_INVALID_DEVICE ||
           error == CL_INVALID_CONTEXT || error == CL_INVALID_COMMAND_QUEUE || error < -1001;
}

static bool is_short_of_memory(int error)
{
    return error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_OUT_OF_HOST_MEMORY ||
           error == CL_INVALID_BUFFER_SIZE;
}

/* Notes an error. Returns 0 if there is none. */
static int keep(int error, const char *what, struct job *job)
{
    if (error == CL_SUCCESS)
        return 0;
    lost |= is_lost(error);
    errno = is_short_of_memory(error) ? ENOMEM : 0;
    return job ? job_fail(job, "%s: %s%s", what, opencl_api_error(error),
                          is_lost(error) ? ": the device has failed or is gone" : "")
               : -1;
}

/* Lets NVML tell of the device, if it is a GPU of NVIDIA. */
static void watch_device(const struct opencl_api *api)
{
    enum { NVIDIA = 0x10DE };
    uint32_t vendor = 0, bus[4]; /* domain, bus, device, function */
    char text[48] = "";
    if (api->GetDeviceInfo(session.device, CL_DEVICE_VENDOR_ID, sizeof vendor, &vendor, NULL) != CL_SUCCESS ||
        vendor != NVIDIA)
        return;
    if (api->GetDeviceInfo(session.device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof bus, bus, NULL) == CL_SUCCESS)
        snprintf(text, sizeof text, "%04x:%02x:%02x.%x", bus[0], bus[1], bus[2], bus[3]);
    nvml_open(text);
}

static int open_device(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    (void)known;
    cl_device all[FOUND_DEVICES];
    cl_platform platform[FOUND_DEVICES];
    int error;
    if (session.api)
        return 0;
    (void)opencl_cache_prepare();
    const struct opencl_api *api = opencl_api_open(why, size);
    if (!api)
        return -1;
    if (opencl_api_devices(api, all, platform, FOUND_DEVICES) <= setup->device) {
        snprintf(why, size, "device %d of OpenCL is gone", setup->device);
        return BACKEND_TRANSIENT;
    }
    session.device = all[setup->device];
    api->GetDeviceInfo(session.device, CL_DEVICE_NAME, sizeof device_name - 1, device_name, NULL);
    session.context = api->CreateContext(NULL, 1, &session.device, NULL, NULL, &error);
    if (session.context)
        session.queue = api->CreateCommandQueue(session.context, session.device, CL_QUEUE_PROFILING_ENABLE, &error);
    if (!session.queue) {
        snprintf(why, size, "%s cannot be opened: %s", device_name, opencl_api_error(error));
        return BACKEND_TRANSIENT;
    }
    session.api = api;
    watch_device(api);
    return 0;
}

/* ---- Events ---- */

/* The first and the last event since begin_events. Events are kept only for runs that are timed. */
static struct {
    bool wanted;
    cl_event first, last;
} events;

static void release_event(cl_event *event)
{
    if (*event)
        session.api->ReleaseEvent(*event);
    *event = NULL;
}

static void begin_events(bool wanted)
{
    release_event(&events.first);
    release_event(&events.last);
    events.wanted = wanted;
}

/* Where a command puts its event. */
static cl_event *next_event(void)
{
    if (!events.wanted)
        return NULL;
    if (!events.first)
        return &events.first;
    release_event(&events.last);
    return &events.last;
}

/* Seconds from the start of the first command to the end of the last command; both have ended. NAN: not known. */
static double events_s(void)
{
    uint64_t start, end;
    const cl_event last = events.last ? events.last : events.first;
    if (!events.first ||
        session.api->GetEventProfilingInfo(events.first, CL_PROFILING_COMMAND_START, 8, &start, NULL) != CL_SUCCESS ||
        session.api->GetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, 8, &end, NULL) != CL_SUCCESS || end < start)
        return NAN;
    return 1e-9 * (double)(end - start);
}

/* ---- Memory ---- */

static void *allocate(size_t bytes)
{
    int error;
    cl_memory memory = session.api->CreateBuffer(session.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    (void)keep(error, "clCreateBuffer", NULL);
    return memory;
}

static void release(void *memory)
{
    session.api->ReleaseMemObject(memory);
}

static int upload(void *to, const void *from, size_t bytes)
{
    begin_events(true);
    const int failed =
        keep(session.api->EnqueueWriteBuffer(session.queue, to, CL_TRUE, 0, bytes, from, 0, NULL, next_event()),
             "upload", NULL);
    last_copy_s = failed ? NAN : events_s();
    return failed;
}

static int download(void *to, const void *from, size_t first, size_t bytes)
{
    begin_events(true);
    const int failed = keep(session.api->EnqueueReadBuffer(session.queue, (cl_memory)from, CL_TRUE, first, bytes, to, 0,
                                                           NULL, next_event()),
                            "download", NULL);
    last_copy_s = failed ? NAN : events_s();
    return failed;
}

static double copy_s(void)
{
    return last_copy_s;
}

static int poison(void *memory, size_t bytes)
{
    static const unsigned char byte = 0xFF;
    const int error = session.api->EnqueueFillBuffer(session.queue, memory, &byte, 1, 0, bytes, 0, NULL, NULL);
    return keep(error != CL_SUCCESS ? error : session.api->Finish(session.queue), "fill", NULL);
}

static int copy(void *to, const void *from, size_t bytes)
{
    const int error = session.api->EnqueueCopyBuffer(session.queue, (cl_memory)from, to, 0, 0, bytes, 0, NULL, NULL);
    return keep(error != CL_SUCCESS ? error : session.api->Finish(session.queue), "copy", NULL);
}

/* The elements are rows of one element each, or one row if they lie side by side. They are copied from the host. */
static int negate(void *memory, const void *host, int64_t precision, int64_t first, int64_t count, int64_t stride)
{
    const size_t size = cell_precision_size(precision), pitch = (size_t)(stride > 1 ? stride : first + count) * size;
    const size_t origin[] = {(size_t)first * size % pitch, (size_t)first * size / pitch, 0};
    const size_t region[] = {stride > 1 ? size : (size_t)count * size, stride > 1 ? (size_t)count : 1, 1};
    return keep(session.api->EnqueueWriteBufferRect(session.queue, memory, CL_TRUE, origin, origin, region, pitch, 0,
                                                    pitch, 0, host, 0, NULL, NULL),
                "clEnqueueWriteBufferRect", NULL);
}

static int64_t cache_bytes(void)
{
    enum { USUAL = 64 << 20 };
    uint64_t bytes = 0;
    if (session.api->GetDeviceInfo(session.device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof bytes, &bytes, NULL) !=
        CL_SUCCESS)
        bytes = 0;
    return bytes ? (int64_t)bytes : USUAL;
}

/* ---- Jobs ---- */

/* What the backend knows of a prepared job. job->opencl points to `calls`, its first member. */
struct prepared {
    struct opencl calls;
    cl_kernel kernel;
    size_t global[2], local[2];
    struct clocks_doubts doubts;
};

static struct prepared *prepared_of(const struct job *job)
{
    return (struct prepared *)job->opencl;
}

/* The zeros come from the host: checkers of OpenCL programs do not count a fill as a write. */
static void *allocate_zeros(struct job *job, size_t bytes)
{
    void *zeros = calloc(1, bytes), *memory = zeros ? allocate(bytes) : NULL;
    const bool filled = memory && upload(memory, zeros, bytes) == 0;
    free(zeros);
    if (filled)
        return memory;
    (void)job_fail(job, "no device memory for %zu bytes", bytes);
    if (memory)
        release(memory);
    errno = ENOMEM;
    return NULL;
}

static int copy_rows(struct job *job, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t row_bytes,
                     size_t rows)
{
    static const size_t origin[3];
    const size_t region[] = {row_bytes, rows, 1};
    return keep(session.api->EnqueueCopyBufferRect(session.queue, (cl_memory)from, to, origin, origin, region,
                                                   from_pitch, 0, to_pitch, 0, 0, NULL, next_event()),
                "clEnqueueCopyBufferRect", job);
}

static int launch(struct job *job, const int64_t *sizes, int size_count, void *const *memory, int memory_count)
{
    const struct prepared *prepared = prepared_of(job);
    uint32_t argument = 0;
    int error = CL_SUCCESS;
    for (int i = 0; i < size_count && error == CL_SUCCESS; i++)
        error = session.api->SetKernelArg(prepared->kernel, argument++, sizeof *sizes, &sizes[i]);
    for (int i = 0; i < memory_count && error == CL_SUCCESS; i++)
        error = session.api->SetKernelArg(prepared->kernel, argument++, sizeof *memory, &memory[i]);
    if (error != CL_SUCCESS)
        return keep(error, "clSetKernelArg", job);
    return keep(session.api->EnqueueNDRangeKernel(session.queue, prepared->kernel, 2, NULL, prepared->global,
                                                  prepared->local, 0, NULL, next_event()),
                "clEnqueueNDRangeKernel", job);
}

/* The launch of a variant without a run of its own. */
static int launch_cell(struct job *job)
{
    const struct cell *cell = job->cell;
    const unsigned axes = cell->entry->problem->axes;
    int64_t sizes[3];
    int count = 0;
    if (axes & HONOURS(m))
        sizes[count++] = cell->m;
    sizes[count++] = cell->n;
    if (axes & HONOURS(k))
        sizes[count++] = cell->k;
    return launch(job, sizes, count, job->operand, cell->entry->problem->operand_count);
}

static void forget(struct job *job)
{
    session.api->ReleaseKernel(prepared_of(job)->kernel);
    free(prepared_of(job));
    job->opencl = NULL;
}

static int prepare(struct job *job)
{
    const struct variant *variant = job->cell->entry->meta;
    const struct geometry geometry = opencl_kernel_of(job->cell->entry)->geometry(job->cell);
    struct prepared *prepared = calloc(1, sizeof *prepared);
    if (!prepared)
        return job_fail(job, "no memory to prepare");
    if (!(prepared->kernel = opencl_program_kernel(&session, job))) {
        free(prepared);
        return -1;
    }
    prepared->calls = (struct opencl){allocate_zeros, release, copy_rows, launch};
    prepared->local[0] = (size_t)geometry.threads_x;
    prepared->local[1] = (size_t)geometry.threads_y;
    prepared->global[0] = (size_t)geometry.blocks_x * prepared->local[0];
    prepared->global[1] = (size_t)geometry.blocks_y * prepared->local[1];
    job->opencl = &prepared->calls;
    if (!variant->prepare || variant->prepare(job) == 0)
        return 0;
    forget(job);
    return -1;
}

/* Fails a job whose work does not lie between the events. */
static int judge(struct job *job, const struct clocks *block)
{
    errno = 0;
    if (!events.first)
        return job_fail(job, "run() put no command into the runner's queue: call job->opencl->launch");
    if (timer_is_fake() || clocks_judge(&prepared_of(job)->doubts, block) == CLOCKS_AGREE)
        return 0;
    return job_fail(job,
                    "the device's clock tells %.3g s of a block for which the host waited %.3g s: all commands must go "
                    "through job->opencl",
                    block->events_s, block->host_s);
}

static int run(struct job *job, const struct repeats *repeats, struct backend_times *times)
{
    int (*const own)(struct job *) = job->cell->entry->meta->run;
    job->error[0] = '\0';
    begin_events(times != NULL);
    const double start_s = timer_now_s();
    int status = repeats_run(repeats, own ? own : launch_cell, job);
    const int code = errno; /* of the launch that failed */
    const int ended = session.api->Finish(session.queue);
    const double host_s = timer_now_s() - start_s;
    errno = code;
    if (status == 0)
        status = keep(ended, "clFinish", job);
    if (status == 0 && times) {
        times->kernel_s = events_s();
        backend_times_note_gpu(times);
        status = judge(job, &(struct clocks){.events_s = times->kernel_s, .host_s = host_s});
    }
    begin_events(false);
    return status;
}

static void finish(struct job *job)
{
    const struct variant *variant = job->cell->entry->meta;
    if (variant->release)
        variant->release(job);
    forget(job);
}

static bool poisoned(void)
{
    return lost;
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
    .cache_bytes = cache_bytes,
    .prepare = prepare,
    .run = run,
    .finish = finish,
    .poisoned = poisoned,
    .energy = &nvml_meter,
};

const struct backend backend_opencl = {
    .warm_s = 0.2,
    .reserves_space = true,
    .missing = opencl_missing,
    .memory_bytes = found_memory_bytes,
    .device = device,
    .discover = opencl_discover,
    .through = "",
    .kind = found_kind,
    .identity = found_identity,
    .environment = environment,
    .record_key = "opencl",
    .record = opencl_record,
    .doctor = opencl_doctor,
    .describe = opencl_describe_main,
    .worker = &worker,
};
