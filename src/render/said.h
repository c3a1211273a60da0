/* Prints what the report says: conclusions, the sentences of studies, notes on the method, and captions.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RENDER_SAID_H
#define TILELAB_RENDER_SAID_H

#include "choose.h"
#include "template.h"

#include <stdio.h>

struct said {
    struct template template;
    const struct choose *choose;
    const char *language;
    FILE *out;
};

/* Expands every text of the choice once and drops the result, so that a text that no row chooses is checked too. */
void said_check(struct said *said);
/* A list of the conclusions, or of those of the summary. */
void said_conclusions(struct said *said, bool summary);
/* What is said of a study; NULL: of each one, behind its name, but for what the
 * summary and the conclusions say. In LaTeX each study is a line
 * \describe{study}{NAME}{...} of commands of report.tex. */
void said_studies(struct said *said, const char *study);
/* The rows of a table of what is undecided, below the question of each finding. */
void said_undecided(struct said *said);
/* The notes that name no study. */
void said_method(struct said *said);
/* The caption of a figure or a table, from the rows of the template's table; of the first hosts, as far as two lines
 * have room for them. A file that has `says` in place of `caption` has a text of any length. False after a message:
 * there is neither. */
bool said_caption(struct said *said, const struct texts *head);

#endif
