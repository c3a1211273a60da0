/* Reads an experiment file; every fault in the file is told as file:line:column.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_EXPERIMENT_READ_H
#define TILELAB_PLAN_EXPERIMENT_READ_H

#include "experiment.h"

/* Reads the file and applies the profile's overrides. The caller frees the result with experiment_free. A faulty file
 * gives NULL; each fault is then printed to `diagnostics`, unless this is NULL, as
 *   path:line:column: error: text / the line / a caret / "did you mean". */
struct experiment *experiment_read(const char *path, enum profile profile, FILE *diagnostics);

/* The same with settings (settings.h), which come before what the file and its profile say. */
struct experiment *experiment_read_set(const char *path, enum profile profile, const char *const settings[],
                                       size_t count, FILE *diagnostics);

#endif
