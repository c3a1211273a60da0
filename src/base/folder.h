/* Folders: their names, and the folder to which results are written.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_FOLDER_H
#define TILELAB_BASE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The absolute path, without "." and ".." at its end. The links of the path stay, as their names are meant. The caller
 * frees the path. NULL if there is no such folder or no memory. */
char *folder_absolute(const char *folder);
/* The last parts of an absolute path; the whole path, without its first slash, if it has fewer. */
const char *folder_last_parts(const char *path, int parts);
/* Whether the folder exists; if not, errno says why. */
bool folder_exists(const char *path);
/* Makes the folder and the folders above it. Returns false with errno set on failure. */
bool folder_make(const char *path);
/* Finds out whether the folder can be written, before anything is measured: writes, syncs and removes a small file.
 * Returns false with errno set if the medium is full or read-only. */
bool folder_probe(const char *path);
/* Makes an empty folder for this process alone, in the folder that TMPDIR names, else in /tmp. `name` begins
 * the name of the folder. Returns false with errno set on failure. */
bool folder_temporary(const char *name, char *path, size_t size);
/* Makes a folder that this user's later processes find again, in the folder for temporary files. Returns false if the
 * folder is open to other users or belongs to one: code in the folder could then be theirs. */
bool folder_own(const char *name, char *path, size_t size);
/* Removes a folder with all that it holds. A link is removed; what it leads to stays. */
void folder_remove(const char *path);
/* Writes one line: that `path` cannot be used, why (`error` is an errno), and what to do about it. */
void folder_why(char *why, size_t size, const char *path, int error);

/* The folder that the program lies in, without a slash at its end; false: it cannot be told. */
bool folder_of_program(char *folder, size_t size);

/* The path of a file or a folder that comes with the program: as `make install` lays it, or in the tree that the
 * program was built in. The caller frees the path. NULL: it is not there, as where the program was copied alone. */
char *folder_installed(const char *name);
/* The same, but `name` where `part` of it is here, or where nothing comes with the program. */
char *folder_found(const char *name, const char *part);

/* Finds the last file, in the order of names, that matches a pattern of full paths in which only one component has
 * wildcards. Returns false if there is none, or if the path does not fit. Unlike glob() of glibc 2.36, it survives a
 * machine without memory. */
bool folder_match(const char *pattern, char *path, size_t size);

#endif
