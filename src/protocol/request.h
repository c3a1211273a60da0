/* What the supervisor asks of a worker. Both are processes of the same program.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PROTOCOL_REQUEST_H
#define TILELAB_PROTOCOL_REQUEST_H

#include "problem.h"
#include "backend/backend.h"
#include "plan/experiment.h"

/* What a worker is for: the first datagram that it gets. */
struct worker_setup {
    struct backend_setup backend;
    bool known; /* a worker with this setup was ready before */
    int window; /* a descriptor that the worker has inherited, see worker/window.h */
};

enum worker_command {
    WORKER_CHECK,
    WORKER_WARM,
    WORKER_ROUND,
    WORKER_FRESH,
    WORKER_INPUTS,
    WORKER_CLOSE,
    WORKER_JUDGE
};

/* Which round is asked for. */
struct round_request {
    int round, launch;
    double spread;    /* the median of the round need not be known better than this */
    double fastest_s; /* the shortest sample of the cell so far; 0: there is none */
    double hot_w;     /* the power of a run that ended just now on the same device, for another worker; 0: none did */
    bool varies;      /* an output of this variant was right and differed from another one bit by bit */
};

/* One request; the answer is a struct outcome. The first answer, number 0, comes without a request and says whether the
 * worker is ready. */
struct request {
    uint64_t number; /* at random; the answer has the same */
    enum worker_command command;
    uint32_t entry; /* index in the registry */
    int64_t axis[AXES];
    enum inputs inputs;         /* of WORKER_CHECK and WORKER_JUDGE */
    uint64_t seed;              /* of the inputs of WORKER_CHECK, WORKER_FRESH and WORKER_JUDGE */
    uint64_t digest;            /* of WORKER_CHECK and WORKER_JUDGE: of an output that was verified; 0: unknown */
    struct signs signs;         /* of WORKER_JUDGE: of the inputs of the output in the window */
    struct round_request round; /* of WORKER_ROUND */
    double known_s;             /* of WORKER_WARM: time of a run in an earlier worker; 0: unknown */
    struct measure measure;
};

#endif
