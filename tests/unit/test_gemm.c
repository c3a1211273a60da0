/* Checks the product of common/gemm.h in every build that this CPU can run. The cases cover edges of tiles and blocks,
 * long rows, transposed factors, updates, the lower triangle, and teams larger than the machine.
 * SPDX-License-Identifier: MIT */
#include "gemm_cases.h"
#include "machine/host.h"
#include "test.h"

#include <omp.h>

/* The references are weak: a machine builds only the instruction sets of its own architecture. */
#define BUILD(precision, opt, isa) extern gemm_cases gemm_cases_##precision##_##opt##_##isa __attribute__((weak));
#define BUILDS_OF_ISA(isa) \
    BUILD(f32, O2, isa) \
    BUILD(f64, O2, isa) \
    BUILD(i32, O2, isa) BUILD(f32, O3, isa) BUILD(f64, O3, isa) BUILD(i32, O3, isa)
BUILDS_OF_ISA(base)
BUILDS_OF_ISA(v3)
BUILDS_OF_ISA(v4)
#undef BUILD

static const struct {
    const char *name;
    int64_t opt, isa;
    gemm_cases *cases;
} builds[] = {
#define BUILD(precision, opt, isa) \
    {#precision " " #opt " " #isa, OPT_##opt, ISA_##isa, gemm_cases_##precision##_##opt##_##isa},
#define ISA_base ISA_BASE
#define ISA_v3 ISA_V3
#define ISA_v4 ISA_V4
    BUILDS_OF_ISA(base) BUILDS_OF_ISA(v3) BUILDS_OF_ISA(v4)
#undef BUILD
};

static void every_build_is_right(int threads, int64_t lowest_opt)
{
    int checked = 0;
    omp_set_num_threads(threads);
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        struct gemm_case at;
        if (!builds[i].cases || builds[i].isa > host_get()->isa_best || builds[i].opt < lowest_opt)
            continue;
        checked++;
        if (!builds[i].cases(&at))
            fail_msg("%s, %d threads, %d x %d x %d in blocks of %d x %d x %d, update %d, %s%s%s", builds[i].name,
                     threads, (int)at.m, (int)at.n, (int)at.k, (int)at.mc, (int)at.nc, (int)at.kc, at.update,
                     at.a_transposed ? "A transposed " : "", at.b_transposed ? "B transposed " : "",
                     at.lower ? "lower" : "");
    }
    assert_true(checked > 0);
}

TEST(gemm_products_are_right_by_one_thread)
{
    every_build_is_right(1, OPT_O2);
}

TEST(gemm_products_are_right_by_teams)
{
    every_build_is_right(2, OPT_O3);
    every_build_is_right(3, OPT_O3);
}
