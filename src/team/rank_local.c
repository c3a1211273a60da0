/* Messages between processes of one host.
 * SPDX-License-Identifier: MIT */
#include "rank_local.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHUNK = 1 << 14, PROCESSES_MOST = 1024 };

/* The memory that all ranks share. */
struct shared {
    pthread_barrier_t barrier;
    double slot[]; /* CHUNK doubles for each rank */
};

static struct shared *shared;
static int rank, size, wanted = 1;
static pid_t others[PROCESSES_MOST];

/* Ends the team if a rank ended with a fault. Only calls that a signal handler may make are made here. */
static void on_child(int number)
{
    int status;
    (void)number;
    for (int i = 1; i < size; i++) {
        if (others[i] <= 0 || waitpid(others[i], &status, WNOHANG) != others[i])
            continue;
        others[i] = 0;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            continue;
        if (WIFSIGNALED(status)) {
            char text[80];
            const int length = snprintf(text, sizeof text, "process rank %d ended on signal %d\n", i, WTERMSIG(status));
            (void)!write(STDERR_FILENO, text, (size_t)length);
        }
        _exit(1);
    }
}

static int open_local(struct team *team, char *why, size_t room)
{
    const struct sigaction child = {.sa_handler = on_child, .sa_flags = SA_RESTART};
    const size_t bytes = sizeof *shared + (size_t)wanted * CHUNK * sizeof(double);
    pthread_barrierattr_t attributes;
    shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || wanted > PROCESSES_MOST || pthread_barrierattr_init(&attributes) != 0 ||
        pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) != 0 ||
        pthread_barrier_init(&shared->barrier, &attributes, (unsigned)wanted) != 0) {
        snprintf(why, room, "no memory to share for %d processes: %s", wanted, strerror(errno));
        return -1;
    }
    size = wanted;
    sigaction(SIGCHLD, &child, NULL);
    const pid_t first = getpid();
    for (int i = 1; i < size && rank == 0; i++) {
        const pid_t made = fork();
        if (made < 0) {
            snprintf(why, room, "process %d of %d could not be made: %s", i, size, strerror(errno));
            return -1;
        }
        others[i] = made;
        if (made == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (getppid() != first)
                _exit(1);
            rank = i;
        }
    }
    team->rank = rank;
    team->size = size;
    return 0;
}

static void meet(void)
{
    pthread_barrier_wait(&shared->barrier);
}

static double *slot(int of)
{
    return shared->slot + (size_t)of * CHUNK;
}

static int sum(double *values, int64_t count)
{
    for (int64_t at = 0; at < count; at += CHUNK) {
        const int64_t part = count - at < CHUNK ? count - at : CHUNK;
        memcpy(slot(rank), values + at, (size_t)part * sizeof *values);
        meet(); /* all values are there */
        for (int64_t i = 0; i < part; i++) {
            values[at + i] = 0;
            for (int of = 0; of < size; of++)
                values[at + i] += slot(of)[i];
        }
        meet(); /* all have read them */
    }
    return 0;
}

static int most(double *value)
{
    slot(rank)[0] = *value;
    meet(); /* all values are there */
    for (int of = 0; of < size; of++)
        if (slot(of)[0] > *value)
            *value = slot(of)[0];
    meet(); /* all have read them */
    return 0;
}

static int share(void *bytes, size_t count, int from)
{
    const size_t room = CHUNK * sizeof(double);
    for (size_t at = 0; at < count; at += room) {
        const size_t part = count - at < room ? count - at : room;
        if (rank == from)
            memcpy(slot(from), (char *)bytes + at, part);
        meet(); /* the bytes are there */
        if (rank != from)
            memcpy((char *)bytes + at, slot(from), part);
        meet(); /* all have read them */
    }
    return 0;
}

/* A rank that waits at a barrier sleeps. */
static int await_request(void *bytes, size_t count)
{
    return share(bytes, count, 0);
}

static void close_local(void)
{
}

const struct team_messages *rank_local(int ranks)
{
    static const struct team_messages messages = {
        .open = open_local, .sum = sum, .most = most, .share = share, .await = await_request, .close = close_local};
    wanted = ranks;
    return &messages;
}
