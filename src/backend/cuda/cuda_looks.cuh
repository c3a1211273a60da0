/* Looks at the outputs of a job when no work on the runner's stream can be changing them. What changes then is changed
 * by work on another stream.
 * SPDX-License-Identifier: MIT
 *
 * looks_begin() comes before the stream is held by a kernel, which sets *looks_hold_over() when it ends.
 * looks_after_end() and looks_while_held() come when all work was launched, the former right after the last event.
 * looks_while_held() returns when the hold is over. looks_finish() comes when the device is idle. */
#ifndef TILELAB_BACKEND_CUDA_LOOKS_CUH
#define TILELAB_BACKEND_CUDA_LOOKS_CUH

#include "cuda_api.h"
#include "cuda_variant.cuh"

cudaError_t looks_open();
cudaError_t looks_begin(const struct job *job, const struct cuda_outputs *outputs, cudaStream_t stream);
int *looks_hold_over(); /* in memory that the device and the host share */
cudaError_t looks_after_end(const struct job *job, const struct cuda_outputs *outputs, cudaStream_t stream);
cudaError_t looks_while_held(const struct job *job, const struct cuda_outputs *outputs, struct cuda_block *block);
cudaError_t looks_finish(const struct job *job, const struct cuda_outputs *outputs, cudaStream_t stream,
                         struct cuda_block *block);

#endif
