/* What the files of this room share: a file of a user's folder, and what its compilation tells.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_OWN_OWN_PARTS_H
#define TILELAB_OWN_OWN_PARTS_H

#include "own.h"

#include <stddef.h>

struct own_file {
    char *path, *shown;   /* absolute; as the user calls it */
    char *problem, *name; /* of VARIANT(problem, name); the name of a problem's file is "problem"; "": it is unread */
    bool is_problem;
    enum backend_id backend;
    char *objects; /* its folder in the cache */
    char *why;     /* why it is left out; NULL: it is not */
};

/* The files of a folder that hold kernels and problems, and what cannot be read: the problems first, then by name.
 * `path` is the folder's real path. The caller frees the list, whose texts stay until the end. */
struct own_file *own_files(const char *folder, const char *path, size_t *count);
/* What the file is made of, for own_compile: "problem", or "builds", "libraries" and "device" of backends.def. */
const char *own_files_made(const struct own_file *file);

/* Sets `objects` of each file, and compiles the descriptions that the cache lacks, several at once; `quiet`: none. Sets
 * `why` of a file without one. Warnings of the compiler go to stderr. */
void own_compile(const char *path, struct own_file *files, size_t count, bool quiet);
/* Compiles one more shared object into a folder of the cache; false after the compiler's words on stderr. */
bool own_compile_one(const char *objects, const char *object, const char *shown);
/* The value of a fact that the compilation has written, "hash"; the caller frees it. Empty: there is none. */
char *own_compile_fact(const char *objects, const char *key);

#endif
