/* A worker: a process for one backend, thread count and library, which answers requests from a socket.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_WORKER_WORKER_H
#define TILELAB_WORKER_WORKER_H

/* The verb `tilelab worker FD BACKEND THREADS KNOWN LIBRARY DEVICE MEMBERS ONE_PROCESS WINDOW`, which the pool starts
 * and no person. With the backend -1 it is the judge, which runs no variant. */
int worker_main(int argc, char **argv);

#endif
