/* A problem owns its contract: shapes, inputs, work, verification, baseline. Kernels do not include this.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PROBLEM_H
#define TILELAB_PROBLEM_H

#include "status.h"
#include "variant.h"

#include <math.h>

/* INOUT: generated, then worked on in place; fresh in every run. */
enum role { INPUT, OUTPUT, INOUT };

/* EXACT: small integers, for which every order of summation gives the same value; checked with tolerance 0.
 * RANDOM: uniform in [-1, 1); these are the ones timed. i32 has RANDOM only, which is exact modulo 2^32. */
enum inputs { INPUTS_EXACT, INPUTS_RANDOM };

struct operand {
    const char *name;
    enum role role;
    void (*shape)(const struct cell *cell, int64_t *rows, int64_t *cols);
};

struct verdict {
    bool ok;
    enum status status; /* where ok: STATUS_OK, or how the method fails all the same: reason says why */
    double error;       /* largest error in units of the bound's scale, see problem.c; NAN: not computed */
    double bound;       /* what `error` must not exceed */
    double norm2;       /* squared Frobenius norm of the output; NAN: not computed */
    double growth;      /* of a factorisation: max |U| over max |A|; 0: not computed */
    double residual;    /* of a solver: norm of b - A x; NAN: not computed */
    double radius;      /* of a solver: spectral radius of the iteration's matrix; NAN: not computed */
    char reason[190];   /* where and how it is wrong, empty if ok */
};

struct problem {
    const char *name;
    const char *summary;
    const char *formula;  /* LaTeX, "C = AB" */
    const char *baseline; /* variant pattern, "blas-*" */
    unsigned precisions;
    unsigned axes; /* shape axes: HONOURS(m) | HONOURS(n) | HONOURS(k); m and k default to n */
    bool hidden;   /* not listed; refused in experiment files unless TILELAB_TEST is set */
    bool probe;    /* measures a ceiling of the machine; the runner adds some to every study of other problems */
    int operand_count;
    struct operand operand[MAX_OPERANDS];
    int element_bytes[MAX_OPERANDS];          /* of operands that are not of the cell's precision; 0: they are */
    double (*flops)(const struct cell *cell); /* operations of one run, as the sources count them */
    double (*bytes)(const struct cell *cell); /* compulsory traffic of one run: each operand once */
    /* Of an iterative solver, whose last operand is a struct solver_log: the sweeps that a run is expected to take, of
     * one of which flops and bytes tell. NULL: no solver. */
    double (*sweeps)(const struct cell *cell);
    /* Whether a cell is also checked on EXACT inputs; NULL: no, or the timed ones are checked exactly. */
    bool (*has_exact)(const struct cell *cell);
    /* Fills the INPUT and INOUT operands in host memory, with all cores. Same values for every variant of one contract
     * and storage order, thread count and machine. */
    void (*generate)(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
    /* What verification needs and no variant changes, computed once a point in O(n^2); NULL on lack of memory. INOUT
     * operands are here the copies that no variant touches; they, and what they hold, outlive the reference. Both of
     * these hooks are NULL where the operands say it all. */
    void *(*reference)(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
    void (*reference_free)(void *reference);
    /* Judges the OUTPUT and INOUT operands with all cores. NaN fails. */
    void (*verify)(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict);
};

/* An element of an operand as a double: exact, whatever the precision. */
static inline double operand_value(const void *operand, int64_t precision, int64_t i)
{
    if (precision == F32)
        return (double)((const float *)operand)[i];
    return precision == F64 ? ((const double *)operand)[i] : (double)((const int32_t *)operand)[i];
}

/* What is wrong, as text; the error stays as it was computed. Returns false, as a failed check does. */
static inline bool verdict_refuse(struct verdict *verdict, const char *format, ...) TILELAB_PRINTF(2, 3);
static inline bool verdict_refuse(struct verdict *verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(verdict->reason, sizeof verdict->reason, format, args);
    va_end(args);
    verdict->ok = false;
    return false;
}

/* The same where no error is computed. */
#define verdict_fail(verdict, ...) ((verdict)->error = NAN, (void)verdict_refuse(verdict, __VA_ARGS__))

#endif
