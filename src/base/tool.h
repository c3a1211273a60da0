/* Programs of others: where they are, and of which version.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_TOOL_H
#define TILELAB_BASE_TOOL_H

#include <stdbool.h>
#include <stddef.h>

/* The program in PATH; `cuda`: also in the CUDA Toolkit's folder (CUDA_HOME, else /usr/local/cuda) and in those of
 * Nsight Compute, the newest first. False if it is nowhere. */
bool tool_find(const char *name, bool cuda, char *path, size_t size);

/* The first number with a point in what `PATH --version` prints, which is the version for all that is asked; empty if
 * it prints none. */
void tool_version(const char *path, char *version, size_t size);

#endif
