/* The BLAS backend: variants that call a BLAS library, which the worker loads.
 * SPDX-License-Identifier: MIT */
#include "blas_describe.h"
#include "blas_open.h"
#include "backend/cpu/cpu.h"
#include "base/timer.h"
#include "machine/host.h"
#include "machine/libraries.h"
#include "machine/noise.h"

#include <math.h>
#include <stdlib.h>

static struct blas library; /* of this worker; handle NULL: none */

static const char *missing(const struct cell *cell)
{
    char path[512], why[400];
    if (!libraries_find(cell->entry->library, path, sizeof path, why, sizeof why))
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

/* What a few products did to the cores that the library was given. */
struct use {
    double busy_cores; /* processor time of this process over wall time */
    double idle_cores; /* NAN: not known */
    double caller;     /* the calling thread's share of the processor time */
};

static struct use use_library(const float *a, float *c, int n, double least_s)
{
    const double idle = noise_idle_s(library.threads), start_cpu_s = timer_cpu_s(),
                 start_caller_s = timer_read(CLOCK_THREAD_CPUTIME_ID), start_s = timer_now_s();
    double wall_s;
    do {
        library.sgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, n, n, n, 1.0f, a, n, a, n, 0.0f, c, n);
        wall_s = timer_now_s() - start_s;
    } while (wall_s < least_s);
    const double cpu_s = timer_cpu_s() - start_cpu_s;
    return (struct use){.busy_cores = cpu_s / wall_s,
                        .caller = (timer_read(CLOCK_THREAD_CPUTIME_ID) - start_caller_s) / cpu_s,
                        .idle_cores = (noise_idle_s(library.threads) - idle) / wall_s};
}

/* Finds out whether the library uses the threads that it was told to use. A library that is misled about the cores puts
 * all its threads on one core, or starts only one thread, and does not report an error. On a shared machine other
 * programs may hold the cores. Then no core is idle, and the library is not to blame, unless the calling thread did all
 * of the work. */
static int judge_threads(const float *a, float *c, int n, char *why, size_t size)
{
    enum { TRIES = 3 };
    const double threads = library.threads;
    struct use use = use_library(a, c, n, 0.02); /* the first call makes the threads */
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

static int open_library(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    cpu_open(setup, known, why, size);
    if (!blas_open(setup->library, setup->threads, &library, why, size))
        return -1;
    /* A library may count the CPUs when it is called first, and later the calling thread has one CPU alone. */
    const float one = 1;
    float product = 0;
    library.sgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, 1, 1, 1, 1.0f, &one, 1, &one, 1, 0.0f, &product, 1);
    return known ? 0 : check_threads(why, size);
}

static bool has_own_threads(void)
{
    return blas_has_own_threads(&library);
}

static void reset(void)
{
    blas_set_threads(&library);
}

static void identity(const struct cell *cell, char hex[HASH_SHORT_SIZE])
{
    blas_identity(cell->entry->library, hex);
}

static void environment(const struct backend_setup *setup)
{
    blas_set_environment(setup->library);
}

static int prepare(struct job *job)
{
    job->blas = &library;
    return cpu_prepare(job);
}

static const struct backend_worker worker = {
    .open = open_library,
    .reset = reset,
    .prepare = prepare,
    .run = cpu_run,
    .finish = cpu_finish,
    .poisoned = cpu_poisoned,
    .has_own_threads = has_own_threads,
    .energy = &energy_of_processor,
};

const struct backend backend_blas = {
    .warm_s = CPU_WARM_S,
    .missing = missing,
    .memory_bytes = cpu_memory_bytes,
    .device = cpu_device,
    .least_s = cpu_least_s,
    .describe = blas_describe_main,
    .identity = identity,
    .environment = environment,
    .worker = &worker,
};
