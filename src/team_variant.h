/* What the members of a team share: several processes, or several GPUs, that compute one cell together.
 * SPDX-License-Identifier: MIT
 *
 * A matrix is distributed in blocks, cyclically over a grid of parts, as ScaLAPACK distributes it; each part lies in
 * memory column by column. A process has one part, or drives several GPUs and has a part on each. The members generate
 * the inputs and verify the result where the parts lie, so no memory has to hold a whole matrix.
 *
 * A variant on ranks of MPI is a C file, compiled a second time with TILELAB_MEMBER; a variant on GPUs is a CUDA file.
 * It defines MEMBER_ENTRY functions that
 * return 0, or non-zero with job->error set: <problem>_<file>_launch(job), which alone is timed, and optionally
 * _prepare(job), void _release(job), and for a factorisation _solve(job, x): x is a struct team_matrix of one column,
 * whose right-hand side is replaced by the solution. All members call them at the same time. */
#ifndef TILELAB_TEAM_VARIANT_H
#define TILELAB_TEAM_VARIANT_H

#include "problem.h"

enum { TEAM_PARTS_MAX = 16, TEAM_API_VERSION = 2 };

#ifdef __cplusplus
#define MEMBER_ENTRY extern "C" __attribute__((visibility("default")))
#else
#define MEMBER_ENTRY __attribute__((visibility("default")))
#endif

struct team_part {
    void *data;
    int64_t rows, cols; /* of the part; 0: it has no element */
    int64_t ld;         /* elements from one column to the next, at least 1 */
    int grid_row, grid_col;
    int device; /* of its process; -1: host memory */
};

struct team_matrix {
    int64_t rows, cols, block_rows, block_cols, precision;
    int grid_rows, grid_cols;
    int parts; /* of this process */
    struct team_part part[TEAM_PARTS_MAX];
};

struct team {
    int rank, size;           /* this process, and how many there are */
    int devices;              /* GPUs of the team; 0: none */
    int grid_rows, grid_cols; /* parts along rows and columns */
    bool in_host_memory;      /* of a team of GPUs: its matrices are whole, and lie in pinned host memory */
    void *comm;               /* ncclComm_t of a team of GPUs with a process each */
    const char *library;      /* whose variants the team runs, such as "cublasmp" */
    struct team_matrix matrix[MAX_OPERANDS];
};

/* The inputs of an operand: element (i, j) follows from the key and the counter i * cols + j, see base/random.h. */
enum team_kind { TEAM_UNIFORM, TEAM_POSITIVE, TEAM_INTEGERS, TEAM_DOMINANT };
struct team_inputs {
    enum team_kind kind;
    uint64_t key;
    int64_t low;
    uint64_t values; /* of TEAM_INTEGERS */
};

/* Which elements of a matrix count. */
enum team_triangle { TEAM_ALL, TEAM_LOWER, TEAM_STRICTLY_LOWER };

/* How members talk. All members call a function at the same time. Returns 0, or non-zero: the team has broken up. */
struct team_messages {
    /* Starts or joins the team, and sets rank and size. `why` tells a failure. */
    int (*open)(struct team *team, char *why, size_t size);
    int (*sum)(double *values, int64_t count); /* each value becomes the sum of the members' values */
    int (*most)(double *value);                /* the value becomes the largest of the members' values */
    int (*share)(void *bytes, size_t size, int from);
    int (*await)(void *bytes, size_t size); /* as share from rank 0, but a member that waits leaves its core free */
    void (*close)(void);
};

/* The memory where parts lie. A function that returns int returns 0, or non-zero with `why` set by the last failure. */
struct team_memory {
    const char *(*why)(void);
    void *(*allocate)(int device, size_t bytes);
    void (*release)(int device, void *memory);
    int (*set)(const struct team_matrix *matrix, int byte);
    int (*fill)(const struct team_matrix *matrix, const struct team_inputs *inputs);
    /* Adds the parts' share of A x, or of A^T x, to y; `magnitudes`: of |A| x. Vectors lie in host memory. */
    int (*multiply)(const struct team_matrix *matrix, bool transposed, bool magnitudes, enum team_triangle triangle,
                    const double *x, double *y);
    /* Adds to a digest and a sum of squares of the elements. */
    int (*digest)(const struct team_matrix *matrix, uint64_t *digest, double *norm2);
    /* Copies a column vector from host memory, and adds the parts of one to host memory. */
    int (*put)(const struct team_matrix *matrix, const double *from);
    int (*get)(const struct team_matrix *matrix, double *to);
    int (*wait)(void); /* until everything that was started on the devices is done */
};

/* What a shared object for members offers. dlsym("tilelab_team") finds the function that returns it. */
struct team_api {
    int version;
    const struct team_messages *messages; /* NULL: processes of one host, the runner's own */
    const struct team_memory *memory;     /* NULL: host memory, the runner's own */
    /* After messages->open: takes the GPUs of this process. NULL: there are none. */
    int (*join)(struct team *team, const struct team_messages *messages, char *why, size_t size);
    void *(*stream)(void); /* NULL: none */
};
typedef const struct team_api *(*team_function)(void);

struct solver_log; /* solver_log.h */

/* A result of a team that is to be judged. All members judge alike. */
struct team_check {
    const struct cell *cell;
    enum inputs inputs;
    uint64_t seed;
    struct team *team;
    const struct solver_log *log; /* of a solver */
    const struct team_messages *messages;
    const struct team_memory *memory;
    int (*refill)(struct team_check *check, int operand); /* generates an operand anew */
    int (*solve)(struct team_check *check, double *x);    /* x is a host vector; the factorisation's _solve */
    void *context;                                        /* of the two functions above */
};

/* How a team generates inputs of a problem, and verifies its result. */
struct team_problem {
    struct team_inputs (*inputs)(const struct cell *cell, int operand, enum inputs inputs, uint64_t seed);
    void (*judge)(struct team_check *check, struct verdict *verdict);
};

/* How many of `count` rows, distributed in blocks over `parts`, part number `part` has. */
static inline int64_t team_share(int64_t count, int64_t block, int part, int parts)
{
    const int64_t whole = count / block, rest = count % block, extra = whole % parts;
    return whole / parts * block + (part < extra ? block : part == extra ? rest : 0);
}

/* The row of the matrix that a part has as its row `local`. */
static inline int64_t team_index(int64_t local, int64_t block, int part, int parts)
{
    return (local / block * parts + part) * block + local % block;
}

#endif
