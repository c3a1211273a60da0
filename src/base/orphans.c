/* Orphans: processes that a child has left behind.
 * SPDX-License-Identifier: MIT */
#include "orphans.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EARLIER_MOST = 64, PASSES_MOST = 100 };

static bool adopts;
static pid_t earlier[EARLIER_MOST]; /* children that this process had before it became tilelab */
static size_t earlier_count;

/* The parent of a process; 0: not known. */
static pid_t parent_of(const char *id)
{
    char path[64], text[512];
    int parent = 0;
    snprintf(path, sizeof path, "/proc/%.20s/stat", id);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    /* The second field is the name in parentheses, which may hold any character. */
    const char *after_name = strrchr(text, ')');
    return after_name && sscanf(after_name, ") %*c %d", &parent) == 1 ? parent : 0;
}

/* Calls `with` for each child of this process. Returns the sum of what it returned. */
static int for_each_child(int (*with)(pid_t child, void *context), void *context)
{
    const pid_t self = getpid();
    int sum = 0;
    DIR *folder = opendir("/proc");
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && parent_of(entry->d_name) == self)
            sum += with((pid_t)atoi(entry->d_name), context);
    if (folder)
        closedir(folder);
    return sum;
}

static int note_earlier(pid_t child, void *context)
{
    (void)context;
    if (earlier_count < EARLIER_MOST)
        earlier[earlier_count++] = child;
    return 1;
}

void orphans_adopt(void)
{
    if (adopts)
        return;
    for_each_child(note_earlier, NULL);
    adopts = earlier_count < EARLIER_MOST && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* Returns 1 if the child is an orphan that was ended now. */
static int end_one(pid_t child, void *context)
{
    bool (*const *is_kept)(pid_t) = context;
    for (size_t i = 0; i < earlier_count; i++)
        if (earlier[i] == child)
            return 0;
    if ((*is_kept)(child))
        return 0;
    kill(child, SIGKILL);
    while (waitpid(child, NULL, WNOHANG) < 0 && errno == EINTR)
        continue;
    return 1;
}

void orphans_end(bool (*is_kept)(pid_t pid))
{
    /* What an orphan leaves behind becomes a child of this process, so it is found in the next pass. */
    for (int pass = 0; adopts && pass < PASSES_MOST && for_each_child(end_one, &is_kept) > 0; pass++)
        usleep(1000);
}
