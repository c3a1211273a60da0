/* BLAS libraries, loaded at run time, one a process.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BLAS_H
#define TILELAB_BLAS_H

#include <stdbool.h>
#include <stddef.h>

/* CBLAS constants. */
enum {
    BLAS_ROW_MAJOR = 101,
    BLAS_NO_TRANS = 111,
    BLAS_TRANS = 112,
    BLAS_UPPER = 121,
    BLAS_LOWER = 122,
    BLAS_NON_UNIT = 131
};

/* How a library came to its kernel: by itself; by a user's variable; by itself, and others that were tried are not faster;
 * by a variable that this program sets, for its own choice was slower; by itself, made for less than the processor has. */
enum blas_choice { BLAS_OWN, BLAS_USER, BLAS_CHECKED, BLAS_CORRECTED, BLAS_POOR };

struct blas {
    char name[24];           /* "openblas" */
    char path[512];          /* the file loaded */
    char hash[17];           /* first 16 hex digits of its SHA-256; empty after blas_open, see library_hash */
    char config[160];        /* the kernel it chose for this CPU, in its own words */
    char make[12];           /* whose calls it has: "openblas", "blis", "mkl", or empty */
    char kernel[48];         /* the kernel's name alone; empty: not told */
    char setting[64];        /* blas_describe: what its kernel was chosen by, "BLIS_ARCH_TYPE=0"; empty: by itself */
    char remark[400];        /* blas_describe: what is to be said of the choice; empty: nothing */
    enum blas_choice choice; /* blas_describe */
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
    void (*sgemv)(int order, int trans, int m, int n, float alpha, const float *a, int lda, const float *x, int incx,
                  float beta, float *y, int incy);
    void (*dgemv)(int order, int trans, int m, int n, double alpha, const double *a, int lda, const double *x, int incx,
                  double beta, double *y, int incy);
    void (*strmv)(int order, int uplo, int trans, int diag, int n, const float *a, int lda, float *x, int incx);
    void (*dtrmv)(int order, int uplo, int trans, int diag, int n, const double *a, int lda, double *x, int incx);
    void (*strsv)(int order, int uplo, int trans, int diag, int n, const float *a, int lda, float *x, int incx);
    void (*dtrsv)(int order, int uplo, int trans, int diag, int n, const double *a, int lda, double *x, int incx);
    /* LAPACK's, as Fortran calls them; NULL where the library has none. */
    void (*sgetrf)(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info);
    void (*dgetrf)(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
    bool lapack; /* it has both */
};

#endif
