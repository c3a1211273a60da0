/* The errors of CUDA as codes that the runner can read. Linked into each shared object of the CUDA backend.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#include <errno.h>

const char *cuda_error_text(cudaError_t error)
{
    errno = error == cudaErrorMemoryAllocation ? ENOMEM : 0;
    return cudaGetErrorString(error);
}
