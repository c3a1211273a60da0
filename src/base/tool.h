/* Programs of others that this program starts: where they are, and their version.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_TOOL_H
#define TILELAB_BASE_TOOL_H

#include <stdbool.h>
#include <stddef.h>

/* Finds a program in PATH; false if it is nowhere. `cuda`: it is also looked for in the CUDA Toolkit's folder
 * (CUDA_HOME, else /usr/local/cuda) and in the folders of Nsight Compute, the newest first. */
bool tool_find(const char *name, bool cuda, char *path, size_t size);

/* Reads the version: the first number with a point in the output of `PATH --version`. It is empty if there is no such
 * number. */
void tool_version(const char *path, char *version, size_t size);

/* Runs a program without input and without its messages, and returns what it prints, for free(). NULL if it fails or
 * takes minutes. `arguments` starts with the path of the program and ends with NULL. */
char *tool_run(const char *const arguments[]);

#endif
