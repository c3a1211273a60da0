/* The table of problems and variants, grown from kernels/registry.def.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_REGISTRY_H
#define TILELAB_REGISTRY_H

#include "cell.h"
#include "problem.h"

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
const struct problem *registry_problem(const char *name);

/* Shell-style match of "omp-*" or "matmul/omp-*" against an entry. */
bool registry_matches(const struct entry *entry, const char *pattern);

extern const char *const registry_backend_names[]; /* "cpu", "blas", "cuda" */

/* The library that does a variant's work, "openblas" or "cublas"; empty: none. */
const char *registry_library(const struct entry *entry);

/* The slot of a variant's curves in figures/style.gp, as in struct variant. */
int registry_style(const struct entry *entry);

/* The axes that make a difference to this entry: precision, the problem's shape, its own, and isa and opt on the CPU. */
unsigned registry_axes(const struct entry *entry);

#endif
