/* What the fuzz targets share.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void fuzz_give_up(const char *file, int line, const char *property)
{
    fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, property);
    abort();
}

/* The search for leaks asks for this function by its name. libfyaml 0.7.12 does not free a chunk of a text whose quotes
 * are faulty; the program tells the fault and ends. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:fy_atom_iter_grow_chunk\n";
}

static char folder[128];

static void remove_folder(void)
{
    char command[192];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s stays\n", folder);
}

const char *fuzz_folder(void)
{
    if (folder[0])
        return folder;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/tilelab-fuzz.XXXXXX", base ? base : "/tmp");
    FUZZ_NEED(mkdtemp(folder));
    atexit(remove_folder);
    return folder;
}

void fuzz_write(struct fuzz_file *file, const char *name, const void *bytes, size_t size)
{
    if (!file->path[0]) {
        snprintf(file->path, sizeof file->path, "%s/%s", fuzz_folder(), name);
        file->fd = open(file->path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        FUZZ_NEED(file->fd >= 0);
    }
    FUZZ_NEED(ftruncate(file->fd, 0) == 0);
    FUZZ_NEED(pwrite(file->fd, bytes, size, 0) == (ssize_t)size);
}

void fuzz_remove(struct fuzz_file *file)
{
    if (!file->path[0])
        return;
    close(file->fd);
    unlink(file->path);
    file->path[0] = '\0';
}

FILE *fuzz_nowhere(void)
{
    static FILE *nowhere;
    if (!nowhere)
        nowhere = fopen("/dev/null", "we");
    FUZZ_NEED(nowhere);
    return nowhere;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_NEED(text);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}
