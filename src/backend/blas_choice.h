/* Parts of the BLAS module in files of their own.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_BLAS_CHOICE_H
#define TILELAB_BACKEND_BLAS_CHOICE_H

#include "blas.h"
#include "machine/host.h"

enum { BLAS_TRIES_MAX = 3 };

/* Seconds of the fastest product of each precision, on one thread. */
struct blas_times {
    double sgemm_s, dgemm_s;
};

/* What the child that loads a library found. */
struct blas_found {
    struct blas blas;
    char candidate[BLAS_TRIES_MAX][sizeof((struct blas *)0)->setting]; /* settings worth trying */
    size_t candidates;
    struct blas_times times; /* 0: not asked for */
};

/* The instruction set that a kernel is made for, as enum isa, or -1 where its name does not tell. */
int64_t blas_kernel_isa(const char *make, const char *kernel);
/* The variable by which a library of that make is told its kernel, or NULL. */
const char *blas_kernel_variable(const char *make);
/* For a loaded library whose kernel is made for less than `host` has: settings under which it may do better, best first.
 * Returns how many. */
size_t blas_candidates(const struct blas *blas, const struct host *host,
                       char candidate[BLAS_TRIES_MAX][sizeof blas->setting]);
/* Completes `found` (of a library loaded under no setting of this program's) with the choice and what is to be said of
 * it. `other`: the fastest of its candidates, or NULL where none was tried. True if the other one is to be used. */
bool blas_judge(const struct host *host, struct blas_found *found, struct blas_found *other);

#endif
