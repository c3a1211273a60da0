/* The manual page tilelab-experiment(5): a text with the table of keys filled in.
 * SPDX-License-Identifier: MIT */
#include "keys_manual.h"

#include "cell.h"
#include "registry.h"
#include "plan/experiment_values.h"
#include "plan/reader.h"

#include <string.h>

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

void keys_manual_print(FILE *out)
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
