/* Notes and restores the state of a device.
 * SPDX-License-Identifier: MIT */
#include "cuda_state.cuh"

#include <string.h>

static const enum cudaLimit limits[] = {
    cudaLimitPrintfFifoSize,
    cudaLimitDevRuntimePendingLaunchCount,
#if CUDART_VERSION >= 11000
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize,
#endif
};
enum { LIMITS = sizeof limits / sizeof *limits };

static struct {
    int device;
    unsigned flags;
    cudaFuncCache preferred;
    size_t limit[LIMITS];
    bool has_limit[LIMITS];
} noted;

#if CUDART_VERSION >= 11000
static const cudaStreamAttrID attributes[] = {cudaStreamAttributeAccessPolicyWindow,
                                              cudaStreamAttributeSynchronizationPolicy};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };
static cudaStreamAttrValue noted_attribute[ATTRIBUTES];

static bool read_attribute(cudaStream_t stream, int i, cudaStreamAttrValue *value)
{
    memset(value, 0, sizeof *value);
    return cudaStreamGetAttribute(stream, attributes[i], value) == cudaSuccess;
}

static void note_attributes(cudaStream_t stream)
{
    for (int i = 0; i < ATTRIBUTES; i++)
        read_attribute(stream, i, &noted_attribute[i]);
}

static void restore_attributes(cudaStream_t stream)
{
    cudaStreamAttrValue now;
    for (int i = 0; i < ATTRIBUTES; i++)
        if (read_attribute(stream, i, &now) && memcmp(&now, &noted_attribute[i], sizeof now) != 0)
            cudaStreamSetAttribute(stream, attributes[i], &noted_attribute[i]);
}

/* Lines can persist only while a part of the cache is set aside for them. */
static void forget_persisting_lines()
{
    size_t aside = 0;
    if (cudaDeviceGetLimit(&aside, cudaLimitPersistingL2CacheSize) == cudaSuccess && aside > 0)
        cudaCtxResetPersistingL2Cache();
}
#else
static void note_attributes(cudaStream_t)
{
}

static void restore_attributes(cudaStream_t)
{
}

static void forget_persisting_lines()
{
}
#endif

void cuda_state_note(int device, cudaStream_t stream)
{
    noted.device = device;
    cudaGetDeviceFlags(&noted.flags);
    cudaDeviceGetCacheConfig(&noted.preferred);
    for (int i = 0; i < LIMITS; i++)
        noted.has_limit[i] = cudaDeviceGetLimit(&noted.limit[i], limits[i]) == cudaSuccess;
    note_attributes(stream);
    cudaGetLastError();
}

static void restore_limits()
{
    size_t now;
    for (int i = 0; i < LIMITS; i++)
        if (noted.has_limit[i] && cudaDeviceGetLimit(&now, limits[i]) == cudaSuccess && now != noted.limit[i])
            cudaDeviceSetLimit(limits[i], noted.limit[i]);
}

/* A variant may have left a capture open. Until it ends, the stream executes nothing. */
static void end_capture(cudaStream_t stream)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = NULL;
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess || status == cudaStreamCaptureStatusNone)
        return;
    cudaStreamEndCapture(stream, &graph);
    if (graph)
        cudaGraphDestroy(graph);
}

void cuda_state_restore(cudaStream_t stream)
{
    unsigned flags = 0;
    cudaFuncCache preferred = noted.preferred;
    cudaSetDevice(noted.device);
    end_capture(stream);
    cudaDeviceSynchronize();
    if (cudaGetDeviceFlags(&flags) == cudaSuccess && flags != noted.flags)
        cudaSetDeviceFlags(noted.flags);
    if (cudaDeviceGetCacheConfig(&preferred) == cudaSuccess && preferred != noted.preferred)
        cudaDeviceSetCacheConfig(noted.preferred);
    restore_attributes(stream);
    forget_persisting_lines();
    restore_limits();
    cudaGetLastError();
}
