/* C = A B in f64 on tensor cores that multiply bytes: the Chinese remainder theorem gives sums from their residues.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape. Rows of A and columns of B become integers of up to 51
 * bits, scaled by powers of two. Their residues modulo 15 numbers are bytes, and each modulus has a product of its own.
 * If integers lose too much of a row, the device notices this, and cuda-dmma's kernel computes the tiles of C that the
 * row enters. It needs wgmma, and a byte of memory for each element of A, B and C and each modulus.
 * Source: tilelab, after Ozaki, Uchino and Imamura (2025), scheme II.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/residue_steps.cuh"

enum { MODULI = 15 };

CUDA_ENTRY int matmul_cuda_int8_f64_prepare(struct job *job)
{
    return residue_prepare(job, MODULI, false);
}

CUDA_ENTRY int matmul_cuda_int8_f64_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    return residue_launch<MODULI, false>(job, {cell->m, cell->n, cell->k, (const double *)job->operand[0],
                                               (const double *)job->operand[1], (double *)job->operand[2]});
}

CUDA_ENTRY void matmul_cuda_int8_f64_release(struct job *job)
{
    residue_release(job);
}

#else

VARIANT(matmul, cuda_int8_f64) = {
    .summary = "f64 products from 15 products of residues, which are bytes, on tensor cores",
    .summary_ru = "произведения f64 из 15 произведений остатков, то есть байтов, на тензорных ядрах",
    .source = "tilelab",
    .precisions = BIT(F64),
    .unit = UNIT_FMA,
    .tensor = BIT(F64),
    .parts = "i8",
    .split = F64,
    .products = 15,
    .compute_capability = 90,
    .typical_gflops = 75000,
    .unmodelled = "wgmma reads its tiles through descriptors, not by loads of lanes",
};

#endif
