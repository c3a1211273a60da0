/* What each shared object of CUDA has: the errors of CUDA as codes that the runner can read, and the layout of a job.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"
#include "backend/layout.h"

#include <errno.h>

CUDA_ENTRY const struct layout *tilelab_layout()
{
    return &layout_here;
}

const char *cuda_error_text(cudaError_t error)
{
    errno = error == cudaErrorMemoryAllocation ? ENOMEM : 0;
    return cudaGetErrorString(error);
}
