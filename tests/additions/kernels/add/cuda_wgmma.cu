/* C = A + B by a kernel that could use instructions of 9.0a: it is only compiled.
 * Source: this test of what an addition costs.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/wgmma.cuh"

CUDA_ENTRY int add_cuda_wgmma_launch(struct job *job)
{
    return job_fail(job, "this kernel computes nothing");
}

#else

VARIANT(add, cuda_wgmma) = {
    .summary = "a kernel for 9.0a",
    .summary_ru = "ядро для 9.0a",
    .source = "tilelab",
    .precisions = BIT(F64),
    .compute_capability = 90,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#endif
