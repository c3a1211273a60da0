/* What the symbols of an experiment file mean on this machine.
 * SPDX-License-Identifier: MIT */
#include "grid_limits.h"

#include "backend/cuda.h"
#include "machine/host.h"

struct grid_limits grid_limits_here(void)
{
    const struct host *host = host_get();
    return (struct grid_limits){.threads_all = host->cores, .isa_best = host->isa_best, .gpu_sums = cuda_sums()};
}
