/* Starts the process of a worker.
 * SPDX-License-Identifier: MIT */
#include "pool_parts.h"

#include "machine/host.h"
#include "protocol/capture.h"
#include "protocol/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static int window = -1; /* worker/window.h; inherited by all workers */

void pool_empty_window(void)
{
    if (window >= 0)
        (void)!ftruncate(window, 0);
}

void pool_close_window(void)
{
    if (window >= 0)
        close(window);
    window = -1;
}

/* A variant may allocate the operands once more and some room to work, within what the machine has left. */
static void limit_memory(const struct backend_setup *setup, int64_t memory_bytes)
{
#if !defined(__SANITIZE_ADDRESS__)
    if (backend_get(setup->backend)->reserves_space)
        return;
    const int64_t room = (int64_t)4 << 30, available = host_get()->memory_available_bytes;
    int64_t limit = 2 * memory_bytes + room;
    if (available > 0 && limit > available)
        limit = available;
    const struct rlimit data = {.rlim_cur = (rlim_t)limit, .rlim_max = (rlim_t)limit};
    setrlimit(RLIMIT_DATA, &data);
#else
    (void)setup, (void)memory_bytes;
#endif
}

/* A crash of a worker must not fill the disk, and its end must not wait for that. */
static void forbid_core_files(void)
{
    struct rlimit core;
    if (getrlimit(RLIMIT_CORE, &core) == 0) {
        core.rlim_cur = 0;
        setrlimit(RLIMIT_CORE, &core);
    }
}

/* What the child that becomes a worker needs. */
struct child {
    const struct backend_setup *setup;
    int64_t memory_bytes;
    int fd, error_fd;
};

/* In the child. */
static int become_worker(const void *context)
{
    const struct child *start = context;
    char fd[16];
    host_clean_environment();
    setenv("OMP_MAX_TASK_PRIORITY", "2", 1); /* the default, 0, makes OpenMP ignore priorities */
    const struct backend *backend = backend_get(start->setup->backend);
    if (backend->environment)
        backend->environment(start->setup);
    if (!start->setup->judges)
        limit_memory(start->setup, start->memory_bytes);
    forbid_core_files();
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(start->error_fd, STDERR_FILENO) < 0)
        return PROCESS_CANNOT_START;
    if (fcntl(start->fd, F_SETFD, 0) != 0 || fcntl(window, F_SETFD, 0) != 0)
        return PROCESS_CANNOT_START;
    snprintf(fd, sizeof fd, "%d", start->fd);
    const char *const arguments[] = {"tilelab", "worker", fd, NULL};
    return process_become(PROCESS_SELF, arguments);
}

int pool_start(struct worker *worker, const struct backend_setup *setup, int64_t memory_bytes, bool was_ready)
{
    static unsigned started;
    int worker_end;
    if (window < 0 && (window = memfd_create("tilelab-window", MFD_CLOEXEC)) < 0)
        return errno;
    *worker = (struct worker){.setup = *setup, .error_fd = capture_open("tilelab-stderr")};
    if (worker->error_fd < 0)
        return errno;
    int failed = channel_open(&worker->fd, &worker_end);
    if (failed) {
        close(worker->error_fd);
        return failed;
    }
    process_adopt_orphans();
    const struct child child = {setup, memory_bytes, worker_end, worker->error_fd};
    const struct worker_setup told = {*setup, was_ready, window};
    failed = channel_send(worker->fd, &told, sizeof told);
    if (!failed)
        failed = process_start(&worker->process, PROCESS_GROUP, become_worker, &child);
    close(worker_end);
    if (failed) {
        close(worker->fd);
        close(worker->error_fd);
        return failed;
    }
    worker->number = ++started;
    return 0;
}
