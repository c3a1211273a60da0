/* The state of a device that a variant can change and that the next variant would inherit.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_CUDA_STATE_CUH
#define TILELAB_BACKEND_CUDA_STATE_CUH

#include <cuda_runtime.h>

/* Notes the state that the device has when it is opened. */
void cuda_state_note(int device, cudaStream_t stream);

/* Gives the device that state again, and waits for all work. What CUDA refuses to set stays as it is.
 *
 * These stay as well: the heap of malloc, which CUDA lets a variant size only once, in its prepare; the stack, which
 * the driver itself enlarges for the kernels that need more; and what was set for one kernel, which only that kernel
 * feels. */
void cuda_state_restore(cudaStream_t stream);

#endif
