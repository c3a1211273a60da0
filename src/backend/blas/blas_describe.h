/* The facts of a BLAS library, as a child process finds them that loads it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_BLAS_DESCRIBE_H
#define TILELAB_BACKEND_BLAS_DESCRIBE_H

#include "blas.h"
#include "base/hash.h"

extern const char *const blas_choice_names[]; /* by enum blas_choice: "own", "user", ...; NULL-terminated */

/* All facts of a library. A child process finds them, once for each process. The function pointers are NULL. The
 * library may use a kernel that is made for less than the processor has. Unless the user's environment asks for that
 * kernel, child processes then time short products under other settings, and the best setting is chosen. Returns NULL,
 * with a line in `why`, on failure. */
const struct blas *blas_describe(const char *name, int threads, char *why, size_t why_size);

/* Sets the environment for the best setting of a library, if this process asked blas_describe for it. Call this between
 * fork and exec: it starts no process itself. */
void blas_set_environment(const char *name);

/* The first 16 hexadecimal digits of the hash of what a library's speed depends on: its file, and the setting of its
 * kernel if there is one. */
void blas_identity(const char *name, char hex[HASH_SHORT_SIZE]);

/* The subcommand `tilelab describe-blas NAME THREADS [time]`, which is that child. It prints path=, config=, threads=
 * and so on, or why=. */
int blas_describe_main(int argc, char **argv);

#endif
