/* A journal that is replaced by other lines, all at once.
 * SPDX-License-Identifier: MIT */
#include "journal_parts.h"
#include "rewrite.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

void journal_put(struct sink *sink, const char *body, size_t length)
{
    char head[JOURNAL_HEAD];
    journal_print_crc(head, journal_crc(body, length));
    head[JOURNAL_CRC_DIGITS] = '\t';
    sink_put(sink, head, JOURNAL_HEAD);
    sink_put(sink, body, length);
    sink_byte(sink, '\n');
}

/* The folder of the journal. The caller frees it. */
static char *folder_of(const struct journal *journal)
{
    const char *slash = strrchr(journal->path, '/');
    return slash ? strndup(journal->path, (size_t)(slash - journal->path)) : strdup(".");
}

/* Opens the file that becomes the journal, and locks it before any other process can find it by its name. */
static int open_next(const struct journal *journal, char **path)
{
    if (journal->read_only)
        return memfd_create("journal", MFD_CLOEXEC);
    const int fd = temporary_open(journal->path, O_RDWR | O_APPEND, path);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        unlink(*path);
        close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

int journal_replace(struct journal *journal, sink_producer *produce, const void *context)
{
    char *folder = folder_of(journal), *path = NULL;
    struct sink sink = {.kind = SINK_WRITE, .fd = folder ? open_next(journal, &path) : -1};
    bool failed = sink.fd < 0;
    if (!failed) {
        sink_fill(&sink, produce, context);
        errno = sink.error;
        failed = sink.error || (!journal->read_only && (fsync(sink.fd) != 0 || rename(path, journal->path) != 0));
        const int error = errno;
        if (failed) {
            if (!journal->read_only)
                unlink(path);
            close(sink.fd);
            errno = error;
        }
    }
    if (!failed) {
        if (journal->fd >= 0)
            close(journal->fd);
        journal->fd = sink.fd;
        journal->held = journal->end = 0;
        failed = !journal->read_only && rewrite_sync_folder(folder) != 0;
    }
    const int error = errno;
    free(folder);
    free(path);
    errno = error;
    return failed ? -1 : 0;
}

/* What journal_filter leaves out. */
struct filter {
    struct journal *journal;
    const size_t *offset;
    size_t count;
    bool drop_damaged;
};

static void put_filtered(struct sink *sink, const void *context)
{
    const struct filter *filter = context;
    const char *line;
    ssize_t size;
    size_t next = 0;
    for (size_t from = 0; (size = journal_line_at(filter->journal, from, &line)) != 0 && !sink->done;
         from += (size_t)size) {
        if (size < 0) {
            sink_fail(sink, errno);
            return;
        }
        while (next < filter->count && filter->offset[next] < from + JOURNAL_HEAD)
            next++;
        const bool named = next < filter->count && filter->offset[next] == from + JOURNAL_HEAD;
        if (!named && !(filter->drop_damaged && !journal_is_sound(line, (size_t)size - 1)))
            sink_put(sink, line, (size_t)size);
    }
}

void journal_put_all(struct sink *sink, struct journal *journal)
{
    put_filtered(sink, &(struct filter){.journal = journal});
}

int journal_filter(struct journal *journal, const size_t *offset, size_t count, bool drop_damaged)
{
    if (journal->read_only) {
        errno = EROFS;
        return -1;
    }
    return journal_check(journal) != 0
               ? -1
               : journal_replace(journal, put_filtered, &(struct filter){journal, offset, count, drop_damaged});
}
