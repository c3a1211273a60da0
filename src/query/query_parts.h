/* A query in progress: its database, and what the command line asked for.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_PARTS_H
#define TILELAB_QUERY_QUERY_PARTS_H

#include "hosts.h"
#include "rows.h"

#include <sqlite3.h>
#include <stdio.h>

enum { QUERY_SETS_MAX = 64 };

struct query {
    sqlite3 *db;
    struct hosts hosts;
    const char *published;   /* folder of the published tables; NULL: none */
    const char *experiments; /* folder of experiment files; NULL: run records alone describe the studies */
    const char *language;    /* NULL: English */
    const char *words_path;  /* the file of the language's words */
    struct words *words;     /* what it holds; NULL: English */
    const char *author;      /* the file about the author; NULL: none */
    const char *set_name[QUERY_SETS_MAX], *set_value[QUERY_SETS_MAX];
    size_t sets;
    const char *block_host[ROWS_BLOCKS_MAX], *block_label[ROWS_BLOCKS_MAX]; /* --block HOST=LABEL */
    size_t blocks;
    bool samples_wanted, samples_loaded;
    bool marks;             /* tables mark variants whose code has changed since */
    FILE *facts;            /* where facts are printed; NULL: nowhere */
    const char *facts_path; /* --facts */
    bool facts_told;        /* the SQL file that runs has had facts */
};

#endif
