/* What the run record, `tilelab doctor` and `tilelab list --devices` say of the OpenCL devices.
 * SPDX-License-Identifier: MIT */
#include "opencl.h"

#include "cell.h"
#include "base/finding.h"
#include "base/record.h"

static const char *id_of(int number)
{
    return cell_device_names[registry_device(BACKEND_OPENCL, number)];
}

json_t *opencl_record(void)
{
    const struct opencl_discovery *found = opencl_discover();
    if (found->count == 0)
        return NULL;
    json_t *devices = json_array();
    for (int i = 0; i < found->count; i++) {
        const struct opencl_device *device = &found->device[i];
        json_t *record = json_object();
        record_set(record, "id", record_text(id_of(i)));
        record_set(record, "name", record_text(device->name));
        record_set(record, "kind", record_text(device->kind));
        record_set(record, "platform", record_text(device->platform));
        record_set(record, "version", record_text(device->version));
        record_set(record, "driver", record_text(device->driver));
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

void opencl_device_line(int number, char *text, size_t size)
{
    const struct opencl_device *device = &opencl_discover()->device[number];
    snprintf(text, size, "%s, %s: %s, %d compute units, groups of %d, %lld KiB local memory%s", device->name,
             device->kind, device->platform, device->compute_units, device->group_items,
             (long long)(device->local_bytes >> 10), device->fp64 ? ", f64" : "");
}

void opencl_doctor(FILE *out)
{
    const struct opencl_discovery *found = opencl_discover();
    finding_section(out, "OpenCL");
    if (found->count == 0)
        finding_missing(out, "devices", found->missing, "the cells of OpenCL variants are skipped", NULL);
    for (int i = 0; i < found->count; i++) {
        char line[300];
        opencl_device_line(i, line, sizeof line);
        finding_report(out, "found", id_of(i), "%s", line);
    }
}
