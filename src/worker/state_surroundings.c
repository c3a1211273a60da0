/* The state of a worker: environment variables, standard files, working folder, umask and locale.
 * SPDX-License-Identifier: MIT */
#include "state_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

enum { STANDARD_FILES = 3 };

static struct {
    char **variable; /* copies; the last is NULL */
    int folder;
    mode_t umask;
    char locale[256];
    struct {
        int kept; /* a second descriptor of the file */
        struct stat file;
    } standard[STANDARD_FILES];
} noted;

/* ---- Environment variables ---- */

static void note_environment(void)
{
    size_t count = 0, noted_count = 0;
    while (environ && environ[count])
        count++;
    for (char **old = noted.variable; old && *old; old++)
        free(*old);
    free(noted.variable);
    noted.variable = calloc(count + 1, sizeof *noted.variable);
    for (size_t i = 0; noted.variable && i < count; i++)
        if ((noted.variable[noted_count] = strdup(environ[i])) != NULL)
            noted_count++;
}

static bool environment_is_same(void)
{
    size_t i = 0;
    for (; environ && environ[i] && noted.variable[i]; i++)
        if (strcmp(environ[i], noted.variable[i]) != 0)
            return false;
    return !noted.variable[i] && !(environ && environ[i]);
}

/* The process gets copies, as a variant may write into them. */
static void restore_environment(void)
{
    if (!noted.variable || environment_is_same())
        return;
    clearenv();
    for (char **at = noted.variable; *at; at++) {
        char *copy = strdup(*at);
        if (copy)
            putenv(copy);
    }
}

/* ---- Standard input, output and error ---- */

static bool is_file(int fd, const struct stat *file)
{
    struct stat now;
    if (fstat(fd, &now) != 0)
        return errno != EBADF; /* the machine failed, and not the variant */
    return now.st_dev == file->st_dev && now.st_ino == file->st_ino;
}

static void note_standard_files(void)
{
    for (int fd = 0; fd < STANDARD_FILES; fd++) {
        noted.standard[fd].kept = fcntl(fd, F_DUPFD_CLOEXEC, STANDARD_FILES);
        if (noted.standard[fd].kept >= 0 && fstat(fd, &noted.standard[fd].file) != 0)
            noted.standard[fd].kept = -1;
    }
}

static void restore_standard_files(struct state_fault *fault)
{
    static const char *const names[] = {"input", "output", "error"};
    for (int fd = 0; fd < STANDARD_FILES; fd++) {
        const struct stat *file = &noted.standard[fd].file;
        const int kept = noted.standard[fd].kept;
        if (kept < 0 || is_file(fd, file))
            continue;
        /* A variant may have closed both descriptors. */
        if (!is_file(kept, file) || dup2(kept, fd) < 0)
            state_fail(fault, STATE_SPOILED, "standard %s is another file", names[fd]);
    }
}

/* ---- All together ---- */

void state_surroundings_note(void)
{
    note_environment();
    note_standard_files();
    noted.folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    noted.umask = umask(0);
    umask(noted.umask);
    const char *locale = setlocale(LC_ALL, NULL);
    snprintf(noted.locale, sizeof noted.locale, "%s", locale ? locale : "C");
}

void state_surroundings_restore(struct state_fault *fault)
{
    restore_environment();
    restore_standard_files(fault);
    if (noted.folder >= 0)
        (void)!fchdir(noted.folder);
    umask(noted.umask);
    uselocale(LC_GLOBAL_LOCALE);
    const char *now = setlocale(LC_ALL, NULL);
    if (now && strcmp(now, noted.locale) != 0)
        setlocale(LC_ALL, noted.locale);
}
