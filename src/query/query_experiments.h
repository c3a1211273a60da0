/* What experiment files say of studies. SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_EXPERIMENTS_H
#define TILELAB_QUERY_QUERY_EXPERIMENTS_H

#include "query_parts.h"

/* Opens the experiment files, each of which is read once. The user's own kernels that they name join the registry, so
 * far as they are compiled. */
void query_experiments_open(struct query *query);

/* Closes the files, and replaces title, source, text, figures and tables of each study by those of its file. A study
 * without a file, or with a faulty file, keeps what its run record says. */
void query_experiments_load(struct query *query);

#endif
