/* `tilelab doctor`: tells what this machine offers and what it lacks, what each lack costs, and how to mend it.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "options.h"
#include "packages.h"
#include "backend/backend.h"
#include "backend/blas/blas_describe.h"
#include "base/diagnosis.h"
#include "base/timer.h"
#include "base/tool.h"
#include "counters/profiler.h"
#include "machine/cores_probe.h"
#include "machine/energy.h"
#include "machine/host.h"
#include "machine/libraries.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tools ---- */

static const struct tool {
    const char *name, *cost, *remedy;
    bool cuda; /* also searched for in the folder of the CUDA Toolkit */
} tools[] = {
    {"gcc", "only clang can build the program", PACKAGE_INSTALL PACKAGE_gcc, false},
    {"make", "nothing can be built", PACKAGE_INSTALL PACKAGE_make, false},
    {"gnuplot", "no figures", PACKAGE_INSTALL PACKAGE_gnuplot, false},
    {"rsvg-convert", "no figures", PACKAGE_INSTALL PACKAGE_rsvg_convert, false},
    {"pdflatex", "no PDF report", PACKAGE_INSTALL PACKAGE_booktabs_sty " " PACKAGE_t2acmr_fd " " PACKAGE_sfrm1000_pfb,
     false},
    {"latexmk", "no PDF report", PACKAGE_INSTALL PACKAGE_latexmk, false},
    {"nvcc", "CUDA variants cannot be built: their cells are skipped",
     "the CUDA Toolkit (Debian, Ubuntu: " PACKAGE_INSTALL PACKAGE_nvcc ")", true},
    {"ncu", "no hardware counters of kernels", NCU_REMEDY, true},
    {"compute-sanitizer", "the tests do not check CUDA variants for races and accesses out of bounds",
     "part of the CUDA Toolkit", true},
    {"bwrap", "only the sandbox of `tilelab grade` (optional)", PACKAGE_INSTALL PACKAGE_bwrap, false},
};

static void report_tools(FILE *out)
{
    diagnosis_section(out, "Tools");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        char path[1024], version[64];
        if (!tool_find(tools[i].name, tools[i].cuda, path, sizeof path)) {
            diagnosis_missing(out, tools[i].name, "not in PATH", tools[i].cost, tools[i].remedy);
            continue;
        }
        tool_version(path, version, sizeof version);
        diagnosis_line(out, "found", tools[i].name, "%s%s%s", version, version[0] != '\0' ? "  " : "", path);
    }
}

/* ---- processor and memory ---- */

static void report_cores(FILE *out, const struct host *host)
{
    char text[160];
    const bool all = host->cores == host->cores_online;
    diagnosis_line(out, all ? "found" : "limited", "cores", "%s", host_cores_text(host, text, sizeof text));
    if (all)
        return;
    diagnosis_remark(out, "costs", "cells with more threads are skipped");
    if (host->cores < host->cores_allowed)
        diagnosis_remark(out, "remedy",
                         "raise the limit of the control group (docker run --cpus, cpu.max, the batch job's cores)");
    if (host->cores_allowed < host->cores_online)
        diagnosis_remark(out, "remedy",
                         "widen the affinity mask (taskset, docker run --cpuset-cpus, the batch job's cores)");
}

static void report_effective_cores(FILE *out)
{
    /* What is worth a word: noise alone parts the usual look from the best one by less. */
    static const double SURPLUS = 1.15;
    char text[160], shared[60], best[32] = "";
    if (timer_is_fake() || !cores_probe())
        return;
    const struct cores *cores = cores_probe_found();
    const char *warning = cores_warning(cores, text, sizeof text);
    cores_probe_shared(shared, sizeof shared);
    if (cores->best > SURPLUS * cores->effective)
        snprintf(best, sizeof best, ", %.1f at best", cores->best);
    diagnosis_line(out, warning ? "limited" : "found", "effective cores", "%.1f of %d%s%s%s", cores->effective,
                   cores->threads, best, shared[0] != '\0' ? "; these CPUs share a core: " : "", shared);
    if (warning)
        diagnosis_remark(out, "costs", warning);
}

static void report_clock(FILE *out, const struct host *host)
{
    if (host->nominal_ghz > 0)
        diagnosis_line(out, "found", "nominal clock", "%.2f GHz", host->nominal_ghz);
    if (host->governor[0] == '\0') {
        diagnosis_line(out, "found", "governor", "this machine does not tell it");
        return;
    }
    const bool steady = strcmp(host->governor, "performance") == 0;
    diagnosis_line(out, steady ? "found" : "limited", "governor", "%s", host->governor);
    if (!steady) {
        diagnosis_remark(out, "costs",
                         "the clock follows the load: the first samples are slower, and intervals are wider");
        diagnosis_remark(out, "remedy", "sudo cpupower frequency-set -g performance");
    }
}

static void report_energy(FILE *out)
{
    char why[160] = "";
    if (isnan(energy_of_processor.joules(why, sizeof why)))
        diagnosis_missing(out, "energy", why, "no joules and watts of CPU cells", NULL);
    else
        diagnosis_line(out, "found", "energy", "the processor's packages count it");
}

static void report_processor(FILE *out)
{
    const struct host *host = host_get();
    diagnosis_section(out, "Processor and memory");
    diagnosis_line(out, "found", "model", "%s%s", host->cpu_model,
                   host_model_masked(host) ? " (the hypervisor masks its number)" : "");
    if (host->cpu_id[0] != '\0')
        diagnosis_line(out, "found", "number", "%s", host->cpu_id);
    report_cores(out, host);
    report_effective_cores(out);
    if (host->smt > 1)
        diagnosis_line(out, "found", "threads a core", "%d; one thread of each core is used", host->smt);
    diagnosis_line(out, "found", "sockets, NUMA", "%d, %d", host->sockets, host->numa_nodes);
    diagnosis_line(out, "found", "instruction set", "%s%s%s%s", cell_isa_names[host->isa_best],
                   host->simd[0] != '\0' ? " (" : "", host->simd, host->simd[0] != '\0' ? ")" : "");
    report_clock(out, host);
    report_energy(out);
    const int64_t caches[] = {host->l1d_bytes, host->l2_bytes, host->l3_bytes};
    static const char *const names[] = {"L1 data cache", "L2 cache", "L3 cache"};
    for (int i = 0; i < 3; i++) {
        if (caches[i] > 0)
            diagnosis_size(out, names[i], caches[i]);
    }
    diagnosis_size(out, "memory", host->memory_bytes);
    diagnosis_size(out, "available", host->memory_available_bytes);
    if (host->memory_limit_bytes > 0) {
        diagnosis_line(out, "limited", "memory limit", "%.1f GiB by the control group",
                       (double)host->memory_limit_bytes / (double)(1 << 30));
        diagnosis_remark(out, "costs", "cells with larger operands are skipped");
    }
}

/* ---- libraries ---- */

static void report_library(FILE *out, const char *name)
{
    char path[512], why[400];
    if (!libraries_find(name, path, sizeof path, why, sizeof why)) {
        diagnosis_missing(out, name, why, "its cells are skipped", NULL);
        return;
    }
    const struct blas *blas = blas_describe(name, host_get()->cores, why, sizeof why);
    if (blas == NULL) {
        diagnosis_missing(out, name, why, "its cells fail", NULL);
        return;
    }
    const bool poor = blas->remark[0] != '\0' && (blas->choice == BLAS_POOR || blas->choice == BLAS_USER);
    diagnosis_line(out, poor ? "limited" : "found", name, "%s", blas->path);
    diagnosis_remark(out, "SHA-256", blas->hash);
    diagnosis_remark(out, "says", blas->config);
    if (blas->setting[0] != '\0')
        diagnosis_remark(out, blas->choice == BLAS_USER ? "set by the user" : "set before loading", blas->setting);
    if (blas->remark[0] != '\0')
        diagnosis_remark(out, "its kernel", blas->remark);
}

static void report_libraries(FILE *out)
{
    enum { MOST = 16 };
    const char *names[MOST];
    char why[400];
    const size_t count = libraries_names(names, MOST);
    diagnosis_section(out, "BLAS libraries");
    for (size_t i = 0; i < count; i++)
        report_library(out, names[i]);
    if (!libraries_setting_valid(why, sizeof why))
        diagnosis_missing(out, "TILELAB_BLAS", why, "the libraries that it names are not measured", NULL);
}

int doctor_print(FILE *out)
{
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    const locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    fputs("What tilelab found on this machine\n", out);
    report_tools(out);
    report_processor(out);
    report_libraries(out);
    for (int id = 0; id < BACKENDS; id++)
        if (backend_get((enum backend_id)id)->doctor)
            backend_get((enum backend_id)id)->doctor(out);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
    return EXIT_OK;
}

int doctor_main(int argc, char **argv)
{
    static const struct argp argp = {
        .doc = "Tells what was found on this machine, what is missing, and how to install it."};
    options_parse(&argp, argc, argv, 0, NULL, NULL);
    return doctor_print(stdout);
}
