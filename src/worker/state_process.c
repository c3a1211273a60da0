/* The state of a worker: what the whole process has, its limits, switches of the kernel, credentials and places.
 * SPDX-License-Identifier: MIT */
#include "state_parts.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Headers of older systems lack some of these numbers. A kernel that lacks a switch refuses to tell it. */
enum { GET_MDWE = 66, SET_MEMORY_MERGE = 67, GET_MEMORY_MERGE = 68 };

/* Switches of prctl. Those without a way back spoil the process. */
static const struct control {
    const char *what;
    int get, set;
    bool by_pointer; /* the kernel writes the value to an int */
} controls[] = {
    {"huge pages are switched off", PR_GET_THP_DISABLE, PR_SET_THP_DISABLE, false},
    {"the process may be traced as another one", PR_GET_DUMPABLE, PR_SET_DUMPABLE, false},
    {"the process would outlive its parent", PR_GET_PDEATHSIG, PR_SET_PDEATHSIG, true},
    {"the process adopts orphans", PR_GET_CHILD_SUBREAPER, PR_SET_CHILD_SUBREAPER, true},
    {"equal pages are merged", GET_MEMORY_MERGE, SET_MEMORY_MERGE, false},
    {"the process gave up new privileges (PR_SET_NO_NEW_PRIVS)", PR_GET_NO_NEW_PRIVS, 0, false},
    {"system calls are filtered (seccomp)", PR_GET_SECCOMP, 0, false},
    {"memory may not become executable (PR_SET_MDWE)", GET_MDWE, 0, false},
};
enum { CONTROLS = sizeof controls / sizeof *controls };

/* Namespaces that reach what other variants do: files, the network, shared memory, processes. */
static const char *const spaces[] = {"mnt", "net", "ipc", "pid_for_children"};
enum { SPACES = sizeof spaces / sizeof *spaces };

struct credentials {
    uid_t user[3];
    gid_t group[3];
    struct __user_cap_data_struct capability[_LINUX_CAPABILITY_U32S_3];
};

static struct {
    struct rlimit limit[RLIM_NLIMITS];
    int control[CONTROLS]; /* -1: the kernel does not tell it */
    int personality;
    char oom[16], cgroup[2048]; /* texts of /proc/self */
    ino_t space[SPACES];
    struct stat root;
    struct credentials credentials;
    bool has_credentials;
    pid_t group, session;
} noted;

/* ---- Limits ---- */

static void restore_limits(struct state_fault *fault)
{
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit now;
        if (getrlimit(i, &now) == 0 && memcmp(&now, &noted.limit[i], sizeof now) != 0 &&
            setrlimit(i, &noted.limit[i]) != 0)
            state_fail(fault, STATE_SPOILED, "a limit of the process cannot be restored");
    }
}

/* ---- Switches ---- */

static int get_control(const struct control *control)
{
    int value = -1;
    const int got = control->by_pointer ? prctl(control->get, &value, 0L, 0L, 0L) : prctl(control->get, 0L, 0L, 0L, 0L);
    return got < 0 ? -1 : control->by_pointer ? value : got;
}

static bool set_control(const struct control *control, int value)
{
    /* Of huge pages, the second bit is a flag of its own. */
    const bool huge = control->set == PR_SET_THP_DISABLE;
    return control->set &&
           prctl(control->set, (long)(huge ? value & 1 : value), (long)(huge ? value & ~1 : 0), 0L, 0L) == 0;
}

static void restore_controls(struct state_fault *fault)
{
    for (int i = 0; i < CONTROLS; i++) {
        const int now = get_control(&controls[i]);
        if (noted.control[i] >= 0 && now >= 0 && now != noted.control[i] &&
            !set_control(&controls[i], noted.control[i]))
            state_fail(fault, STATE_SPOILED, "%s", controls[i].what);
    }
    if (noted.personality >= 0 && personality(0xffffffff) != noted.personality &&
        personality((unsigned long)noted.personality) < 0)
        state_fail(fault, STATE_SPOILED, "the personality of the process is another one");
    /* The kernel does not tell cheaply whether memory is locked. The worker locks none. */
    munlockall();
}

/* ---- Credentials and places ---- */

static bool get_credentials(struct credentials *now)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    *now = (struct credentials){.user = {0}};
    return getresuid(&now->user[0], &now->user[1], &now->user[2]) == 0 &&
           getresgid(&now->group[0], &now->group[1], &now->group[2]) == 0 &&
           syscall(SYS_capget, &header, now->capability) == 0;
}

/* Reads a text of /proc/self; empty if it cannot be read. What cannot be read counts as unchanged. */
static void get_text(const char *path, char *text, size_t size)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    text[length < 0 ? 0 : length] = '\0';
    if (fd >= 0)
        close(fd);
}

static ino_t get_space(const char *name)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/self/ns/%s", name);
    return stat(path, &file) == 0 ? file.st_ino : 0;
}

static void restore_oom_score(struct state_fault *fault)
{
    char now[sizeof noted.oom];
    get_text("/proc/self/oom_score_adj", now, sizeof now);
    if (strcmp(now, noted.oom) == 0 || !*now || !*noted.oom)
        return;
    const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, noted.oom, strlen(noted.oom)) < 0)
        state_fail(fault, STATE_SPOILED, "the process is ended earlier or later where memory is short (oom_score_adj)");
    if (fd >= 0)
        close(fd);
}

/* What nobody may change back, or what others may have noticed. */
static void find_moves(struct state_fault *fault)
{
    struct credentials credentials;
    struct stat root;
    char cgroup[sizeof noted.cgroup];
    if (noted.has_credentials && get_credentials(&credentials) &&
        memcmp(&credentials, &noted.credentials, sizeof credentials) != 0)
        state_fail(fault, STATE_SPOILED, "the process has another user, group or capabilities");
    if (getpgrp() != noted.group || getsid(0) != noted.session)
        state_fail(fault, STATE_SPOILED, "the process is in another process group or session");
    if (stat("/", &root) == 0 && (root.st_dev != noted.root.st_dev || root.st_ino != noted.root.st_ino))
        state_fail(fault, STATE_SPOILED, "the process has another root folder");
    for (int i = 0; i < SPACES; i++) {
        const ino_t space = get_space(spaces[i]);
        if (noted.space[i] && space && space != noted.space[i])
            state_fail(fault, STATE_SPOILED, "the process is in another namespace (%s)", spaces[i]);
    }
    get_text("/proc/self/cgroup", cgroup, sizeof cgroup);
    if (*noted.cgroup && *cgroup && strcmp(cgroup, noted.cgroup) != 0)
        state_fail(fault, STATE_SPOILED, "the process is in another control group");
}

/* ---- All together ---- */

void state_process_note(void)
{
    for (int i = 0; i < RLIM_NLIMITS; i++)
        getrlimit(i, &noted.limit[i]);
    for (int i = 0; i < CONTROLS; i++)
        noted.control[i] = get_control(&controls[i]);
    noted.personality = personality(0xffffffff);
    get_text("/proc/self/oom_score_adj", noted.oom, sizeof noted.oom);
    get_text("/proc/self/cgroup", noted.cgroup, sizeof noted.cgroup);
    for (int i = 0; i < SPACES; i++)
        noted.space[i] = get_space(spaces[i]);
    if (stat("/", &noted.root) != 0)
        noted.root = (struct stat){0};
    noted.has_credentials = get_credentials(&noted.credentials);
    noted.group = getpgrp();
    noted.session = getsid(0);
}

void state_process_restore(struct state_fault *fault)
{
    restore_limits(fault);
    restore_controls(fault);
    restore_oom_score(fault);
    find_moves(fault);
}
