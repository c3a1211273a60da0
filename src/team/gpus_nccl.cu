/* The communicator of a team of GPUs with a process each. Linked into the shared objects of libraries that need NCCL.
 * SPDX-License-Identifier: MIT */
#include "team_variant.h"

#include <nccl.h>
#include <stdlib.h>
#include <string.h>

/* NVLink multicast can put GPUs out of service that other users share, so no team starts with it. */
static bool has_multicast(void)
{
    const char *setting = getenv("NCCL_NVLS_ENABLE");
    return !setting || strcmp(setting, "0") != 0;
}

/* An older NCCL fails in the middle of a run: functions that cuBLASMp and cuSOLVERMp call are missing from it. The
 * kernels of this project need none of them. */
enum { LEAST_VERSION = 22902 };
static bool is_too_old(const struct team *team, int version)
{
    const bool calls_them = strcmp(team->library, "cublasmp") == 0 || strcmp(team->library, "cusolvermp") == 0;
    return calls_them && version < LEAST_VERSION;
}

/* The three numbers of a version, for a message. */
#define NUMBERS(version) (version) / 10000, (version) / 100 % 100, (version) % 100

/* Writes the version and what NCCL says of its last error. */
static void say_error(int version, char *why, size_t size)
{
    snprintf(why, size, "NCCL %d.%d.%d: %.120s", NUMBERS(version), ncclGetLastError(NULL));
}

/* Checks the settings and the library; rank 0 also names the communicator. False, with `why`, on failure. */
static bool prepare(const struct team *team, ncclUniqueId *id, int *version, char *why, size_t size)
{
    if (has_multicast())
        snprintf(why, size, "a team of GPUs starts with NCCL_NVLS_ENABLE=0 only");
    else if (ncclGetVersion(version) != ncclSuccess)
        snprintf(why, size, "NCCL does not tell its version");
    else if (is_too_old(team, *version))
        snprintf(why, size, "NCCL %d.%d.%d is too old: cuBLASMp and cuSOLVERMp need %d.%d.%d (make setup-cuda-mp)",
                 NUMBERS(*version), NUMBERS(LEAST_VERSION));
    else if (team->rank == 0 && ncclGetUniqueId(id) != ncclSuccess)
        say_error(*version, why, size);
    else
        return true;
    return false;
}

extern "C" int gpus_nccl_join(struct team *team, const struct team_messages *messages, char *why, size_t size)
{
    ncclUniqueId id;
    ncclComm_t comm = NULL;
    int version = 0;
    double failed = !prepare(team, &id, &version, why, size);
    if (messages->most(&failed) != 0 || failed != 0 || messages->share(&id, sizeof id, 0) != 0)
        return -1;
    if (ncclCommInitRank(&comm, team->size, id, team->rank) != ncclSuccess) {
        say_error(version, why, size);
        return -1;
    }
    team->comm = comm;
    return 0;
}
