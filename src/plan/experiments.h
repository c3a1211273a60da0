/* What the command line of `run`, `plan`, `record` or `compare` asks for: experiment files and how to measure them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_EXPERIMENTS_H
#define TILELAB_PLAN_EXPERIMENTS_H

#include "part.h"
#include "base/yaml.h"

struct experiments_arguments {
    const char **file;    /* owned */
    struct yaml **opened; /* [files]: what study_file_open gave, which experiments_read frees; owned */
    size_t files;
    const char *data; /* folder of the results */
    enum profile profile;
    double budget_s; /* INFINITY: none */
    enum again again;
    struct part_name part; /* the part that this machine measures; part.of is 0 where it measures everything */
    bool wait;             /* for the end of another run in the same folder */
    bool paired;           /* each round has all cells of its point, and none is measured apart from the others */
    int64_t seed;          /* of the inputs; 0: drawn for the run */
    bool dry_run;          /* tell what would be measured, and measure nothing */
    const char **setting;  /* of the experiments (settings.h); owned */
    size_t settings;
    char **only; /* lists of patterns (selection.h); owned, but not the lists */
    size_t onlys;
    char *within;                   /* a list that every cell must match as well; NULL: none */
    bool no_cpu, no_gpu;            /* of a record: cells of one kind are left out */
    const char *published, *report; /* of a record: folders that tell what headlines use */
};

/* Seeds are numbers that JSON keeps exactly. */
static const int64_t EXPERIMENTS_SEED_MOST = (INT64_C(1) << 53) - 1;

/* Whether results of this machine may be written into the folder; if not, a message says why (EXIT_STORE). */
bool experiments_folder(const char *folder);

/* Reads all files, each of them once, before anything is measured. NULL, after diagnostics, where a file, a setting or
 * a pattern is faulty. */
struct study **experiments_read(const struct experiments_arguments *arguments);
/* Frees what experiments_read gave, and what the arguments own. */
void experiments_free(struct study **studies, struct experiments_arguments *arguments);

/* Shares the points of all studies out to the parts that the command line asks for. Returns the part of each point of
 * each study, for part_select; the caller frees it with experiments_share_free. Without parts, or on failure after
 * diagnostics, it returns NULL. *failed tells which. */
int **experiments_share(struct study *const studies[], const struct experiments_arguments *arguments, bool *failed);
void experiments_share_free(int **share, const struct experiments_arguments *arguments);

#endif
