/* Loading of CSV files and run records into the tables of query_schema.h.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_LOAD_H
#define TILELAB_QUERY_QUERY_LOAD_H

#include "query_parts.h"

#include <stdio.h>

/* Loads what the program knows of its variants, then every run record and CSV file of the hosts except the samples,
 * then the published tables. A folder that does not exist holds no rows. Returns 0, or -1 after a line on `diagnostics`
 * that names the file and the line. */
int query_load(struct query *query, FILE *diagnostics);

/* Loads the samples: they are most of the data, and few queries read them. Returns as query_load. */
int query_load_samples(struct query *query, FILE *diagnostics);

#endif
