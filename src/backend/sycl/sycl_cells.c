/* Which cells run on which SYCL device, and what the run record and `tilelab doctor` say of the devices.
 * SPDX-License-Identifier: MIT */
#include "sycl.h"

#include "build_info.h"
#include "cell.h"
#include "base/diagnosis.h"

#include <jansson.h>

const char *sycl_missing(const struct cell *cell)
{
    const struct found *found = sycl_discover();
    if (found->count == 0)
        return found->missing;
    if (cell && cell->entry && cell->entry->missing)
        return cell->entry->missing;
    if (!cell || !cell->entry)
        return NULL;
    const struct found_device *device = found_device_of(found, cell);
    if (!device)
        return cell_reason("there is no device %s on this machine: SYCL finds %d (see `tilelab list --devices`)",
                           cell_device_names[cell->device_id], found->count);
    if (!device->usm)
        return cell_reason("%s has no memory that pointers reach (usm_device_allocations)", device->name);
    const struct sycl_groups *groups = cell->entry->meta->kernel;
    return found_reason(device, cell, "aspect fp64", groups->geometry, groups->local_bytes);
}

json_t *sycl_record(void)
{
    return found_record(BACKEND_SYCL, TILELAB_SYCL_VERSION);
}

void sycl_doctor(FILE *out)
{
    const struct found *found = sycl_discover();
    diagnosis_section(out, "SYCL");
    if (*TILELAB_SYCL_WHY)
        diagnosis_missing(out, "compiler", TILELAB_SYCL_WHY, "the cells of SYCL variants are skipped",
                          "no distribution packages one: build AdaptiveCpp (github.com/AdaptiveCpp/AdaptiveCpp, with "
                          "clang; about 2 minutes and 10 MB) or install Intel's oneAPI (icpx, about 3 GB); then "
                          "SYCLCXX=acpp make build");
    else
        diagnosis_line(out, "found", "compiler", "%s", TILELAB_SYCL_VERSION);
    if (found->count == 0 && !*TILELAB_SYCL_WHY)
        diagnosis_missing(out, "devices", found->missing, "the cells of SYCL variants are skipped", NULL);
    found_doctor(BACKEND_SYCL, out);
}
