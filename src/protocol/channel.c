/* The channel between the runner and one worker: a socket that carries requests and answers.
 * SPDX-License-Identifier: MIT */
#include "channel.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum { SEND_TRIES = 200, SEND_PAUSE_MS = 10 };

int channel_open(int *runner_end, int *worker_end)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return errno;
    *runner_end = pair[0];
    *worker_end = pair[1];
    return 0;
}

int channel_send(int fd, const void *datagram, size_t size)
{
    for (int tries = 0;;) {
        if (send(fd, datagram, size, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
            return 0;
        if (errno == EINTR)
            continue;
        const bool full = errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM;
        if (!full || ++tries == SEND_TRIES)
            return errno == ECONNRESET || errno == ENOTCONN ? EPIPE : errno;
        poll(NULL, 0, SEND_PAUSE_MS);
    }
}

int channel_send_answer(int fd, const struct outcome *outcome)
{
    return channel_send(fd, outcome, outcome_size(outcome));
}

/* Whether a datagram of so many bytes is an answer that a worker can have sent: no field leads out of its range. */
static bool is_answer(const struct outcome *outcome, ssize_t size)
{
    return size >= (ssize_t)offsetof(struct outcome, sample) && outcome->magic == OUTCOME_MAGIC &&
           outcome->status >= STATUS_OK && outcome->status < STATUSES && outcome->samples >= 0 &&
           outcome->samples <= (int)(sizeof outcome->sample / sizeof outcome->sample[0]) &&
           (size_t)size == outcome_size(outcome) && memchr(outcome->reason, '\0', sizeof outcome->reason) != NULL &&
           outcome->log.recorded >= 0 && outcome->log.recorded <= SOLVER_HISTORY;
}

enum channel_event channel_take_answer(int fd, uint64_t expected, struct outcome *outcome)
{
    ssize_t got;
    do
        got = recv(fd, outcome, sizeof *outcome, MSG_DONTWAIT | MSG_TRUNC);
    while (got < 0 && errno == EINTR);
    if (got == 0 || (got < 0 && errno == ECONNRESET))
        return CHANNEL_CLOSED;
    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK ? CHANNEL_NOTHING : CHANNEL_ERROR;
    return got <= (ssize_t)sizeof *outcome && is_answer(outcome, got) && outcome->request == expected ? CHANNEL_ANSWER
                                                                                                      : CHANNEL_FOREIGN;
}

int channel_await_request(int fd, void *request, size_t size)
{
    for (;;) {
        const ssize_t got = recv(fd, request, size, MSG_TRUNC);
        if (got >= 0)
            return got == (ssize_t)size ? 0 : got == 0 ? EPIPE : EPROTO;
        if (errno != EINTR && errno != EAGAIN && errno != ENOMEM && errno != ENOBUFS)
            return errno == ECONNRESET || errno == ENOTCONN ? EPIPE : errno;
        poll(NULL, 0, 1);
    }
}
