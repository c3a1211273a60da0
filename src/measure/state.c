/* The state of a worker's process that a variant can change and that the next variant would inherit.
 * SPDX-License-Identifier: MIT */
#include "state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

enum { THREADS_MAX = 1024, TIMERS_MAX = 32, CPU_WORDS = 64 };

/* An affinity mask of up to 4096 processors. */
struct mask {
    unsigned long word[CPU_WORDS];
};

static struct {
    int threads, dynamic, levels, schedule_chunk;
    omp_sched_t schedule;
    sigset_t blocked;
    struct sigaction action[NSIG];
    bool has_action[NSIG];
    int timer[TIMERS_MAX], timers;
    struct rlimit limit[RLIM_NLIMITS];
    struct mask process;
    struct {
        pid_t id;
        struct mask mask;
    } thread[THREADS_MAX];
    int thread_count, priority, folder;
    mode_t umask;
    char locale[256];
} noted;

static bool get_mask(pid_t thread, struct mask *mask)
{
    *mask = (struct mask){{0}};
    return syscall(SYS_sched_getaffinity, thread, sizeof *mask, mask) >= 0;
}

static bool set_mask(pid_t thread, const struct mask *mask)
{
    struct mask now;
    if (get_mask(thread, &now) && memcmp(&now, mask, sizeof now) == 0)
        return true;
    return syscall(SYS_sched_setaffinity, thread, sizeof *mask, mask) == 0;
}

/* ---- Threads ---- */

static void note_threads(void)
{
    DIR *folder = opendir("/proc/self/task");
    for (const struct dirent *entry; folder && (entry = readdir(folder)) != NULL;) {
        const pid_t id = (pid_t)atoi(entry->d_name);
        if (id > 0 && noted.thread_count < THREADS_MAX && get_mask(id, &noted.thread[noted.thread_count].mask))
            noted.thread[noted.thread_count++].id = id;
    }
    if (folder)
        closedir(folder);
}

/* Whether a thread of this process has the id. */
static bool is_thread(pid_t id)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d", (int)id);
    return access(path, F_OK) == 0;
}

/* Binds all threads as they were. The id of a thread that has ended may belong to another process by now. */
static bool restore_masks(void)
{
    bool good = set_mask(0, &noted.process);
    for (int i = 0; i < noted.thread_count; i++) {
        struct mask now;
        const pid_t id = noted.thread[i].id;
        const struct mask *mask = &noted.thread[i].mask;
        if (get_mask(id, &now) && memcmp(&now, mask, sizeof now) != 0 && is_thread(id))
            good = set_mask(id, mask) && good;
    }
    return good;
}

void state_restore_arithmetic(void)
{
    fesetenv(FE_DFL_ENV);
}

/* Rounding mode, signal mask and affinity belong to each thread. A team of OpenMP keeps its threads. */
static bool restore_team(void)
{
    int bad = 0, team = 0;
#pragma omp parallel num_threads(noted.threads) default(none) shared(noted, team) reduction(+ : bad)
    {
        state_restore_arithmetic();
        pthread_sigmask(SIG_SETMASK, &noted.blocked, NULL);
        bad += !set_mask(0, &noted.process);
#pragma omp master
        team = omp_get_num_threads();
    }
    return bad == 0 && team == noted.threads;
}

/* ---- Signals and timers ---- */

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

static void restore_signals(void)
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

/* ---- Limits, files, locale ---- */

static bool restore_limits(void)
{
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit now;
        if (getrlimit(i, &now) == 0 && memcmp(&now, &noted.limit[i], sizeof now) != 0 &&
            setrlimit(i, &noted.limit[i]) != 0)
            return false;
    }
    return getpriority(PRIO_PROCESS, 0) == noted.priority || setpriority(PRIO_PROCESS, 0, noted.priority) == 0;
}

static void restore_surroundings(void)
{
    if (noted.folder >= 0)
        (void)!fchdir(noted.folder);
    umask(noted.umask);
    uselocale(LC_GLOBAL_LOCALE);
    const char *now = setlocale(LC_ALL, NULL);
    if (now && strcmp(now, noted.locale) != 0)
        setlocale(LC_ALL, noted.locale);
}

/* ---- All together ---- */

static void explain(char *why, size_t size, const char *what)
{
    snprintf(why, size, "%s: %s", what, strerror(errno));
}

int state_note(char *why, size_t size)
{
    noted.threads = omp_get_max_threads();
    noted.dynamic = omp_get_dynamic();
    noted.levels = omp_get_max_active_levels();
    omp_get_schedule(&noted.schedule, &noted.schedule_chunk);
    pthread_sigmask(SIG_SETMASK, NULL, &noted.blocked);
    if (!get_mask(0, &noted.process) || !restore_team()) {
        explain(why, size, "the threads of a worker cannot be made or bound");
        return -1;
    }
    note_threads();
    for (int signal = 1; signal < NSIG; signal++)
        noted.has_action[signal] = sigaction(signal, NULL, &noted.action[signal]) == 0;
    for_each_timer(note_timer);
    for (int i = 0; i < RLIM_NLIMITS; i++)
        getrlimit(i, &noted.limit[i]);
    noted.priority = getpriority(PRIO_PROCESS, 0);
    noted.folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    noted.umask = umask(0);
    umask(noted.umask);
    const char *locale = setlocale(LC_ALL, NULL);
    snprintf(noted.locale, sizeof noted.locale, "%s", locale ? locale : "C");
    return 0;
}

enum state_end state_restore(char *why, size_t size)
{
    omp_set_dynamic(noted.dynamic);
    omp_set_num_threads(noted.threads);
    omp_set_max_active_levels(noted.levels);
    omp_set_schedule(noted.schedule, noted.schedule_chunk);
    const bool limited = !restore_limits(); /* the limit of open files counts for what follows */
    restore_signals();
    restore_surroundings();
    if (limited) {
        explain(why, size, "a limit or the priority of the process cannot be restored");
        return STATE_SPOILED;
    }
    if (!restore_masks() || !restore_team()) {
        explain(why, size, "the threads of a worker cannot be made or bound again");
        return STATE_ACCIDENT;
    }
    errno = 0;
    return STATE_RESTORED;
}
