/* The device side of the CUDA backend: memory, copies, events, errors.
 * SPDX-License-Identifier: MIT
 *
 * nvcc compiles this file into tilelab-cuda.so together with the kernels. Everything goes through one stream of the
 * process, so that a copy, a fill and a kernel never overlap. The stream and the default stream wait for each other, so
 * that a kernel which a variant launches on the default stream lies between the events too. */
#include "cuda_api.h"
#include "cuda_looks.cuh"
#include "cuda_state.cuh"
#include "cuda_variant.cuh"
#include "base/timer.h"

#include <errno.h>
#include <math.h>

static char error_text[240];
static cudaStream_t stream;
static cudaEvent_t before, after;
/* A kernel keeps the device busy for a moment before the first event of timed runs. The event and the first launches
 * are then queued when the device reaches them. Otherwise the time of one launch call would lie between event and
 * kernel. 20 us are enough for that. A hold of 1 ms is longer than the launch of nearly every run, and than the work
 * that the host's clock cannot tell from noise; see clocks.c. */
static const double HEAD_START_MS = 0.02, HOLD_MS = 1;
static int clock_khz;

/* Keeps what failed in error_text, and clears the error. Nothing clears a sticky error. */
static int keep(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return 0;
    cudaGetLastError();
    snprintf(error_text, sizeof error_text, "%s: %s", what, cuda_error_text(status));
    return -1;
}

#define TRY(call) \
    do { \
        if (keep((call), #call) != 0) \
            return -1; \
    } while (0)

static int count(int *devices)
{
    *devices = 0;
    return keep(cudaGetDeviceCount(devices), "CUDA");
}

static int lowest_architecture(void)
{
    static const int built[] = {__CUDA_ARCH_LIST__}; /* 750, 800, ... */
    int lowest = built[0];
    for (size_t i = 1; i < sizeof built / sizeof *built; i++)
        if (built[i] < lowest)
            lowest = built[i];
    return lowest / 10;
}

static int describe(int device, struct cuda_device *to)
{
    cudaDeviceProp p;
    TRY(cudaGetDeviceProperties(&p, device));
    *to = cuda_device();
    snprintf(to->name, sizeof to->name, "%.63s", p.name);
    to->major = p.major;
    to->minor = p.minor;
    to->multiprocessors = p.multiProcessorCount;
    to->warp_size = p.warpSize;
    to->memory_bytes = (int64_t)p.totalGlobalMem;
    to->l2_bytes = p.l2CacheSize;
    to->shared_per_block_bytes = (int64_t)p.sharedMemPerBlock;
    to->shared_per_block_optin_bytes = (int64_t)p.sharedMemPerBlockOptin;
    to->shared_per_sm_bytes = (int64_t)p.sharedMemPerMultiprocessor;
    to->registers_per_block = p.regsPerBlock;
    to->threads_per_block = p.maxThreadsPerBlock;
    to->threads_per_sm = p.maxThreadsPerMultiProcessor;
    to->memory_bus_bits = p.memoryBusWidth;
    to->ecc = p.ECCEnabled;
    to->built_for = lowest_architecture();
    TRY(cudaDeviceGetAttribute(&to->clock_khz, cudaDevAttrClockRate, device));
    TRY(cudaDeviceGetAttribute(&to->memory_clock_khz, cudaDevAttrMemoryClockRate, device));
    TRY(cudaDeviceGetPCIBusId(to->pci_bus, sizeof to->pci_bus, device));
    TRY(cudaDriverGetVersion(&to->driver));
    TRY(cudaRuntimeGetVersion(&to->runtime));
    to->memory_free_bytes = -1;
    to->power_limit_w = -1;
    return 0;
}

static int open_device(int device, void **opened)
{
    TRY(cudaSetDevice(device));
    TRY(cudaStreamCreate(&stream)); /* not cudaStreamNonBlocking: see the head of this file */
    TRY(cudaEventCreate(&before));
    TRY(cudaEventCreate(&after));
    TRY(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device));
    TRY(looks_open());
    cuda_state_note(device, stream);
    *opened = stream;
    return 0;
}

static void *allocate(size_t bytes)
{
    void *memory;
    return keep(cudaMalloc(&memory, bytes), "cudaMalloc") == 0 ? memory : NULL;
}

static void release(void *memory)
{
    keep(cudaFree(memory), "cudaFree");
}

static int upload(void *to, const void *from, size_t bytes)
{
    TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream));
    return keep(cudaStreamSynchronize(stream), "upload");
}

static int download(void *to, const void *from, size_t bytes)
{
    TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
    return keep(cudaStreamSynchronize(stream), "download");
}

static int fill(void *to, int byte, size_t bytes)
{
    TRY(cudaMemsetAsync(to, byte, bytes, stream));
    return keep(cudaStreamSynchronize(stream), "fill");
}

static int copy(void *to, const void *from, size_t bytes)
{
    TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
    return keep(cudaStreamSynchronize(stream), "copy");
}

/* Zeros and NaN keep their bits. */
template <typename T> __global__ void tilelab_negate(T *data, int64_t first, int64_t count, int64_t stride)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const T element = data[first + i * stride];
    if (element < 0 || element > 0)
        data[first + i * stride] = -element;
}

static int negate(void *memory, int64_t precision, int64_t first, int64_t count, int64_t stride)
{
    const int threads = 256, blocks = (int)((count + threads - 1) / threads);
    if (precision == F32)
        tilelab_negate<<<blocks, threads, 0, stream>>>((float *)memory, first, count, stride);
    else if (precision == F64)
        tilelab_negate<<<blocks, threads, 0, stream>>>((double *)memory, first, count, stride);
    else
        tilelab_negate<<<blocks, threads, 0, stream>>>((int32_t *)memory, first, count, stride);
    return keep(cudaGetLastError(), "negate");
}

static int pin(void *host, size_t bytes, bool pinned)
{
    if (pinned)
        return keep(cudaHostRegister(host, bytes, cudaHostRegisterDefault), "cudaHostRegister");
    return keep(cudaHostUnregister(host), "cudaHostUnregister");
}

/* `over`: set at the end; NULL: nothing is set. The fence lets no later kernel begin before the host can see it. */
__global__ void tilelab_head_start(long long cycles, volatile int *over)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
    if (over) {
        *over = 1;
        __threadfence_system();
    }
}

/* What the last launches have left in CUDA's record of errors. A variant may have asked whether an event has completed,
 * and CUDA keeps the answer "not ready" there too. */
static int keep_left_error()
{
    const cudaError_t left = cudaGetLastError();
    return left == cudaErrorNotReady ? 0 : keep(left, "launch");
}

static int launch_all(int (*launch)(struct job *), struct job *job, const struct repeats *repeats)
{
    cudaGetLastError(); /* of earlier calls */
    if (repeats_run(repeats, launch, job) == 0)
        return keep_left_error();
    const int code = errno; /* of the launch that failed */
    keep(cudaDeviceSynchronize(), "kernel");
    errno = code;
    return -1;
}

/* Puts the runs between the two events. With `outputs` the stream is held before the first event. */
static int queue_block(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
                       const struct cuda_outputs *outputs, struct cuda_block *block)
{
    const long long cycles = (long long)((outputs ? HOLD_MS : HEAD_START_MS) * clock_khz);
    tilelab_head_start<<<1, 1, 0, stream>>>(cycles, outputs ? looks_hold_over() : NULL);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(before, stream));
    if (launch_all(launch, job, repeats) != 0)
        return -1;
    TRY(cudaEventRecord(after, stream));
    if (!outputs)
        return 0;
    TRY(looks_after_end(job, outputs, stream));
    return keep(looks_while_held(job, outputs, block), "kernel");
}

/* Before the block, the device may be busy with work that a thread of a variant launched late. */
static int run_timed(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
                     const struct cuda_outputs *outputs, struct cuda_block *block)
{
    float milliseconds;
    block->looked = block->early = block->late = false;
    TRY(cudaDeviceSynchronize());
    if (outputs)
        TRY(looks_begin(job, outputs, stream));
    const double start_s = timer_now_s();
    if (queue_block(launch, job, repeats, outputs, block) != 0 || keep(cudaEventSynchronize(after), "kernel") != 0)
        return -1;
    const double ended_s = timer_now_s();
    if (keep(cudaDeviceSynchronize(), "kernel") != 0)
        return -1;
    const double idle_s = timer_now_s();
    TRY(cudaEventElapsedTime(&milliseconds, before, after));
    block->clocks.events_s = milliseconds * 1e-3;
    block->clocks.busy_s = idle_s - ended_s;
    block->clocks.host_s = outputs ? NAN : idle_s - start_s;
    if (outputs)
        TRY(looks_finish(job, outputs, stream, block));
    return 0;
}

static int run(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
               const struct cuda_outputs *outputs, struct cuda_block *block)
{
    if (block)
        return run_timed(launch, job, repeats, outputs, block);
    return launch_all(launch, job, repeats) == 0 ? keep(cudaDeviceSynchronize(), "kernel") : -1;
}

static void reset()
{
    if (stream)
        cuda_state_restore(stream);
}

__global__ void tilelab_marker()
{
}

static int mark(int blocks)
{
    tilelab_marker<<<blocks, 32, 0, stream>>>();
    TRY(cudaGetLastError());
    return keep(cudaStreamSynchronize(stream), "marker");
}

/* A sticky error comes back from every call. Any other error was cleared when it was reported. */
static bool sticky(void)
{
    return stream && (cudaStreamSynchronize(stream) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess);
}

static const char *last_error(void)
{
    return error_text;
}

CUDA_ENTRY const struct cuda_api *tilelab_cuda(void)
{
    static const struct cuda_api api = {
        CUDA_API_VERSION, open_device, describe, count, allocate, release, upload,     download, fill, copy,
        negate,           pin,         run,      reset, mark,     sticky,  last_error,
    };
    return &api;
}
