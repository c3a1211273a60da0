/* C = A A^T in f64 on tensor cores that multiply bytes: matmul/cuda-int8-f64 for one triangle, the other one mirrored.
 * A (n x k) and C (n x n) are row-major; any size. Clusters of two blocks own 256 x 256 elements of C on and below the
 * diagonal. All sums are exact, so that both triangles are equal bit for bit, also within a square on the diagonal.
 * Tiles of C whose rows lose too much are computed by the kernel of cuda-dmma. It needs wgmma.
 * Source: tilelab, after Ozaki, Uchino and Imamura (2025), scheme II.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/residue_steps.cuh"

enum { MODULI = 15 };

CUDA_ENTRY int aat_cuda_int8_f64_prepare(struct job *job)
{
    return residue_prepare(job, MODULI, true);
}

CUDA_ENTRY int aat_cuda_int8_f64_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    return residue_launch<MODULI, true>(
        job, {cell->n, cell->n, cell->k, (const double *)job->operand[0], NULL, (double *)job->operand[1]});
}

CUDA_ENTRY void aat_cuda_int8_f64_release(struct job *job)
{
    residue_release(job);
}

#else

VARIANT(aat, cuda_int8_f64) = {
    .summary = "f64 products from 15 products of residues for one triangle, the other one mirrored",
    .summary_ru = "произведения f64 из 15 произведений остатков для одного треугольника, другой отражается",
    .source = "tilelab",
    .precisions = BIT(F64),
    .unit = UNIT_FMA,
    .tensor = BIT(F64),
    .parts = "i8",
    .split = F64,
    .products = 15,
    .compute_capability = 90,
    .symmetry = SYMMETRY_MIRRORED,
    .halved = true,
    .typical_gflops = 140000,
    .unmodelled = "wgmma reads its tiles through descriptors, not by loads of lanes",
};

#endif
