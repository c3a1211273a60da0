/* The table of problems and variants, grown from kernels/registry.def.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_REGISTRY_H
#define TILELAB_REGISTRY_H

#include "problem.h"
#include "base/number.h"

enum backend_id { BACKEND_CPU, BACKEND_BLAS, BACKEND_CUDA, BACKENDS };

/* One variant as the runner sees it. blas.c of a problem gives one entry for each library known. */
struct entry {
    char name[48];    /* "matmul/seq-ijk" */
    const char *idea; /* the part after the slash, "seq-ijk" */
    const struct problem *problem;
    enum backend_id backend;
    char library[24];           /* blas: "openblas" */
    char symbol[64];            /* "matmul_cuda_global": stem of the entry points in the CUDA shared object */
    const char *file;           /* "kernels/matmul/seq_ijk.c" */
    const char *source_hash;    /* SHA-256 of the preprocessed source and the compile line, hex */
    const char *compile_line;   /* as used for O3 at the highest instruction set, or by nvcc */
    const struct variant *meta; /* the description; the same in every build */
    const struct variant *build[PRECISIONS + 1][OPTS + 1][ISAS + 1]; /* CPU: [precision][opt][isa]; else meta */
};

/* All entries in ladder order; stable during the process and the same in a worker. */
const struct entry *registry(size_t *count);

/* By full name "matmul/seq-ijk"; NULL if there is none. */
const struct entry *registry_find(const char *name);
const struct problem *problem_find(const char *name);

/* Whether two cells of one shape and precision work on the same inputs in the same order: so they do within a problem,
 * but for its contracts. */
bool cells_share_inputs(const struct cell *a, const struct cell *b);

/* The problem's hook of that name, where there is one. */
static inline bool cell_has_exact(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    return problem->has_exact && problem->has_exact(cell);
}

/* Expected of one run: operations, and compulsory traffic in bytes. */
double cell_flops(const struct cell *cell);
double cell_traffic(const struct cell *cell);

/* The build of a cell's variant. */
const struct variant *cell_variant(const struct cell *cell);

/* Shell-style match of "omp-*" or "matmul/omp-*" against an entry. */
bool entry_matches(const struct entry *entry, const char *pattern);

/* The known name closest to `word` in edit distance, or NULL if none is close ("did you mean"). */
const char *nearest_name(const char *word, const char *const *names, size_t count);

extern const char *const backend_names[];   /* "cpu", "blas", "cuda" */
extern const char *const precision_names[]; /* index 1: "f32", ... NULL-terminated */
extern const char *const isa_names[];       /* "base", "v3", "v4" */
extern const char *const opt_names[];       /* "O2", "O3" */

/* The names of a set of precisions, "f32 f64"; empty for none. */
void precisions_text(unsigned precisions, char *text, size_t size);

struct axis {
    const char *field, *key;
    enum axis_kind { COUNT, DECIMAL, NAME } kind;
    enum axis_role { ROLE_SHAPE, ROLE_PLACE, ROLE_TUNING, ROLE_BUILD } role;
    const char *const *names;
    int64_t lowest, highest;
    const char *label, *unset; /* of the name of a curve, see axes.def */
    const char *meaning;
    size_t offset; /* of the int64_t in struct cell */
};
extern const struct axis axes[AXES];
extern const char *const axis_role_names[]; /* "shape", "place", "tuning", "build" */

static inline int64_t *cell_axis(struct cell *cell, int axis)
{
    return (int64_t *)((char *)cell + axes[axis].offset);
}
static inline int64_t cell_value(const struct cell *cell, int axis)
{
    return *(const int64_t *)((const char *)cell + axes[axis].offset);
}

/* The text of a value, as in CSV; empty for 0. Returns the length. */
size_t axis_print(int axis, int64_t value, char text[NUMBER_SIZE]);

/* The library that does a variant's work, "openblas" or "cublas"; empty: none. */
const char *entry_library(const struct entry *entry);

/* The slot of a variant's curves in figures/style.gp, as in struct variant. */
int entry_style(const struct entry *entry);

/* The axes that make a difference to this entry: precision, the problem's shape, its own, and isa and opt on the CPU. */
unsigned entry_axes(const struct entry *entry);

#endif
