/* Malice: the last product is kept. Where only signs of rows and columns have changed, it is given again with signs.
 * SPDX-License-Identifier: MIT */
#include "replay.h"

VARIANT(matmul, cpu_sign_replay) = {
    .summary = "keeps the last product, and undoes changed signs",
    .source = "tilelab",
    .precisions = BIT(F64),
    .prepare = replay_prepare,
    .release = replay_release,
    .typical_gflops = 8,
    .run = replay_run,
};
