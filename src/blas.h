/* BLAS libraries, loaded at run time, one a process.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BLAS_H
#define TILELAB_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* CBLAS constants. */
enum { BLAS_ROW_MAJOR = 101, BLAS_NO_TRANS = 111, BLAS_TRANS = 112, BLAS_LOWER = 122 };

struct blas {
    char name[24];     /* "openblas" */
    char path[512];    /* the file loaded */
    char hash[17];     /* first 16 hex digits of its SHA-256; empty after blas_open, see blas_hash */
    char config[160];  /* the kernel it chose for this CPU, in its own words */
    int threads;
    void *handle;
    void (*sgemm)(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda,
                  const float *b, int ldb, float beta, float *c, int ldc);
    void (*dgemm)(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc);
    /* NULL where the library has none. */
    void (*ssyrk)(int order, int uplo, int trans, int n, int k, float alpha, const float *a, int lda, float beta,
                  float *c, int ldc);
    void (*dsyrk)(int order, int uplo, int trans, int n, int k, double alpha, const double *a, int lda, double beta,
                  double *c, int ldc);
    /* LAPACK's, as Fortran calls them; NULL where the library has none. */
    void (*sgetrf)(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info);
    void (*dgetrf)(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
    bool lapack; /* it has both */
};

/* Names this program knows ("openblas", "blis", "mkl"), then those of TILELAB_BLAS="name=/path/lib.so:name2=...".
 * Returns the count, at most `most`. */
size_t blas_names(const char **names, size_t most);
/* Where a library is on this machine, without loading it: false with one line in `why`, saying how to install it. */
bool blas_find(const char *name, char *path, size_t path_size, char *why, size_t why_size);
/* Loads it into this process (RTLD_LOCAL) and sets its threads by its own call; false with a line in `why`. */
bool blas_open(const char *name, int threads, struct blas *blas, char *why, size_t why_size);

/* Its file's hash alone, without loading it; computed once a process. */
bool blas_hash(const char *name, char hash[17]);
/* All facts of a library, found by a child process that loads it, once a process. NULL with a line in `why`. The
 * function pointers are NULL. */
const struct blas *blas_describe(const char *name, int threads, char *why, size_t why_size);
/* `tilelab describe-blas NAME THREADS`, that child: prints path=, hash=, config=, threads=, lapack=, or why=. */
int blas_describe_main(int argc, char **argv);
/* False with a line in `why` if TILELAB_BLAS cannot be understood. */
bool blas_setting_valid(char *why, size_t why_size);

#endif
