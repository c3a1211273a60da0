/* The channel between the runner and one worker: a socket that carries requests and answers.
 * SPDX-License-Identifier: MIT
 *
 * A request and its answer are one datagram each. The answer carries the number of its request, which is random, so
 * that an answer that was made up ahead is none. A variant runs in the worker's process and can reach the socket. So
 * the runner checks every answer before it uses a field of it. */
#ifndef TILELAB_PROTOCOL_CHANNEL_H
#define TILELAB_PROTOCOL_CHANNEL_H

#include "outcome.h"

/* Makes the two ends of a channel. Both are closed on exec. Returns 0 or an errno. */
int channel_open(int *runner_end, int *worker_end);
/* Sends a request, or an answer without the room behind its last sample. Returns 0 or an errno; EPIPE: the other end is
 * closed. The function waits for room at most a few seconds. */
int channel_send(int fd, const void *datagram, size_t size);
int channel_send_answer(int fd, const struct outcome *outcome);

enum channel_event {
    CHANNEL_ANSWER,  /* the outcome is the answer to the request with the expected number */
    CHANNEL_NOTHING, /* there was no datagram */
    CHANNEL_FOREIGN, /* what came is no answer of a worker to this request */
    CHANNEL_CLOSED,  /* the worker has closed its end */
    CHANNEL_ERROR    /* the system failed; errno says how */
};

/* Takes one datagram from a worker, without waiting. `outcome` is undefined unless the event is CHANNEL_ANSWER. */
enum channel_event channel_take_answer(int fd, uint64_t expected, struct outcome *outcome);
/* In a worker: waits for the next request, which has exactly `size` bytes. Returns 0; EPIPE once the runner has closed
 * its end; or another errno: the system failed. */
int channel_await_request(int fd, void *request, size_t size);
/* The exit code of a worker that could read no request, or send no answer: this is no fault of a variant. */
enum { CHANNEL_FAILED = 119 };

#endif
