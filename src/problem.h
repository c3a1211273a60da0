/* A problem owns its contract: shapes, inputs, work, verification, baseline. Kernels do not include this header.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PROBLEM_H
#define TILELAB_PROBLEM_H

#include "status.h"
#include "variant.h"

#include <math.h>

/* An INOUT operand is generated, and the variant works on it in place. Every run gets a fresh copy. */
enum role { INPUT, OUTPUT, INOUT };

/* EXACT inputs are small integers, for which every order of summation gives the same value. Their results are checked
 * with tolerance 0. RANDOM inputs are uniform in [-1, 1); these inputs are usually timed. i32 has RANDOM inputs and
 * zeros only, whose results are exact modulo 2^32. The axis `inputs` also times EXACT inputs and the next three kinds:
 * NORMAL inputs have a normal distribution, and SMALL ones are RANDOM ones times 2^-20. Results on ZEROS are checked
 * with tolerance 0. verify/special.h describes the other kinds, which are never timed. */
enum inputs {
    INPUTS_EXACT,
    INPUTS_RANDOM,
    INPUTS_NORMAL,
    INPUTS_ZEROS,
    INPUTS_SMALL,
    INPUTS_GRADED,
    INPUTS_DENORMALS,
    INPUTS_NONFINITE,
    INPUTS_TIES,
    INPUTS_CONSTANT,
    INPUTS_KINDS
};

/* Each timed sample has inputs of its own: vectors of signs multiply the rows and columns of the inputs. The results
 * then have other signs too, and not one bit else, since rounding is symmetric. At most one element of each vector is
 * negative, so that a change takes O(n). verify/signs.h applies and undoes them. */
enum { SIGN_VECTORS = 3 };
struct signs {
    int64_t negative[SIGN_VECTORS]; /* for each vector, the index of its negative element; -1: there is none */
};

struct operand {
    const char *name;
    enum role role;
    void (*shape)(const struct cell *cell, int64_t *rows, int64_t *cols);
    int row_signs, col_signs; /* which vector of signs multiplies the rows (the columns), from 1; 0: none */
};

struct verdict {
    bool ok;
    enum status status; /* if ok: STATUS_OK, or how the method fails although the variant is right; see reason. Else
                         * STATUS_MEMORY if the result could not be judged */
    double error;       /* largest error, in units that problem.c defines; NAN: not computed */
    double bound;       /* the largest `error` that is accepted */
    double norm2;       /* squared Frobenius norm of the output; NAN: not computed */
    double growth;      /* of a factorisation: max |U| over max |A|; 0: not computed */
    double residual;    /* of a solver: norm of b - A x; NAN: not computed */
    double radius;      /* of a solver: spectral radius of the iteration's matrix; NAN: not computed */
    char reason[190];   /* where and how the result is wrong; empty if ok */
};

struct team_problem; /* team_variant.h */

struct problem {
    const char *name;
    const char *summary;
    const char *formula;                /* LaTeX, "C = AB" */
    const char *title, *title_ru;       /* of its chapter in the report; NULL: its chapter is not its own */
    const char *computes, *computes_ru; /* LaTeX, for the report's summary: "products $C=AB$"; NULL: only its name */
    const char *baseline;               /* variant pattern, "blas-*" */
    unsigned precisions;
    unsigned axes; /* shape axes: HONOURS(m) | HONOURS(n) | HONOURS(k); m and k default to n */
    bool hidden;   /* not listed, and refused in experiment files unless TILELAB_TEST is set */
    bool probe;    /* measures a ceiling of the machine; the runner adds some probes to every study */
    int operand_count;
    struct operand operand[MAX_OPERANDS];
    int element_bytes[MAX_OPERANDS];          /* of operands of a type of their own; 0: the cell's precision */
    double (*flops)(const struct cell *cell); /* operations that one run needs, whatever an algorithm executes */
    /* Operations of a variant that computes the whole of a symmetric result; NULL: those of flops. */
    double (*whole_flops)(const struct cell *cell);
    double (*bytes)(const struct cell *cell); /* compulsory traffic of one run: each operand once */
    /* The sweeps that a run of an iterative solver is expected to take. flops and bytes are then those of one sweep,
     * and the last operand is a struct solver_log. NULL: the problem has no sweeps. */
    double (*sweeps)(const struct cell *cell);
    /* Whether a cell is also checked on EXACT inputs; NULL: no, for instance if timed results are checked exactly. */
    bool (*has_exact)(const struct cell *cell);
    /* Whether a cell has a kind of inputs after INPUTS_RANDOM. A problem without has_exact may have integers too, whose
     * results are not exact. NULL: no. */
    bool (*has_special)(const struct cell *cell, enum inputs inputs);
    /* Operations of verify() where they are more than a few for each element of an output; NULL: they are not. */
    double (*verify_flops)(const struct cell *cell);
    /* Fills the INPUT and INOUT operands in host memory, with all cores. The values are the same on every machine and
     * for every thread count, and for all variants with the same pivoting and storage order. */
    void (*generate)(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
    /* Computes what verification needs beyond the operands, once for all variants of a point, in O(n^2); with `against`
     * it takes as long as that variant. NULL: no memory. INOUT operands are here copies that no variant changes; they
     * outlive the reference. Both hooks are NULL if the operands suffice. */
    void *(*reference)(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
    void (*reference_free)(void *reference);
    /* Undoes what signs of the inputs did to the results. NULL: the vectors of each OUTPUT operand tell that. */
    void (*undo_signs)(const struct cell *cell, const struct signs *signs, void *const operand[]);
    /* Judges the OUTPUT and INOUT operands with all cores. NaN fails. */
    void (*verify)(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict);
    /* Of a problem that verify/against.h verifies: the variant, "seq-naive", and the bound. */
    const char *against;
    double within;
    /* Sets wrong[i] to 1 for each element i of the first OUTPUT or INOUT operand that is wrong; all are 0 before. This
     * may take as long as a slow variant. NULL: only elements that are not finite are known to be wrong, and none of an
     * operand of a type of its own. */
    void (*mark)(const struct cell *cell, enum inputs inputs, void *const operand[], unsigned char *wrong);
    const struct team_problem *team; /* the same for a team; NULL: the problem has no variant of a team */
};

/* An element of an operand as a double, which represents every precision exactly. */
static inline double operand_value(const void *operand, int64_t precision, int64_t i)
{
    if (precision == F32)
        return (double)((const float *)operand)[i];
    return precision == F64 ? ((const double *)operand)[i] : (double)((const int32_t *)operand)[i];
}

/* Sets the verdict to wrong, with a reason, and keeps the computed error. Returns false, for `return` in a check. */
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

/* The same for a check that computes no error. */
#define verdict_fail(verdict, ...) ((verdict)->error = NAN, (void)verdict_refuse(verdict, __VA_ARGS__))

/* The result cannot be judged, because memory is short. */
static inline void verdict_no_memory(struct verdict *verdict)
{
    verdict->error = NAN;
    verdict->status = STATUS_MEMORY;
    (void)verdict_refuse(verdict, "no memory to verify the result");
}

#endif
