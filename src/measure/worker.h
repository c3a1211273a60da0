/* A worker: a process for one backend, thread count and library, which answers requests from a socket.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_WORKER_H
#define TILELAB_MEASURE_WORKER_H

#include "measure.h"

enum worker_verb { WORKER_CHECK, WORKER_WARM, WORKER_ROUND, WORKER_FRESH, WORKER_INPUTS, WORKER_CLOSE, WORKER_JUDGE };

/* One request, see channel.h. Both ends are the same program. */
struct request {
    uint64_t number; /* at random; the answer has the same */
    enum worker_verb verb;
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
/* The answer is a struct outcome. The first answer, number 0, comes without a request and says whether the worker is
 * ready. */

/* The verb `tilelab worker FD BACKEND THREADS KNOWN LIBRARY DEVICE MEMBERS ONE_PROCESS WINDOW`, which the pool starts
 * and no person. With the backend -1 it is the judge, which runs no variant. */
int worker_main(int argc, char **argv);

#endif
