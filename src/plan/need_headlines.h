/* Which cells a headline uses, as far as their variants tell.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_NEED_HEADLINES_H
#define TILELAB_PLAN_NEED_HEADLINES_H

#include "registry.h"

/* The variants that a headline uses. These are the libraries' variants, those that a claim compares in one of its
 * studies, and those that a finding names in quotes. */
struct need_headlines;
/* Reads PUBLISHED/claims.csv and the queries in the folder of the findings. A missing file names no variant. The caller
 * frees the result with need_headlines_free. */
struct need_headlines *need_headlines_read(const char *published, const char *findings);
void need_headlines_free(struct need_headlines *headlines);

/* Whether a headline uses a cell of the variant in this study. A headline is about the largest n of the variant, unless
 * a claim is about all points. `largest`: the cell has this n. */
bool need_headlines_name(const struct need_headlines *headlines, const char *experiment, const struct entry *entry,
                         bool largest);

#endif
