/* A worker: a process that answers requests from a socket.
 * SPDX-License-Identifier: MIT */
#include "worker.h"

#include "cell.h"
#include "verify/parallel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* The file that takes the standard output of this process. A variant must not write there. */
static int output_fd = -1;

static void capture_output(void)
{
    output_fd = memfd_create("tilelab-stdout", MFD_CLOEXEC);
    if (output_fd >= 0)
        dup2(output_fd, STDOUT_FILENO);
}

/* A variant that prints has spent part of its time printing, so it fails. */
static void judge_output(struct outcome *outcome)
{
    fflush(stdout);
    const off_t size = output_fd < 0 ? 0 : lseek(output_fd, 0, SEEK_END);
    if (size <= 0)
        return;
    char text[64] = "";
    const ssize_t got = pread(output_fd, text, sizeof text - 1, 0);
    text[got < 0 ? 0 : got] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (ftruncate(output_fd, 0) == 0)
        lseek(output_fd, 0, SEEK_SET);
    if (outcome->status != STATUS_OK)
        return;
    outcome_fail(outcome, STATUS_FAILED, "wrote %lld bytes to standard output: %s", (long long)size, text);
}

static void obey(const struct request *request, struct outcome *outcome)
{
    size_t count;
    struct cell cell = {.entry = &registry(&count)[request->entry]};
    for (int i = 0; i < AXES; i++)
        *cell_axis(&cell, i) = request->axis[i];
    switch (request->verb) {
    case WORKER_CHECK:
        measure_check(&cell, request->inputs, request->measure.seed, outcome);
        break;
    case WORKER_WARM:
        measure_warm(&cell, &request->measure, outcome);
        break;
    case WORKER_ROUND:
        measure_round(&cell, &request->measure, request->round, request->launch, outcome);
        break;
    case WORKER_CLOSE:
        memset(outcome, 0, offsetof(struct outcome, sample));
        measure_close();
        break;
    }
    judge_output(outcome);
}

int worker_main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "tilelab: `tilelab run` starts its workers itself\n");
        return 2;
    }
    const int fd = atoi(argv[1]);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    parallel_init();
    capture_output();
    struct backend_setup setup = {.backend = (enum backend_id)atoi(argv[2]), .threads = atoi(argv[3])};
    snprintf(setup.library, sizeof setup.library, "%s", argv[5]);
    static struct outcome outcome;
    if (measure_open(&setup, atoi(argv[4]) != 0, outcome.reason, sizeof outcome.reason) != 0)
        outcome.status = STATUS_FAILED;
    judge_output(&outcome);
    if (send(fd, &outcome, outcome_size(&outcome), MSG_NOSIGNAL) < 0 || outcome.status != STATUS_OK)
        return 1;
    struct request request;
    for (;;) {
        const ssize_t got = recv(fd, &request, sizeof request, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got != sizeof request)
            break;
        obey(&request, &outcome);
        outcome.poisoned = outcome.status != STATUS_OK && measure_poisoned();
        if (send(fd, &outcome, outcome_size(&outcome), MSG_NOSIGNAL) < 0 || outcome.poisoned)
            break;
    }
    /* The exit handlers of libraries are not needed, and the handler of a driver may hang. */
    _exit(0);
}
