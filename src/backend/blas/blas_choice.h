/* Whether a BLAS library has chosen the right kernel for this processor, and which setting makes it choose better.
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

/* What the child that loads a library has found. */
struct blas_found {
    struct blas blas;
    char candidate[BLAS_TRIES_MAX][sizeof((struct blas *)0)->setting]; /* settings worth trying */
    size_t candidates;
    struct blas_times times; /* 0: not asked for */
};

/* The instruction set that a kernel is made for, as enum isa; -1 if the kernel's name does not tell. */
int64_t blas_kernel_isa(const char *make, const char *kernel);

/* The environment variable that tells a library of that make which kernel to use; NULL if there is none. */
const char *blas_kernel_variable(const char *make);

/* Lists the settings under which a loaded library may do better, best first. There are some if the library's kernel is
 * made for less than `host` has. Returns how many. */
size_t blas_candidates(const struct blas *blas, const struct host *host,
                       char candidate[BLAS_TRIES_MAX][sizeof blas->setting]);

/* Completes `found` with the choice and the remark. `found` is of a library that was loaded without a setting of this
 * program; `other` is its fastest candidate, or NULL if none was tried. Returns true if `other` is to be used. */
bool blas_judge(const struct host *host, struct blas_found *found, struct blas_found *other);

#endif
