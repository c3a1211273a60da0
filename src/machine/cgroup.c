/* What its control groups allow this process.
 * SPDX-License-Identifier: MIT
 *
 * /proc/self/cgroup names the process's group in each hierarchy. /proc/self/mountinfo tells where the hierarchy is
 * mounted, and which group its mount point shows. A limit of any group on the way up counts. */
#include "cgroup.h"

#include "procfs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 2048 };

struct hierarchy {
    char mount[PATH_SIZE]; /* where it is mounted; empty: it is not mounted */
    char shown[PATH_SIZE]; /* the group that the mount point shows */
};

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* Finds the hierarchy of a controller of version 1. With a controller of NULL it finds the hierarchy of version 2. */
static void find_mount(const char *root, const char *controller, struct hierarchy *found)
{
    char line[3 * PATH_SIZE];
    FILE *file = procfs_open(root, "/proc/self/mountinfo");
    found->mount[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char type[32], options[512];
        const char *tail = strstr(line, " - ");
        if (tail == NULL || sscanf(tail, " - %31s %*s %511s", type, options) != 2)
            continue;
        const bool match = controller == NULL ? strcmp(type, "cgroup2") == 0
                                              : strcmp(type, "cgroup") == 0 && has_word(options, controller);
        if (match && sscanf(line, "%*s %*s %*s %2047s %2047s", found->shown, found->mount) == 2)
            break;
        found->mount[0] = '\0';
    }
    if (file != NULL)
        fclose(file);
}

/* Reads the process's group in the hierarchy, as /proc/self/cgroup tells it; false if there is none. */
static bool find_group(const char *root, const char *controller, char group[PATH_SIZE])
{
    char line[PATH_SIZE];
    bool found = false;
    FILE *file = procfs_open(root, "/proc/self/cgroup");
    while (!found && file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':');
        char *path = names == NULL ? NULL : strchr(names + 1, ':');
        if (path == NULL)
            continue;
        *names++ = *path++ = '\0';
        found = controller == NULL ? strcmp(line, "0") == 0 && *names == '\0' : has_word(names, controller);
        if (found)
            snprintf(group, PATH_SIZE, "%s", path);
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* Makes the path of the folder of the process's group; false if the hierarchy does not exist. The first *top characters
 * of the path are the mount point. */
static bool own_folder(const char *root, const char *controller, char folder[2 * PATH_SIZE], size_t *top)
{
    struct hierarchy at;
    char group[PATH_SIZE];
    find_mount(root, controller, &at);
    if (at.mount[0] == '\0' || !find_group(root, controller, group))
        return false;
    const size_t length = strcmp(at.shown, "/") == 0 ? 0 : strlen(at.shown);
    const bool below = strncmp(group, at.shown, length) == 0 && (group[length] == '/' || group[length] == '\0');
    /* The group may lie outside of what the mount shows, in another namespace. Then the mount point is the nearest
     * group that can be seen. */
    const char *rest = below && strstr(group, "/..") == NULL ? group + length : "";
    *top = (size_t)snprintf(folder, 2 * PATH_SIZE, "%s", at.mount);
    snprintf(folder + *top, 2 * PATH_SIZE - *top, "%s", strcmp(rest, "/") == 0 ? "" : rest);
    return true;
}

static void take_less(double *least, double value)
{
    if (value > 0 && (*least == 0 || value < *least))
        *least = value;
}

/* Each of the next functions reads the limit of one group; 0: none. */
static double cores_v2(const char *root, const char *folder)
{
    char text[64];
    int64_t quota, period;
    if (!procfs_line(text, sizeof text, root, "%s/cpu.max", folder) ||
        sscanf(text, "%" SCNd64 " %" SCNd64, &quota, &period) != 2 || period <= 0)
        return 0;
    return (double)quota / (double)period;
}

static double cores_v1(const char *root, const char *folder)
{
    const int64_t quota = procfs_integer(-1, root, "%s/cpu.cfs_quota_us", folder);
    const int64_t period = procfs_integer(0, root, "%s/cpu.cfs_period_us", folder);
    return quota > 0 && period > 0 ? (double)quota / (double)period : 0;
}

static double memory_v2(const char *root, const char *folder)
{
    return (double)procfs_integer(0, root, "%s/memory.max", folder);
}

static double memory_v1(const char *root, const char *folder)
{
    /* "No limit" is the largest multiple of the page size: more than any machine has. */
    const int64_t bytes = procfs_integer(0, root, "%s/memory.limit_in_bytes", folder);
    return bytes < INT64_C(1) << 60 ? (double)bytes : 0;
}

static double tightest(const char *root, const char *controller, double (*limit)(const char *root, const char *folder))
{
    char folder[2 * PATH_SIZE];
    size_t top;
    double least = 0;
    if (!own_folder(root, controller, folder, &top))
        return 0;
    for (;;) {
        take_less(&least, limit(root, folder));
        char *slash = strrchr(folder + top, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

void cgroup_limits(const char *root, double *cores, int64_t *memory_bytes)
{
    double memory = tightest(root, NULL, memory_v2);
    take_less(&memory, tightest(root, "memory", memory_v1));
    *memory_bytes = (int64_t)memory;
    *cores = tightest(root, NULL, cores_v2);
    take_less(cores, tightest(root, "cpu", cores_v1));
}
