/* An append-only text file of checksummed lines, owned by one process at a time.
 * SPDX-License-Identifier: MIT
 *
 * A line is the CRC-32 of its body as eight hexadecimal digits, a tab, the body, a line feed. A
 * body written with `sync` is on the medium when journal_append returns; one that was cut off by a
 * crash is recognised and removed. */
#ifndef TILELAB_BASE_JOURNAL_H
#define TILELAB_BASE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct journal {
    char *path;
    int fd;
    bool read_only;
    size_t end; /* bytes of the file that are whole lines */
    char *text; /* the file in memory */
    size_t mapped;
};

/* What to do with the body of a line, which starts at `offset`; false if it means nothing. */
typedef bool journal_function(void *context, size_t offset, const char *body, size_t length);

/* Opens the file, making it where it is missing (read-only: then an empty journal without a file),
 * and locks it. Non-zero with errno set; EWOULDBLOCK: another process holds it. */
int journal_open(struct journal *journal, const char *path, bool read_only);
/* Gives each sound line to `take`, in order. A damaged one is left out with a warning on stderr;
 * what follows the last sound line is removed from the file, unless it is read-only. Non-zero with
 * errno set. */
int journal_load(struct journal *journal, journal_function *take, void *context);
/* Appends bodies of lines, and syncs where asked to: all are in the journal, or none. `body` has no line feed;
 * *offset is where the last one starts. Non-zero with errno set. */
struct journal_body {
    const char *text;
    size_t length;
};
int journal_append(struct journal *journal, const struct journal_body *body, size_t count, bool sync, size_t *offset);
/* A body at an offset told earlier; valid until the next call. NULL with errno set if the file
 * cannot be read. */
const char *journal_text(struct journal *journal, size_t offset, size_t length);
void journal_close(struct journal *journal);

uint32_t journal_crc(const char *bytes, size_t length);

#endif
