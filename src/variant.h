/* The interface between a kernel and the runner. Every kernel file includes this header, itself or through another
 * header.
 * SPDX-License-Identifier: MIT
 *
 * A variant is one file and one line. The file describes the variant with VARIANT(problem, file) = {...}. The line in
 * kernels/registry.def gives the variant its place in lists and legends. A file of one's own folder needs no line.
 *
 * A CPU kernel file is written in terms of `real`. The build compiles it once for each precision, optimisation level
 * and instruction set. The registry chooses the build that a cell asks for. A .cu file has two parts. The kernel
 * stands first, inside `#ifdef __CUDACC__`: nvcc builds only this part, and the runner finds its entry points by name.
 * The C compiler builds the rest, which is plain C: first where the kernel accesses memory, if the file tells it, then
 * the description. A .cpp file of SYCL is made in the same way, by `#ifdef __cplusplus`.
 *
 * For many kernels this header is enough. The others may include:
 *   - cuda_variant.cuh in CUDA kernels, and access.h where a file describes its memory accesses;
 *   - blas.h, which tells what job->blas offers;
 *   - headers beside the kernel, which serve one problem, and headers of kernels/common/, which serve several;
 *   - headers of the C library and of the CUDA Toolkit.
 * A kernel calls no function of the runner. When a header under kernels/ changes, the results of all variants that
 * include the header become stale. */
#ifndef TILELAB_VARIANT_H
#define TILELAB_VARIANT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum precision { F32 = 1, F64, I32, PRECISIONS = I32 };
enum isa { ISA_BASE = 1, ISA_V3, ISA_V4, ISAS = ISA_V4 };
enum opt { OPT_O2 = 1, OPT_O3, OPTS = OPT_O3 };
enum memory { MEMORY_USM = 1, MEMORY_BUFFER, MEMORIES = MEMORY_BUFFER };
enum cache { CACHE_HOT = 1, CACHE_COLD };
enum host_memory { HOST_MEMORY_PAGEABLE = 1, HOST_MEMORY_PINNED };

#define BIT(index) (1u << (index))
#define FLOATS (BIT(F32) | BIT(F64))
#define ALL_PRECISIONS (FLOATS | BIT(I32))

enum axis_id {
#define AXIS(field, ...) AXIS_##field,
#include "axes.def"
#undef AXIS
    AXES
};
#define HONOURS(field) BIT(AXIS_##field)

/* One point of a grid for one variant. Sizes are in elements; 0 means that the axis does not apply. */
struct cell {
#define AXIS(field, ...) int64_t field;
#include "axes.def"
#undef AXIS
    const struct entry *entry; /* the line of the registry */
};

enum { MAX_OPERANDS = 4 };

/* The cache that one thread can expect to have; 0: not known. */
struct caches {
    int64_t l1d_bytes, l2_bytes;
    int64_t l3_share_bytes; /* a thread's share of the third level, which many cores use */
};

/* What a variant works on: one cell, with its operands in memory that the variant can access. */
struct job {
    const struct cell *cell;
    void *operand[MAX_OPERANDS]; /* in the problem's order (matmul: A, B, C). Each is row-major, contiguous and aligned
                                    to 64 bytes. A CUDA variant gets device pointers, an
                                    OpenCL variant memory objects. */
    void *state;                 /* the variant's own data, from prepare to release */
    struct caches caches;        /* for CPU variants */
    const struct blas *blas;     /* the library, for blas-* variants */
    const struct opencl *opencl; /* the device, for OpenCL variants: see opencl_variant.h */
    void *stream;                /* CUDA variants: cudaStream_t; SYCL variants: struct sycl_stream of sycl_variant.h */
    const struct team *team;     /* members of a team: see team_variant.h */
    char error[240];             /* why prepare or run returned non-zero */
};

/* The measured rate that is "the peak" of a variant. UNIT_TIME: there is no peak, the time itself is the result. */
enum unit { UNIT_FMA, UNIT_MEMORY, UNIT_TIME };

/* How a factorisation chooses its pivots. PIVOTING_NONE takes the diagonal as it is, so that its inputs are matrices
 * for which this is safe. PIVOTING_PARTIAL takes the largest element of the column below the diagonal, so that its
 * inputs are general matrices. */
enum pivoting { PIVOTING_NONE, PIVOTING_PARTIAL };

/* What a variant promises of a symmetric result. SYMMETRY_NONE: nothing beyond the values. SYMMETRY_MIRRORED: both
 * triangles are equal bit for bit. SYMMETRY_LOWER: it writes the lower triangle only, as BLAS syrk does. */
enum symmetry { SYMMETRY_NONE, SYMMETRY_MIRRORED, SYMMETRY_LOWER };

/* How a team distributes matrices over its members: in blocks of `tile` rows and columns, cyclically over a grid that
 * is nearly square, over one row or over one column of members. DISTRIBUTION_WHOLE: one member has whole matrices. */
enum distribution { DISTRIBUTION_SQUARE, DISTRIBUTION_ROW, DISTRIBUTION_COLUMN, DISTRIBUTION_WHOLE };

struct accesses; /* access.h */

struct variant {
    const char *summary;    /* one line without a full stop */
    const char *summary_ru; /* the same in Russian, for reports; NULL: the English one serves there too */
    const char *source;     /* sources that use this algorithm ("granular, lab5"), "baseline", "tilelab", or "own" */
    bool vendor;            /* a library does the work; the project's own variants are compared with it */
    const char *library;    /* CUDA: the library that it calls, "cublas". NULL for a blas-* variant: see its entries. */
    int style;            /* CUDA, calls a library: slot of its curves in figures/style.gp; 0: by place in the ladder */
    unsigned precisions;  /* BIT(F32) | ... */
    unsigned axes;        /* axes beyond the problem's own: HONOURS(threads) | HONOURS(tile) */
    struct cell defaults; /* values of these axes if an experiment does not name them (.tile = 32) */
    enum unit unit;
    unsigned tensor;      /* BIT() of the precisions that may run on tensor cores, above the peak of FMA */
    const char *parts;    /* the type that tensor cores multiply, "f16" or "i8"; NULL: the cell's precision */
    enum precision split; /* where tensor cores compute `products` of parts of elements for one product; 0: nowhere */
    int products;
    const char *simd; /* CPU: what the processor must have beyond the build's isa, "amx" (see host.h); NULL: nothing */
    int compute_capability; /* CUDA: the lowest that it runs on, 80 for 8.0; 0: any */
    double input_roundoff;  /* unit roundoff of the inputs as the variant reads them; 0: that of the precision */
    double input_floor;     /* elements lose their bits below this number; 0: they lose none */
    enum symmetry symmetry;
    bool halved; /* computes one triangle of a symmetric result, and executes no more operations than are needed */
    enum pivoting pivoting;
    bool chaotic;      /* a solver whose threads read each other's new values at once: no two runs are alike */
    bool column_major; /* matrices are given and left column by column */
    bool lapack;       /* blas-*: calls LAPACK, which not every BLAS library has */
    const struct accesses *accesses; /* GPU: input of the bank model; NULL: not modelled */
    enum distribution distribution;  /* of a team */
    bool one_process;       /* of a team of GPUs: one process drives all of them; else each GPU has a process */
    const char *unmodelled; /* GPU, without accesses: why, if the variant uses shared memory */
    const void *kernel;     /* what only its backend asks: struct opencl_kernel, struct sycl_groups; else NULL */
    double typical_gflops;  /* of executed operations; order of magnitude, for the first prediction only */
    /* Says why this algorithm cannot run the cell on any machine; NULL: it can. cell_reason() makes the text. */
    const char *(*reject)(const struct cell *cell);
    /* A kernel may change its process (threads, floating-point environment, signals, affinity, folder, locale). The
     * runner restores the state of the worker's start before each request, so that no kernel meets another's changes.
     *
     * These functions return 0, or non-zero with job->error set; job_fail() does both. Only `run` is timed. If memory
     * was short, errno is ENOMEM, as malloc leaves it: the cell then has the status "memory". If prepare fails, it has
     * released what it allocated, and release is not called. An OpenCL variant may leave all NULL; a CUDA or SYCL one
     * does: its entry points are <problem>_<file>_prepare, _launch, _check and _release; all but _launch are optional.
     * _check runs after each timed block, untimed, and says whether the device has reported a fault of its own. A
     * variant of a team leaves all NULL too: see team_variant.h. */
    int (*prepare)(struct job *job);
    int (*run)(struct job *job);
    void (*release)(struct job *job);
};

/* Begins the description of a variant: VARIANT(matmul, seq_ijk) in kernels/matmul/seq_ijk.c. TILELAB_BUILD is the
 * build of a CPU kernel, _f32_O3_v3, and empty elsewhere. */
#define TILELAB_JOIN_(a, b, c) a##_##b##c
#define TILELAB_JOIN(a, b, c) TILELAB_JOIN_(a, b, c)
#ifndef TILELAB_BUILD
#define TILELAB_BUILD
#endif
#define VARIANT(problem, file) \
    extern const struct variant TILELAB_JOIN(problem, file, TILELAB_BUILD); \
    const struct variant TILELAB_JOIN(problem, file, TILELAB_BUILD)

/* The element type of a CPU kernel's build. i32 is computed modulo 2^32, without undefined overflow. */
#if defined(TILELAB_F32)
typedef float real;
#elif defined(TILELAB_F64)
typedef double real;
#elif defined(TILELAB_I32)
typedef uint32_t real;
#endif

#if defined(__GNUC__)
#define TILELAB_PRINTF(text, first) __attribute__((format(printf, text, first), unused))
#else
#define TILELAB_PRINTF(text, first)
#endif

/* Sets job->error and returns non-zero, for `return` in prepare and run. */
static inline int job_fail(struct job *job, const char *format, ...) TILELAB_PRINTF(2, 3);
static inline int job_fail(struct job *job, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(job->error, sizeof job->error, format, args);
    va_end(args);
    return -1;
}

/* Makes the text of a reason, for `return` in reject(). The text is valid until the next call. */
static inline const char *cell_reason(const char *format, ...) TILELAB_PRINTF(1, 2);
static inline const char *cell_reason(const char *format, ...)
{
    static char text[240];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}

/* Bytes of an element in a cell's precision. */
static inline int64_t cell_element_bytes(const struct cell *cell)
{
    return cell->precision == F64 ? 8 : 4;
}

#endif
