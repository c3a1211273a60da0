/* n launches of a kernel of one thread into a stream. Each launch adds 1 to the counter C (1 x 1).
 * Zeroing the counter is timed too, as one operation more.
 * A stream accepts about a thousand launches ahead of the device; after that, the host waits for the device.
 * Any n.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

__global__ void launch_count(unsigned *counter)
{
    atomicAdd(counter, 1); /* the result is not used, so the thread does not wait for memory */
}

CUDA_ENTRY int launch_cuda_launch(struct job *job)
{
    const cudaStream_t stream = (cudaStream_t)job->stream;
    unsigned *counter = (unsigned *)job->operand[0];
    CUDA_TRY(job, cudaMemsetAsync(counter, 0, sizeof *counter, stream));
    for (int64_t i = 0; i < job->cell->n; i++)
        launch_count<<<1, 1, 0, stream>>>(counter);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#else

VARIANT(launch, cuda) = {
    .summary = "kernels launched one by one into a stream",
    .summary_ru = "ядра запускаются в поток команд по одному",
    .source = "tilelab",
    .precisions = BIT(I32),
    .unit = UNIT_TIME,
    .typical_gflops = 3e-4,
};

#endif
