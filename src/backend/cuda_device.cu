/* The device side of the CUDA backend: memory, copies, events, errors.
 * SPDX-License-Identifier: MIT
 *
 * nvcc compiles this file into tilelab-cuda.so together with the kernels. Everything goes through one stream of the
 * process, so that a copy, a fill and a kernel never overlap. */
#include "cuda_api.h"
#include "cuda_variant.cuh"

#include <errno.h>

static char error_text[240];
static cudaStream_t stream;
static cudaEvent_t before, after;
static long long head_start_cycles;

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
    int clock_khz;
    TRY(cudaSetDevice(device));
    TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    TRY(cudaEventCreate(&before));
    TRY(cudaEventCreate(&after));
    TRY(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device));
    head_start_cycles = clock_khz / 50; /* 20 us */
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

static int pin(void *host, size_t bytes, bool pinned)
{
    if (pinned)
        return keep(cudaHostRegister(host, bytes, cudaHostRegisterDefault), "cudaHostRegister");
    return keep(cudaHostUnregister(host), "cudaHostUnregister");
}

__global__ void tilelab_head_start(long long cycles)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

static int launch_all(int (*launch)(struct job *), struct job *job, const struct repeats *repeats)
{
    if (repeats_run(repeats, launch, job) == 0)
        return 0;
    const int code = errno; /* of the launch that failed */
    keep(cudaStreamSynchronize(stream), "kernel");
    errno = code;
    return -1;
}

/* A kernel keeps the device busy for a moment before the first event of timed runs. The event and the first launches
 * are then queued when the device reaches them. Otherwise the time of one launch call would lie between event and
 * kernel. */
static int run(int (*launch)(struct job *), struct job *job, const struct repeats *repeats, double *seconds)
{
    if (!seconds)
        return launch_all(launch, job, repeats) == 0 ? keep(cudaStreamSynchronize(stream), "kernel") : -1;
    tilelab_head_start<<<1, 1, 0, stream>>>(head_start_cycles);
    TRY(cudaGetLastError());
    TRY(cudaEventRecord(before, stream));
    if (launch_all(launch, job, repeats) != 0)
        return -1;
    TRY(cudaEventRecord(after, stream));
    if (keep(cudaEventSynchronize(after), "kernel") != 0)
        return -1;
    float milliseconds;
    TRY(cudaEventElapsedTime(&milliseconds, before, after));
    *seconds = milliseconds * 1e-3;
    return 0;
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
    return stream && cudaStreamSynchronize(stream) != cudaSuccess;
}

static const char *last_error(void)
{
    return error_text;
}

CUDA_ENTRY const struct cuda_api *tilelab_cuda(void)
{
    static const struct cuda_api api = {
        CUDA_API_VERSION, open_device, describe, count, allocate, release, upload, download, fill, copy, pin, run, mark,
        sticky,           last_error,
    };
    return &api;
}
