/* A sink takes bytes that are produced one after the other.
 * SPDX-License-Identifier: MIT */
#include "sink.h"
#include "file.h"

#include <errno.h>
#include <stdlib.h>

void sink_fail(struct sink *sink, int error)
{
    sink->error = error;
    sink->done = true;
}

static void compare(struct sink *sink)
{
    const ssize_t got = file_take(sink->fd, sink->other, sink->used, -1);
    if (got < 0)
        sink_fail(sink, errno);
    else if ((size_t)got != sink->used || memcmp(sink->buffer, sink->other, sink->used) != 0)
        sink->done = true;
}

static bool write_out(const struct sink *sink)
{
    if (sink->kind == SINK_WRITE)
        return file_put(sink->fd, sink->buffer, sink->used) == 0;
    return fwrite(sink->buffer, 1, sink->used, sink->stream) == sink->used;
}

void sink_flush(struct sink *sink)
{
    if (!sink->done && sink->used > 0) {
        if (sink->kind == SINK_COMPARE)
            compare(sink);
        else if (!write_out(sink))
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
        if (sink->kind == SINK_COMPARE && !sink->done && file_take(sink->fd, &more, 1, -1) != 0)
            sink->done = true;
    }
    free(sink->buffer);
    free(sink->other);
}
