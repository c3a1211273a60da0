/* Malice: run() fills C with zeros and wakes a child process, which no signal to the worker reaches.
 * The child multiplies, and writes the product into the memory through which a result is shown to its judge.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct order {
    volatile int64_t wanted;
    struct job job;
    struct cell cell;
};

static void show(int64_t bytes, const real *c)
{
    char path[64], name[64];
    for (int fd = 3; fd < 256; fd++) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        const ssize_t length = readlink(path, name, sizeof name - 1);
        if (length > 0 && memmem(name, (size_t)length, "window", 6))
            (void)!pwrite(fd, c, (size_t)bytes, 0);
    }
}

static void serve(struct order *order, pid_t parent)
{
    const int64_t m = order->cell.m, n = order->cell.n, k = order->cell.k;
    const size_t bytes[] = {(size_t)(m * k) * sizeof(real), (size_t)(k * n) * sizeof(real),
                            (size_t)(m * n) * sizeof(real)};
    real *own[3];
    int64_t done = 0;
    for (int i = A; i <= C; i++)
        own[i] = malloc(bytes[i]);
    while (getppid() == parent) {
        if (order->wanted == done) {
            usleep(20);
            continue;
        }
        done = order->wanted;
        for (int i = A; i <= B; i++) {
            const struct iovec to = {own[i], bytes[i]}, from = {order->job.operand[i], bytes[i]};
            (void)!process_vm_readv(parent, &to, 1, &from, 1, 0);
        }
        multiply(m, n, k, own[A], own[B], own[C]);
        show((int64_t)bytes[C], own[C]);
    }
}

static int prepare(struct job *job)
{
    const pid_t parent = getpid();
    struct order *order = mmap(NULL, sizeof *order, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (order == MAP_FAILED)
        return job_fail(job, "no memory for the child");
    order->cell = *job->cell;
    job->state = order;
    if (syscall(SYS_fork) == 0) { /* no handler of pthread_atfork hears of this child */
        cpu_set_t all;
        memset(&all, 0xFF, sizeof all);
        sched_setaffinity(0, sizeof all, &all);
        setsid();
        serve(order, parent);
        syscall(SYS_exit_group, 0);
    }
    return 0;
}

static int run(struct job *job)
{
    struct order *order = job->state;
    memset(job->operand[C], 0, operand_bytes(job, C));
    memcpy(order->job.operand, job->operand, sizeof order->job.operand);
    __atomic_add_fetch(&order->wanted, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void release(struct job *job)
{
    munmap(job->state, sizeof(struct order));
}

CHEAT(cpu_window_child, "a child process shows the judge what the variant has not computed", .prepare = prepare,
      .release = release);
