/* The backend of several GPUs of this host: variants that call a library for them. One process drives all GPUs, or each
 * GPU has a process.
 * SPDX-License-Identifier: MIT */
#include "team.h"
#include "backend/cuda/cuda.h"
#include "backend/object.h"
#include "base/diagnosis.h"
#include "base/process.h"
#include "machine/nvml.h"

#include <limits.h>
#include <stdlib.h>

/* Memory of each GPU that the operands leave to the driver and to the library's workspaces. */
static const int64_t RESERVED_BYTES = INT64_C(2) << 30;

static const char *missing(const struct cell *cell)
{
    char path[PATH_MAX];
    const struct cuda_discovery *found = cuda_discover();
    if (*found->missing)
        return found->missing;
    if (cell->gpus > found->devices)
        return cell_reason("%lld GPUs, but this machine has %d", (long long)cell->gpus, found->devices);
    if (!team_object(cell, path, sizeof path))
        return cell_reason("built without %s (make setup-cuda-mp, then make)", registry_library(cell->entry));
    return NULL;
}

static int64_t memory_bytes(const struct cell *cell)
{
    const struct cuda_device *gpu = cuda_discover_device();
    if (!gpu || !cell || cell->entry->meta->distribution == DISTRIBUTION_WHOLE)
        return 0;
    const bool told = gpu->memory_free_bytes >= 0 && gpu->memory_free_bytes < gpu->memory_bytes;
    const int64_t each = (told ? gpu->memory_free_bytes : gpu->memory_bytes) - RESERVED_BYTES;
    return each > 0 ? each * cell->gpus : 1; /* 0 would mean host memory */
}

static const char *device(const struct cell *cell)
{
    (void)cell;
    const struct cuda_device *gpu = cuda_discover_device();
    return gpu ? gpu->name : "";
}

static int open_team(const struct backend_setup *setup, bool known, char *why, size_t size)
{
    char processes[16], devices[16];
    (void)known;
    snprintf(processes, sizeof processes, "%d", setup->one_process ? 1 : setup->team_size);
    snprintf(devices, sizeof devices, "%d", setup->team_size);
    /* NVLink multicast can put GPUs out of service that others share. */
    setenv("NCCL_NVLS_ENABLE", "0", 1);
    const char *const arguments[] = {"tilelab",   "rank",  "--library", setup->library, "--ranks", processes,
                                     "--devices", devices, NULL};
    const int failed = team_open(arguments, PROCESS_SELF, why, size);
    if (!failed)
        nvml_open_several(0, setup->team_size, setup->team_size);
    return failed;
}

static void doctor(FILE *out)
{
    static const char *const libraries[] = {"resident", "cusolvermg", "cublasxt", "nccl", "cublasmp", "cusolvermp"};
    char path[PATH_MAX], file[48];
    diagnosis_section(out, "Several GPUs");
    diagnosis_line(out, "found", "GPUs", "%d", cuda_discover()->devices);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        snprintf(file, sizeof file, "tilelab-%s.so", libraries[i]);
        if (object_path(file, path, sizeof path))
            diagnosis_line(out, "found", libraries[i], "%s", path);
        else
            diagnosis_missing(out, libraries[i], "not found when tilelab was built", "its cells are skipped",
                              "make setup-cuda-mp, then make");
    }
}

static const struct backend_worker worker = {
    .open = open_team,
    .prepare = team_prepare,
    .run = team_run,
    .finish = team_finish,
    .team = &team_operands,
    .poisoned = team_poisoned,
    .energy = &nvml_meter,
};

const struct backend backend_gpus = {
    .warm_s = 0.2,
    .reserves_space = true,
    .missing = missing,
    .memory_bytes = memory_bytes,
    .device = device,
    .doctor = doctor,
    .identity = team_identity,
    .worker = &worker,
};
