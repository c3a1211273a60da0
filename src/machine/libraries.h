/* The BLAS libraries of this machine: their names and their files. Nothing here loads a library into this process.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_LIBRARIES_H
#define TILELAB_MACHINE_LIBRARIES_H

#include "base/hash.h"

#include <stdbool.h>
#include <stddef.h>

/* Lists the names that this program knows ("openblas", "blis", "mkl", "openblas-pypi"), then the names in
 * TILELAB_BLAS="name=/path/lib.so:name2=...". Returns the count, at most `most`. */
size_t libraries_names(const char **names, size_t most);

/* The slot of a library's curves in figures/style.gp, 1 to 4. */
int libraries_style(const char *name);

/* Whether TILELAB_BLAS can be understood; if not, `why` gets one line. */
bool libraries_setting_valid(char *why, size_t why_size);

/* Finds the file of a library. If there is none, returns false, and `why` gets one line that tells how to install it.
 * */
bool libraries_find(const char *name, char *path, size_t path_size, char *why, size_t why_size);

/* The first 16 hexadecimal digits of the SHA-256 of a library's file, computed once a process. Returns false, with an
 * empty `hash`, if the file cannot be read. */
bool libraries_hash(const char *name, char hash[HASH_SHORT_SIZE]);

#endif
