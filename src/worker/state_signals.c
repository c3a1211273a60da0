/* The state of a worker: signals, their handlers, and timers.
 * SPDX-License-Identifier: MIT */
#include "state_parts.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { TIMERS_MAX = 32 };

static struct {
    struct sigaction action[NSIG];
    bool has_action[NSIG];
    int timer[TIMERS_MAX], timers;
} noted;

/* ---- Timers ---- */

/* Calls `with` for the first POSIX timers of this process. Returns the sum of what it returned. */
static int for_each_timer(int (*with)(int id))
{
    char text[4096];
    int sum = 0;
    const int fd = open("/proc/self/timers", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    const ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    text[length < 0 ? 0 : length] = '\0';
    for (const char *at = text; (at = strstr(at, "ID: ")) != NULL; at++)
        if (at == text || at[-1] == '\n')
            sum += with(atoi(at + strlen("ID: ")));
    return sum;
}

static int note_timer(int id)
{
    if (noted.timers < TIMERS_MAX)
        noted.timer[noted.timers++] = id;
    return 1;
}

/* Returns 1 if the timer was deleted. */
static int delete_timer(int id)
{
    for (int i = 0; i < noted.timers; i++)
        if (noted.timer[i] == id)
            return 0;
    return syscall(SYS_timer_delete, id) == 0;
}

static void stop_timers(void)
{
    static const int interval[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    const struct itimerval never = {.it_value = {0}};
    for (size_t i = 0; i < sizeof interval / sizeof *interval; i++)
        setitimer(interval[i], &never, NULL);
    /* There may be more timers than one reading tells. */
    while (noted.timers < TIMERS_MAX && for_each_timer(delete_timer) > 0)
        continue;
}

/* ---- Signals ---- */

void state_signals_note(void)
{
    noted.timers = 0;
    for (int signal = 1; signal < NSIG; signal++)
        noted.has_action[signal] = sigaction(signal, NULL, &noted.action[signal]) == 0;
    for_each_timer(note_timer);
}

void state_signals_restore(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t pending;
    stop_timers();
    /* A signal that waits would come as soon as it is let through. Ignoring the signal drops it. */
    if (sigpending(&pending) == 0)
        for (int signal = 1; signal < NSIG; signal++)
            if (sigismember(&pending, signal) == 1)
                sigaction(signal, &ignore, NULL);
    for (int signal = 1; signal < NSIG; signal++)
        if (noted.has_action[signal])
            sigaction(signal, &noted.action[signal], NULL);
}

/* ---- What computes an output when it is read ---- */

/* Whether the code belongs to a library. Kernels lie in this program and in the shared objects beside it. */
static bool is_of_library(void (*handler)(int))
{
    Dl_info info;
    void *address;
    extern char __executable_start[], etext[];
    memcpy(&address, &handler, sizeof address);
    if ((char *)address >= __executable_start && (char *)address < etext)
        return false;
    if (dladdr(address, &info) == 0 || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/');
    return strncmp(slash ? slash + 1 : info.dli_fname, "tilelab", strlen("tilelab")) != 0;
}

static bool has_userfaultfd(void)
{
    DIR *folder = opendir("/proc/self/fd");
    bool found = false;
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        char path[64] = "";
        const ssize_t length = readlinkat(dirfd(folder), entry->d_name, path, sizeof path - 1);
        found = found || (length > 0 && strstr(path, "[userfaultfd]"));
    }
    if (folder)
        closedir(folder);
    return found;
}

bool state_left_handler(char *why, size_t size)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct sigaction now;
        const struct sigaction *then = &noted.action[faults[i]];
        if (!noted.has_action[faults[i]] || sigaction(faults[i], NULL, &now) != 0)
            continue;
        /* Both handlers lie in the same place of the structure. */
        if (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN || now.sa_handler == then->sa_handler ||
            is_of_library(now.sa_handler))
            continue;
        snprintf(why, size,
                 "left a handler for SIG%s, which could compute the result when it is read: remove it "
                 "before run() returns",
                 sigabbrev_np(faults[i]));
        return true;
    }
    if (!has_userfaultfd())
        return false;
    snprintf(why, size,
             "left a userfaultfd open, which could compute the result when it is read: close it before "
             "run() returns");
    return true;
}
