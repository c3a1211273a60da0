/* Compiles a CPU kernel of the program once more, with further flags, into a shared object.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_INSPECT_REBUILD_H
#define TILELAB_INSPECT_REBUILD_H

#include "cell.h"
#include "registry.h"

struct rebuild {
    const struct cell *cell;  /* of the kernel; its build has the name of the program's own */
    const char *root;         /* of rebuild_root */
    const char *file;         /* the shared object to write */
    const char *const *flags; /* beside the flags of the language; ends with NULL */
};

/* The tree that the kernel's file lies in: the working folder, or where the program comes from, or of a user's own
 * kernel its copy in the cache (own/own.h). NULL: nowhere. The caller frees it. */
char *rebuild_root(const struct entry *entry);
/* Compiles. `gcc` is the path of the compiler. False: the compiler has said why. */
bool rebuild_compile(const char *gcc, const struct rebuild *rebuild);

#endif
