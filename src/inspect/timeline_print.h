/* Prints timelines: as text, as rows of CSV, or as a trace that chrome://tracing and Perfetto show.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_TIMELINE_PRINT_H
#define TILELAB_INSPECT_TIMELINE_PRINT_H

#include "timeline.h"

/* Each stands between the other two of its format: what comes before the first timeline, and behind the last. */
void timeline_print_head_csv(void);
void timeline_print_head_json(void);
void timeline_print_text(const struct timeline *timeline, int number);
void timeline_print_csv(const struct timeline *timeline, int number);
/* `number`: how many timelines were printed before. */
void timeline_print_json(const struct timeline *timeline, int number);
void timeline_print_end_json(void);

#endif
