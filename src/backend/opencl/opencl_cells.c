/* Which cells run on which OpenCL device, and what the run record and `tilelab doctor` say of the devices.
 * SPDX-License-Identifier: MIT */
#include "opencl.h"

#include "cell.h"
#include "base/diagnosis.h"

#include <jansson.h>

const char *opencl_missing(const struct cell *cell)
{
    const struct found *found = opencl_discover();
    if (found->count == 0)
        return found->missing;
    if (!cell || !cell->entry)
        return NULL;
    const struct found_device *device = found_device_of(found, cell);
    if (!device)
        return cell_reason("there is no device %s on this machine: OpenCL finds %d (see `tilelab list --devices`)",
                           cell_device_names[cell->device_id], found->count);
    if (!device->available)
        return cell_reason("%s is not available, as its driver says", device->name);
    if (!device->compiler)
        return cell_reason("the driver of %s has no compiler", device->name);
    const struct opencl_kernel *kernel = opencl_kernel_of(cell->entry);
    return found_reason(device, cell, "cl_khr_fp64", kernel->geometry, kernel->local_bytes);
}

json_t *opencl_record(void)
{
    return found_record(BACKEND_OPENCL, NULL);
}

void opencl_doctor(FILE *out)
{
    const struct found *found = opencl_discover();
    diagnosis_section(out, "OpenCL");
    if (found->count == 0)
        diagnosis_missing(out, "devices", found->missing, "the cells of OpenCL variants are skipped", NULL);
    found_doctor(BACKEND_OPENCL, out);
}
