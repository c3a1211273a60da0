/* Two sides, measured in turn and compared: two variants (compare_variants.c) or two revisions (compare_revisions.c).
 * What `tilelab compare` prints of them is in compare_print.c, a folder at a revision in compare_copy.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMPARE_COMPARE_H
#define TILELAB_COMPARE_COMPARE_H

#include "base/exit.h"
#include "plan/experiments.h"
#include "query/query.h"

enum { COMPARE_TEXT, COMPARE_JSON, COMPARE_CSV, COMPARE_MARKDOWN };

/* What the command line asks for. */
struct compare_asked {
    struct experiments_arguments run; /* how cells are measured, and run.data */
    const char *study;                /* as it was typed; NULL: none */
    int format;                       /* COMPARE_TEXT and so on */
    char threshold[32];               /* a share as text; empty: every result is accepted */
};

/* The variant that a text names: "matmul/omp-ijk", or "omp-ijk" where one problem alone, or `problem`, has it. NULL if
 * there is none; `several`, unless it is NULL, tells whether several problems have it. */
const struct entry *compare_variants_find(const char *text, const struct problem *problem, bool *several);
/* Measures two variants in the same rounds, unless their results are there, and compares them. */
enum exit_code compare_variants(struct compare_asked *asked, const struct entry *subject, const struct entry *base);

/* Whether git knows the revision here. */
bool compare_revisions_know(const char *text);
/* Builds two revisions, measures the study with both in turn, and compares them. */
enum exit_code compare_revisions(struct compare_asked *asked, const char *base, const char *subject);

/* Whether a text is FOLDER@REVISION and no folder itself. */
bool compare_copy_asked(const char *text);
/* Copies the files of FOLDER, as they were at REVISION, to a temporary folder. Returns its path, which the caller hands
 * to compare_copy_remove; NULL with one line in `why` on failure. */
char *compare_copy(const char *text, char *why, size_t size);
/* Removes the temporary folder and frees the path; NULL: does nothing. */
void compare_copy_remove(char *folder);

/* The first value of a statement, for free(); NULL where there is none. */
char *compare_print_value(struct query *query, const char *sql, size_t column);
/* Prints the rows of a statement below a line. Nothing is printed without rows. False after a message. */
bool compare_print_part(struct query *query, int format, const char *head, const char *sql);
/* Prints the rows of a statement as CSV. False after a message. */
bool compare_print_csv(struct query *query, const char *sql);
/* Prints what is to be expected of all verdicts together, where there are several. */
bool compare_print_alarms(struct query *query);
/* Runs report/compare-launches.sql over an open query, and prints what it finds of sides that are called by these
 * names. Returns the exit code. */
enum exit_code compare_print_launches(struct query *query, const struct compare_asked *asked, const char *subject,
                                      const char *base);

#endif
