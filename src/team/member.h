/* A member of a team: a process that computes its part of cells, see backend/team.h.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TEAM_MEMBER_H
#define TILELAB_TEAM_MEMBER_H

/* The command `tilelab member LIBRARY MEMBERS DEVICES`, which a worker starts, as `mpirun -n MEMBERS tilelab member
 * ...`, and no person. */
int member_main(int argc, char **argv);

#endif
