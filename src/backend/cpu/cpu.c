/* The CPU backend: this program's own kernels, run in this process.
 * SPDX-License-Identifier: MIT */
#include "cpu.h"

#include "cell.h"
#include "backend/object.h"
#include "base/timer.h"
#include "machine/host.h"

#include <math.h>
#include <omp.h>

const char *cpu_missing(const struct cell *cell)
{
    const struct host *host = host_get();
    char cores[160];
    if (cell->threads > host->cores)
        return cell_reason("%lld threads, but this process may use %s", (long long)cell->threads,
                           host_cores_text(host, cores, sizeof cores));
    if (cell->isa > host->isa_best)
        return cell_reason("built for %s, but this processor runs %s at most", cell_isa_names[cell->isa],
                           cell_isa_names[host->isa_best]);
    const char *simd = cell->entry != NULL ? cell_meta(cell)->simd : NULL; /* calibrate asks for no variant */
    if (simd != NULL && strstr(host->simd, simd) == NULL)
        return cell_reason("it needs %s, which this processor lacks", simd);
    return NULL;
}

int64_t cpu_memory_bytes(const struct cell *cell)
{
    (void)cell;
    return 0;
}

const char *cpu_device(const struct cell *cell)
{
    (void)cell;
    return host_get()->cpu_model;
}

/* No core of today runs faster than 6 GHz, loads more than two lines of 64 bytes a cycle from its first-level cache, or
 * does more than two multiply-adds of 64 bytes a cycle. A tile unit multiplies at most 1024 pairs a cycle. */
double cpu_least_s(const struct cell *cell)
{
    const double cycles_s = 6e9 * (double)(cell->threads > 0 ? cell->threads : 1);
    const double lanes = 64.0 / (double)cell_precision_size(cell->precision);
    const double bytes = cell->entry->problem->probe ? 0 : cell_traffic(cell);
    const double pairs = cell_meta(cell)->tensor & BIT(cell->precision) ? 1024 : 2 * lanes;
    return fmax(cell_flops(cell) / (2 * pairs * cycles_s), bytes / (2 * 64 * cycles_s));
}

int cpu_open(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    (void)known, (void)why, (void)size;
    omp_set_dynamic(0);
    omp_set_num_threads(setup->threads > 0 ? setup->threads : 1);
    return 0;
}

int cpu_prepare(struct job *job)
{
    const struct variant *variant = object_build(job->cell, job->error, sizeof job->error);
    job->caches = host_caches(host_get());
    job->stream = NULL;
    if (!variant)
        return -1;
    return variant->prepare != NULL ? variant->prepare(job) : 0;
}

int cpu_run(struct job *job, const struct repeats *repeats, struct backend_times *times)
{
    int (*const once)(struct job *) = object_build(job->cell, job->error, sizeof job->error)->run;
    const double start_s = timer_call_s();
    const int status = repeats_run(repeats, once, job);
    if (times)
        *times = (struct backend_times){.kernel_s = timer_call_s() - start_s, .clock_hz = NAN, .temperature_c = NAN};
    return status;
}

void cpu_finish(struct job *job)
{
    const struct variant *variant = object_build(job->cell, job->error, sizeof job->error);
    if (variant->release != NULL)
        variant->release(job);
}

bool cpu_poisoned(void)
{
    return false;
}

static int prepare(struct job *job)
{
    job->blas = NULL;
    return cpu_prepare(job);
}

static const struct backend_worker worker = {
    .open = cpu_open,
    .prepare = prepare,
    .run = cpu_run,
    .finish = cpu_finish,
    .poisoned = cpu_poisoned,
    .energy = &energy_of_processor,
};

const struct backend backend_cpu = {
    .warm_s = CPU_WARM_S,
    .missing = cpu_missing,
    .memory_bytes = cpu_memory_bytes,
    .device = cpu_device,
    .least_s = cpu_least_s,
    .worker = &worker,
};
