/* The file of claims is checked before anything is judged.
 * SPDX-License-Identifier: MIT */
#include "claims_check.h"

#include "cell.h"
#include "query_settings.h"
#include "registry.h"
#include "base/csv.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/suggest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum field {
    FIELD_ID,
    FIELD_PART,
    FIELD_STATEMENT,
    FIELD_STUDIES,
    FIELD_QUANTITY,
    FIELD_SUBJECT,
    FIELD_SUBJECT_AT,
    FIELD_REFERENCE,
    FIELD_REFERENCE_AT,
    FIELD_MATCH,
    FIELD_POINTS,
    FIELD_RELATION,
    FIELD_VALUE,
    FIELD_TO,
    FIELD_TOLERANCE,
    FIELD_NOT_HERE,
    FIELDS
};
static const char *const field_names[] = {"id",         "part",      "statement",    "studies", "quantity", "subject",
                                          "subject_at", "reference", "reference_at", "match",   "points",   "relation",
                                          "value",      "to",        "tolerance",    "not_here"};
static const char *const quantities[] = {"time ratio",
                                         "speed ratio",
                                         "end-to-end ratio",
                                         "energy ratio",
                                         "speed-up",
                                         "speed-up ratio",
                                         "efficiency",
                                         "efficiency ratio",
                                         "iso rate ratio",
                                         "unsteadiness ratio",
                                         "rate unsteadiness ratio",
                                         "ratio trend",
                                         "gflops",
                                         "share of peak",
                                         "load share",
                                         "sweeps",
                                         "sweep ratio",
                                         "crossover",
                                         "bank conflicts",
                                         "wavefronts per load",
                                         "sectors per load",
                                         "read ratio",
                                         "global reads",
                                         "shared reads",
                                         "reuse ratio",
                                         "tile formula ratio"};
static const char *const axis_quantities[] = {"best", "trend", "spread"};
static const char *const points[] = {"largest", "every", "least"};
static const char *const relations[] = {"=", "in", "<", "<=", ">", ">="};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

struct checked {
    struct csv csv;
    int column[FIELDS];
    int faults;
    char **id; /* of the claims so far; owned */
    size_t ids;
    const struct study_file_names *known; /* NULL: any study may be named */
};

static void __attribute__((format(printf, 2, 3))) fault(struct checked *checked, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    escape_tell("%s:%d: error: %s", checked->csv.path, checked->csv.line, text);
    checked->faults++;
}

static const char *field(const struct checked *checked, enum field name)
{
    const char *text = csv_field(&checked->csv, checked->column[name]);
    return text ? text : "";
}

static void check_word(struct checked *checked, enum field name, const char *const *known, size_t count)
{
    const char *word = field(checked, name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, known[i]) == 0)
            return;
    const char *near = suggest_name(word, known, count);
    char all[400] = "";
    for (size_t i = 0; !near && i < count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i == 0 ? "; it can be: " : ", ", known[i]);
    fault(checked, "there is no %s '%s'%s%s", field_names[name], word, suggest_words(near), all);
}

/* "time ratio", or "best tile" with the key of an axis. */
static void check_quantity(struct checked *checked)
{
    const char *text = field(checked, FIELD_QUANTITY), *blank = strchr(text, ' ');
    for (size_t i = 0; blank && i < LENGTH(axis_quantities); i++) {
        const size_t length = strlen(axis_quantities[i]);
        if (strncmp(text, axis_quantities[i], length) != 0 || text[length] != ' ')
            continue;
        if (cell_axis_find(blank + 1, strlen(blank + 1)) < 0)
            fault(checked, "there is no axis '%s'", blank + 1);
        return;
    }
    check_word(checked, FIELD_QUANTITY, quantities, LENGTH(quantities));
}

static void check_number(struct checked *checked, enum field name, bool needed)
{
    const char *text = field(checked, name);
    double value;
    if ((needed && !*text) || !number_read(text, strlen(text), &value))
        fault(checked, "%s is no number: '%s'", field_names[name], text);
}

static void check_variants(struct checked *checked, enum field name)
{
    size_t count, length;
    const struct entry *entries = registry(&count);
    for (const char *at = field(checked, name) + strspn(field(checked, name), " "); *at;
         at += length + strspn(at + length, " ")) {
        char pattern[128];
        size_t i = 0;
        length = strcspn(at, " ");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        while (i < count && !registry_matches(&entries[i], pattern))
            i++;
        if (i == count)
            fault(checked, "%s: no variant matches '%s'; `tilelab list` names them, and --kernels those of a folder",
                  field_names[name], pattern);
        else if (!strchr(pattern, '/'))
            fault(checked, "%s: '%s' names no problem; write '%s/%s'", field_names[name], pattern,
                  entries[i].problem->name, pattern);
    }
}

static void check_conditions(struct checked *checked, enum field name)
{
    char why[200];
    if (!query_settings_check(field(checked, name), why, sizeof why))
        fault(checked, "%s: %s", field_names[name], why);
}

static void check_axes(struct checked *checked)
{
    size_t length;
    for (const char *at = field(checked, FIELD_MATCH); *at; at += length + strspn(at + length, " ")) {
        length = strcspn(at, " ");
        if (cell_axis_find(at, length) < 0)
            fault(checked, "match: there is no axis '%.*s'", (int)length, at);
    }
}

static void check_studies(struct checked *checked)
{
    const struct study_file_names *known = checked->known;
    size_t length;
    for (const char *at = field(checked, FIELD_STUDIES) + strspn(field(checked, FIELD_STUDIES), " "); *at;
         at += length + strspn(at + length, " ")) {
        length = strcspn(at, " ");
        char *name = memory_print("%.*s", (int)length, at);
        if (!study_file_names_have(known, name))
            fault(checked, "studies: neither an experiment file nor a recorded folder has the study '%s'%s", name,
                  suggest_words(suggest_name(name, (const char *const *)known->name, known->count)));
        free(name);
    }
}

static void check_record(struct checked *checked)
{
    if (!*field(checked, FIELD_ID))
        fault(checked, "the claim has no id");
    checked->id = memory_grow(checked->id, checked->ids + 1, sizeof *checked->id);
    checked->id[checked->ids++] = memory_copy(field(checked, FIELD_ID));
    if (*field(checked, FIELD_NOT_HERE))
        return; /* the claim says itself why it is not judged */
    check_quantity(checked);
    check_word(checked, FIELD_POINTS, points, LENGTH(points));
    check_word(checked, FIELD_RELATION, relations, LENGTH(relations));
    check_number(checked, FIELD_VALUE, true);
    check_number(checked, FIELD_TO, strcmp(field(checked, FIELD_RELATION), "in") == 0);
    check_number(checked, FIELD_TOLERANCE, false);
    if (!*field(checked, FIELD_SUBJECT))
        fault(checked, "the claim has no subject");
    if (!*field(checked, FIELD_STUDIES))
        fault(checked, "the claim names no studies");
    if (checked->known)
        check_studies(checked);
    check_variants(checked, FIELD_SUBJECT);
    check_variants(checked, FIELD_REFERENCE);
    check_conditions(checked, FIELD_SUBJECT_AT);
    check_conditions(checked, FIELD_REFERENCE_AT);
    check_axes(checked);
}

/* Whether the file has all claims that the user names. False after a message. */
static bool has_names(const struct checked *checked, char *const *names, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        size_t i = 0;
        while (i < checked->ids && strcmp(checked->id[i], names[n]) != 0)
            i++;
        if (i < checked->ids)
            continue;
        escape_tell("tilelab claims: there is no claim '%s' in %s%s", names[n], checked->csv.path,
                    suggest_words(suggest_name(names[n], (const char *const *)checked->id, checked->ids)));
        return false;
    }
    return true;
}

/* Finds the columns. */
static void check_header(struct checked *checked, bool is_there)
{
    char missing[400] = "";
    size_t count = 0;
    for (int i = 0; i < FIELDS; i++) {
        checked->column[i] = is_there ? csv_find(&checked->csv, field_names[i]) : -1;
        if (checked->column[i] < 0)
            snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s", count++ ? ", " : "",
                     field_names[i]);
    }
    const char *only = is_there && checked->csv.fields == 1 ? csv_field(&checked->csv, 0) : NULL;
    if (only && strpbrk(only, ";\t"))
        fault(checked, "the columns are not separated by commas");
    else if (count > 0)
        fault(checked, "the header lacks the column%s %s", count == 1 ? "" : "s", missing);
}

bool claims_check(const char *path, const struct study_file_names *known, char *const *names, size_t count)
{
    struct checked checked = {.known = known};
    if (!csv_open(&checked.csv, path)) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        return false;
    }
    int got = csv_read(&checked.csv);
    check_header(&checked, got > 0);
    while (checked.faults == 0 && (got = csv_read(&checked.csv)) > 0)
        check_record(&checked);
    if (got < 0)
        fault(&checked, "a quoted field is not closed");
    const bool right = checked.faults == 0 && has_names(&checked, names, count);
    for (size_t i = 0; i < checked.ids; i++)
        free(checked.id[i]);
    free(checked.id);
    csv_close(&checked.csv);
    return right;
}
