/* Finds and loads the shared objects that hold kernels, as tilelab-cuda.so. The files lie in the folder that
 * TILELAB_BACKENDS names; without that variable they lie next to the program, or in ../lib/tilelab beside the program's
 * folder.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_OBJECT_H
#define TILELAB_BACKEND_OBJECT_H

#include "variant.h"

/* Writes the path of a shared object; false if the file is not there. */
bool object_path(const char *file, char *path, size_t size);

/* Loads a shared object, with the flags of dlopen. NULL with `why`: the object cannot be loaded, or it belongs to
 * another version of the program. */
void *object_open(const char *path, int flags, char *why, size_t size);
/* Whether a loaded object lays out a cell and a job as this program does; false with `why`. */
bool object_fits(void *object, const char *file, char *why, size_t size);
/* Unloads an object of another version; writes so. Returns NULL. */
void *object_refuse(void **object, const char *file, char *why, size_t size);

/* Loads the shared object of a user's own kernel that the cell asks for, once. NULL with `why`: the compiler's words if
 * it does not compile. */
void *object_own(const struct cell *cell, char *why, size_t size);
/* Writes the path of that shared object, whether or not it is there. */
void object_own_path(const struct cell *cell, char *path, size_t size);
/* The build of a CPU kernel that the cell asks for, linked or the user's own. NULL with `why`. */
const struct variant *object_build(const struct cell *cell, char *why, size_t size);

/* The entry point of a cell's variant with that suffix, as "launch"; NULL: the variant has none. */
void *object_entry(void *object, const struct cell *cell, const char *suffix);
/* Calls the variant's _release, if it has one. */
void object_finish(void *object, struct job *job);

#endif
