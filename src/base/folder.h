/* The folder that results go to.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_FOLDER_H
#define TILELAB_BASE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* False with errno set if there is no such folder. */
bool folder_exists(const char *path);
/* Makes a folder and those above it. False with errno set. */
bool folder_make(const char *path);
/* Writes, syncs and removes a small file, which tells a full or read-only medium before anything is
 * measured. False with errno set. */
bool folder_probe(const char *path);
/* One line: that `path` cannot be used, why (an errno), and what to do about it. */
void folder_why(char *why, size_t size, const char *path, int error);

#endif
