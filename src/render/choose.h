/* Chooses what the report says: which findings are its conclusions, and which rows of facts have a sentence.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RENDER_CHOOSE_H
#define TILELAB_RENDER_CHOOSE_H

#include "facts.h"
#include "texts.h"

#include <stdbool.h>
#include <stddef.h>

/* Conclusions of a report, and the hosts of a class that have sentences. */
enum { CHOOSE_MOST = 16, CHOOSE_HOSTS = 4 };

/* A finding or a note. */
struct choose_source {
    struct texts head;
    const struct facts_table *table; /* NULL: its query did not run */
    bool is_note;
    int rank, place; /* of a finding: how much it matters, and where its chapter stands */
    int answer;      /* of a finding that the summary has: its place there; 0: the summary has it not */
    bool is_shown;   /* the report has studies of its chapter */
};

/* A row of facts that a text is completed with. */
struct choose_row {
    const struct choose_source *source;
    const struct facts_row *row;
};

struct choose {
    struct choose_source *source; /* findings, then notes, in the order of their names */
    size_t sources;
    const struct facts_table *hosts; /* in the order of the report; NULL: unknown */
};

/* Reads the heads of FOLDER/findings and FOLDER/notes. The facts must live as long as the choice. False after a
 * message. The caller frees the choice with choose_free. */
bool choose_open(struct choose *choose, const char *folder, const struct facts *facts);
void choose_free(struct choose *choose);

/* The findings that are conclusions, at most CHOOSE_MOST: those that matter most, in the order of their chapters. For
 * the summary those that answer a question of the sources, in the order of the questions; a question is left out where
 * the report has no study of its chapter. A conclusion is about no host and device on which the summary answers its
 * question. Returns their number. */
size_t choose_conclusions(const struct choose *choose, bool summary, const struct choose_source *chosen[CHOOSE_MOST]);
/* The rows of a conclusion: of each host, and of each device if the facts name a side, the first decided one, if the
 * summary does not answer there. A row with the fact `minor` is for its study alone. The caller frees *rows. */
size_t choose_rows(const struct choose_source *source, struct choose_row **rows);
/* The rows of an answer: one, or one of each device if the facts name a side. It is the first one that decides, on
 * whatever host, else the first one. The caller frees *rows. */
size_t choose_answer(const struct choose_source *source, struct choose_row **rows);
/* The studies that have sentences, in the order in which the facts name them. The caller frees *studies. */
size_t choose_studies(const struct choose *choose, const char ***studies);
/* What is said of a study on a host, without ratios that are undecided; with `study` NULL, what the notes say that name
 * no study. The caller frees *rows. */
size_t choose_said(const struct choose *choose, const char *study, const char *host, struct choose_row **rows);
/* The rows of a finding on studies whose ratio is undecided, without those that the summary has, that are for their
 * study alone, or that another study tells already. The caller frees *rows. */
size_t choose_undecided(const struct choose_source *source, struct choose_row **rows);
/* Whether the summary or a conclusion has the row. */
bool choose_is_concluded(const struct choose *choose, const struct choose_row *row);

/* A fact of a row, or "". */
const char *choose_fact(const struct choose_row *row, const char *name);

#endif
