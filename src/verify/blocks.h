/* The parts of a distributed matrix in host memory: the runner's own struct team_memory.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_BLOCKS_H
#define TILELAB_VERIFY_BLOCKS_H

#include "team_variant.h"

extern const struct team_memory blocks_host;

/* Distributes a rows x cols matrix in blocks over the grid of a team, and allocates the parts of this process. Returns
 * 0, or non-zero without memory. */
int blocks_distribute(const struct team *team, const struct team_memory *memory, const struct team_matrix *shape,
                      struct team_matrix *matrix);
void blocks_free(const struct team_memory *memory, struct team_matrix *matrix);

#endif
