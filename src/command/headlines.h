/* What the headlines of a report use, for `tilelab record`.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_HEADLINES_H
#define TILELAB_COMMAND_HEADLINES_H

#include "experiments.h"
#include "plan/need.h"

/* Asks REPORT/headlines.sql and the findings which variants they use, over the results of the record and of the other
 * hosts, whose folders lie beside the published tables. Without a folder of the report, the list is empty. The caller
 * frees the list with need_headlines_free. False after a message. */
bool headlines_read(const struct experiments_arguments *arguments, struct need_headlines *headlines);

#endif
