/* Results as they were at a revision of git.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_REVISION_H
#define TILELAB_COMMAND_REVISION_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a text is FOLDER@REVISION and no folder itself. */
bool revision_named(const char *text);

/* Copies the files of FOLDER, as they were at REVISION, to a temporary folder. Returns its path, which the caller hands
 * to revision_remove; NULL with one line in `why` on failure. */
char *revision_folder(const char *text, char *why, size_t size);
/* Removes the temporary folder and frees the path; NULL: does nothing. */
void revision_remove(char *folder);

#endif
