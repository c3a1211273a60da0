/* A worker: a process for one backend, thread count and library, which answers requests from a socket.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_WORKER_WORKER_H
#define TILELAB_WORKER_WORKER_H

/* The command `tilelab worker FD`, which the pool starts and no person. FD is the socket, see protocol/request.h. */
int worker_main(int argc, char **argv);

#endif
