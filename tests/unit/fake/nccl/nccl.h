/* A NCCL that only says which version it is, for tests/system/team-gpus.bats. FAKE_NCCL is the version.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_FAKE_NCCL_H
#define TILELAB_FAKE_NCCL_H

#include <stdlib.h>
#include <string.h>

typedef struct {
    char bytes[128];
} ncclUniqueId;
typedef void *ncclComm_t;
typedef enum { ncclSuccess, ncclSystemError } ncclResult_t;

static inline ncclResult_t ncclGetVersion(int *version)
{
    const char *text = getenv("FAKE_NCCL");
    *version = text ? atoi(text) : 23203;
    return ncclSuccess;
}

static inline ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    memset(id, 1, sizeof *id);
    return ncclSuccess;
}

static inline ncclResult_t ncclCommInitRank(ncclComm_t *comm, int size, ncclUniqueId id, int rank)
{
    *comm = getenv("FAKE_NCCL_FAILS") ? NULL : (ncclComm_t)1;
    return *comm && id.bytes[0] == 1 && rank < size ? ncclSuccess : ncclSystemError;
}

static inline const char *ncclGetLastError(ncclComm_t comm)
{
    (void)comm;
    return "no link between the GPUs";
}

#endif
