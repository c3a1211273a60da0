/* `tilelab show --assembly`: the machine code of a variant.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_ASSEMBLY_H
#define TILELAB_INSPECT_ASSEMBLY_H

#include "cell.h"
#include "registry.h"

/* What is asked for. An axis of the cell that is 0, and a NULL, stand for the best one that runs here. */
struct assembly_request {
    const char *variant;
    struct cell cell; /* precision, isa, opt, tile and device_id are read */
    const char *arch; /* GPU: "sm_90" */
    bool all;         /* the whole code behind the loop */
};

/* Prints the innermost loop that multiplies most, with its source lines. Returns the exit code. */
int assembly_show(struct assembly_request *request);

#endif
