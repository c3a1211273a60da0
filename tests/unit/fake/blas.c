/* BLAS libraries with faults, for the tests. Products are right; macros choose the fault. WITHOUT_DGEMM and
 * WITHOUT_SYRK: a call is missing. DEAF: the library has a call that sets its threads, but stays on one thread.
 * CHOOSES: the library is a BLIS that takes its slow kernel unless BLIS_ARCH_TYPE names another kernel.
 * SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdlib.h>

static int kernel = 2;

/* The other kernels walk along rows; the slow kernel computes everything so many times. */
#define GEMM(name, type) \
    void name(int order, int transa, int transb, int m, int n, int k, type alpha, const type *a, int lda, \
              const type *b, int ldb, type beta, type *c, int ldc) \
    { \
        (void)order, (void)transa, (void)alpha, (void)beta; \
        for (int turn = 0; turn < (kernel == 2 ? 4 : 1); turn++) { \
            for (int i = 0; i < m; i++) { \
                for (int j = 0; j < n; j++) \
                    c[(long)i * ldc + j] = 0; \
                for (int l = 0; l < k; l++) { \
                    const type x = a[(long)i * lda + l]; \
                    for (int j = 0; j < n; j++) \
                        c[(long)i * ldc + j] += x * (transb == 112 ? b[(long)j * ldb + l] : b[(long)l * ldb + j]); \
                } \
            } \
            __asm__ volatile("" : : "r"(c) : "memory"); \
        } \
    }

GEMM(cblas_sgemm, float)
#ifndef WITHOUT_DGEMM
GEMM(cblas_dgemm, double)
#endif

#ifdef DEAF
void omp_set_num_threads(int threads)
{
    (void)threads;
}
#endif

#ifdef CHOOSES
void bli_thread_set_num_threads(int64_t threads)
{
    (void)threads;
}

void bli_init(void)
{
    const char *type = getenv("BLIS_ARCH_TYPE");
    kernel = type != NULL ? atoi(type) : 2;
}

int bli_arch_query_id(void)
{
    return kernel;
}

const char *bli_arch_string(int id)
{
    static const char *const names[] = {"skx", "haswell", "penryn", "generic"};
    return names[id];
}

const char *bli_info_get_version_str(void)
{
    return "0.0";
}
#endif
