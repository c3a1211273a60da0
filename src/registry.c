/* The table of problems and variants: kernels/registry.def expanded, and look-ups in it.
 * SPDX-License-Identifier: MIT */
#include "registry.h"

#include "blas.h"

#include <fnmatch.h>
#include <string.h>

const char *const registry_backend_names[] = {"cpu", "blas", "cuda", NULL};

/* Every symbol that a line of registry.def promises; one that no file defines is a link error. */
#define EACH_ISA_OF(what, owner, file, precision, opt) \
    what(owner, file, precision, opt, base, ISA_BASE) EACH_X86_ISA_OF(what, owner, file, precision, opt)
#if defined(__x86_64__)
#define EACH_X86_ISA_OF(what, owner, file, precision, opt) \
    what(owner, file, precision, opt, v3, ISA_V3) what(owner, file, precision, opt, v4, ISA_V4)
#else
#define EACH_X86_ISA_OF(what, owner, file, precision, opt)
#endif

#define DECLARE(owner, file, precision, opt, isa, index) \
    extern const struct variant owner##_##file##_##precision##_##opt##_##isa;
#define DECLARE_OPTS(owner, file, precision) \
    EACH_ISA_OF(DECLARE, owner, file, precision, O2) \
    EACH_ISA_OF(DECLARE, owner, file, precision, O3)

#define PROBLEM(owner) extern const struct problem problem_##owner;
#define CPU(owner, file) \
    DECLARE_OPTS(owner, file, f32) \
    DECLARE_OPTS(owner, file, f64) \
    DECLARE_OPTS(owner, file, i32)
#define BLAS(owner, file) extern const struct variant owner##_##file;
#define CUDA(owner, file) extern const struct variant owner##_##file;
#include "registry.def"
#undef PROBLEM
#undef CPU
#undef BLAS
#undef CUDA

/* A line of registry.def. */
struct line {
    enum backend_id backend;
    const struct problem *problem;
    const char *stem;   /* "matmul/seq_ijk" */
    const char *symbol; /* "matmul_seq_ijk" */
    const char *path;
    const struct variant *meta;
    const struct variant *build[PRECISIONS + 1][OPTS + 1][ISAS + 1];
};

#define POINT(owner, file, precision, opt, isa, index) [index] = &owner##_##file##_##precision##_##opt##_##isa,
#define POINT_OPTS(owner, file, precision) \
    { \
        [OPT_O2] = {EACH_ISA_OF(POINT, owner, file, precision, O2)}, \
        [OPT_O3] = {EACH_ISA_OF(POINT, owner, file, precision, O3)}, \
    }

static const struct line lines[] = {
#define PROBLEM(owner)
#define CPU(owner, file) \
    {BACKEND_CPU, \
     &problem_##owner, \
     #owner "/" #file, \
     #owner "_" #file, \
     "kernels/" #owner "/" #file ".c", \
     &owner##_##file##_f32_O3_base, \
     {[F32] = POINT_OPTS(owner, file, f32), \
      [F64] = POINT_OPTS(owner, file, f64), \
      [I32] = POINT_OPTS(owner, file, i32)}},
#define ONCE(backend, extension, owner, file) \
    {backend,         &problem_##owner, #owner "/" #file, #owner "_" #file, "kernels/" #owner "/" #file extension, \
     &owner##_##file, {{{NULL}}}},
#define BLAS(owner, file) ONCE(BACKEND_BLAS, ".c", owner, file)
#define CUDA(owner, file) ONCE(BACKEND_CUDA, ".cu", owner, file)
#include "registry.def"
#undef PROBLEM
#undef CPU
#undef BLAS
#undef CUDA
};

static const struct problem *const problems[] = {
#define PROBLEM(owner) &problem_##owner,
#define CPU(owner, file)
#define BLAS(owner, file)
#define CUDA(owner, file)
#include "registry.def"
#undef PROBLEM
#undef CPU
#undef BLAS
#undef CUDA
};

/* Written by the build: what each file was made of and with. */
static const struct {
    const char *stem, *source_hash, *compile_line;
} hashes[] = {
#define HASH(stem, source_hash, compile_line) {stem, source_hash, compile_line},
#include "hashes.def"
#undef HASH
    {NULL, "", ""},
};

enum { LINES = sizeof lines / sizeof *lines, PROBLEMS = sizeof problems / sizeof *problems };
enum { LIBRARIES_MAX = 16 };
enum {
#define PROBLEM(owner)
#define CPU(owner, file) +1
#define CUDA(owner, file) +1
#define BLAS(owner, file) +LIBRARIES_MAX
    ENTRIES_MAX =
#include "registry.def"
};

static void replace_underscores(char *text)
{
    for (; *text; text++)
        if (*text == '_')
            *text = '-';
}

static void fill_entry(struct entry *entry, const struct line *line, const char *library)
{
    if (library) { /* "aat/blas_syrk" of openblas is aat/blas-openblas-syrk */
        const char *rest = strchr(line->stem, '/') + 1 + strlen("blas");
        snprintf(entry->name, sizeof entry->name, "%.*s-%s%s", (int)(rest - line->stem), line->stem, library, rest);
        snprintf(entry->library, sizeof entry->library, "%s", library);
    } else {
        snprintf(entry->name, sizeof entry->name, "%s", line->stem);
    }
    replace_underscores(entry->name);
    entry->idea = strchr(entry->name, '/') + 1;
    entry->problem = line->problem;
    entry->backend = line->backend;
    snprintf(entry->symbol, sizeof entry->symbol, "%s", line->symbol);
    entry->file = line->path;
    entry->meta = line->meta;
    memcpy(entry->build, line->build, sizeof entry->build);

    size_t found = 0;
    while (hashes[found].stem && strcmp(hashes[found].stem, line->stem) != 0)
        found++;
    entry->source_hash = hashes[found].source_hash;
    entry->compile_line = hashes[found].compile_line;
}

const struct entry *registry(size_t *count)
{
    static struct entry entries[ENTRIES_MAX];
    static size_t filled;

    if (!filled) {
        const char *libraries[LIBRARIES_MAX];
        const size_t library_count = blas_names(libraries, LIBRARIES_MAX);
        for (size_t i = 0; i < LINES; i++) {
            if (lines[i].backend == BACKEND_BLAS)
                for (size_t l = 0; l < library_count; l++)
                    fill_entry(&entries[filled++], &lines[i], libraries[l]);
            else
                fill_entry(&entries[filled++], &lines[i], NULL);
        }
    }
    *count = filled;
    return entries;
}

const struct entry *registry_find(const char *name)
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entry[i].name, name) == 0)
            return &entry[i];
    return NULL;
}

const struct problem *registry_problem(const char *name)
{
    for (size_t i = 0; i < PROBLEMS; i++)
        if (strcmp(problems[i]->name, name) == 0)
            return problems[i];
    return NULL;
}

bool registry_matches(const struct entry *entry, const char *pattern)
{
    return fnmatch(pattern, strchr(pattern, '/') ? entry->name : entry->idea, 0) == 0;
}

const char *registry_library(const struct entry *entry)
{
    if (entry->library[0] != '\0')
        return entry->library;
    return entry->meta->library ? entry->meta->library : "";
}

int registry_style(const struct entry *entry)
{
    return entry->library[0] != '\0' ? blas_style(entry->library) : entry->meta->style;
}

unsigned registry_axes(const struct entry *entry)
{
    unsigned honoured = HONOURS(precision) | entry->problem->axes | entry->meta->axes;
    if (entry->backend == BACKEND_CPU)
        honoured |= HONOURS(isa) | HONOURS(opt);
    return honoured;
}
