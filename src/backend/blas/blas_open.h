/* Loading a BLAS library into this process, one a process.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_BLAS_OPEN_H
#define TILELAB_BACKEND_BLAS_OPEN_H

#include "blas.h"

/* Loads the library with RTLD_LOCAL and sets its threads by its own call. Returns false, with a line in `why`, if that
 * fails. The library chooses its kernel while it is loaded, so call blas_set_environment before. */
bool blas_open(const char *name, int threads, struct blas *blas, char *why, size_t why_size);
/* Sets the threads of a library that is open to blas->threads, again. */
void blas_set_threads(const struct blas *blas);
/* Whether a library that is open keeps threads of its own, beside OpenMP's team. */
bool blas_has_own_threads(const struct blas *blas);

#endif
