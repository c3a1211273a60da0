/* What the libraries on one GPU share whose operands are made and verified there, as those of a team are.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_RESIDENT_H
#define TILELAB_COMMON_RESIDENT_H

#include "cuda_variant.cuh"
#include "team_variant.h"

#ifndef __CUDACC__
static const char *resident_reject(const struct cell *cell)
{
    return cell->gpus > 1 ? cell_reason("this library uses one GPU") : NULL;
}
#endif

#endif
