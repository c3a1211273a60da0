/* The cases of packed_cases.c, which is compiled like a kernel: once for each build.
 * SPDX-License-Identifier: MIT */
#ifndef PACKED_CASES_H
#define PACKED_CASES_H

#include <stdbool.h>
#include <stdint.h>

struct packed_case {
    int64_t m, n, k, mc, nc, kc;
    int update; /* enum gemm_update */
    bool a_transposed, b_transposed, lower;
};

/* packed_cases_f32_O3_v3 and the like: whether all cases are right with as many threads as OpenMP
 * would start; else `failed` is the one that is not. */
typedef bool packed_cases(struct packed_case *failed);

#endif
