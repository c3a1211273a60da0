/* The table of problems and variants: kernels/registry.def expanded, and look-ups in it.
 * SPDX-License-Identifier: MIT */
#include "registry.h"

#include "base/memory.h"
#include "machine/libraries.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

const struct registry_backend registry_backends[BACKENDS] = {
#define BACKEND(id, name, suffix, kind, made, devices, axes) {#name, suffix, KIND_##kind, MADE_##made, devices, axes},
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

static const struct registry_line lines[] = {
#define PROBLEM(owner)
#define LINE(id, made, owner, file, suffix) \
    {BACKEND_##id, \
     &problem_##owner, \
     #owner "/" #file, \
     #owner "_" #file, \
     "kernels/" #owner "/" #file suffix, \
     META_##made(owner, file), \
     BUILD_##made(owner, file), \
     NULL, \
     NULL, \
     NULL, \
     NULL, \
     NULL},
#include "lines.def"
#undef PROBLEM
#undef LINE
};

static const struct problem *const linked_problems[] = {
#define PROBLEM(owner) &problem_##owner,
#define LINE(id, made, owner, file, suffix)
#include "lines.def"
#undef PROBLEM
#undef LINE
};

/* What a user's own folders add. */
static struct registry_line *own_lines;
static const struct problem **own_problems;
static size_t own_line_count, own_problem_count;
static struct entry *entries; /* NULL: nobody has asked yet */
static size_t entry_count;

/* Written by the build: what each file was made of and with. */
static const struct {
    const char *stem, *source_hash, *compile_line;
} hashes[] = {
#define HASH(stem, source_hash, compile_line) {stem, source_hash, compile_line},
#include "hashes.def"
#undef HASH
    {NULL, "", ""},
};

enum { LINES = sizeof lines / sizeof *lines, PROBLEMS = sizeof linked_problems / sizeof *linked_problems };
enum { LIBRARIES_MAX = 16 };
static void replace_underscores(char *text)
{
    for (; *text; text++)
        if (*text == '_')
            *text = '-';
}

static void fill_entry(struct entry *entry, const struct registry_line *line, const char *library)
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
    entry->objects = line->objects;
    entry->shown = line->shown;
    entry->missing = line->missing;
    entry->source_hash = line->source_hash;
    entry->compile_line = line->compile_line;
    if (line->objects)
        return;

    size_t found = 0;
    while (hashes[found].stem && strcmp(hashes[found].stem, line->stem) != 0)
        found++;
    entry->source_hash = hashes[found].source_hash;
    entry->compile_line = hashes[found].compile_line;
}

/* Gives each entry a twin of another name behind all entries. */
static void add_twins(void)
{
    for (size_t i = 0; i < entry_count; i++) {
        struct entry *twin = &entries[entry_count + i];
        *twin = entries[i];
        const size_t length = strlen(twin->name);
        snprintf(twin->name + length, sizeof twin->name - length, "%s", REGISTRY_TWIN);
        twin->idea = strchr(twin->name, '/') + 1;
    }
    entry_count *= 2;
}

/* Adds the entries of a line: one, or one for each library. */
static void add_line(const struct registry_line *line)
{
    const char *libraries[LIBRARIES_MAX];
    if (registry_backends[line->backend].made != MADE_LIBRARIES) {
        fill_entry(&entries[entry_count++], line, NULL);
        return;
    }
    const size_t library_count = libraries_names(libraries, LIBRARIES_MAX);
    for (size_t l = 0; l < library_count; l++)
        fill_entry(&entries[entry_count++], line, libraries[l]);
}

/* Adds the entries of a problem. */
static void add_lines(const struct problem *problem)
{
    for (size_t i = 0; i < LINES; i++)
        if (lines[i].problem == problem)
            add_line(&lines[i]);
    for (size_t i = 0; i < own_line_count; i++)
        if (own_lines[i].problem == problem)
            add_line(&own_lines[i]);
}

void registry_add(const struct registry_line *line)
{
    own_lines = memory_grow(own_lines, own_line_count + 1, sizeof *own_lines);
    own_lines[own_line_count++] = *line;
}

void registry_add_problem(const struct problem *problem)
{
    own_problems = memory_grow(own_problems, own_problem_count + 1, sizeof *own_problems);
    own_problems[own_problem_count++] = problem;
}

bool registry_is_asked(void)
{
    return entries != NULL;
}

const char *registry_file(const char *stem)
{
    static const char *const files[] = {
#define PROBLEM(owner) "kernels/" #owner "/problem.c",
#define LINE(id, made, owner, file, suffix) "kernels/" #owner "/" #file suffix,
#include "lines.def"
#undef PROBLEM
#undef LINE
    };
    const size_t before = sizeof "kernels/" - 1, length = strlen(stem);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strncmp(files[i] + before, stem, length) == 0 && files[i][before + length] == '.')
            return files[i];
    return NULL;
}

const struct entry *registry(size_t *count)
{
    if (!entries) {
        /* A line gives at most an entry for each library, and each entry may have a twin. */
        entries = memory_allocate(2 * LIBRARIES_MAX * (LINES + own_line_count), sizeof *entries);
        for (size_t i = 0; i < PROBLEMS; i++)
            add_lines(linked_problems[i]);
        for (size_t i = 0; i < own_problem_count; i++)
            add_lines(own_problems[i]);
        if (getenv("TILELAB_TWINS"))
            add_twins();
    }
    *count = entry_count;
    return entries;
}

void registry_replace(const struct cell *cell, const struct variant *build)
{
    struct entry *mine = (struct entry *)cell->entry; /* an element of the array of registry() */
    mine->build[cell->precision][cell->opt][cell->isa] = build;
    mine->objects = NULL; /* no other build of a user's own kernel is loaded */
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
        if (strcmp(linked_problems[i]->name, name) == 0)
            return linked_problems[i];
    for (size_t i = 0; i < own_problem_count; i++)
        if (strcmp(own_problems[i]->name, name) == 0)
            return own_problems[i];
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
    unsigned supported = HONOURS(precision) | entry->problem->axes | entry->meta->axes;
    if (registry_backends[entry->backend].made == MADE_BUILDS)
        supported |= HONOURS(isa) | HONOURS(opt);
    if (registry_backends[entry->backend].devices > 0)
        supported |= HONOURS(device_id);
    if (!entry->problem->probe)
        supported |= registry_backends[entry->backend].axes;
    if (!entry->problem->has_special)
        supported &= ~HONOURS(inputs);
    return supported;
}

int64_t registry_device(enum backend_id id, int number)
{
    int64_t value = 1 + number;
    for (int before = 0; before < (int)id; before++)
        value += registry_backends[before].devices;
    return value;
}
