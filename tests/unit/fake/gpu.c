/* A machine with a GPU, for the backend's tests. This file is the driver, the management library and tilelab-cuda.so in
 * one; it works on host memory.
 * SPDX-License-Identifier: MIT */
#include "backend/cuda/cuda_api.h"
#include "backend/layout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char error_text[64];
static bool lost;
static int launches;

static int fail(const char *text)
{
    snprintf(error_text, sizeof error_text, "%s", text);
    return -1;
}

static int open_device(int device, void **stream)
{
    *stream = &launches;
    return device == 0 ? 0 : fail("invalid device ordinal");
}

static int count(int *devices)
{
    const char *text = getenv("FAKE_GPU_COUNT");
    *devices = getenv("FAKE_GPU_NONE") ? 0 : text ? atoi(text) : 1;
    return *devices ? 0 : fail("no CUDA-capable device is detected");
}

static int describe(int device, struct cuda_device *to)
{
    *to = (struct cuda_device){.name = "Fake GPU",
                               .major = 7,
                               .minor = 5,
                               .multiprocessors = 2,
                               .threads_per_sm = 1024,
                               .memory_bytes = INT64_C(8) << 30,
                               .l2_bytes = 1 << 20,
                               .built_for = getenv("FAKE_GPU_OLD") ? 80 : 75,
                               .pci_bus = "0000:01:00.0",
                               .memory_free_bytes = -1,
                               .power_limit_w = -1};
    return device == 0 ? 0 : fail("invalid device ordinal");
}

static long free_mib(void)
{
    const char *text = getenv("FAKE_GPU_FREE_MIB");
    return text ? strtol(text, NULL, 10) : 4096;
}

static void *allocate(size_t bytes)
{
    static size_t taken; /* what is released stays taken */
    taken += bytes;
    return taken > (size_t)free_mib() << 20 ? NULL : malloc(bytes);
}

static int copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return 0;
}

static int fill(void *to, int byte, size_t bytes)
{
    memset(to, byte, bytes);
    return 0;
}

/* Writes a line to the file that a variable names. */
static void show(const char *variable, const char *name, int blocks)
{
    const char *path = getenv(variable);
    FILE *out = path ? fopen(path, "ae") : NULL;
    if (!out)
        return;
    fprintf(out, "%s %d\n", name, blocks);
    fclose(out);
}

/* Writes what a profiler would see. */
static void show_kernel(const char *name, int blocks)
{
    show("FAKE_GPU_LOG", name, blocks);
}

static int negate(void *memory, int64_t precision, int64_t first, int64_t count, int64_t stride)
{
    for (int64_t i = 0, at = first; i < count; i++, at += stride)
        if (precision == F64)
            ((double *)memory)[at] = -((double *)memory)[at];
        else if (precision == F32)
            ((float *)memory)[at] = -((float *)memory)[at];
        else
            ((uint32_t *)memory)[at] = -((uint32_t *)memory)[at];
    return 0;
}

/* Pinned memory is counted; FAKE_GPU_PIN_FAILS is the number of the call that fails. */
static int pin(void *host, size_t bytes, bool pinned)
{
    static int calls;
    const char *fails = getenv("FAKE_GPU_PIN_FAILS");
    if (host == NULL || bytes == 0 || (pinned && fails && ++calls >= atoi(fails)))
        return fail("cudaHostRegister: out of memory");
    if (pinned)
        memset(host, *(char *)host, 0); /* a driver needs memory that can be written */
    show_kernel(pinned ? "pin" : "unpin", (int)bytes);
    return 0;
}

static double setting(const char *name, double otherwise)
{
    const char *text = getenv(name);
    return text ? strtod(text, NULL) : otherwise;
}

/* With FAKE_GPU_BUSY_S the device is busy for so long after the last event. With FAKE_GPU_HOST_S the host waits for so
 * long. With FAKE_GPU_EARLY outputs change while the stream is held, with FAKE_GPU_LATE after the last event. The first
 * FAKE_GPU_BLIND blocks that are held have no look. */
static int time_launches(int (*launch)(struct job *), struct job *job, const struct repeats *repeats,
                         const struct cuda_outputs *outputs, struct cuda_block *block)
{
    static int holds;
    if (repeats_run(repeats, launch, job) != 0)
        return -1;
    if (block) {
        const double events_s = setting("FAKE_GPU_RUN_S", 0.25) * repeats->count;
        const bool looked = outputs && ++holds > setting("FAKE_GPU_BLIND", 0);
        *block = (struct cuda_block){
            .clocks = {events_s, setting("FAKE_GPU_BUSY_S", 0), setting("FAKE_GPU_HOST_S", events_s)},
            .looked = looked,
            .early = looked && getenv("FAKE_GPU_EARLY"),
            .late = looked && getenv("FAKE_GPU_LATE")};
        if (outputs)
            show("FAKE_GPU_WATCHED", "held", (int)outputs->bytes[2]);
    }
    return lost ? fail("kernel: an illegal memory access was encountered") : 0;
}

static void reset(void)
{
    show("FAKE_GPU_WATCHED", "reset", 1);
}

static int mark(int blocks)
{
    show_kernel("tilelab_marker", blocks);
    return 0;
}

static bool sticky(void)
{
    return lost;
}

static const char *last_error(void)
{
    return error_text;
}

const struct layout *tilelab_layout(void)
{
    return &layout_here;
}

const struct cuda_api *tilelab_cuda(void)
{
    static struct cuda_api api = {
        CUDA_API_VERSION, open_device, describe,      count, allocate, free,   copy,      copy, fill, copy,
        negate,           pin,         time_launches, reset, mark,     sticky, last_error};
    if (getenv("FAKE_GPU_VERSION"))
        api.version++;
    return &api;
}

/* Four variants. One counts its launches. The launch of one fails. The device of one complains afterwards. One
 * faults. */
int fake_count_prepare(struct job *job)
{
    job->state = &launches;
    launches = 0;
    return 0;
}

int fake_count_launch(struct job *job)
{
    ++*(int *)job->state;
    return 0;
}

void fake_count_release(struct job *job)
{
    job->state = NULL;
}

int fake_refuse_launch(struct job *job)
{
    return job_fail(job, "no kernel for this cell");
}

int fake_complain_launch(struct job *job)
{
    (void)job;
    return 0;
}

int fake_complain_check(struct job *job)
{
    return job_fail(job, "the device heap is exhausted");
}

int fake_fault_launch(struct job *job)
{
    (void)job;
    lost = true;
    return 0;
}

/* Two variants of the program's own: one is right and has two kernels; one leaves its output as it was. */
int matmul_cuda_global_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const double *a = job->operand[0], *b = job->operand[1];
    double *c = job->operand[2];
    for (int64_t i = 0; i < cell->m; i++)
        for (int64_t j = 0; j < cell->n; j++) {
            double sum = 0;
            for (int64_t p = 0; p < cell->k; p++)
                sum += a[i * cell->k + p] * b[p * cell->n + j];
            c[i * cell->n + j] = sum;
        }
    show_kernel("product<double>(const T1 *, T1 *)", 7);
    show_kernel("product<double>(const T1 *, T1 *)", 9);
    return 0;
}

int matmul_cuda_shared_launch(struct job *job)
{
    (void)job;
    show_kernel("nothing", 1);
    return 0;
}

/* Two factorisations in f64: one without pivots, row by row; one with pivots, column by column. The first fails with
 * the code FAKE_GPU_ERRNO, if that is set. */
int lu_cuda_naive_launch(struct job *job)
{
    const int64_t n = job->cell->n;
    double *a = job->operand[0];
    const char *code = getenv("FAKE_GPU_ERRNO");
    if (code) {
        errno = (int)strtol(code, NULL, 10);
        return job_fail(job, "out of memory or out of order");
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int64_t j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    return 0;
}

int lu_cusolver_launch(struct job *job)
{
    const int64_t n = job->cell->n;
    double *a = job->operand[0];
    int32_t *pivots = job->operand[1];
    for (int64_t k = 0; k < n; k++) {
        int64_t chosen = k;
        for (int64_t i = k; i < n; i++)
            if (a[k * n + i] * a[k * n + i] > a[k * n + chosen] * a[k * n + chosen])
                chosen = i;
        pivots[k] = (int32_t)chosen + 1;
        for (int64_t j = 0; j < n; j++) {
            const double kept = a[j * n + k];
            a[j * n + k] = a[j * n + chosen];
            a[j * n + chosen] = kept;
        }
        for (int64_t i = k + 1; i < n; i++)
            a[k * n + i] /= a[k * n + k];
        for (int64_t j = k + 1; j < n; j++)
            for (int64_t i = k + 1; i < n; i++)
                a[j * n + i] -= a[k * n + i] * a[j * n + k];
    }
    return 0;
}

/* The driver: all devices have one PCI bus id. */
int cuDeviceGetPCIBusId(char *text, int size, int device)
{
    (void)device;
    snprintf(text, (size_t)size, "0000:01:00.0");
    return 0;
}

/* The management library. */
int nvmlInit_v2(void)
{
    return 0;
}

int nvmlShutdown(void)
{
    return 0;
}

int nvmlSystemGetDriverVersion(char *text, unsigned size)
{
    snprintf(text, size, "123.45");
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *pci_bus, void **device)
{
    *device = &launches;
    return strcmp(pci_bus, "0000:01:00.0") == 0 ? 0 : 6;
}

int nvmlDeviceGetUUID(void *device, char *text, unsigned size)
{
    snprintf(text, size, "GPU-0123");
    return device == &launches ? 0 : 2;
}

int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *mhz)
{
    *mhz = kind == 1 ? 1500 : 1;
    return device == &launches ? 0 : 2;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *mask)
{
    const char *text = getenv("FAKE_GPU_REASONS");
    *mask = text ? strtoull(text, NULL, 0) : 0;
    return device == &launches ? 0 : 2;
}

int nvmlDeviceGetMemoryInfo(void *device, unsigned long long memory[3])
{
    memory[0] = 8ull << 30;
    memory[1] = (unsigned long long)free_mib() << 20;
    memory[2] = memory[0] - memory[1];
    return device == &launches ? 0 : 2;
}

int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts)
{
    *milliwatts = 250000;
    return device == &launches ? 0 : 2;
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *celsius)
{
    *celsius = sensor == 0 ? 55 : 0;
    return device == &launches ? 0 : 2;
}

/* A device that takes FAKE_GPU_WATTS; without it, the driver has no counter. The counter moves every FAKE_GPU_STEP_S.
 * With FAKE_GPU_WRAPS it goes over 2^64 soon after its first reading, with FAKE_GPU_RESETS it begins anew then. */
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    static unsigned long long base;
    static int readings;
    struct timespec now;
    const double step_s = setting("FAKE_GPU_STEP_S", 0.005), watts = setting("FAKE_GPU_WATTS", 0);
    if (device != &launches || !(watts > 0))
        return getenv("FAKE_GPU_DENIED") ? 4 : 3;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double now_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    const unsigned long long counted = (unsigned long long)((double)(long long)(now_s / step_s) * step_s * watts * 1e3);
    if (readings++ == 0)
        base = getenv("FAKE_GPU_WRAPS") ? -counted - (unsigned long long)watts : 0;
    *millijoules = getenv("FAKE_GPU_RESETS") && readings > 20 ? 0 : base + counted;
    return 0;
}

/* With FAKE_GPU_OTHERS two processes use the device, from the look of that number on. */
struct use {
    unsigned pid;
    unsigned long long time_us;
    unsigned percent[4];
};
int nvmlDeviceGetProcessUtilization(void *device, struct use *uses, unsigned *count, unsigned long long after_us)
{
    static int looks;
    if (device != &launches || ++looks < setting("FAKE_GPU_OTHERS", 1e9))
        return 6;
    for (unsigned i = 0; i < 2; i++)
        uses[i] = (struct use){.pid = 100 + i, .time_us = after_us + 1, .percent = {50}};
    *count = 2;
    return 0;
}
