/* Which cells run on which SYCL device, and what a result depends on there.
 * SPDX-License-Identifier: MIT */
#include "sycl.h"

#include "cell.h"
#include "base/hash.h"

#include <string.h>

const struct sycl_device *sycl_device_of(const struct cell *cell)
{
    const struct sycl_discovery *found = sycl_discover();
    const int number = backend_device(cell);
    return number < found->count ? &found->device[number] : NULL;
}

/* Why the device does not allow the groups of a cell; NULL: it does. */
static const char *group_reason(const struct cell *cell, const struct sycl_device *device)
{
    const struct sycl_groups *groups = cell->entry->meta->sycl;
    const struct geometry geometry = groups->geometry(cell);
    const int64_t items = (int64_t)geometry.threads_x * geometry.threads_y;
    const int64_t local_bytes = groups->local_bytes ? groups->local_bytes(cell) : 0;
    if (items > device->group_items)
        return cell_reason("a group of tile %lld has %lld work items; %s allows %d", (long long)cell->tile,
                           (long long)items, device->name, device->group_items);
    if (local_bytes > device->local_bytes)
        return cell_reason("a group of tile %lld needs %lld bytes of local memory; %s has %lld", (long long)cell->tile,
                           (long long)local_bytes, device->name, (long long)device->local_bytes);
    return NULL;
}

const char *sycl_missing(const struct cell *cell)
{
    const struct sycl_discovery *found = sycl_discover();
    if (found->count == 0)
        return found->missing;
    if (!cell || !cell->entry)
        return NULL;
    const struct sycl_device *device = sycl_device_of(cell);
    if (!device)
        return cell_reason("there is no device %s on this machine: SYCL finds %d (see `tilelab list --devices`)",
                           cell_device_names[cell->device_id], found->count);
    if (!device->usm)
        return cell_reason("%s has no memory that pointers reach (usm_device_allocations)", device->name);
    if (cell->precision == F64 && !device->fp64)
        return cell_reason("%s has no f64 (aspect fp64)", device->name);
    for (int i = 0; cell->n > 0 && i < cell->entry->problem->operand_count; i++)
        if (cell_operand_bytes(cell, i) > device->allocation_bytes)
            return cell_reason("operand %s of %.4g GB; %s allocates %.4g GB at once",
                               cell->entry->problem->operand[i].name, 1e-9 * (double)cell_operand_bytes(cell, i),
                               device->name, 1e-9 * (double)device->allocation_bytes);
    return cell->n > 0 ? group_reason(cell, device) : NULL;
}

/* The runtime or the driver may compile the kernel, so a result depends on them as it does on a library. */
void sycl_identity(const struct cell *cell, char hex[17])
{
    const struct sycl_device *found = sycl_device_of(cell);
    char text[320];
    hex[0] = '\0';
    if (!found)
        return;
    snprintf(text, sizeof text, "%s|%s|%s|%s", found->platform, found->version, found->name, found->driver);
    hash_hex(text, strlen(text), hex, 16);
}
