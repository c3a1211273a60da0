/* The communicator of a team of GPUs with a process each. Linked into the shared objects of libraries that need NCCL.
 * SPDX-License-Identifier: MIT */
#include "team_variant.h"

#include <nccl.h>
#include <stdlib.h>

/* NVLink multicast can put GPUs out of service that other users share, so no team starts with it. */
static bool has_multicast(void)
{
    const char *setting = getenv("NCCL_NVLS_ENABLE");
    return !setting || strcmp(setting, "0") != 0;
}

extern "C" int gpus_nccl_join(struct team *team, const struct team_messages *messages, char *why, size_t size)
{
    ncclUniqueId id;
    ncclComm_t comm = NULL;
    int version = 0;
    double failed = has_multicast();
    if (failed)
        snprintf(why, size, "a team of GPUs starts with NCCL_NVLS_ENABLE=0 only");
    else if (ncclGetVersion(&version) != ncclSuccess || (team->rank == 0 && ncclGetUniqueId(&id) != ncclSuccess)) {
        snprintf(why, size, "NCCL %d cannot start: %s", version, ncclGetLastError(NULL));
        failed = 1;
    }
    if (messages->most(&failed) != 0 || failed != 0 || messages->share(&id, sizeof id, 0) != 0)
        return -1;
    if (ncclCommInitRank(&comm, team->size, id, team->rank) != ncclSuccess) {
        snprintf(why, size, "NCCL %d.%d.%d: %.120s", version / 10000, version / 100 % 100, version % 100,
                 ncclGetLastError(NULL));
        return -1;
    }
    team->comm = comm;
    return 0;
}
