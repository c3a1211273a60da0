/* CSV (RFC 4180): reads records from a file, and puts fields into a sink.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_CSV_H
#define TILELAB_BASE_CSV_H

#include "sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* An open file and its current record. */
struct csv {
    FILE *file;
    char path[1024]; /* for diagnostics */
    int line;        /* where the current record starts */
    int next_line;   /* where the next record starts */
    char *buffer;    /* bytes of the file; those from `at` on are not read yet */
    size_t at, held;
    char *text; /* the fields of the record, each ended by a NUL */
    size_t room;
    char **field; /* NULL: empty */
    size_t fields, field_room;
};

/* Starts to read a file, or a stream that csv_close will close (its path is for diagnostics). csv_open returns false
 * with errno set if the file cannot be opened or is no regular file (see regular.h); csv_close is then not needed. */
bool csv_open(struct csv *csv, const char *path);
void csv_start(struct csv *csv, FILE *file, const char *path);

/* Reads the next record, in which '?' stands for each NUL of the file. Returns 1, 0 at the end of the file, or -1 if a
 * quoted field is not closed. */
int csv_read(struct csv *csv);

/* The index of the field that holds `text` in the current record, or -1. Finds a column in a header. */
int csv_find(const struct csv *csv, const char *text);

/* The text of a field; NULL if it is empty, or if the record has no such field (-1 included). */
const char *csv_field(const struct csv *csv, int index);

/* Closes the file and frees the record. */
void csv_close(struct csv *csv);

/* Puts a field and the byte behind it, ',' or '\n'. The field gets quotes if it holds a comma, a quote or a line break,
 * or has a space at an end. */
void csv_put(struct sink *sink, const char *text, size_t length, char end);

#endif
