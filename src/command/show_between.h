/* `tilelab show --between`: how far the times of cells lie apart that were measured again.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SHOW_BETWEEN_H
#define TILELAB_COMMAND_SHOW_BETWEEN_H

#include "commands.h"
#include "query/query.h"

enum show_between_format { SHOW_BETWEEN_TEXT, SHOW_BETWEEN_MARKDOWN, SHOW_BETWEEN_JSON, SHOW_BETWEEN_CSV };

/* Prints the distribution of the slower time over the faster one (report/between.sql), for each folder of the query,
 * which is closed yet, and for pairs of two folders. EXIT_USAGE after a message where a folder does not exist or its
 * data cannot be loaded. The caller closes the query. */
enum exit_code show_between(struct query *query, enum show_between_format format);

#endif
