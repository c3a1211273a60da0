/* The rows of an experiment's results for other programs: what `tilelab show --format csv` and json print.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SHOW_DATA_H
#define TILELAB_COMMAND_SHOW_DATA_H

#include "show_rows.h"

/* Both print the columns of results.csv that some row fills, with the units of that file. */
void show_data_csv(const struct show_rows *rows);
/* A list with a map for each row. A map leaves out what the row does not tell. */
void show_data_json(const struct show_rows *rows);

#endif
