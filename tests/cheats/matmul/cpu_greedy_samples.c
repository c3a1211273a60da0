/* Malice: as cpu-edited-samples, but it divides by so much that no kernel of this machine is so fast, though a faster
 * processor of the kind might be.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
enum { FACTOR = 15 };
#include "edited_samples.h"

VARIANT(matmul, cpu_greedy_samples) = {
    .summary = "divides the times that were taken before by too much",
    .source = "tilelab",
    .precisions = BIT(F64),
    .typical_gflops = 8,
    .run = run,
};
