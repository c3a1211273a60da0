/* The table of problems and variants: kernels/registry.def expanded, and look-ups in it.
 * SPDX-License-Identifier: MIT */
#include "registry.h"

#include "machine/libraries.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

const struct registry_backend registry_backends[BACKENDS] = {
#define BACKEND(id, name, suffix, kind, made, devices, axes) {#name, KIND_##kind, MADE_##made, devices, axes},
#include "backends.def"
#undef BACKEND
};

const char *const registry_kind_names[] = {"CPU", "GPU", "any", NULL};

/* lines.def holds the lines of registry.def as LINE(backend, made, problem, file, suffix); tools/registry writes it.
 * Each line promises some symbols. A symbol that no file defines is a link error. */
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

#define DECLARE_BUILDS(owner, file) \
    DECLARE_OPTS(owner, file, f32) \
    DECLARE_OPTS(owner, file, f64) \
    DECLARE_OPTS(owner, file, i32)
#define DECLARE_LIBRARIES(owner, file) extern const struct variant owner##_##file;
#define DECLARE_DEVICE(owner, file) extern const struct variant owner##_##file;
#define DECLARE_TEAM(owner, file) DECLARE_DEVICE(owner, file)

#define PROBLEM(owner) extern const struct problem problem_##owner;
#define LINE(id, made, owner, file, suffix) DECLARE_##made(owner, file)
#include "lines.def"
#undef PROBLEM
#undef LINE

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

/* The description of a file, and its builds. */
#define META_BUILDS(owner, file) &owner##_##file##_f32_O3_base
#define META_LIBRARIES(owner, file) &owner##_##file
#define META_DEVICE(owner, file) META_LIBRARIES(owner, file)
#define META_TEAM(owner, file) META_LIBRARIES(owner, file)
#define BUILD_BUILDS(owner, file) \
    { \
        [F32] = POINT_OPTS(owner, file, f32), [F64] = POINT_OPTS(owner, file, f64), \
        [I32] = POINT_OPTS(owner, file, i32) \
    }
#define BUILD_LIBRARIES(owner, file) \
    { \
        { \
            { \
                NULL \
            } \
        } \
    }
#define BUILD_DEVICE(owner, file) BUILD_LIBRARIES(owner, file)
#define BUILD_TEAM(owner, file) BUILD_LIBRARIES(owner, file)

static const struct line lines[] = {
#define PROBLEM(owner)
#define LINE(id, made, owner, file, suffix) \
    {BACKEND_##id, \
     &problem_##owner, \
     #owner "/" #file, \
     #owner "_" #file, \
     "kernels/" #owner "/" #file suffix, \
     META_##made(owner, file), \
     BUILD_##made(owner, file)},
#include "lines.def"
#undef PROBLEM
#undef LINE
};

static const struct problem *const problems[] = {
#define PROBLEM(owner) &problem_##owner,
#define LINE(id, made, owner, file, suffix)
#include "lines.def"
#undef PROBLEM
#undef LINE
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
/* At most so many entries come from a line. */
enum { MOST_BUILDS = 1, MOST_LIBRARIES = LIBRARIES_MAX, MOST_DEVICE = 1, MOST_TEAM = 1 };
enum {
#define PROBLEM(owner)
#define LINE(id, made, owner, file, suffix) +MOST_##made
    ENTRIES_MAX =
#include "lines.def"
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
        const char *rest = strchr(line->stem, '/') + 1 + strlen(registry_backends[line->backend].name);
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

/* Gives each entry a twin of another name behind all entries. Returns how many entries there are then. */
static size_t add_twins(struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct entry *twin = &entries[count + i];
        *twin = entries[i];
        const size_t length = strlen(twin->name);
        snprintf(twin->name + length, sizeof twin->name - length, "%s", REGISTRY_TWIN);
        twin->idea = strchr(twin->name, '/') + 1;
    }
    return 2 * count;
}

const struct entry *registry(size_t *count)
{
    static struct entry entries[2 * ENTRIES_MAX];
    static size_t filled;

    if (!filled) {
        const char *libraries[LIBRARIES_MAX];
        const size_t library_count = libraries_names(libraries, LIBRARIES_MAX);
        for (size_t i = 0; i < LINES; i++) {
            if (registry_backends[lines[i].backend].made == MADE_LIBRARIES)
                for (size_t l = 0; l < library_count; l++)
                    fill_entry(&entries[filled++], &lines[i], libraries[l]);
            else
                fill_entry(&entries[filled++], &lines[i], NULL);
        }
        if (getenv("TILELAB_TWINS"))
            filled = add_twins(entries, filled);
    }
    *count = filled;
    return entries;
}

void registry_replace(const struct entry *entry, int precision, int opt, int isa, const struct variant *build)
{
    struct entry *mine = (struct entry *)entry; /* an element of the array of registry() */
    mine->build[precision][opt][isa] = build;
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

enum registry_kind registry_kind(const struct entry *entry)
{
    return registry_backends[entry->backend].kind;
}

const char *registry_library(const struct entry *entry)
{
    if (entry->library[0] != '\0')
        return entry->library;
    return entry->meta->library ? entry->meta->library : "";
}

int registry_style(const struct entry *entry)
{
    return entry->library[0] != '\0' ? libraries_style(entry->library) : entry->meta->style;
}

unsigned registry_axes(const struct entry *entry)
{
    unsigned honoured = HONOURS(precision) | entry->problem->axes | entry->meta->axes;
    if (registry_backends[entry->backend].made == MADE_BUILDS)
        honoured |= HONOURS(isa) | HONOURS(opt);
    if (registry_backends[entry->backend].devices > 0)
        honoured |= HONOURS(device_id);
    if (!entry->problem->probe)
        honoured |= registry_backends[entry->backend].axes;
    return honoured;
}

int64_t registry_device(enum backend_id id, int number)
{
    int64_t value = 1 + number;
    for (int before = 0; before < (int)id; before++)
        value += registry_backends[before].devices;
    return value;
}
