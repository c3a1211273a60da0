/* How the structures lie in memory that the program hands to the kernels in shared objects. Each shared object exports
 * its own layout as the function tilelab_layout; object.h compares it with that of the program. An older shared object
 * would read the tile of a cell where another axis lies.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_LAYOUT_H
#define TILELAB_BACKEND_LAYOUT_H

#include "variant.h"

#include <stddef.h>

struct layout {
    const char *axes; /* the fields of struct cell, in their order */
    size_t cell_bytes, job_bytes, state, stream, error;
};
typedef const struct layout *(*tilelab_layout_function)(void);

/* The layout that the including file is compiled with. */
static const struct layout layout_here = {
#define AXIS(field, ...) #field " "
#include "axes.def"
#undef AXIS
    ,
    sizeof(struct cell),
    sizeof(struct job),
    offsetof(struct job, state),
    offsetof(struct job, stream),
    offsetof(struct job, error),
};

#endif
