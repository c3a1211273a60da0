/* What a kernel file tells the runner, and what it is given. Every kernel file includes this, itself or through another
 * header.
 * SPDX-License-Identifier: MIT
 *
 * A variant is one file and one line. The file defines its description with VARIANT(problem, file) = {...};
 * the line in kernels/registry.def gives its place in the ladder.
 *
 * A CPU kernel file is written in terms of `real` and compiled once for each precision, optimisation level and
 * instruction set; the registry chooses the build that a cell asks for. In a .cu file the description is plain C
 * outside `#ifdef __CUDACC__`; nvcc builds only the part inside, whose entry points are found by name.
 *
 * Many kernels need nothing else from here. A kernel calls no function of the runner: what kernels share are headers,
 * compiled into each file with its own flags. Those of one problem lie beside its kernels, those of several here, such
 * as packed.h, solve.h, tiles.h and, for device parts, the .cuh files; their first lines say what they are for. What
 * job->blas offers is in blas.h. Headers of the C library and of the CUDA Toolkit are free to use. What a file includes
 * from here is part of its variant: a change there makes the variant's results stale. */
#ifndef TILELAB_VARIANT_H
#define TILELAB_VARIANT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum precision { F32 = 1, F64, I32, PRECISIONS = I32 };
enum isa { ISA_BASE = 1, ISA_V3, ISA_V4, ISAS = ISA_V4 };
enum opt { OPT_O2 = 1, OPT_O3, OPTS = OPT_O3 };

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

/* One point of a grid for one variant. Sizes in elements; 0: the axis does not apply. */
struct cell {
#define AXIS(field, ...) int64_t field;
#include "axes.def"
#undef AXIS
    const struct entry *entry; /* the line of the registry */
};

enum { MAX_OPERANDS = 4 };

/* What a thread may count on; 0: not known. */
struct caches {
    int64_t l1d_bytes, l2_bytes;
    int64_t l3_share_bytes; /* of the third level, which many cores share */
};

/* What a variant works on: one cell, with its operands where the backend can reach them. */
struct job {
    const struct cell *cell;
    void *operand[MAX_OPERANDS]; /* in the problem's order (matmul: A, B, C); row-major, contiguous, 64-byte
                                    aligned; device pointers for a CUDA variant */
    void *state;                 /* the variant's own, between prepare and release */
    struct caches caches;        /* for CPU variants */
    const struct blas *blas;     /* the library, for blas-* variants */
    void *stream;                /* cudaStream_t, for CUDA variants */
    char error[240];             /* why prepare or run returned non-zero */
};

/* Which measured rate is "the peak" for a variant; UNIT_TIME: none, its time is the result. */
enum unit { UNIT_FMA, UNIT_MEMORY, UNIT_TIME };

/* How a factorisation chooses its pivots, and with that its inputs: as they come, for matrices that are safe so; or the
 * largest of the column below the diagonal, for general ones. */
enum pivoting { PIVOTING_NONE, PIVOTING_PARTIAL };

/* What a variant promises of a symmetric result: nothing beyond its value; that both triangles are equal bit for bit;
 * or that it writes the lower triangle only, as BLAS syrk does. */
enum symmetry { SYMMETRY_NONE, SYMMETRY_MIRRORED, SYMMETRY_LOWER };

struct accesses; /* access.h */

struct variant {
    const char *summary; /* one line, no full stop */
    const char *source;  /* keys of the sources that use this algorithm ("granular, lab5"), or "baseline", "tilelab" */
    bool vendor;         /* a library does the work: own variants are compared with it */
    const char *library; /* that a CUDA variant calls, "cublas"; NULL: none, or that of the entry of a blas-* variant */
    int style; /* a library's slot in figures/style.gp, 1 to 6; 0: a slot by the variant's place in the ladder */
    unsigned precisions;  /* BIT(F32) | ... */
    unsigned axes;        /* HONOURS(threads) | HONOURS(tile): those beyond the problem's own */
    struct cell defaults; /* values of honoured axes that an experiment does not name (.tile = 32) */
    enum unit unit;
    unsigned tensor;        /* BIT() of the precisions that it may compute on tensor cores, beyond the peak of FMA */
    int compute_capability; /* CUDA: the lowest that it runs on, 80 = 8.0; 0: any */
    double input_roundoff;  /* unit roundoff of the inputs as the variant reads them; 0: the precision's */
    enum symmetry symmetry;
    bool halved; /* needs half of the operations that the problem counts: one triangle of a symmetric result */
    enum pivoting pivoting;
    bool chaotic;      /* a solver whose threads read each other's new values as they come: no two runs are alike */
    bool column_major; /* operands that are matrices are given and left column by column */
    bool lapack;       /* blas-*: calls LAPACK, which not every BLAS library has */
    const struct accesses *accesses; /* CUDA: what the bank model needs; NULL: not modelled */
    double typical_gflops;           /* order of magnitude, for the first prediction only */
    /* Why this cell cannot be run by this algorithm on any machine, or NULL. May use cell_reason(). */
    const char *(*reject)(const struct cell *cell);
    /* Return 0, or non-zero with job->error set (job_fail does both). Only `run` is timed. CUDA variants leave these
     * NULL: their entry points are <problem>_<file>_prepare, _launch, _check (untimed, after each timed block: did the
     * device report a fault of its own?) and _release; all but _launch are optional. A prepare that fails has released
     * what it took: no release follows. */
    int (*prepare)(struct job *job);
    int (*run)(struct job *job);
    void (*release)(struct job *job);
};

/* VARIANT(matmul, seq_ijk) in kernels/matmul/seq_ijk.c. TILELAB_BUILD is _f32_O3_v3 and the like for CPU kernels,
 * and empty elsewhere. */
#define TILELAB_JOIN_(a, b, c) a##_##b##c
#define TILELAB_JOIN(a, b, c) TILELAB_JOIN_(a, b, c)
#ifndef TILELAB_BUILD
#define TILELAB_BUILD
#endif
#define VARIANT(problem, file) \
    extern const struct variant TILELAB_JOIN(problem, file, TILELAB_BUILD); \
    const struct variant TILELAB_JOIN(problem, file, TILELAB_BUILD)

/* The element type of a CPU kernel's build; i32 is computed modulo 2^32. */
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

static inline int job_fail(struct job *job, const char *format, ...) TILELAB_PRINTF(2, 3);
static inline int job_fail(struct job *job, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(job->error, sizeof job->error, format, args);
    va_end(args);
    return -1;
}

/* A reason as text, for `return` in reject(); valid until the next call. */
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

/* Why `tile` does not divide a size, or NULL. For reject() of algorithms without guards. */
static inline const char *multiple_reason(const char *name, int64_t size, int64_t tile)
{
    if (size % tile == 0)
        return NULL;
    return cell_reason("%s = %lld is no multiple of tile = %lld, as this algorithm demands", name, (long long)size,
                       (long long)tile);
}

#endif
