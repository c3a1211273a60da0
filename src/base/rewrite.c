/* Files that are rewritten only where their bytes change, and then all at once.
 * SPDX-License-Identifier: MIT */
#include "rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void fail(struct sink *sink)
{
    sink->error = errno;
    sink->done = true;
}

/* Reads up to `size` bytes; fewer only at the end of the file; -1 on failure. */
static ssize_t read_all(int fd, char *to, size_t size)
{
    size_t got = 0;
    while (got < size) {
        const ssize_t part = read(fd, to + got, size - got);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            return -1;
        if (part == 0)
            break;
        got += (size_t)part;
    }
    return (ssize_t)got;
}

static void compare(struct sink *sink)
{
    const ssize_t got = read_all(sink->fd, sink->other, sink->used);
    if (got < 0)
        fail(sink);
    else if ((size_t)got != sink->used || memcmp(sink->buffer, sink->other, sink->used) != 0)
        sink->done = true;
}

static void write_all(struct sink *sink)
{
    for (size_t put = 0; put < sink->used;) {
        const ssize_t part = write(sink->fd, sink->buffer + put, sink->used - put);
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0) {
            fail(sink);
            return;
        }
        put += (size_t)part;
    }
}

void sink_flush(struct sink *sink)
{
    if (!sink->done && sink->used > 0) {
        if (sink->kind == SINK_COMPARE)
            compare(sink);
        else if (sink->kind == SINK_WRITE)
            write_all(sink);
        else if (fwrite(sink->buffer, 1, sink->used, sink->stream) != sink->used)
            fail(sink);
    }
    sink->used = 0;
}

/* Runs `produce` into a sink with buffers; sink->done and sink->error tell how it went. */
static void fill(struct sink *sink, produce_function *produce, const void *context)
{
    sink->buffer = malloc(SINK_SIZE);
    sink->other = sink->kind == SINK_COMPARE ? malloc(SINK_SIZE) : NULL;
    if (!sink->buffer || (sink->kind == SINK_COMPARE && !sink->other)) {
        fail(sink);
    } else {
        produce(sink, context);
        sink_flush(sink);
    }
    free(sink->buffer);
    free(sink->other);
}

/* 1: the file holds exactly these bytes, 0: it does not, -1: failure. */
static int holds(const char *path, produce_function *produce, const void *context)
{
    struct sink sink = {.kind = SINK_COMPARE, .fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (sink.fd < 0)
        return errno == ENOENT ? 0 : -1;
    fill(&sink, produce, context);
    char more;
    if (!sink.done && read_all(sink.fd, &more, 1) != 0)
        sink.done = true;
    close(sink.fd);
    errno = sink.error;
    return sink.error ? -1 : !sink.done;
}

static int write_new(const char *path, produce_function *produce, const void *context)
{
    struct sink sink = {.kind = SINK_WRITE, .fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (sink.fd < 0)
        return -1;
    fill(&sink, produce, context);
    if (!sink.error && fsync(sink.fd) != 0)
        fail(&sink);
    if (close(sink.fd) != 0 && !sink.error)
        fail(&sink);
    errno = sink.error;
    return sink.error ? -1 : 0;
}

int rewrite_sync_folder(const char *folder)
{
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    /* Some file systems cannot sync a folder and say EINVAL; there is nothing more to be done
     * there. */
    const int failed = fsync(fd) != 0 && errno != EINVAL;
    const int error = errno;
    close(fd);
    errno = error;
    return failed ? -1 : 0;
}

int rewrite(const char *folder, const char *name, produce_function *produce, const void *context, bool *changed)
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
    if (asprintf(&fresh, "%s/.%s.new", folder, name) < 0) {
        fresh = NULL;
        goto done;
    }
    if (write_new(fresh, produce, context) != 0 || rename(fresh, path) != 0) {
        const int error = errno;
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

int rewrite_print(FILE *out, produce_function *produce, const void *context)
{
    struct sink sink = {.kind = SINK_STREAM, .stream = out};
    fill(&sink, produce, context);
    errno = sink.error;
    return sink.error ? -1 : 0;
}
