/* What the headlines of a report use, for `tilelab record`.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RENDER_HEADLINES_H
#define TILELAB_RENDER_HEADLINES_H

#include "plan/need.h"

/* Asks headlines.sql and the findings in the folder `report` which variants they use, over the results in the folder
 * `data` and those of the other hosts, whose folders lie beside the published tables. Without the folder of the report,
 * the list is empty. The caller frees the list with need_headlines_free. False after a message. */
bool headlines_read(const char *data, const char *published, const char *report, struct need_headlines *headlines);

#endif
