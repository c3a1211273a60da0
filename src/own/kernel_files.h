/* Kernel files of the source tree that are no variants of this program.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_OWN_KERNEL_FILES_H
#define TILELAB_OWN_KERNEL_FILES_H

#include <stdio.h>

/* Warns of each file that looks like a kernel, where the current folder is a source tree. Without this warning a
 * student who forgets the line in kernels/registry.def sees no trace of the file. */
void kernel_files_warn(FILE *out);

#endif
