/* How many threads of this process were made in a stretch of time.
 * SPDX-License-Identifier: MIT */
#include "threads.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/types.h>

enum { THREADS_MAX = 4096 };
static pid_t noted[THREADS_MAX];
static int count;

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
    if (count < THREADS_MAX)
        noted[count++] = id;
    return 0;
}

static int is_new(pid_t id)
{
    for (int i = 0; i < count; i++)
        if (noted[i] == id)
            return 0;
    return count < THREADS_MAX;
}

void threads_note(void)
{
    count = 0;
    for_each_thread(note);
}

int threads_made(void)
{
    return for_each_thread(is_new);
}
