/* The watch over the cores: a child whose threads work for a moment whenever it is asked.
 * SPDX-License-Identifier: MIT */
#include "cores_watch.h"

#include "cores_crew.h"
#include "cores_probe.h"
#include "host.h"
#include "base/process.h"

#include <math.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

/* A look is short beside a round, and long beside the waking of a thread. */
static const double LOOK_S = 0.002;
enum { ANSWER_MS = 2000 };

/* The child has the threads, so that this process can go on starting others. */
static struct {
    struct process child; /* its pid is 0: there is none */
    int end;              /* of the socket to it */
    bool refused;
    double best[CORES_MOST + 1]; /* of so many threads; 0: not known */
} watch;

/* ---- In the child ---- */

/* Answers each number of threads by their rate, until the socket is closed. */
static int serve(const void *context)
{
    const int *ends = context;
    const struct host *host = host_get();
    int place[CORES_MOST], threads;
    close(ends[0]);
    for (int i = 0; i < CORES_MOST; i++)
        place[i] = i;
    struct cores_crew *crew = cores_crew_hire(host->core_cpu, host->cores_allowed, 0);
    while (crew && read(ends[1], &threads, sizeof threads) == sizeof threads) {
        const double rate = cores_crew_rate(crew, CORES_FMA, place, threads, LOOK_S);
        if (write(ends[1], &rate, sizeof rate) != sizeof rate)
            break;
    }
    return 0;
}

/* ---- In the parent ---- */

static bool start(void)
{
    int ends[2];
    if (watch.child.pid || watch.refused)
        return !watch.refused;
    watch.refused = !cores_probe_found() || host_get()->cores_allowed > CORES_MOST ||
                    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0;
    if (watch.refused)
        return false;
    watch.refused = process_start(&watch.child, PROCESS_QUIET, serve, ends) != 0;
    close(ends[1]);
    watch.end = ends[0];
    if (watch.refused)
        close(ends[0]);
    return !watch.refused;
}

/* The rate of so many threads now; 0: the child does not answer. */
static double look(int threads)
{
    double rate;
    struct pollfd answer = {.fd = watch.end, .events = POLLIN};
    const bool answered = send(watch.end, &threads, sizeof threads, MSG_NOSIGNAL) == sizeof threads &&
                          poll(&answer, 1, ANSWER_MS) == 1 && read(watch.end, &rate, sizeof rate) == sizeof rate;
    return answered ? rate : 0;
}

double cores_watch_share(int threads)
{
    if (threads < 2 || threads > host_get()->cores || !start())
        return NAN;
    const double rate = look(threads);
    if (!(rate > 0)) {
        cores_watch_end();
        watch.refused = true;
        return NAN;
    }
    /* A few threads have a higher clock than all, so that the probe's rate of all promises no more than they reach. */
    const struct cores *found = cores_probe_found();
    double *best = &watch.best[threads];
    *best = fmax(fmax(*best, rate), found->rate_best * threads / found->threads);
    return rate / *best;
}

void cores_watch_end(void)
{
    if (!watch.child.pid)
        return;
    close(watch.end);
    process_end(&watch.child);
    watch.child.pid = 0;
}
