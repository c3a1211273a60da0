/* What experiment files say of studies. SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_EXPERIMENTS_H
#define TILELAB_QUERY_QUERY_EXPERIMENTS_H

#include "query_parts.h"

/* Adds the user's own kernels of the studies to the registry, so far as they are compiled. */
void query_experiments_know_kernels(struct query *query);

/* Replaces title, source, text, figures and tables of each study by those of its file in query->experiments. A study
 * without a file, or with a faulty file, keeps what its run record says. */
void query_experiments_load(struct query *query);

#endif
