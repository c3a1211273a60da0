/* omp-amx in f32, with the tile instructions emulated.
 * SPDX-License-Identifier: MIT */
#define AMX_EMULATED
#define TILELAB_F32
#define TILELAB_BUILD _emulated_f32
#include "matmul/omp_amx.c"
