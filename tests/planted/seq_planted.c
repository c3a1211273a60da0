/* C = A B as seq-plain computes it, but a twentieth of the rows of C is computed twice: it takes 5 % more time.
 * SPDX-License-Identifier: MIT */
#define ONE_OF 20
#include "planted.h"

VARIANT(matmul, seq_planted) = {
    .summary = "loops i, k, j, and a twentieth of the rows again",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 8,
    .run = run,
};
