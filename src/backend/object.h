/* Finds the shared objects that hold the code of devices, as tilelab-cuda.so. They lie in the folder that
 * TILELAB_BACKENDS names; without that variable they lie next to the program, or in ../lib/tilelab beside the program's
 * folder.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_OBJECT_H
#define TILELAB_BACKEND_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of a shared object; false if the file is not there. */
bool object_path(const char *file, char *path, size_t size);

#endif
