/* Malice: the variant finds the worker's socket and answers requests that have not been made yet, 1 to 4000.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include "protocol/channel.h"

#include <sys/socket.h>

static int is_socket(int fd)
{
    int type;
    socklen_t size = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

static void answer_all(int fd)
{
    static struct outcome outcome;
    outcome.magic = OUTCOME_MAGIC;
    outcome.run_s = outcome.first_run_s = outcome.cpu_s = 1e-6;
    outcome.bound = 4;
    outcome.digest = 1;
    outcome.verified = true;
    outcome.converged = outcome.bitwise = 1;
    outcome.samples = 20;
    for (int i = 0; i < outcome.samples; i++)
        outcome.sample[i] = (struct sample){.index = i, .repeats = 1, .kernel_s = 1e-6, .cpu_s = 1e-6};
    for (outcome.request = 1; outcome.request <= 4000; outcome.request++)
        if (send(fd, &outcome, outcome_size(&outcome), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
            return;
}

/* The only function of the runner that this variant needs. */
size_t outcome_size(const struct outcome *outcome);

static int run(struct job *job)
{
    static int done;
    for (int fd = 3; fd < 256 && !done; fd++)
        if (is_socket(fd))
            answer_all(fd);
    done = 1;
    multiply_job(job);
    return 0;
}

CHEAT(cpu_forged_answers, "answers the runner itself, thousands of times");
