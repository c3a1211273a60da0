/* Files that are rewritten only where their bytes change, and then all at once.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_REWRITE_H
#define TILELAB_BASE_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { SINK_SIZE = 1 << 18 };

/* Where produced bytes go: compared with a file, written to one, or to a stream. */
struct sink {
    enum sink_kind { SINK_COMPARE, SINK_WRITE, SINK_STREAM } kind;
    int fd;
    FILE *stream;
    bool done; /* differs, or failed: more bytes change nothing */
    int error; /* errno of the failure */
    size_t used;
    char *buffer, *other;
};

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

typedef void produce_function(struct sink *sink, const void *context);

/* Makes folder/name hold what `produce` puts, which must be the same at each call. Compares first;
 * where a byte differs, writes folder/.name.new, syncs it and renames it over the file, so that no
 * reader ever sees a part. Sets *changed if the file changed. Returns non-zero with errno set on
 * failure, the old file then being untouched. */
int rewrite(const char *folder, const char *name, produce_function *produce, const void *context, bool *changed);
/* Sends the same bytes to a stream. */
int rewrite_print(FILE *out, produce_function *produce, const void *context);
/* Makes a rename or a new file in a folder survive a power cut. */
int rewrite_sync_folder(const char *folder);

#endif
