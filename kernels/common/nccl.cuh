/* How kernels call NCCL. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_NCCL_CUH
#define TILELAB_COMMON_NCCL_CUH

#include "cuda_variant.cuh"

#include <nccl.h>

#define NCCL_TRY(job, call) \
    do { \
        const ncclResult_t status_ = (call); \
        if (status_ != ncclSuccess) \
            return job_fail((job), "%.60s: %s", #call, ncclGetErrorString(status_)); \
    } while (0)

#endif
