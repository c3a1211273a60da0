/* An experiment as one profile sees it: what is measured, how exactly, and which figures and tables show it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_EXPERIMENT_H
#define TILELAB_PLAN_EXPERIMENT_H

#include "registry.h"

enum profile { PROFILE_FULL, PROFILE_QUICK, PROFILE_RECORD, PROFILES };
extern const char *const experiment_profiles[]; /* the names by enum profile; NULL-terminated */

/* Symbols among the values of an axis; resolved by grid_expand against the machine. */
enum { VALUE_ALL = -1, VALUE_HALF = -2, VALUE_BEST = -3, VALUE_FULL = -4, VALUE_CHOSEN = -5, VALUE_CORES = -6 };
/* The symbol for all devices of a backend, "opencl:*", is VALUE_DEVICES minus the backend_id. */
enum { VALUE_DEVICES = -8 };

struct values {
    enum axis_id axis;
    bool per_thread; /* the axis gets the value times the threads of the cell */
    char **pattern;  /* variants that take these values; none: all variants */
    size_t patterns;
    int64_t *value;
    size_t count;
};

/* An exclusion leaves out the cells for which all its conditions hold. */
struct condition {
    int axis; /* enum axis_id, or -1: variant pattern */
    char *pattern;
    int64_t low, high; /* inclusive; {above: 16384} is low 16385; {below: 8} is high 7 */
};
struct exclusion {
    struct condition *condition;
    size_t count;
};

/* How exactly a cell is measured. The defaults are in study.c. */
struct measure {
    int rounds, launches, min_samples;
    double ci;           /* relative width of the interval of a round's median at which sampling stops */
    double max_time_s;   /* of sampling one cell, over all rounds */
    double min_time_s;   /* of the samples of one round */
    double once_above_s; /* a cell predicted to run longer is run once, without an interval */
    double skip_above_s; /* a cell predicted to run longer is skipped */
    bool energy;         /* each round ends with a continuous run, which tells the energy of a run */
    uint64_t seed;
    bool seed_given; /* by the user, and not drawn for the run */
};

struct experiment {
    char name[64]; /* file name without .yaml */
    char *path;    /* of the file */
    char *where;   /* path:line:column of its grid, for the diagnostics of grid_expand */
    char *title_en, *title_ru;
    char *about_en, *about_ru; /* a paragraph that leads the study's section in the report; NULL: none */
    char *source;
    char *baseline; /* full variant name; NULL: the baseline of the problem */
    const struct problem **problem;
    size_t problems;
    char **variant; /* patterns, in the file's order */
    size_t variants;
    struct values *values;
    size_t value_lists;
    struct exclusion *exclusion;
    size_t exclusions;
    int excluded_in;      /* the line of their list */
    enum profile profile; /* whose view of the file this is */
    struct measure measure;
    char **figure, **table;
    size_t figures, tables;
    char **setting; /* changes to the file that the command line asks for, "n=512" */
    size_t settings;
    char **only; /* lists of patterns, see selection.h: cells that one of them does not match are not asked for */
    size_t onlys;
    char *within; /* a list that every cell must match as well; NULL: none */
};

void experiment_free(struct experiment *experiment);

/* Whether the entry belongs to one of the experiment's problems. */
bool experiment_has(const struct experiment *experiment, const struct entry *entry);
/* Whether the experiment's variants name this entry. *literally: they name it in full, not only by a pattern. */
bool experiment_selects(const struct experiment *experiment, const struct entry *entry, bool *literally);
/* Whether these values are for this entry. */
bool experiment_applies(const struct values *values, const struct entry *entry);

#endif
