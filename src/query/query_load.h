/* Loading of CSV files and run records into the tables of query_schema.h.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_LOAD_H
#define TILELAB_QUERY_QUERY_LOAD_H

#include "query_parts.h"

#include <stdbool.h>
#include <stdio.h>

/* Loads what the program knows of its variants, then every run record and CSV file of the hosts, then the
 * published tables. A folder that does not exist holds no rows. What a host's folder holds that cannot be read
 * is left out: the table `left_out` and a line on `diagnostics` name it. Returns false after a line on `diagnostics` if
 * a published table has a fault, or if SQLite fails. */
bool query_load(struct query *query, FILE *diagnostics);

/* Fills the table changed_files, unless it is filled: every file is hashed for that. Returns as query_load. */
bool query_load_changes(struct query *query, FILE *diagnostics);

#endif
