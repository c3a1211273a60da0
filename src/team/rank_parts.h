/* The cells that a rank holds, and what it does with them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TEAM_RANK_PARTS_H
#define TILELAB_TEAM_RANK_PARTS_H

#include "team_variant.h"
#include "backend/team/team.h"

/* This process and the shared object with its variants. */
struct rank {
    struct team team; /* without matrices */
    const struct team_api *api;
    const struct team_messages *messages;
    const struct team_memory *memory;
    void *object; /* of dlopen */
};

/* Does what a request asks of this rank alone or of all ranks together. The answer tells failures of this rank;
 * those of others are not known yet. */
void rank_serve(struct rank *rank, const struct team_request *request, struct team_answer *answer);

#endif
