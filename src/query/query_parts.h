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
    const char *study;       /* the study whose files are loaded; NULL: all */
    bool journals;           /* also the results of runs that were cut off before they wrote results.csv */
    const char *published;   /* folder of the published tables; NULL: none */
    const char *experiments; /* folder of experiment files; NULL: run records alone describe the studies */
    struct yaml **opened;    /* [opened_count]: its files, while data are loaded */
    size_t opened_count;
    const char *language;   /* NULL: English */
    const char *words_path; /* the file of the language's words */
    struct words *words;    /* what it holds; NULL: English */
    const char *author;     /* the file about the author; NULL: none */
    const char *save;       /* the file of the database that is written; NULL: a database in memory */
    bool many;              /* many statements will read what is loaded, and none changes it */
    const char *database;   /* a file that was written so, in place of the data; NULL: none */
    const char *set_name[QUERY_SETS_MAX], *set_value[QUERY_SETS_MAX];
    size_t sets;
    struct query_block {
        const char *host, *label;
    } * block; /* [blocks]: --block HOST=LABEL */
    size_t blocks;
    bool changes_wanted, changes_loaded;
    FILE *facts;            /* where facts are printed; NULL: nowhere */
    const char *facts_path; /* --facts */
    bool facts_told;        /* the SQL file that runs has had facts */
};

/* Gives the parameter :NAME a value; of several values the last one counts. The texts belong to the caller. False if
 * there are too many parameters. */
bool query_set(struct query *query, const char *name, const char *value);

/* The first word of a statement, behind blanks and comments. */
const char *query_statement_start(const char *text);
/* Runs one statement of the text of a file, and leaves its rows in *rows. Returns the text that follows the statement,
 * or NULL after a diagnostic. */
const char *query_run_statement(struct query *query, const char *path, const char *text, const char *from,
                                struct rows *rows);
/* Prints facts where they are asked for. Returns true if the rows were facts. */
bool query_take_facts(struct query *query, const char *path, const struct rows *rows);
/* Tells that the file has no facts, if facts are asked for. */
void query_close_facts(const struct query *query, const char *path);

#endif
