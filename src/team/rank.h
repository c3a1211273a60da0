/* A rank of a team: a process that computes its part of cells, see backend/team.h.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TEAM_RANK_H
#define TILELAB_TEAM_RANK_H

/* The command `tilelab rank --library NAME --ranks N [--devices N]`, which a worker starts, as `mpirun -n N tilelab
 * rank ...`, and no person. */
int rank_main(int argc, char **argv);

#endif
