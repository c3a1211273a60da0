/* What src/registry.c needs for files that are compiled for one build instead of all.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_CHEATS_ONE_BUILD_H
#define TILELAB_TESTS_CHEATS_ONE_BUILD_H

#define DECLARE_CHEAT(owner, file) extern const struct variant owner##_##file##_f64_O3_base;
#define META_CHEAT(owner, file) &owner##_##file##_f64_O3_base
#define BUILD_CHEAT(owner, file) \
    { \
        [F64] = { [OPT_O3] = {[ISA_BASE] = &owner##_##file##_f64_O3_base} } \
    }

#endif
