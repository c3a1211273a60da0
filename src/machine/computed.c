/* How many threads of this process compute in a stretch of time.
 * SPDX-License-Identifier: MIT */
#include "computed.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

enum { THREADS_MAX = 4096 };

static struct thread {
    pid_t id;
    double cpu_s;
} before[THREADS_MAX];
static int begun;

/* Processor time of a thread of this process. The kernel makes the number of a thread's clock in this way. */
static double cpu_s(pid_t id)
{
    struct timespec time;
    const clockid_t clock = (clockid_t)(~(unsigned)id << 3 | 6);
    return clock_gettime(clock, &time) == 0 ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec : 0;
}

/* Calls `each` for every thread, and returns the sum of what it returned. */
static int for_each_thread(int (*each)(pid_t id))
{
    DIR *threads = opendir("/proc/self/task");
    int sum = 0;
    for (const struct dirent *entry; threads && (entry = readdir(threads));)
        sum += entry->d_name[0] == '.' ? 0 : each((pid_t)atoi(entry->d_name));
    if (threads)
        closedir(threads);
    return sum;
}

static int note(pid_t id)
{
    if (begun < THREADS_MAX)
        before[begun++] = (struct thread){id, cpu_s(id)};
    return 0;
}

static int has_computed(pid_t id)
{
    const double now_s = cpu_s(id);
    for (int i = 0; i < begun; i++)
        if (before[i].id == id)
            return now_s > before[i].cpu_s;
    return now_s > 0;
}

void computed_begin(void)
{
    begun = 0;
    for_each_thread(note);
}

int computed_threads(void)
{
    return for_each_thread(has_computed);
}
