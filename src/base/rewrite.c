/* Files that are rewritten only where their bytes change, and then all at once.
 * SPDX-License-Identifier: MIT */
#include "rewrite.h"

#include "regular.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Returns 1 if the path is a regular file with exactly these bytes, 0 if it is not, -1 on failure. */
static int holds(const char *path, sink_producer *produce, const void *context)
{
    struct sink sink = {.kind = SINK_COMPARE, .fd = regular_descriptor(path, O_RDONLY | O_NOFOLLOW)};
    if (sink.fd < 0)
        return errno == ENOENT || errno == ELOOP || errno == ENXIO ? 0 : -1;
    sink_fill(&sink, produce, context);
    close(sink.fd);
    errno = sink.error;
    return sink.error ? -1 : !sink.done;
}

/* Writes a new file beside the file; *fresh becomes its path, which the caller frees. */
static int write_new(const char *path, sink_producer *produce, const void *context, char **fresh)
{
    struct sink sink = {.kind = SINK_WRITE, .fd = temporary_open(path, O_WRONLY, fresh)};
    if (sink.fd < 0)
        return -1;
    sink_fill(&sink, produce, context);
    if (!sink.error && fsync(sink.fd) != 0)
        sink.error = errno;
    if (close(sink.fd) != 0 && !sink.error)
        sink.error = errno;
    errno = sink.error;
    return sink.error ? -1 : 0;
}

int rewrite_sync_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    /* Some file systems cannot sync a folder and say EINVAL. Nothing more can be done there. */
    const int failed = fsync(fd) != 0 && errno != EINVAL;
    const int error = errno;
    close(fd);
    errno = error;
    return failed ? -1 : 0;
}

int rewrite(const char *folder, const char *name, sink_producer *produce, const void *context, bool *changed)
{
    char *path = NULL, *fresh = NULL;
    int result = -1;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        path = NULL;
        goto done;
    }
    const int same = holds(path, produce, context);
    if (same) {
        result = same > 0 ? 0 : -1;
        goto done;
    }
    if (write_new(path, produce, context, &fresh) != 0 || rename(fresh, path) != 0) {
        const int error = errno;
        if (fresh)
            unlink(fresh);
        errno = error;
        goto done;
    }
    *changed = true;
    result = rewrite_sync_folder(folder);
done:;
    const int error = errno;
    free(path);
    free(fresh);
    errno = error;
    return result;
}

struct bytes {
    const char *bytes;
    size_t length;
};

static void put_bytes(struct sink *sink, const void *context)
{
    const struct bytes *bytes = context;
    sink_put(sink, bytes->bytes, bytes->length);
}

int rewrite_bytes(const char *folder, const char *name, const char *bytes, size_t length, bool *changed)
{
    return rewrite(folder, name, put_bytes, &(struct bytes){bytes, length}, changed);
}

int rewrite_print(FILE *out, sink_producer *produce, const void *context)
{
    struct sink sink = {.kind = SINK_STREAM, .stream = out};
    sink_fill(&sink, produce, context);
    errno = sink.error;
    return sink.error ? -1 : 0;
}
