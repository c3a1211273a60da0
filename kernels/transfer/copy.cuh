/* The copy that all variants of the probe `transfer` make, each from or to another kind of memory. For the device parts
 * of their files.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TRANSFER_COPY_CUH
#define TILELAB_TRANSFER_COPY_CUH

#include "cuda_variant.cuh"

static inline size_t transfer_bytes(const struct job *job)
{
    return (size_t)job->cell->n * sizeof(float);
}

/* Starts the copy and does not wait for its end. */
static inline int transfer_copy(struct job *job, void *to, const void *from, cudaMemcpyKind kind)
{
    CUDA_TRY(job, cudaMemcpyAsync(to, from, transfer_bytes(job), kind, (cudaStream_t)job->stream));
    return 0;
}

#endif
