/* What a query leaves out of foreign data: rows and files that cannot be read. Each is told on the terminal, and is a
 * row of the table `left_out`, from which the report names it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_LEFT_OUT_H
#define TILELAB_QUERY_LEFT_OUT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* How many faults of a file are told one by one. */
enum { LEFT_OUT_TOLD = 3 };

/* The faults of one file. */
struct left_out {
    sqlite3 *db;
    const char *host, *path;
    FILE *diagnostics;
    bool fatal; /* the caller needs the whole file: its faults are errors, and are not kept in the table */
    size_t faults;
};

/* Tells a fault. `line` is 0 for a fault of the whole file. `what` says what is left out, and why. */
void left_out_tell(struct left_out *left_out, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Tells how many faults were not told one by one. */
void left_out_end(const struct left_out *left_out);

#endif
