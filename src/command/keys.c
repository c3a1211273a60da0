/* `tilelab keys`: the keys of experiment files, as a JSON Schema by which editors complete and check, as the table that
 * experiments/README.md holds, or as the manual page tilelab-experiment(5).
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "cell.h"
#include "registry.h"
#include "plan/experiment_values.h"
#include "plan/kinds.h"
#include "plan/reader.h"

#include <argp.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- schemas of single values; each function returns a new reference */

static json_t *one_of_kinds(const struct kinds *kinds)
{
    if (kinds->count == 0)
        return json_pack("{s:s}", "type", "string");
    json_t *list = json_array();
    for (size_t i = 0; i < kinds->count; i++)
        json_array_append_new(list, json_string(kinds->kind[i].name));
    return json_pack("{s:o}", "enum", list);
}

/* Adds each text of a registry's entries that is not the one before it. */
static json_t *names_of_registry(const char *(*text)(const struct entry *entry))
{
    size_t count;
    const struct entry *entry = registry(&count);
    const char *last = "";
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        if (!entry[i].problem->hidden && strcmp(last, text(&entry[i])) != 0) {
            last = text(&entry[i]);
            json_array_append_new(list, json_string(last));
        }
    return list;
}

static const char *problem_of(const struct entry *entry)
{
    return entry->problem->name;
}

static const char *name_of(const struct entry *entry)
{
    return entry->name;
}

/* A value, or a list of such values. */
static json_t *one_or_more(json_t *one)
{
    json_t *value = json_pack("{s:[O, {s:s, s:i, s:O}]}", "anyOf", one, "type", "array", "minItems", 1, "items", one);
    json_decref(one);
    return value;
}

static json_t *number_of_axis(const struct axis *axis)
{
    if (axis->kind == DECIMAL) /* a fraction such as 2/3 is a text */
        return json_pack("{s:[s, s]}", "type", "number", "string");
    return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)axis->lowest, "maximum",
                     (json_int_t)axis->highest);
}

/* A value of an axis without the symbols that only a grid knows. */
static json_t *value_of_axis(const struct axis *axis)
{
    if (axis->kind != NAME)
        return number_of_axis(axis);
    json_t *list = json_array();
    for (int64_t i = axis->lowest; i <= axis->highest; i++)
        json_array_append_new(list, json_string(axis->names[i]));
    return json_pack("{s:o}", "enum", list);
}

/* The words that stand for values that only the machine knows: "all", "opencl:*". */
static json_t *symbols_of_axis(enum axis_id id)
{
    json_t *list = json_array();
    const char *symbol;
    for (size_t i = 0; (symbol = experiment_values_symbol(id, i)); i++)
        json_array_append_new(list, json_string(symbol));
    if (id == AXIS_device_id)
        for (int backend = 0; backend < BACKENDS; backend++)
            if (registry_backends[backend].devices > 0)
                json_array_append_new(list, json_sprintf("%s:*", registry_backends[backend].name));
    return list;
}

static json_t *exponents(void)
{
    return json_pack("{s:s, s:{s:s, s:i}, s:i, s:i}", "type", "array", "items", "type", "integer", "minimum", 0,
                     "minItems", 2, "maxItems", 2);
}

static json_t *map_of(enum where where, int axis);

/* What a grid takes for an axis: a value, a symbol, a map of values, or a list of them. */
static json_t *values_of_axis(enum axis_id id)
{
    const struct axis *axis = &cell_axes[id];
    json_t *forms = json_pack("[o, o]", value_of_axis(axis), map_of(IN_VALUE, (int)id));
    json_t *symbols = symbols_of_axis(id);
    if (json_array_size(symbols) > 0)
        json_array_insert_new(forms, 1, json_pack("{s:O}", "enum", symbols));
    json_decref(symbols);
    return one_or_more(json_pack("{s:o}", "anyOf", forms));
}

/* What an exclusion takes for an axis: a value, or bounds. */
static json_t *condition_of_axis(enum axis_id id)
{
    const struct axis *axis = &cell_axes[id];
    if (axis->kind == NAME)
        return value_of_axis(axis);
    return json_pack("{s:[o, o]}", "anyOf", value_of_axis(axis), map_of(IN_BOUND, (int)id));
}

/* ---- keys */

/* Values that stand in many places have a name in "$defs". */
static json_t *reference(const char *name)
{
    return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", name));
}

/* The value of a key in a map. `axis` is the axis whose values the map tells; -1: none. */
static json_t *value_of_key(const struct key *key, enum where where, int axis)
{
    switch (key->takes) {
    case TAKES_SCHEMA:
        return json_pack("{s:i}", "const", 1);
    case TAKES_TEXT:
        return json_pack("{s:s}", "type", "string");
    case TAKES_TEXTS:
        return json_pack("{s:[{s:s}, o]}", "anyOf", "type", "string", map_of(IN_TITLE, -1));
    case TAKES_WORD:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[a-z0-9/-]+$");
    case TAKES_PROBLEMS:
        return reference("problems");
    case TAKES_VARIANTS:
        return reference("variants");
    case TAKES_FIGURES:
        return reference("figures");
    case TAKES_TABLES:
        return reference("tables");
    case TAKES_GRID:
        return map_of(IN_GRID, -1);
    case TAKES_MEASURE:
        return map_of(IN_MEASURE, -1);
    case TAKES_PROFILE:
        return map_of(IN_PROFILE, -1);
    case TAKES_EXCLUSIONS:
        return one_or_more(map_of(IN_EXCLUDE, -1));
    case TAKES_AXIS:
        return where == IN_EXCLUDE ? condition_of_axis((enum axis_id)key->argument)
                                   : reference(cell_axes[key->argument].key);
    case TAKES_COUNT:
        return json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 1, "maximum", 1000);
    case TAKES_SHARE:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[0-9.]+%$");
    case TAKES_TIME:
        return json_pack("{s:s, s:s}", "type", "string", "pattern", "^[0-9.]+(ms|s|m|h)$");
    case TAKES_SWITCH:
        return json_pack("{s:[s, s, b, b]}", "enum", "yes", "no", 1, 0);
    case TAKES_NUMBER:
        return number_of_axis(&cell_axes[axis]);
    case TAKES_NUMBERS:
        return one_or_more(number_of_axis(&cell_axes[axis]));
    case TAKES_PAIR:
        return exponents();
    case TAKES_ANY:
        break;
    }
    return json_object();
}

/* What references name. The names of variants are there to be completed; a pattern is any text. */
static json_t *definitions(void)
{
    json_t *all = json_object();
    json_object_set_new(all, "problems", one_or_more(json_pack("{s:o}", "enum", names_of_registry(problem_of))));
    json_object_set_new(
        all, "variants",
        one_or_more(json_pack("{s:[{s:o}, {s:s}]}", "anyOf", "enum", names_of_registry(name_of), "type", "string")));
    json_object_set_new(all, "figures", one_or_more(one_of_kinds(kinds_of_figures())));
    json_object_set_new(all, "tables", one_or_more(one_of_kinds(kinds_of_tables())));
    for (int axis = 0; axis < AXES; axis++)
        json_object_set_new(all, cell_axes[axis].key, values_of_axis((enum axis_id)axis));
    return all;
}

/* A map of the keys that may stand in it. Only the file and its grid require keys. */
static json_t *map_of(enum where where, int axis)
{
    json_t *properties = json_object(), *required = json_array();
    for (size_t i = 0; i < KEYS; i++) {
        const struct key *key = &reader_keys[i];
        if (!(key->where & where))
            continue;
        json_t *value = value_of_key(key, where, axis);
        if (*key->meaning)
            json_object_set_new(value, "description", json_string(key->meaning));
        json_object_set_new(properties, key->name, value);
        if (key->where & REQUIRED && where & (IN_FILE | IN_GRID))
            json_array_append_new(required, json_string(key->name));
    }
    return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required", required,
                     "additionalProperties", 0);
}

static enum exit_code print_schema(void)
{
    json_t *schema = json_pack("{s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                               "An experiment file of tilelab");
    json_t *file = map_of(IN_FILE, -1);
    json_object_update(schema, file);
    json_decref(file);
    json_object_set_new(schema, "$defs", definitions());
    json_dumpf(schema, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(schema);
    return EXIT_OK;
}

static void print_keys(enum where where, const char *head)
{
    printf("%s\n| key | value |\n|---|---|\n", head);
    for (size_t i = 0; i < KEYS; i++)
        if (reader_keys[i].where & where && *reader_keys[i].meaning)
            printf("| `%s` | %s |\n", reader_keys[i].name, reader_keys[i].meaning);
}

enum format { MARKDOWN, SCHEMA, MANUAL };
/* ---- the manual page tilelab-experiment(5) */

static const char page[] =
#include "tilelab-experiment.5.inc"
    ;

/* Prints a text in roff: what stands between backquotes is bold, and a hyphen stays one that can be copied. */
static void put_text(FILE *out, const char *text)
{
    bool is_bold = false;
    for (; *text; text++) {
        if (*text == '`') {
            is_bold = !is_bold;
            fputs(is_bold ? "\\fB" : "\\fR", out);
        } else if (*text == '-' || *text == '\\') {
            fputs(*text == '-' ? "\\-" : "\\e", out);
        } else {
            putc(*text, out);
        }
    }
}

static void put_devices(FILE *out)
{
    const char *separator = "";
    for (int backend = 0; backend < BACKENDS; backend++)
        if (registry_backends[backend].devices > 0) {
            const char *name = registry_backends[backend].name;
            fprintf(out, "%s\\fB%s:0\\fR to \\fB%s:%d\\fR, and \\fB%s:*\\fR for all", separator, name, name,
                    registry_backends[backend].devices - 1, name);
            separator = ", ";
        }
}

/* Prints the values of an axis: its names, or its bounds, and the words that stand for what only the machine knows. */
static void put_values(FILE *out, enum axis_id id)
{
    const struct axis *axis = &cell_axes[id];
    const char *symbol;
    fputs(".br\nValues: ", out);
    if (id == AXIS_device_id)
        put_devices(out);
    else if (axis->kind == NAME)
        for (int64_t i = axis->lowest; i <= axis->highest; i++)
            fprintf(out, "%s\\fB%s\\fR", i > axis->lowest ? ", " : "", axis->names[i]);
    else if (axis->kind == DECIMAL)
        fputs("decimals such as \\fB0.5\\fR, and fractions such as \\fB2/3\\fR", out);
    else
        fprintf(out, "%lld to %lld", (long long)axis->lowest, (long long)axis->highest);
    for (size_t i = 0; (symbol = experiment_values_symbol(id, i)); i++)
        fprintf(out, ", \\fB%s\\fR", symbol);
    fputs(".\n", out);
}

static void put_keys(FILE *out, enum where where)
{
    for (size_t i = 0; i < KEYS; i++) {
        const struct key *key = &reader_keys[i];
        /* An axis stands among those of the grid. */
        if (!(key->where & where) || !*key->meaning || (where == IN_FILE && key->takes == TAKES_AXIS))
            continue;
        fputs(".TP\n.B ", out);
        put_text(out, key->name);
        fputs("\n\\&", out);
        put_text(out, key->meaning);
        fputs(".\n", out);
        /* An axis has one name of its own. */
        if (key->takes == TAKES_AXIS && strcmp(key->name, cell_axes[key->argument].key) == 0)
            put_values(out, (enum axis_id)key->argument);
    }
}

/* Prints the page: doc/tilelab-experiment.5.in with the table of keys. */
static void print_manual(FILE *out)
{
    static const struct {
        const char *mark;
        enum where where;
    } marks[] = {{"@file\n", IN_FILE}, {"@grid\n", IN_GRID}, {"@measure\n", IN_MEASURE}};
    for (const char *line = page; *line;) {
        const size_t length = strcspn(line, "\n") + 1;
        bool is_mark = false;
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (strncmp(line, marks[i].mark, length) == 0) {
                put_keys(out, marks[i].where);
                is_mark = true;
            }
        if (!is_mark)
            fwrite(line, 1, length, out);
        line += length;
    }
}

static const char *const formats[] = {"markdown", "json", "man", NULL};

int keys_main(int argc, char **argv)
{
    struct options_format format = {.names = formats};
    const struct argp_child children[] = {{&options_format, 0, NULL, 0}, {0}};
    const struct argp argp = {.children = children,
                              .doc = "Prints the keys of experiment files: as tables, as a JSON Schema, by which an "
                                     "editor completes and checks a file while it is written, or as the manual page "
                                     "tilelab-experiment(5): tilelab keys --format man | man -l -"};
    options_parse(&argp, argc, argv, 0, NULL, &format);
    if (format.chosen == SCHEMA)
        return print_schema();
    if (format.chosen == MANUAL) {
        print_manual(stdout);
        return EXIT_OK;
    }
    print_keys(IN_FILE, "# At the top level");
    print_keys(IN_GRID, "\n# In `grid`");
    print_keys(IN_MEASURE, "\n# In `measure`");
    return EXIT_OK;
}
