/* C = A B as seq-ikj computes it. tests/compare-proof.sh compares it with its twin and with seq-planted.
 * SPDX-License-Identifier: MIT */
#define ONE_OF INT64_MAX
#include "planted.h"

VARIANT(matmul, seq_plain) = {
    .summary = "loops i, k, j",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 8,
    .run = run,
};
