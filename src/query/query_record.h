/* Loading of run records, <experiment>.run.json, into the tables of query_schema.h.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_RECORD_H
#define TILELAB_QUERY_QUERY_RECORD_H

#include "left_out.h"

#include <stdbool.h>

/* Loads the record left_out->path of an experiment. A record that cannot be read is left out and told. Its study then
 * has its results, and no more. */
void query_record_load(const char *experiment, struct left_out *left_out);

/* Puts the files of an experiment that are not those of the record left_out->path into the table changed_files. A
 * record that cannot be read is not told again. */
void query_record_load_changes(const char *folder, const char *experiment, struct left_out *left_out);

/* Runs an INSERT with text values. NULL becomes SQL NULL. False if SQLite refuses the row. */
bool query_record_insert(sqlite3 *db, const char *sql, size_t count, const char *const value[]);

#endif
