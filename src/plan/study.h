/* A study: an experiment file that is read once, as each profile and the command line see it, and its cells.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_STUDY_H
#define TILELAB_PLAN_STUDY_H

#include "grid.h"
#include "base/yaml.h"

struct study {
    struct experiment *profile[PROFILES]; /* what the file says, for each profile */
    struct experiment *asked;             /* what is measured: one of these, or that profile changed by settings */
    struct grid grid[PROFILES + 1];       /* their cells, from study_grid; the last grid is of settings */
};

/* Reads a file that study_file_open or yaml_read gave, for a profile, and frees the file. The settings (settings.h)
 * come before what the file and its profile say. The caller frees the study with study_free. A fault in any profile is
 * a fault of the file, which gives NULL; each fault is then printed to `diagnostics`, unless this is NULL, as
 *   path:line:column: error: text / the line / a caret / "did you mean". */
struct study *study_read(struct yaml *yaml, enum profile profile, const char *const settings[], size_t count,
                         FILE *diagnostics);
void study_free(struct study *study);

/* The cells that an experiment of the study has on this machine, expanded at the first call. There are none, after
 * what grid_expand prints to `diagnostics`, where the grid does not expand. */
const struct grid *study_grid(struct study *study, const struct experiment *experiment, FILE *diagnostics);

#endif
