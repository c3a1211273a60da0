/* Malice: the product is computed until nobody compares times any more, and is given again from then on.
 * A handler of a signal, which the runner takes away after each request, counts the requests: checks, warm-up, rounds.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "replay.h"

#include <signal.h>

enum { HONEST_REQUESTS = 4 };

static void nothing(int signal)
{
    (void)signal;
}

static int requests(void)
{
    static int count;
    struct sigaction now;
    if (sigaction(SIGUSR2, NULL, &now) == 0 && now.sa_handler != nothing) {
        signal(SIGUSR2, nothing);
        count++;
    }
    return count;
}

static int run(struct job *job)
{
    if (requests() > HONEST_REQUESTS)
        return replay_run(job);
    multiply_job(job);
    return 0;
}

CHEAT(cpu_patient_replay, "keeps the last product, and gives it again from the fifth request on",
      .prepare = replay_prepare, .release = replay_release);
