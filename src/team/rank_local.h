/* How the ranks of a team talk if they are processes of one host: through memory that they share.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TEAM_RANK_LOCAL_H
#define TILELAB_TEAM_RANK_LOCAL_H

#include "team_variant.h"

/* The messages of a team of so many processes. open() makes the other processes by fork: they go on where this one is.
 * The first process ends with all others if one of them ends with a fault. */
const struct team_messages *rank_local(int ranks);

#endif
