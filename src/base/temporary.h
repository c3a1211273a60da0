/* Files that take another file's place once they are whole.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_TEMPORARY_H
#define TILELAB_BASE_TEMPORARY_H

/* Makes a new file ".NAME.new" beside the file `path` of the name NAME, and opens it with O_WRONLY or O_RDWR and the
 * further flags given. What an interrupted process or somebody else has left under this name is removed, and never
 * opened; if somebody puts it back at once, the name has random digits. Returns the descriptor, and the path in *made,
 * which the caller frees; or -1 with errno set, and *made is NULL. */
int temporary_open(const char *path, int flags, char **made);

#endif
