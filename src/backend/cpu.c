/* Variants in this process: own kernels, and those that call a BLAS library.
 * SPDX-License-Identifier: MIT */
#include "backend.h"
#include "blas.h"
#include "base/timer.h"
#include "machine/host.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

static struct blas library; /* of this worker; handle NULL: none */

/* ---- Why a cell does not suit this machine ---- */

static const char *cpu_missing(const struct cell *cell)
{
    const struct host *host = host_get();
    char cores[160];
    if (cell->threads > host->cores)
        return cell_reason("%lld threads, but this process may use %s", (long long)cell->threads,
                           host_cores_text(host, cores, sizeof cores));
    if (cell->isa > host->isa_best)
        return cell_reason("built for %s, but this processor runs %s at most", cell_isa_names[cell->isa],
                           cell_isa_names[host->isa_best]);
    return NULL;
}

static const char *blas_missing(const struct cell *cell)
{
    char path[512], why[400];
    if (!blas_find(cell->entry->library, path, sizeof path, why, sizeof why))
        return cell_reason("%s", why);
    if (cell->entry->meta->lapack) {
        const struct blas *blas = blas_describe(cell->entry->library, host_get()->cores, why, sizeof why);
        if (!blas)
            return cell_reason("%s", why);
        if (!blas->lapack)
            return cell_reason("%.160s has no LAPACK: neither sgetrf_ nor dgetrf_", path);
    }
    return cpu_missing(cell);
}

static int64_t host_memory(void)
{
    return 0;
}

static const char *cpu_device(void)
{
    return host_get()->cpu_model;
}

/* ---- Opening ---- */

static int cpu_open(const struct backend_setup *setup, char *why, size_t size)
{
    (void)why, (void)size;
    omp_set_dynamic(0);
    omp_set_num_threads(setup->threads > 0 ? setup->threads : 1);
    return 0;
}

/* What a few products did to the cores that the library was given. */
struct use {
    double busy_cores; /* processor time of this process over wall time */
    double idle_cores; /* NAN: not told */
    double caller;     /* the calling thread's share of the processor time */
};

/* Seconds that the first `threads` usable cores have spent idle since the machine started; NAN: not
 * told. */
static double idle_s(int threads)
{
    const struct host *host = host_get();
    double ticks = 0;
    int found = 0;
    char line[512];
    FILE *file = fopen("/proc/stat", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        int cpu;
        long long idle, waiting;
        if (sscanf(line, "cpu%d %*d %*d %*d %lld %lld", &cpu, &idle, &waiting) != 3)
            continue;
        for (int i = 0; i < threads && i < host->cores; i++) {
            if (host->core_cpu[i] == cpu) {
                ticks += (double)(idle + waiting);
                found++;
            }
        }
    }
    if (file != NULL)
        fclose(file);
    return found == threads ? ticks / (double)sysconf(_SC_CLK_TCK) : NAN;
}

static struct use use_library(const float *a, float *c, int n, double least_s)
{
    const double idle = idle_s(library.threads), start_cpu_s = timer_cpu_s(),
                 start_caller_s = timer_read(CLOCK_THREAD_CPUTIME_ID), start_s = timer_now_s();
    double wall_s;
    do {
        library.sgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, n, n, n, 1.0f, a, n, a, n, 0.0f, c, n);
        wall_s = timer_now_s() - start_s;
    } while (wall_s < least_s);
    const double cpu_s = timer_cpu_s() - start_cpu_s;
    return (struct use){.busy_cores = cpu_s / wall_s,
                        .caller = (timer_read(CLOCK_THREAD_CPUTIME_ID) - start_caller_s) / cpu_s,
                        .idle_cores = (idle_s(library.threads) - idle) / wall_s};
}

/* A library that was misled about the cores runs all its threads on one of them, or starts one
 * only, and says nothing. On a shared machine others may hold the cores: then none of them is idle,
 * and the library is not to blame, unless all of the work was done by the thread that called it. */
static int judge_threads(const float *a, float *c, int n, char *why, size_t size)
{
    enum { TRIES = 3 };
    const double threads = library.threads;
    struct use use = use_library(a, c, n, 0.02); /* the first one makes the threads */
    for (int i = 0; i < TRIES; i++) {
        use = use_library(a, c, n, i == 0 ? 0.02 : 0.15);
        if (use.busy_cores >= 0.6 * threads || (i > 0 && use.idle_cores < 0.2 * threads && use.caller < 0.95))
            return 0;
    }
    snprintf(why, size, "%s was told to use %d threads, but kept %.1f cores busy at n = %d (%s)", library.name,
             library.threads, use.busy_cores, n, library.path);
    return -1;
}

static int check_threads(char *why, size_t size)
{
    enum { N = 1024 };
    if (library.threads < 2)
        return 0;
    float *a = malloc(sizeof *a * N * N), *c = malloc(sizeof *c * N * N);
    int status = -1;
    if (a != NULL && c != NULL) {
        for (size_t i = 0; i < (size_t)N * N; i++)
            a[i] = 1;
        status = judge_threads(a, c, N, why, size);
    } else {
        snprintf(why, size, "no memory to check the threads of %s", library.name);
    }
    free(a);
    free(c);
    return status;
}

static int library_open(const struct backend_setup *setup, char *why, size_t size)
{
    cpu_open(setup, why, size);
    if (!blas_open(setup->library, setup->threads, &library, why, size))
        return -1;
    return setup->known ? 0 : check_threads(why, size);
}

/* ---- A job ---- */

static int prepare(struct job *job)
{
    const struct variant *variant = cell_variant(job->cell);
    job->blas = library.handle != NULL ? &library : NULL;
    job->caches = host_caches(host_get());
    job->stream = NULL;
    return variant->prepare != NULL ? variant->prepare(job) : 0;
}

static int run(struct job *job, const struct repeats *repeats, struct backend_times *times)
{
    int (*const once)(struct job *) = cell_variant(job->cell)->run;
    const double start_s = timer_now_s();
    const int status = repeats_run(repeats, once, job);
    if (times)
        *times = (struct backend_times){.kernel_s = timer_now_s() - start_s, .clock_hz = NAN};
    return status;
}

static void finish(struct job *job)
{
    const struct variant *variant = cell_variant(job->cell);
    if (variant->release != NULL)
        variant->release(job);
}

static bool never_poisoned(void)
{
    return false;
}

const struct backend backend_cpu = {
    .missing = cpu_missing,
    .memory_bytes = host_memory,
    .device = cpu_device,
    .open = cpu_open,
    .prepare = prepare,
    .run = run,
    .finish = finish,
    .poisoned = never_poisoned,
};

const struct backend backend_blas = {
    .missing = blas_missing,
    .memory_bytes = host_memory,
    .device = cpu_device,
    .open = library_open,
    .prepare = prepare,
    .run = run,
    .finish = finish,
    .poisoned = never_poisoned,
};

const struct backend *backend_of(const struct cell *cell)
{
    static const struct backend *const backends[BACKENDS] = {
        [BACKEND_CPU] = &backend_cpu, [BACKEND_BLAS] = &backend_blas, [BACKEND_CUDA] = &backend_cuda};
    return backends[cell->entry->backend];
}
