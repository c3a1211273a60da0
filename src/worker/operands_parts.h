/* What the two files of operands share; no other file includes it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_WORKER_OPERANDS_PARTS_H
#define TILELAB_WORKER_OPERANDS_PARTS_H

#include "operands.h"

/* Whether a run reads and writes the operand, so that each run needs a fresh copy of it. */
bool operands_is_inout(const struct operands *operands, int i);

/* Makes the inputs on the host read-only, or writable again. False after a failure, which `outcome` tells. */
bool operands_protect(struct operands *operands, bool read_only, struct outcome *outcome);

/* Frees the fresh copies of an operand. */
void operands_free_spare(struct operands *operands, int i);

#endif
