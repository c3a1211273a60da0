/* The cases that gemm_cases.c checks. That file is compiled as a kernel is: once for each build.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_GEMM_CASES_H
#define TILELAB_TESTS_GEMM_CASES_H

#include <stdbool.h>
#include <stdint.h>

struct gemm_case {
    int64_t m, n, k, mc, nc, kc;
    int update; /* enum gemm_update */
    bool a_transposed, b_transposed, lower;
};

/* The type of gemm_cases_f32_O3_v3 and its like, one function for each build. A function computes all cases with the
 * number of threads that OpenMP would start. It returns true if all are right; otherwise it sets `failed`. */
typedef bool gemm_cases(struct gemm_case *failed);

#endif
