/* What the parts of the journal share: its lines.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_JOURNAL_PARTS_H
#define TILELAB_BASE_JOURNAL_PARTS_H

#include "journal.h"

#include <sys/types.h>

/* A line begins with the digits of the checksum and a tab. */
enum { JOURNAL_CRC_DIGITS = 8, JOURNAL_HEAD = JOURNAL_CRC_DIGITS + 1 };
void journal_print_crc(char to[JOURNAL_CRC_DIGITS], uint32_t crc);
/* Whether a line, without its line feed, has the right checksum. */
bool journal_is_sound(const char *line, size_t length);
/* Finds the line at an offset. Returns its length with the line feed, 0 at the end of the file, or -1 on failure. */
ssize_t journal_line_at(struct journal *journal, size_t offset, const char **line);

#endif
