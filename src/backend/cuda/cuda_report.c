/* What the run record and `tilelab doctor` say of the GPU.
 * SPDX-License-Identifier: MIT */
#include "cuda.h"

#include "base/diagnosis.h"
#include "base/record.h"
#include "machine/nvml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *cuda_version(int version)
{
    return version > 0 ? json_sprintf("%d.%d", version / 1000, version % 1000 / 10) : NULL;
}

json_t *cuda_record(void)
{
    const struct cuda_device *gpu = cuda_discover_device();
    char driver[64] = "";
    if (gpu == NULL)
        return NULL;
    nvml_driver(driver, sizeof driver);
    json_t *record = json_object();
    record_set(record, "name", record_text(gpu->name));
    record_set(record, "compute_capability", json_sprintf("%d.%d", gpu->major, gpu->minor));
    record_set(record, "driver", record_text(driver));
    record_set(record, "cuda_driver", cuda_version(gpu->driver));
    record_set(record, "cuda_runtime", cuda_version(gpu->runtime));
    record_set(record, "multiprocessors", json_integer(gpu->multiprocessors));
    record_set(record, "warp_size", json_integer(gpu->warp_size));
    record_set(record, "memory_bytes", json_integer(gpu->memory_bytes));
    record_set(record, "l2_bytes", json_integer(gpu->l2_bytes));
    record_set(record, "shared_per_block_bytes", json_integer(gpu->shared_per_block_bytes));
    record_set(record, "shared_per_block_optin_bytes", json_integer(gpu->shared_per_block_optin_bytes));
    record_set(record, "shared_per_sm_bytes", json_integer(gpu->shared_per_sm_bytes));
    record_set(record, "registers_per_block", json_integer(gpu->registers_per_block));
    record_set(record, "threads_per_block", json_integer(gpu->threads_per_block));
    record_set(record, "threads_per_sm", json_integer(gpu->threads_per_sm));
    record_set(record, "clock_khz", record_integer(gpu->clock_khz));
    record_set(record, "memory_clock_khz", record_integer(gpu->memory_clock_khz));
    record_set(record, "memory_bus_bits", record_integer(gpu->memory_bus_bits));
    record_set(record, "power_limit_w", record_integer(gpu->power_limit_w));
    return record;
}

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
        diagnosis_line(out, "found", "counters", "the driver does not say whether programs may read them");
    else if (!restricted || has_sys_admin())
        diagnosis_line(out, "found", "counters", "programs may read them");
    else {
        diagnosis_line(out, "limited", "counters", "%s", COUNTERS_REFUSED);
        diagnosis_remark(out, "costs", "no hardware counters of kernels");
        diagnosis_remark(out, "remedy", COUNTERS_REFUSED_REMEDY);
        diagnosis_remark(out, "for good",
                         "as root: echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0'"
                         " >/etc/modprobe.d/counters.conf, then boot again");
    }
}

static void report_energy(const struct cuda_device *gpu, FILE *out)
{
    char why[160] = "";
    nvml_open(gpu->pci_bus);
    if (isnan(nvml_meter.joules(why, sizeof why)))
        diagnosis_missing(out, "energy", why, "no joules and watts of GPU cells", NULL);
    else
        diagnosis_line(out, "found", "energy", "the driver counts it (power limit %d W)", gpu->power_limit_w);
}

void cuda_doctor(FILE *out)
{
    char driver[64];
    diagnosis_section(out, "GPU");
    const bool loaded = nvml_driver(driver, sizeof driver);
    const struct cuda_discovery *found = cuda_discover();
    if (loaded)
        diagnosis_line(out, "found", "driver", "%s", driver);
    else
        diagnosis_missing(out, "driver", "no NVIDIA driver answers", "the GPU's cells are skipped",
                          "the driver of the distribution; in a container: docker run --gpus all");
    if (found->missing[0] == '\0') {
        const struct cuda_device *gpu = &found->device;
        diagnosis_line(out, "found", "device", "%s (compute capability %d.%d, %d multiprocessors)", gpu->name,
                       gpu->major, gpu->minor, gpu->multiprocessors);
        diagnosis_size(out, "device memory", gpu->memory_bytes);
        report_energy(gpu, out);
        for (int i = 0; i < CUDA_LIBRARIES; i++)
            if (found->missing_library[i][0] != '\0')
                diagnosis_missing(out, cuda_libraries[i].name, found->missing_library[i],
                                  "no baseline for the GPU: its cells are skipped", NULL);
    } else if (loaded) {
        diagnosis_missing(out, "CUDA variants", found->missing, "their cells are skipped", NULL);
    }
    if (loaded)
        report_counters(out);
}
