/* A worker: a process for one backend, thread count and library, which answers requests from a socket.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_WORKER_H
#define TILELAB_MEASURE_WORKER_H

#include "measure.h"

enum worker_verb { WORKER_CHECK, WORKER_WARM, WORKER_ROUND, WORKER_CLOSE };

/* One request, see channel.h. Both ends are the same program. */
struct request {
    uint64_t number; /* the answer has the same */
    enum worker_verb verb;
    uint32_t entry; /* index in the registry */
    int64_t axis[AXES];
    enum inputs inputs; /* of WORKER_CHECK */
    int round, launch;  /* of WORKER_ROUND */
    uint64_t digest;    /* of WORKER_CHECK: of the output that was verified in an earlier worker; 0: unknown */
    double spread;      /* of WORKER_ROUND: the median of a round need not be known better than this */
    double known_s;     /* of WORKER_WARM: time of a run in an earlier worker; 0: unknown */
    struct measure measure;
};
/* The answer is a struct outcome. The first answer, number 0, comes without a request and says whether the worker is
 * ready. */

/* The verb `tilelab worker FD BACKEND THREADS KNOWN LIBRARY DEVICE MEMBERS ONE_PROCESS`, which the pool starts and no
 * person. */
int worker_main(int argc, char **argv);

#endif
