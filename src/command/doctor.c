/* `tilelab doctor`: tells what this machine offers and what it lacks, what each lack costs, and how to mend it.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "packages.h"
#include "backend/blas_describe.h"
#include "backend/cuda.h"
#include "base/tool.h"
#include "counters/profiler.h"
#include "machine/host.h"
#include "machine/libraries.h"
#include "machine/nvml.h"

#include <inttypes.h>
#include <locale.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void section(FILE *out, const char *title)
{
    fprintf(out, "\n%s\n", title);
}

/* Prints one finding; `state` is "found", "missing" or "limited". */
static void report(FILE *out, const char *state, const char *name, const char *format, ...) TILELAB_PRINTF(4, 5);
static void report(FILE *out, const char *state, const char *name, const char *format, ...)
{
    va_list args;
    fprintf(out, "  %-8s %-18s ", state, name);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
}

/* Prints what follows from the finding above, or what mends it. */
static void remark(FILE *out, const char *what, const char *text)
{
    fprintf(out, "  %-8s %-18s %s: %s\n", "", "", what, text);
}

static void report_missing(FILE *out, const char *name, const char *why, const char *cost, const char *remedy)
{
    report(out, "missing", name, "%s", why);
    remark(out, "costs", cost);
    if (remedy != NULL)
        remark(out, "remedy", remedy);
}

/* ---- tools ---- */

static const struct tool {
    const char *name, *cost, *remedy;
    bool cuda; /* also searched for in the folder of the CUDA Toolkit */
} tools[] = {
    {"gcc", "only clang can build the program", PACKAGE_INSTALL PACKAGE_gcc, false},
    {"make", "nothing can be built", PACKAGE_INSTALL PACKAGE_make, false},
    {"gnuplot", "no figures", PACKAGE_INSTALL PACKAGE_gnuplot, false},
    {"pdflatex", "no PDF report", PACKAGE_INSTALL PACKAGE_booktabs_sty " " PACKAGE_t2acmr_fd " " PACKAGE_sfrm1000_pfb,
     false},
    {"latexmk", "no PDF report", PACKAGE_INSTALL PACKAGE_latexmk, false},
    {"nvcc", "CUDA variants cannot be built: their cells are skipped",
     "the CUDA Toolkit (Debian, Ubuntu: " PACKAGE_INSTALL PACKAGE_nvcc ")", true},
    {"ncu", "no hardware counters of kernels", NCU_REMEDY, true},
    {"compute-sanitizer", "the tests do not check CUDA variants for races and accesses out of bounds",
     "part of the CUDA Toolkit", true},
};

static void report_tools(FILE *out)
{
    section(out, "Tools");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        char path[1024], version[64];
        if (!tool_find(tools[i].name, tools[i].cuda, path, sizeof path)) {
            report_missing(out, tools[i].name, "not in PATH", tools[i].cost, tools[i].remedy);
            continue;
        }
        tool_version(path, version, sizeof version);
        report(out, "found", tools[i].name, "%s%s%s", version, version[0] != '\0' ? "  " : "", path);
    }
}

/* ---- processor and memory ---- */

static void report_size(FILE *out, const char *name, int64_t bytes)
{
    if (bytes >= INT64_C(1) << 30)
        report(out, "found", name, "%.1f GiB", (double)bytes / (double)(1 << 30));
    else
        report(out, "found", name, "%" PRId64 " KiB", bytes >> 10);
}

static void report_cores(FILE *out, const struct host *host)
{
    char text[160];
    const bool all = host->cores == host->cores_online;
    report(out, all ? "found" : "limited", "cores", "%s", host_cores_text(host, text, sizeof text));
    if (all)
        return;
    remark(out, "costs", "cells with more threads are skipped");
    if (host->cores < host->cores_allowed)
        remark(out, "remedy",
               "raise the limit of the control group (docker run --cpus, cpu.max, the batch job's cores)");
    if (host->cores_allowed < host->cores_online)
        remark(out, "remedy", "widen the affinity mask (taskset, docker run --cpuset-cpus, the batch job's cores)");
}

static void report_clock(FILE *out, const struct host *host)
{
    if (host->nominal_ghz > 0)
        report(out, "found", "nominal clock", "%.2f GHz", host->nominal_ghz);
    if (host->governor[0] == '\0') {
        report(out, "found", "governor", "this machine does not tell it");
        return;
    }
    const bool steady = strcmp(host->governor, "performance") == 0;
    report(out, steady ? "found" : "limited", "governor", "%s", host->governor);
    if (!steady) {
        remark(out, "costs", "the clock follows the load: the first samples are slower, and intervals are wider");
        remark(out, "remedy", "sudo cpupower frequency-set -g performance");
    }
}

static void report_processor(FILE *out)
{
    const struct host *host = host_get();
    section(out, "Processor and memory");
    report(out, "found", "model", "%s%s", host->cpu_model,
           host_model_masked(host) ? " (the hypervisor masks its number)" : "");
    report_cores(out, host);
    if (host->smt > 1)
        report(out, "found", "threads a core", "%d; one thread of each core is used", host->smt);
    report(out, "found", "sockets, NUMA", "%d, %d", host->sockets, host->numa_nodes);
    report(out, "found", "instruction set", "%s%s%s%s", cell_isa_names[host->isa_best],
           host->simd[0] != '\0' ? " (" : "", host->simd, host->simd[0] != '\0' ? ")" : "");
    report_clock(out, host);
    const int64_t caches[] = {host->l1d_bytes, host->l2_bytes, host->l3_bytes};
    static const char *const names[] = {"L1 data cache", "L2 cache", "L3 cache"};
    for (int i = 0; i < 3; i++) {
        if (caches[i] > 0)
            report_size(out, names[i], caches[i]);
    }
    report_size(out, "memory", host->memory_bytes);
    report_size(out, "available", host->memory_available_bytes);
    if (host->memory_limit_bytes > 0) {
        report(out, "limited", "memory limit", "%.1f GiB by the control group",
               (double)host->memory_limit_bytes / (double)(1 << 30));
        remark(out, "costs", "cells with larger operands are skipped");
    }
}

/* ---- libraries ---- */

static void report_library(FILE *out, const char *name)
{
    char path[512], why[400];
    if (!libraries_find(name, path, sizeof path, why, sizeof why)) {
        report_missing(out, name, why, "its cells are skipped", NULL);
        return;
    }
    const struct blas *blas = blas_describe(name, host_get()->cores, why, sizeof why);
    if (blas == NULL) {
        report_missing(out, name, why, "its cells fail", NULL);
        return;
    }
    const bool poor = blas->remark[0] != '\0' && (blas->choice == BLAS_POOR || blas->choice == BLAS_USER);
    report(out, poor ? "limited" : "found", name, "%s", blas->path);
    remark(out, "SHA-256", blas->hash);
    remark(out, "says", blas->config);
    if (blas->setting[0] != '\0')
        remark(out, blas->choice == BLAS_USER ? "set by the user" : "set before loading", blas->setting);
    if (blas->remark[0] != '\0')
        remark(out, "its kernel", blas->remark);
}

static void report_libraries(FILE *out)
{
    enum { MOST = 16 };
    const char *names[MOST];
    char why[400];
    const size_t count = libraries_names(names, MOST);
    section(out, "BLAS libraries");
    for (size_t i = 0; i < count; i++)
        report_library(out, names[i]);
    if (!libraries_setting_valid(why, sizeof why))
        report_missing(out, "TILELAB_BLAS", why, "the libraries that it names are not measured", NULL);
}

/* ---- GPU ---- */

/* The driver refuses root without CAP_SYS_ADMIN, as in a container, like any other user. */
static bool has_sys_admin(void)
{
    enum { SYS_ADMIN = 21 };
    char line[256];
    unsigned long long effective = 0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "CapEff:", 7) == 0)
            effective = strtoull(line + 7, NULL, 16);
    if (file != NULL)
        fclose(file);
    return effective >> SYS_ADMIN & 1;
}

static void report_counters(FILE *out)
{
    char line[256];
    bool told = false, restricted = false;
    FILE *file = fopen("/proc/driver/nvidia/params", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "RmProfilingAdminOnly:", 21) == 0) {
            told = true;
            restricted = atoi(line + 21) != 0;
        }
    }
    if (file != NULL)
        fclose(file);
    if (!told)
        report(out, "found", "counters", "the driver does not say whether programs may read them");
    else if (!restricted || has_sys_admin())
        report(out, "found", "counters", "programs may read them");
    else {
        report(out, "limited", "counters", "%s", COUNTERS_REFUSED);
        remark(out, "costs", "no hardware counters of kernels");
        remark(out, "remedy", COUNTERS_REFUSED_REMEDY);
        remark(out, "for good",
               "as root: echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0'"
               " >/etc/modprobe.d/counters.conf, then boot again");
    }
}

static void report_gpu(FILE *out)
{
    char driver[64];
    section(out, "GPU");
    const bool loaded = nvml_driver(driver, sizeof driver);
    const struct cuda_discovery *found = cuda_discover();
    if (loaded)
        report(out, "found", "driver", "%s", driver);
    else
        report_missing(out, "driver", "no NVIDIA driver answers", "the GPU's cells are skipped",
                       "the driver of the distribution; in a container: docker run --gpus all");
    if (found->missing[0] == '\0') {
        const struct cuda_device *gpu = &found->device;
        report(out, "found", "device", "%s (compute capability %d.%d, %d multiprocessors)", gpu->name, gpu->major,
               gpu->minor, gpu->multiprocessors);
        report_size(out, "device memory", gpu->memory_bytes);
        for (int i = 0; i < CUDA_LIBRARIES; i++)
            if (found->missing_library[i][0] != '\0')
                report_missing(out, cuda_libraries[i].name, found->missing_library[i],
                               "no baseline for the GPU: its cells are skipped", NULL);
    } else if (loaded) {
        report_missing(out, "CUDA variants", found->missing, "their cells are skipped", NULL);
    }
    if (loaded)
        report_counters(out);
}

int doctor_print(FILE *out)
{
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    fputs("What tilelab found on this machine\n", out);
    report_tools(out);
    report_processor(out);
    report_libraries(out);
    report_gpu(out);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    return EXIT_OK;
}

int doctor_main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1)
        return doctor_print(stdout);
    fprintf(stderr, "tilelab: doctor takes no arguments\n");
    return EXIT_USAGE;
}
