/* A team: processes that compute one cell together. A worker starts them as a child and talks to rank 0.
 * SPDX-License-Identifier: MIT
 *
 * Requests go to the standard input of that rank, answers come from its standard output, so that mpirun and srun can
 * carry both. A line break ends each answer, since mpirun of OpenMPI 5 keeps an answer back until a line is whole.
 * src/team/rank.c is the other end. */
#ifndef TILELAB_BACKEND_TEAM_H
#define TILELAB_BACKEND_TEAM_H

#include "solver_log.h"
#include "backend/backend.h"
#include "backend/backend_worker.h"

enum team_command { TEAM_PREPARE, TEAM_FILL, TEAM_POISON, TEAM_RUN, TEAM_JUDGE, TEAM_DIGEST, TEAM_RELEASE };

struct team_request {
    uint64_t magic;
    enum team_command command;
    uint32_t entry; /* index in the registry */
    int64_t axis[AXES];
    enum inputs inputs; /* of TEAM_FILL */
    uint64_t seed;
    int count; /* of TEAM_RUN */
};

struct team_answer {
    uint64_t magic;
    int failed, code; /* 0, or non-zero with an errno and an error text */
    char error[200];
    double seconds;  /* of TEAM_RUN: the slowest rank counts */
    double clock_hz; /* of the slowest GPU after the run; 0: not known */
    bool throttled;  /* whether a GPU was slowed down then */
    bool capped;     /* whether a GPU was at its power limit then */
    bool disturbed;  /* whether other programs took time from a rank that computes on a core */
    struct verdict verdict;
    uint64_t digest;
    double norm2;
    struct solver_log log;
};
static const uint64_t TEAM_MAGIC = 0x74696c656c616274;

/* Writes the path of the shared object with the ranks' code of a cell; false if it was not built. */
bool team_object(const struct cell *cell, char *path, size_t size);

/* The functions of a backend whose cells run in teams. */
void team_identity(const struct cell *cell, char hex[HASH_SHORT_SIZE]);
int team_open(const char *const arguments[], const char *path, char *why, size_t size);
int team_prepare(struct job *job);
int team_run(struct job *job, const struct repeats *repeats, struct backend_times *times);
void team_finish(struct job *job);
bool team_poisoned(void);
extern const struct backend_team team_operands;

#endif
