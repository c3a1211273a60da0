/* The table of problems and variants: kernels/registry.def expanded, and look-ups in it.
 * SPDX-License-Identifier: MIT */
#include "registry.h"

#include "blas.h"

#include <fnmatch.h>
#include <string.h>

const char *const backend_names[] = {"cpu", "blas", "cuda", NULL};
const char *const precision_names[] = {"", "f32", "f64", "i32", NULL};
const char *const isa_names[] = {"", "base", "v3", "v4", NULL};
const char *const opt_names[] = {"", "O2", "O3", NULL};

const char *const axis_role_names[] = {"shape", "place", "tuning", "build", NULL};

const struct axis axes[AXES] = {
#define AXIS(field, key, kind, role, names, lowest, highest, label, unset, meaning) \
    {#field, key, kind, ROLE_##role, names, lowest, highest, label, unset, meaning, offsetof(struct cell, field)},
#include "axes.def"
#undef AXIS
};

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

const struct problem *problem_find(const char *name)
{
    for (size_t i = 0; i < PROBLEMS; i++)
        if (strcmp(problems[i]->name, name) == 0)
            return problems[i];
    return NULL;
}

bool cells_share_inputs(const struct cell *a, const struct cell *b)
{
    return a->entry->problem == b->entry->problem && a->entry->meta->pivoting == b->entry->meta->pivoting &&
           a->entry->meta->column_major == b->entry->meta->column_major;
}

static double expected_sweeps(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    return problem->sweeps ? problem->sweeps(cell) : 1;
}

double cell_flops(const struct cell *cell)
{
    return expected_sweeps(cell) * cell->entry->problem->flops(cell);
}

double cell_traffic(const struct cell *cell)
{
    return expected_sweeps(cell) * cell->entry->problem->bytes(cell);
}

const struct variant *cell_variant(const struct cell *cell)
{
    if (cell->entry->backend != BACKEND_CPU)
        return cell->entry->meta;
    return cell->entry->build[cell->precision][cell->opt][cell->isa];
}

size_t axis_print(int axis, int64_t value, char text[NUMBER_SIZE])
{
    text[0] = '\0';
    if (value == 0)
        return 0;
    if (axes[axis].kind == DECIMAL)
        return decimal_print(value, text);
    if (axes[axis].kind == NAME)
        return (size_t)snprintf(text, NUMBER_SIZE, "%s", axes[axis].names[value]);
    return (size_t)snprintf(text, NUMBER_SIZE, "%lld", (long long)value);
}

bool entry_matches(const struct entry *entry, const char *pattern)
{
    return fnmatch(pattern, strchr(pattern, '/') ? entry->name : entry->idea, 0) == 0;
}

const char *entry_library(const struct entry *entry)
{
    if (entry->library[0] != '\0')
        return entry->library;
    return entry->meta->library ? entry->meta->library : "";
}

int entry_style(const struct entry *entry)
{
    return entry->library[0] != '\0' ? blas_style(entry->library) : entry->meta->style;
}

unsigned entry_axes(const struct entry *entry)
{
    unsigned honoured = HONOURS(precision) | entry->problem->axes | entry->meta->axes;
    if (entry->backend == BACKEND_CPU)
        honoured |= HONOURS(isa) | HONOURS(opt);
    return honoured;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    enum { LONGEST = 96 };
    size_t row[3][LONGEST + 1];

    if (a_length > LONGEST || b_length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *const now = row[i % 3];
        const size_t *const last = row[(i - 1) % 3], *const last_but_one = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], last_but_one[j - 2] + 1);
        }
    }
    return row[a_length % 3][b_length];
}

const char *nearest_name(const char *word, const char *const *names, size_t count)
{
    const size_t length = strlen(word);
    const char *nearest = NULL;
    size_t distance = length / 3 + 2; /* one more than is still close */

    for (size_t i = 0; i < count; i++) {
        const size_t name_length = strlen(names[i]);
        const size_t edits = edit_distance(word, length, names[i], name_length);
        /* A word of which no letter survives is no near miss. */
        if (edits < distance && edits < least(length, name_length)) {
            distance = edits;
            nearest = names[i];
        }
    }
    return nearest;
}

size_t precision_size(int64_t precision)
{
    return precision == F64 ? sizeof(double) : sizeof(float);
}

int64_t operand_bytes(const struct cell *cell, int operand)
{
    const struct problem *problem = cell->entry->problem;
    const int64_t element =
        problem->element_bytes[operand] ? problem->element_bytes[operand] : (int64_t)precision_size(cell->precision);
    int64_t rows, cols, bytes;
    problem->operand[operand].shape(cell, &rows, &cols);
    if (__builtin_mul_overflow(rows, cols, &bytes) || __builtin_mul_overflow(bytes, element, &bytes))
        return INT64_MAX;
    return bytes;
}

int64_t cell_bytes(const struct cell *cell)
{
    const struct problem *problem = cell->entry->problem;
    int64_t sum = 0;
    for (int i = 0; i < problem->operand_count; i++)
        for (int copies = problem->operand[i].role == INOUT ? 2 : 1; copies > 0; copies--)
            if (__builtin_add_overflow(sum, operand_bytes(cell, i), &sum))
                return INT64_MAX;
    return sum;
}

void precisions_text(unsigned precisions, char *text, size_t size)
{
    size_t at = 0;
    text[0] = '\0';
    for (int i = F32; i <= PRECISIONS && at < size; i++)
        if (precisions & BIT(i))
            at += (size_t)snprintf(text + at, size - at, "%s%s", at ? " " : "", precision_names[i]);
}
