/* What a record still needs, and which cells are measured together for it.
 * SPDX-License-Identifier: MIT
 *
 * `tilelab run` measures one study after the other. A record of many studies with a budget measures the most wanted
 * cells of all studies first. Its unit is a group: the cells of one point that run on the same kind of processor. Times
 * of two physical machines make no ratio. So where one cell of a group is measured on this machine, its partners are
 * measured again too: the cells of the group whose results are of another machine. The probes of the group's precision
 * come along if they are not of this machine or do not hold. */
#ifndef TILELAB_PLAN_NEED_H
#define TILELAB_PLAN_NEED_H

#include "schedule.h"

/* The names of the needs, "headline", "stale", ...; that of NEED_NOTHING is empty. */
extern const char *const need_names[NEEDS];

/* The variants that headlines use. */
struct need_headlines {
    struct need_headline {
        char *experiment; /* NULL: any */
        char *variant;    /* with or without its problem */
        bool everywhere;  /* at each point; else only at the largest n of the variant */
    } * headline;
    size_t count;
};
void need_headlines_add(struct need_headlines *headlines, const char *experiment, const char *variant, bool everywhere);
void need_headlines_free(struct need_headlines *headlines);

/* Decides for each item of the schedule which need it meets. A cell that is missing or stale is a headline's if the
 * headlines use it, or if no cell of its variant has a larger n and it is a library's or the fastest own cell of its
 * group. A study without figures and tables has no headlines. The call is repeated after cells were measured. */
void need_judge(struct schedule *schedule, const struct store *store, const struct need_headlines *headlines);

/* Whether figures or tables show the study. */
bool need_is_shown(const struct schedule *schedule);

/* A group: the cells of a point that run on `kind`, KIND_CPU or KIND_GPU. */
struct need_group {
    size_t point;
    enum registry_kind kind;
};
/* What is measured of a group when cells of the ranks up to `rank` are wanted. */
struct need_size {
    size_t wanted, partners, probes; /* probes that come along */
    double cost_s, least_s;          /* of all these cells together, and of the shortest; as predicted */
    double probes_s;                 /* the part of the probes that come along */
    enum precision precision;
};
struct need_size need_size(const struct schedule *schedule, const struct store *store, const struct need_group *group,
                           enum need rank);
/* Defers all items of the schedule but those that need_size has counted. */
void need_select(struct schedule *schedule, const struct store *store, const struct need_group *group, enum need rank);
/* Notes which of the selected items are not measured again in this call although they keep their need: what was
 * measured and is still flagged, and what takes too long. Then need_judge may be called. */
void need_note_tried(struct schedule *schedule, const struct store *store);
/* Defers all items but those that still meet a need and run on `kind`. */
void need_select_left(struct schedule *schedule, enum registry_kind kind);

#endif
