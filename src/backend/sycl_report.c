/* What the run record, `tilelab doctor` and `tilelab list --devices` say of the SYCL devices.
 * SPDX-License-Identifier: MIT */
#include "sycl.h"

#include "build_info.h"
#include "cell.h"
#include "base/finding.h"
#include "base/record.h"

static const char *id_of(int number)
{
    return cell_device_names[registry_device(BACKEND_SYCL, number)];
}

json_t *sycl_record(void)
{
    const struct sycl_discovery *found = sycl_discover();
    if (found->count == 0)
        return NULL;
    json_t *devices = json_array();
    for (int i = 0; i < found->count; i++) {
        const struct sycl_device *device = &found->device[i];
        json_t *record = json_object();
        record_set(record, "id", record_text(id_of(i)));
        record_set(record, "name", record_text(device->name));
        record_set(record, "kind", record_text(device->kind));
        record_set(record, "platform", record_text(device->platform));
        record_set(record, "version", record_text(device->version));
        record_set(record, "driver", record_text(device->driver));
        record_set(record, "compiler", record_text(TILELAB_SYCL_VERSION));
        record_set(record, "compute_units", record_integer(device->compute_units));
        record_set(record, "clock_mhz", record_integer(device->clock_mhz));
        record_set(record, "memory_bytes", record_integer(device->memory_bytes));
        record_set(record, "local_bytes", record_integer(device->local_bytes));
        record_set(record, "group_items", record_integer(device->group_items));
        record_set(record, "fp64", json_integer(device->fp64));
        json_array_append_new(devices, record);
    }
    return devices;
}

void sycl_device_line(int number, char *text, size_t size)
{
    const struct sycl_device *device = &sycl_discover()->device[number];
    snprintf(text, size, "%s, %s: SYCL on %s, %d compute units, groups of %d, %lld KiB local memory%s", device->name,
             device->kind, device->platform, device->compute_units, device->group_items,
             (long long)(device->local_bytes >> 10), device->fp64 ? ", f64" : "");
}

void sycl_doctor(FILE *out)
{
    const struct sycl_discovery *found = sycl_discover();
    finding_section(out, "SYCL");
    if (*TILELAB_SYCL_WHY)
        finding_missing(out, "compiler", TILELAB_SYCL_WHY, "the cells of SYCL variants are skipped",
                        "no distribution packages one: build AdaptiveCpp (github.com/AdaptiveCpp/AdaptiveCpp, with "
                        "clang; about 2 minutes and 10 MB) or install Intel's oneAPI (icpx, about 3 GB); then "
                        "SYCLCXX=acpp make build");
    else
        finding_report(out, "found", "compiler", "%s", TILELAB_SYCL_VERSION);
    if (found->count == 0 && !*TILELAB_SYCL_WHY)
        finding_missing(out, "devices", found->missing, "the cells of SYCL variants are skipped", NULL);
    for (int i = 0; i < found->count; i++) {
        char line[300];
        sycl_device_line(i, line, sizeof line);
        finding_report(out, "found", id_of(i), "%s", line);
    }
}
