/* A sink takes bytes that are produced one after the other.
 * SPDX-License-Identifier: MIT */
#include "sink.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void sink_fail(struct sink *sink, int error)
{
    sink->error = error;
    sink->done = true;
}

/* Reads `size` bytes, or fewer at the end of the file. Returns how many, or -1 on failure. */
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
        sink_fail(sink, errno);
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
            sink_fail(sink, errno);
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
            sink_fail(sink, errno);
    }
    sink->used = 0;
}

void sink_fill(struct sink *sink, sink_producer *produce, const void *context)
{
    sink->buffer = malloc(SINK_SIZE);
    sink->other = sink->kind == SINK_COMPARE ? malloc(SINK_SIZE) : NULL;
    if (!sink->buffer || (sink->kind == SINK_COMPARE && !sink->other)) {
        sink_fail(sink, errno);
    } else {
        produce(sink, context);
        sink_flush(sink);
        char more;
        if (sink->kind == SINK_COMPARE && !sink->done && read_all(sink->fd, &more, 1) != 0)
            sink->done = true;
    }
    free(sink->buffer);
    free(sink->other);
}
