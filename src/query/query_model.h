/* The SQL function model(variant, precision, m, n, k, tile, padding).
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_MODEL_H
#define TILELAB_QUERY_QUERY_MODEL_H

#include <sqlite3.h>

/* Registers the function; returns SQLite's code. The function gives the bank model of a cell as JSON, or NULL where
 * there is no model. An argument is NULL where the axis does not apply to the cell. */
int query_model_add(sqlite3 *db);

#endif
