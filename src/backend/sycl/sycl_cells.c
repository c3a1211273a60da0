/* Which cells run on which SYCL device, and what a result depends on there.
 * SPDX-License-Identifier: MIT */
#include "sycl.h"

#include "cell.h"

const struct found_device *sycl_device_of(const struct cell *cell)
{
    return found_device_of(sycl_discover(), cell);
}

const char *sycl_missing(const struct cell *cell)
{
    const struct found *found = sycl_discover();
    if (found->count == 0)
        return found->missing;
    if (!cell || !cell->entry)
        return NULL;
    const struct found_device *device = sycl_device_of(cell);
    if (!device)
        return cell_reason("there is no device %s on this machine: SYCL finds %d (see `tilelab list --devices`)",
                           cell_device_names[cell->device_id], found->count);
    if (!device->usm)
        return cell_reason("%s has no memory that pointers reach (usm_device_allocations)", device->name);
    const struct sycl_groups *groups = cell->entry->meta->sycl;
    return found_reason(device, cell, "aspect fp64", groups->geometry, groups->local_bytes);
}

void sycl_identity(const struct cell *cell, char hex[HASH_SHORT_SIZE])
{
    found_identity(sycl_device_of(cell), hex);
}
