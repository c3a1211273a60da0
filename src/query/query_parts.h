/* What the parts of `tilelab query` share: options, loading, SQL functions, printing.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_PARTS_H
#define TILELAB_QUERY_QUERY_PARTS_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { QUERY_MOST = 64 }; /* of each repeatable option */

/* A data folder; its last component is the name of the host. */
struct query_host {
    const char *folder;
    char name[64];
};

struct query {
    sqlite3 *db;
    struct query_host host[QUERY_MOST];
    size_t hosts;
    const char *published; /* NULL: none */
    const char *set_name[QUERY_MOST], *set_value[QUERY_MOST];
    size_t sets;
    bool samples_wanted, samples_loaded;
};

/* The rows of one statement, as text; NULL: SQL NULL. */
struct rows {
    size_t columns, count;
    char **name;       /* [columns] */
    char **value;      /* [count * columns] */
    char *numeric;     /* [columns]: every value is NULL or of a numeric type */
    char title[64];    /* directive "-- name: curves" */
    char align[256];   /* directive "-- align: lrr" */
    char pivot[2][64]; /* directive "-- pivot: key value" */
    bool scalars;      /* directive "-- scalars" */
    bool group;        /* directive "-- group" */
};

struct query_format {
    const char *name;
    void (*print)(const struct rows *rows, FILE *out);
};
extern const struct query_format query_formats[]; /* ends with a NULL name */

/* Adds a data folder; false if there are too many. */
bool query_add_host(struct query *query, const char *folder);

/* Create the tables; load every CSV file but the samples, and every run record; load the
 * samples. Return 0, or -1 after a diagnostic "file:line: text". A folder that does not exist
 * holds no rows. */
int query_create(struct query *query, FILE *diagnostics);
int query_load(struct query *query, FILE *diagnostics);
int query_load_samples(struct query *query, FILE *diagnostics);

/* Load one CSV file: into a table whose columns its header names, behind the host and the
 * experiment where these are given; or into a new table named after the file, of columns typed
 * by their values. As above. */
int query_load_csv(struct query *query, const char *path, const char *table, const char *host, const char *experiment,
                   FILE *diagnostics);
int query_load_published(struct query *query, const char *path, const char *stem, FILE *diagnostics);

/* Registers median, sig, si, latex, model. */
int query_functions(sqlite3 *db);
/* The last of these, model(variant, precision, m, n, k, tile, padding): the bank model of a cell as JSON; NULL where
 * there is none. NULL: the axis does not apply. */
int query_model(sqlite3 *db);

/* Replaces *rows by its pivot: one row for each combination of the other columns, one column for
 * each key. */
void rows_pivot(struct rows *rows);
void rows_free(struct rows *rows);

/* Allocation that ends the program on failure. */
void *query_allocate(size_t size);
void *query_grow(void *memory, size_t size);
char *query_copy(const char *text);

#endif
