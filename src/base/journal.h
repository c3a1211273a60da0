/* A journal is a text file of checksummed lines that only grows. One process at a time owns it.
 * SPDX-License-Identifier: MIT
 *
 * A line is the CRC-32 of its body as eight hexadecimal digits, a tab, the body and a line feed. A body that is
 * written with `sync` is on the medium when journal_append returns. A line that a crash has cut off is recognised and
 * removed. Another program may write to the file, cut it or replace it at any time: a line that it adds is passed over,
 * and what it takes away is noticed. */
#ifndef TILELAB_BASE_JOURNAL_H
#define TILELAB_BASE_JOURNAL_H

#include "sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lines that have no meaning, and their bytes. */
struct journal_refuse {
    size_t lines, bytes;
};

struct journal {
    char *path;
    int fd;
    bool read_only;
    size_t end; /* bytes of the file that were there when this process last read or wrote the end */
    struct journal_refuse damaged, unknown; /* lines with a wrong checksum; lines that journal_load could not give */
    char *text;                             /* a part of the file */
    size_t at, held, room;
    bool has_warned, has_complained;
};

/* Takes the body of a line, which starts at `offset` in the file. Returns false if the body has no meaning. */
typedef bool journal_function(void *context, size_t offset, const char *body, size_t length);

/* Opens and locks the file, and makes it if it is missing. Read-only, nothing is locked, and a missing file is an empty
 * journal. Returns non-zero with errno set on failure; EWOULDBLOCK says that another process holds the file. A symbolic
 * link is refused with ELOOP, since a folder of somebody else could name any file of the user by one; what is no
 * regular file is refused with ENXIO. */
int journal_open(struct journal *journal, const char *path, bool read_only);
/* Whether a process holds the file. False too where this cannot be told. */
bool journal_is_held(const char *path);
/* Waits until no process holds the file. Returns early if a signal arrives. */
void journal_await(const char *path);
/* Gives the body of each sound line to `take`, in order. Any other line is left out; the first load tells it on stderr.
 * What follows the last line feed is removed from the file, unless it is read-only. Returns non-zero with errno set on
 * failure. */
int journal_load(struct journal *journal, journal_function *take, void *context);
/* Appends lines with the given bodies, and syncs if `sync` says so. Either all lines are then in the journal, or none.
 * A body must not hold a line feed. *offset tells where the last body starts. Returns non-zero with errno set on
 * failure. ESTALE says that the path names another file now, EBADMSG that the file was cut; both are also told on
 * stderr. */
struct journal_body {
    const char *text;
    size_t length;
};
int journal_append(struct journal *journal, const struct journal_body *body, size_t count, bool sync, size_t *offset);
/* The body at an offset that journal_load or journal_append has told. The text is valid until the next call. NULL with
 * errno set if the file cannot be read. EBADMSG says that the line was changed since, which is also told on stderr. */
const char *journal_text(struct journal *journal, size_t offset, size_t length);
/* Lets the next journal_text read the file again. */
void journal_refresh(struct journal *journal);
/* Finds out whether the path still names the file, and whether the file was cut. Returns non-zero as journal_append. */
int journal_check(struct journal *journal);

/* Replaces the whole file at once by the lines that `produce` puts with journal_put, and keeps the lock. Read-only, the
 * lines are kept in memory instead. The caller loads the journal again. Returns non-zero with errno set on failure;
 * then the old file is untouched. */
int journal_replace(struct journal *journal, sink_producer *produce, const void *context);
void journal_put(struct sink *sink, const char *body, size_t length);
/* Puts all whole lines of the journal. */
void journal_put_all(struct sink *sink, struct journal *journal);
/* Replaces the file by its lines without the bodies at the given offsets, which ascend, and without damaged lines if
 * `drop_damaged` says so. */
int journal_filter(struct journal *journal, const size_t *offset, size_t count, bool drop_damaged);
void journal_close(struct journal *journal);

uint32_t journal_crc(const char *bytes, size_t length);

#endif
