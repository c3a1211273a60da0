/* Folders: their names, and the folder to which results are written.
 * SPDX-License-Identifier: MIT */
#include "folder.h"

#include "memory.h"
#include "process.h"
#include "regular.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *folder_absolute(const char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    char *path = length > 0 && folder[length - 1] == '.' ? realpath(folder, NULL) : NULL;
    char *here = path || folder[0] == '/' ? NULL : getcwd(NULL, 0);
    if (!path && asprintf(&path, "%s%s%.*s", here ? here : "", here ? "/" : "", (int)length, folder) < 0)
        path = NULL;
    free(here);
    return path;
}

const char *folder_last_parts(const char *path, int parts)
{
    const char *at = path + strlen(path);
    while (at > path)
        if (*--at == '/' && --parts == 0)
            return at + 1;
    return path + (*path == '/');
}

bool folder_exists(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(file.st_mode);
}

static bool make_one(const char *path)
{
    if (mkdir(path, 0777) == 0)
        return true;
    const int error = errno;
    if (error == EEXIST)
        return folder_exists(path);
    errno = error;
    return false;
}

bool folder_make(const char *path)
{
    char *part = strdup(path);
    if (!part)
        return false;
    bool made = true;
    for (char *slash = part; made && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        made = make_one(part);
        *slash = '/';
    }
    made = made && make_one(part);
    const int error = errno;
    free(part);
    errno = error;
    return made;
}

bool folder_probe(const char *path)
{
    char *name = NULL;
    static const char block[64 * 1024];
    if (asprintf(&name, "%s/.probe-XXXXXX", path) < 0)
        return false;
    const int fd = mkostemp(name, O_CLOEXEC);
    int error = errno;
    if (fd >= 0) {
        unlink(name);   /* at once, so that the file never stays behind */
        errno = ENOSPC; /* the meaning of a short write, which sets no errno */
        const bool room = write(fd, block, sizeof block) == (ssize_t)sizeof block && fsync(fd) == 0;
        error = room ? 0 : errno;
        close(fd);
    }
    free(name);
    errno = error;
    return error == 0;
}

/* The folder for temporary files. */
static const char *temporaries(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

bool folder_temporary(const char *name, char *path, size_t size)
{
    const int length = snprintf(path, size, "%s/%s.XXXXXX", temporaries(), name);
    errno = ENAMETOOLONG;
    return length > 0 && (size_t)length < size && mkdtemp(path) != NULL;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

bool folder_own(const char *name, char *path, size_t size)
{
    struct stat status;
    snprintf(path, size, "%s/%s-%u", temporaries(), name, (unsigned)getuid());
    mkdir(path, 0700);
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == getuid() &&
           (status.st_mode & 0777) == 0700;
}

void folder_remove(const char *path)
{
    enum { DESCRIPTORS = 16 };
    (void)nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}

#define NO_FILE "remove this file, or choose another folder with --data DIR"
/* Without locks, two runs could write into one folder at the same time. */
#define NO_LOCKS "this medium has no locks: choose a folder on another one with --data DIR"

void folder_why(char *why, size_t size, const char *path, int error)
{
    static const struct {
        int error;
        const char *remedy;
    } table[] = {
        {EROFS, "choose a folder that can be written with --data DIR"},
        {EACCES, "make the folder yours with chown or chmod, or choose another with --data DIR"},
        {EPERM, "make the folder yours with chown or chmod, or choose another with --data DIR"},
        {ENOSPC, "free some space, or choose a folder on another medium with --data DIR"},
        {EDQUOT, "remove some files of yours, or choose a folder on another medium with --data DIR"},
        {ELOOP, NO_FILE},
        {ENXIO, NO_FILE},
        {ENOTDIR, "a part of this path is a file: move it away, or choose another folder with --data DIR"},
        {ENOLCK, NO_LOCKS},
        {ENOSYS, NO_LOCKS},
        {EOPNOTSUPP, NO_LOCKS},
    };
    const char *remedy = "choose another folder with --data DIR";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].error == error)
            remedy = table[i].remedy;
    snprintf(why, size, "results cannot be kept in %s: %s; %s", path, regular_why(error), remedy);
}

bool folder_match(const char *pattern, char *path, size_t size)
{
    const char *wild = strpbrk(pattern, "*?[");
    if (!wild)
        return snprintf(path, size, "%s", pattern) < (int)size && access(path, F_OK) == 0;
    while (wild > pattern && wild[-1] != '/')
        wild--;
    const int before = (int)(wild - pattern), length = (int)strcspn(wild, "/");
    char folder[PATH_MAX], component[NAME_MAX + 1], file[PATH_MAX], best[NAME_MAX + 1] = "";
    if (snprintf(folder, sizeof folder, "%.*s", before, pattern) >= (int)sizeof folder ||
        snprintf(component, sizeof component, "%.*s", length, wild) >= (int)sizeof component)
        return false;
    DIR *all = opendir(folder);
    for (const struct dirent *entry; all && (entry = readdir(all));)
        if (fnmatch(component, entry->d_name, FNM_PERIOD) == 0 && strcmp(entry->d_name, best) > 0 &&
            snprintf(file, sizeof file, "%s%s%s", folder, entry->d_name, wild + length) < (int)sizeof file &&
            access(file, F_OK) == 0)
            snprintf(best, sizeof best, "%s", entry->d_name);
    if (all)
        closedir(all);
    return *best && snprintf(path, size, "%s%s%s", folder, best, wild + length) < (int)size;
}

bool folder_of_program(char *folder, size_t size)
{
    const ssize_t got = readlink(PROCESS_SELF, folder, size);
    if (got <= 0 || (size_t)got >= size)
        return false;
    folder[got] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

char *folder_installed(const char *name)
{
    /* The program lies in build/, or in a folder of build/, where a report leaves folders of the same names. A tree has
     * its script of the report. */
    static const char *const places[] = {"../share/tilelab", "..", "../.."};
    char folder[PATH_MAX];
    if (!folder_of_program(folder, sizeof folder))
        return NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *tree = memory_print("%s/%s", folder, places[i]);
        char *script = memory_print("%s/report/anywhere.sh", tree);
        char *path = access(script, R_OK) == 0 ? memory_print("%s/%s", tree, name) : NULL;
        free(tree);
        free(script);
        if (path && access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

char *folder_found(const char *name, const char *part)
{
    char *const installed = access(part, F_OK) == 0 ? NULL : folder_installed(name);
    return installed ? installed : memory_copy(name);
}
