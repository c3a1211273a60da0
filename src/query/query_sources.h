/* The SQL that a query runs: files, each behind those that it needs, and statements of the command line.
 * SPDX-License-Identifier: MIT
 *
 * A file names in its head what must run before it: "-- needs: chosen.sql ../paired.sql", relative to its folder. */
#ifndef TILELAB_QUERY_QUERY_SOURCES_H
#define TILELAB_QUERY_QUERY_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct query_sources {
    struct query_source {
        char *name; /* what diagnostics call it; owned */
        char *text; /* owned */
        dev_t device;
        ino_t inode; /* of a file, which runs once; else 0 */
    } * source;      /* [count] */
    size_t count;
};

/* Adds a file, and before it what it needs; what is there already is not added again. False after a message. */
bool query_sources_add(struct query_sources *sources, const char *path);

/* Adds what a word of a command line means: a file, "-" for the standard input, or SQL, which has a blank and is no
 * file. False after a message. */
bool query_sources_add_word(struct query_sources *sources, const char *word);

void query_sources_free(struct query_sources *sources);

#endif
