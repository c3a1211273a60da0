/* Reading of CSV (RFC 4180).
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_CSV_H
#define TILELAB_BASE_CSV_H

#include <stddef.h>
#include <stdio.h>

/* One open file; zeroed but for `file`, `path` (which only diagnostics need) and the line numbers, both 1. */
struct csv {
    FILE *file;
    char path[1024];
    int line, next_line; /* of the record last read, and of the one behind it */
    char *text;          /* its fields, each ended by NUL */
    size_t room;
    char **field; /* NULL: empty */
    size_t fields, field_room;
};

/* Reads one record; 1, 0 at the end, -1 where a quoted field is not closed. */
int csv_read(struct csv *csv);
/* Closes the file and frees the record. */
void csv_close(struct csv *csv);

#endif
