/* A part of a measurement that is spread over several machines.
 * SPDX-License-Identifier: MIT
 *
 * Whole points go to one part, because the cells of a point are measured in the same rounds. Which part measures a
 * point follows from the grids alone, so that every machine knows its part without talking to the others. */
#ifndef TILELAB_PLAN_PART_H
#define TILELAB_PLAN_PART_H

#include "schedule.h"

/* The part `number`, from 1 to `of`. `of` is 0 where one machine measures everything. */
struct part_name {
    int number, of;
};
enum { PART_MOST = 10000 };

/* Reads "3/8". False if the text tells no part. */
bool part_parse(const char *text, struct part_name *part);

/* The parts that measure the points of a study: of[i] is the part of point i of its schedule. */
struct part_share {
    const struct schedule *schedule;
    int *of; /* owned by the caller */
};
/* Shares the points of several studies out to `parts` parts of about equal predicted cost. The most expensive point
 * comes first, and goes to the part with the least cost so far. The order of the studies and results that were measured
 * before change nothing. Fills share[i].of, which the caller has allocated for the points of the schedule. */
void part_share_out(struct part_share *share, size_t shares, int parts);

/* Leaves only the points of one part in the schedule, and defers all other items. */
void part_select(struct schedule *schedule, const int *of, int number);

#endif
