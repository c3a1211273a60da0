/* A sink takes bytes that are produced one after the other.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_SINK_H
#define TILELAB_BASE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SINK_SIZE = 1 << 16 };

/* Compares the bytes with a file, writes them to a file, or writes them to a stream. Set kind and either fd or stream;
 * the other fields start at zero. */
struct sink {
    enum sink_kind { SINK_COMPARE, SINK_WRITE, SINK_STREAM } kind;
    int fd;
    FILE *stream;
    bool done; /* the file differs, or a write failed: more bytes change nothing */
    int error; /* errno of the failure */
    size_t used;
    char *buffer, *other;
};

/* Puts bytes into a sink, always the same bytes for the same context. May stop early when sink->done is set. */
typedef void sink_producer(struct sink *sink, const void *context);

/* Runs a producer into a sink; then sink->done and sink->error tell how it went. */
void sink_fill(struct sink *sink, sink_producer *produce, const void *context);

/* A producer that cannot go on says why: `error` is an errno. */
void sink_fail(struct sink *sink, int error);

/* Empties the buffer; sink_put and sink_byte call this. */
void sink_flush(struct sink *sink);

static inline void sink_put(struct sink *sink, const char *bytes, size_t length)
{
    while (length > SINK_SIZE - sink->used) {
        const size_t part = SINK_SIZE - sink->used;
        memcpy(sink->buffer + sink->used, bytes, part);
        sink->used += part;
        bytes += part;
        length -= part;
        sink_flush(sink);
    }
    memcpy(sink->buffer + sink->used, bytes, length);
    sink->used += length;
}

static inline void sink_byte(struct sink *sink, char byte)
{
    if (sink->used == SINK_SIZE)
        sink_flush(sink);
    sink->buffer[sink->used++] = byte;
}

#endif
