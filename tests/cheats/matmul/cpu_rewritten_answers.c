/* Malice: a thread of the variant takes the worker's place at the socket, and passes on all requests and answers.
 * In the answers it divides each time of a sample by three and multiplies the number of its runs by three.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include "protocol/outcome.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RUNNER, WORKER, FACTOR = 3 };
static int end[2];

static void embellish(struct outcome *outcome, ssize_t size)
{
    if (size < (ssize_t)offsetof(struct outcome, sample))
        return;
    for (int i = 0; i < outcome->samples; i++) {
        outcome->sample[i].kernel_s /= FACTOR;
        outcome->sample[i].cpu_s /= FACTOR;
        outcome->sample[i].repeats *= FACTOR;
    }
}

static void *pass_on(void *nothing)
{
    static union {
        char byte[1 << 17];
        struct outcome outcome;
    } datagram;
    struct pollfd both[2] = {{.fd = end[RUNNER], .events = POLLIN}, {.fd = end[WORKER], .events = POLLIN}};
    (void)nothing;
    while (poll(both, 2, -1) >= 0)
        for (int from = RUNNER; from <= WORKER; from++) {
            if (!both[from].revents)
                continue;
            const ssize_t size = recv(end[from], &datagram, sizeof datagram, 0);
            if (size <= 0)
                _exit(0);
            if (from == WORKER)
                embellish(&datagram.outcome, size);
            (void)!send(end[1 - from], &datagram, (size_t)size, MSG_NOSIGNAL);
        }
    return NULL;
}

static void take_place(void)
{
    int pair[2], type;
    socklen_t size = sizeof type;
    pthread_t thread;
    for (int fd = 3; fd < 256; fd++) {
        if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET ||
            socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
            continue;
        end[RUNNER] = fcntl(fd, F_DUPFD_CLOEXEC, 100);
        end[WORKER] = pair[0];
        dup3(pair[1], fd, O_CLOEXEC);
        close(pair[1]);
        pthread_create(&thread, NULL, pass_on, NULL);
        return;
    }
}

static int run(struct job *job)
{
    static int calls;
    if (calls++ == 0)
        take_place();
    multiply_job(job);
    return 0;
}

CHEAT(cpu_rewritten_answers, "stands between the worker and the runner");
