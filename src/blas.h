/* What a variant may call of a BLAS library, which the runner loads at run time.
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

/* How a library has got its kernel. */
enum blas_choice {
    BLAS_OWN,       /* the library chose it */
    BLAS_USER,      /* a variable of the user's environment chose it */
    BLAS_CHECKED,   /* the library chose it, and the kernels that were tried are not faster */
    BLAS_CORRECTED, /* this program chose it by a variable, since the library's own choice is slower */
    BLAS_POOR       /* the library chose it, for an instruction set below the processor's */
};

struct blas {
    char name[24];           /* "openblas" */
    char path[512];          /* the file loaded */
    char hash[17];           /* blas_describe: first 16 hex digits of its SHA-256 */
    char config[160];        /* the kernel that it chose for this CPU, in its own words */
    char make[12];           /* whose calls it has: "openblas", "blis", "mkl"; or empty */
    char kernel[48];         /* the kernel's name alone; empty: not known */
    char setting[64];        /* blas_describe: the variable that chose the kernel, "BLIS_ARCH_TYPE=0"; empty: none */
    char remark[400];        /* blas_describe: a remark on the choice for the user; empty: none */
    enum blas_choice choice; /* blas_describe */
    int threads;
    void *handle;
    void (*sgemm)(int order, int transa, int transb, int m, int n, int k, float alpha, const float *a, int lda,
                  const float *b, int ldb, float beta, float *c, int ldc);
    void (*dgemm)(int order, int transa, int transb, int m, int n, int k, double alpha, const double *a, int lda,
                  const double *b, int ldb, double beta, double *c, int ldc);
    /* Each of these is NULL if the library does not have it. */
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
    /* Functions of LAPACK, as Fortran calls them; NULL if the library does not have them. */
    void (*sgetrf)(const int *m, const int *n, float *a, const int *lda, int *pivots, int *info);
    void (*dgetrf)(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
    bool lapack; /* the library has both */
};

#endif
