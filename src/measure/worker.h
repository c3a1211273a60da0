/* One process for one backend, thread count and library, steered over a socket.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_WORKER_H
#define TILELAB_MEASURE_WORKER_H

#include "measure.h"

enum worker_verb { WORKER_CHECK, WORKER_WARM, WORKER_ROUND, WORKER_CLOSE };

/* Both are sent whole, one a datagram (SOCK_SEQPACKET); the two ends are the same program. */
struct request {
    enum worker_verb verb;
    uint32_t entry; /* index in the registry */
    int64_t axis[AXES];
    enum inputs inputs; /* WORKER_CHECK */
    int round, launch;  /* WORKER_ROUND */
    struct measure measure;
};
/* The answer is a struct outcome, cut after its last sample; the first one says whether the worker is ready. */

/* `tilelab worker FD BACKEND THREADS KNOWN LIBRARY`; never called by a person. */
int worker_main(int argc, char **argv);

#endif
