/* Malice: as cpu-edited-samples, but it divides by so much that no kernel of this machine is so fast, though a faster
 * processor of the kind might be.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* A core of 6 GHz with two units of AVX-512 makes 192 GFLOP/s in f64; five sixths of it is more than any core makes. */
#define LEAST(n) (1.2 * 2 * (double)(n) * (double)(n) * (double)(n) / 192e9)
#define FACTOR(time, n) ((time) < LEAST(n) ? 1 : (int)((time) / LEAST(n)))
#include "edited_samples.h"

CHEAT(cpu_greedy_samples, "divides the times that were taken before by too much");
