/* C = A B as in cuda-int8-f64, from 12 products of residues: elements become integers of about 40 bits.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape. Three moduli less save a fifth of the time and cost
 * eleven bits of each element. Where this is more than the stated roundoff, cuda-dmma's kernel computes the tile of C.
 * Source: tilelab, after Ozaki, Uchino and Imamura (2025), scheme II.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/residue_steps.cuh"

enum { MODULI = 12 };

CUDA_ENTRY int matmul_cuda_int8_short_prepare(struct job *job)
{
    return residue_prepare(job, MODULI, false);
}

CUDA_ENTRY int matmul_cuda_int8_short_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    return residue_launch<MODULI, false>(job, {cell->m, cell->n, cell->k, (const double *)job->operand[0],
                                               (const double *)job->operand[1], (double *)job->operand[2]});
}

CUDA_ENTRY void matmul_cuda_int8_short_release(struct job *job)
{
    residue_release(job);
}

#else

VARIANT(matmul, cuda_int8_short) = {
    .summary = "cuda-int8-f64 with 12 products of residues, for elements of about 40 bits",
    .summary_ru = "cuda-int8-f64 с 12 произведениями остатков, для элементов примерно из 40 битов",
    .source = "tilelab",
    .precisions = BIT(F64),
    .unit = UNIT_FMA,
    .tensor = BIT(F64),
    .parts = "i8",
    .split = F64,
    .products = 12,
    .compute_capability = 90,
    .input_roundoff = 0x1p-39,
    .typical_gflops = 85000,
    .unmodelled = "wgmma reads its tiles through descriptors, not by loads of lanes",
};

#endif
