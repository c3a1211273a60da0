/* What a kernel file of the mirror needs beyond variant.h. The C compiler builds its description, and the mirror's
 * compiler, which defines TILELAB_MIRROR, the rest.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_MIRROR_VARIANT_H
#define TILELAB_BACKEND_MIRROR_VARIANT_H

#include "variant.h"

/* What the field `kernel` of a description points to. */
struct mirror_kernel {
    int group_rows; /* that a group of the device works on */
};

#define MIRROR_ENTRY __attribute__((visibility("default")))

#endif
