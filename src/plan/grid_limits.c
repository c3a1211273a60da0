/* What the symbols of an experiment file mean on this machine.
 * SPDX-License-Identifier: MIT */
#include "grid_limits.h"

#include "counted.h"
#include "backend/found.h"
#include "machine/host.h"

/* A machine without a device has one cell for it, which is skipped with the reason. */
static int devices(enum backend_id id)
{
    const struct backend *backend = backend_get(id);
    const int count = backend->discover ? backend->discover()->count : 1;
    return count < 1 ? 1 : count < registry_backends[id].devices ? count : registry_backends[id].devices;
}

struct grid_limits grid_limits_here(void)
{
    const struct host *host = host_get();
    struct grid_limits limits = {
        .threads_all = host->cores, .cores = counted_cores, .isa_best = host->isa_best, .devices = devices};
    for (int id = 0; id < BACKENDS; id++) {
        const struct backend *backend = backend_get((enum backend_id)id);
        limits.sums[id] = backend->sums ? backend->sums(NULL) : 0;
    }
    return limits;
}
