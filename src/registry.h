/* The table of problems, variants and backends, made from kernels/registry.def and src/backends.def.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_REGISTRY_H
#define TILELAB_REGISTRY_H

#include "problem.h"

enum backend_id {
#define BACKEND(id, name, suffix, kind, made, devices, axes) BACKEND_##id,
#include "backends.def"
#undef BACKEND
    BACKENDS
};

/* What a backend's kernels run on, and how its kernel files are compiled: see backends.def. */
enum registry_kind { KIND_CPU, KIND_GPU, KIND_ANY, KINDS };
enum registry_made { MADE_BUILDS, MADE_LIBRARIES, MADE_DEVICE, MADE_TEAM };
struct registry_backend {
    const char *name, *suffix; /* "cuda", ".cu" */
    enum registry_kind kind;
    enum registry_made made;
    int devices;   /* how many devices a cell can name; 0: cells of the backend name none */
    unsigned axes; /* what the backend itself can do for a cell that is no probe: HONOURS(cache) */
};
extern const struct registry_backend registry_backends[BACKENDS];
extern const char *const registry_kind_names[]; /* "CPU", "GPU", "any" */

/* One variant as the runner sees it. A file that is MADE_LIBRARIES gives one entry for each library known. */
struct entry {
    char name[48];    /* "matmul/seq-ijk" */
    const char *idea; /* the part after the slash, "seq-ijk" */
    const struct problem *problem;
    enum backend_id backend;
    char library[24];           /* MADE_LIBRARIES: "openblas"; else empty */
    char symbol[64];            /* "matmul_cuda_global": stem of the entry points in a shared object,
                                   and key of an OpenCL source */
    const char *file;           /* "kernels/matmul/seq_ijk.c" */
    const char *source_hash;    /* SHA-256 of the preprocessed source and the compile line, hex */
    const char *compile_line;   /* of the build for O3 and the highest instruction set, or of the only build */
    const struct variant *meta; /* the description; the same in every build */
    const struct variant *build[PRECISIONS + 1][OPTS + 1][ISAS + 1]; /* MADE_BUILDS: [precision][opt][isa]; else NULL */
    const char *objects; /* of a user's own kernel: the folder of its shared objects (own/own.h); NULL: it is linked */
    const char *shown;   /* of such a kernel: how the user calls its file */
    const char *missing; /* of such a kernel: why it cannot be compiled here; NULL: it can */
};

/* A line of registry.def, or a kernel of a user's own folder. */
struct registry_line {
    enum backend_id backend;
    const struct problem *problem;
    const char *stem;   /* "matmul/seq_ijk" */
    const char *symbol; /* "matmul_seq_ijk" */
    const char *path;
    const struct variant *meta;
    const struct variant *build[PRECISIONS + 1][OPTS + 1][ISAS + 1];
    /* Of a user's own kernel alone. */
    const char *objects, *shown, *missing, *source_hash, *compile_line;
};

/* Adds a kernel of a user's own folder behind those of its problem, or a problem behind all others. What it points to
 * stays until the end. Nobody may have called registry() before, which registry_is_asked() tells. */
void registry_add(const struct registry_line *line);
void registry_add_problem(const struct problem *problem);
bool registry_is_asked(void);
/* The file of a stem, "kernels/matmul/seq_ijk.c" of "matmul/seq_ijk"; of "matmul/problem" too. NULL: registry.def has
 * no such line. */
const char *registry_file(const char *stem);

/* With the environment variable TILELAB_TWINS, each variant exists a second time, with this behind its name. `tilelab
 * calibrate` compares a variant with its twin. */
#define REGISTRY_TWIN "-twin"

/* All entries in ladder order. The array and its order stay the same during the process, and in its workers. */
const struct entry *registry(size_t *count);

/* The entry of a full name, "matmul/seq-ijk", and the problem of a name; NULL if there is none. */
const struct entry *registry_find(const char *name);
const struct problem *registry_problem(const char *name);

/* Takes another build for cells of the same variant, which is MADE_BUILDS, in place of the program's, or of what the
 * cache has of a user's own kernel; NULL: these cells do not run. */
void registry_replace(const struct cell *cell, const struct variant *build);

/* Whether a shell pattern, "omp-*" or "matmul/omp-*", matches the entry. */
bool registry_matches(const struct entry *entry, const char *pattern);

/* What the variant runs on. */
enum registry_kind registry_kind(const struct entry *entry);

/* The library that does a variant's work, "openblas" or "cublas"; empty: none. */
const char *registry_library(const struct entry *entry);

/* The slot of a variant's curves in figures/style.gp, as in struct variant. */
int registry_style(const struct entry *entry);

/* The set of axes that make a difference to this entry: precision, the axes of the problem, and the axes of the
 * variant. isa and opt belong to the set if the file is MADE_BUILDS, device_id if the backend has devices. The axes of
 * the backend belong to it unless the problem is a probe. */
unsigned registry_axes(const struct entry *entry);

/* The value of the axis device_id that names device `number` of a backend, counted from 0. */
int64_t registry_device(enum backend_id id, int number);

#endif
