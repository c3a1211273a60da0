/* omp-amx in i32, with the tile instructions emulated.
 * SPDX-License-Identifier: MIT */
#define AMX_EMULATED
#define TILELAB_I32
#define TILELAB_BUILD _emulated_i32
#include "matmul/omp_amx.c"
