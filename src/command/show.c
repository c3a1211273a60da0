/* `tilelab show`: the results of an experiment as a table, read from its results.csv. Where a run was cut off before it
 * wrote that file, the results are read from the journal.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "show_rows.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/number.h"

#include <argp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_MAX = AXES + 8 };

/* A column of the table shown. */
struct shown {
    const char *head;
    bool left;
    size_t axis_column; /* the column of results.csv; RESULT_COLUMNS: no axis */
    size_t width;
};

/* The values of a column: none, the same value in all rows that have a value, or several values. */
enum spread { ABSENT, CONSTANT, VARIED };

static enum spread spread_of(const struct show_rows *rows, size_t column, const char **value)
{
    *value = "";
    for (size_t r = 0; r < rows->count; r++) {
        const char *text = show_rows_field(rows, r, column);
        if (!*text)
            continue;
        if (**value && strcmp(*value, text) != 0)
            return VARIED;
        *value = text;
    }
    return **value ? CONSTANT : ABSENT;
}

static bool equals_n(const struct show_rows *rows, size_t column)
{
    const size_t n = show_rows_column("n");
    for (size_t r = 0; r < rows->count; r++)
        if (*show_rows_field(rows, r, column) &&
            strcmp(show_rows_field(rows, r, column), show_rows_field(rows, r, n)) != 0)
            return false;
    return true;
}

/* Chooses the axes that get a column. An axis with the same value in all rows is written to `constants` instead. */
static size_t choose_axes(const struct show_rows *rows, struct shown *shown, FILE *constants)
{
    static const unsigned always = HONOURS(n) | HONOURS(tile) | HONOURS(threads);
    size_t count = 0;
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        const char *value;
        if (columns_result[c].kind != COLUMN_AXIS)
            continue;
        const unsigned axis = BIT(columns_result[c].size);
        const enum spread spread = spread_of(rows, c, &value);
        if (spread == ABSENT || (axis & (HONOURS(m) | HONOURS(k)) && equals_n(rows, c)))
            continue;
        if (spread == VARIED || axis & always) {
            shown[count++] = (struct shown){.head = columns_result[c].name, .axis_column = c};
        } else {
            fprintf(constants, "%s%s ", ftell(constants) > 0 ? "  " : "", columns_result[c].name);
            escape_put(constants, escape_terminal, value);
        }
    }
    return count;
}

static double number_of(const struct show_rows *rows, size_t row, const char *column)
{
    const char *text = show_rows_field(rows, row, show_rows_column(column));
    double value;
    number_read(text, strlen(text), &value);
    return value;
}

/* Decimals that show four significant digits of a time in its unit or of a rate. */
static int decimals(double value)
{
    const double size = fabs(value);
    return size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
}

static void print_time(const struct show_rows *rows, size_t row, char *time, char *interval, size_t size)
{
    static const struct {
        double scale;
        const char *unit;
    } units[] = {{1, "s"}, {1e3, "ms"}, {1e6, "us"}, {1e9, "ns"}};
    const double median = number_of(rows, row, "median_s"), low = number_of(rows, row, "ci_lo_s"),
                 high = number_of(rows, row, "ci_hi_s");
    time[0] = interval[0] = '\0';
    if (isnan(median))
        return;
    size_t u = 0;
    while (u < 3 && fabs(median) * units[u].scale < 1)
        u++;
    const double scale = units[u].scale;
    const int digits = decimals(median * scale);
    snprintf(time, size, "%.*f %-2s", digits, median * scale, units[u].unit);
    if (!isnan(low) && !isnan(high))
        snprintf(interval, size, "%.*f .. %.*f", digits, low * scale, digits, high * scale);
}

/* The text of one field of the table, to be freed. */
static char *cell_text(const struct show_rows *rows, size_t row, const struct shown *shown)
{
    char time[64] = "", interval[64] = "";
    const char *text = "";
    if (shown->axis_column < RESULT_COLUMNS) {
        text = show_rows_field(rows, row, shown->axis_column);
    } else if (strcmp(shown->head, "time") == 0) {
        print_time(rows, row, time, interval, sizeof time);
        text = time;
    } else if (strcmp(shown->head, "interval") == 0) {
        print_time(rows, row, time, interval, sizeof time);
        text = interval;
    } else if (strcmp(shown->head, "GFLOP/s") == 0) {
        const double gflops = number_of(rows, row, "gflops");
        if (!isnan(gflops))
            snprintf(time, sizeof time, "%.*f", decimals(gflops), gflops);
        text = time;
    } else {
        text = show_rows_field(rows, row, show_rows_column(shown->head));
    }
    return escape_terminal(text);
}

static void print_padded(const char *text, const struct shown *shown, bool last)
{
    const size_t width = escape_width(text);
    const int pad = width < shown->width ? (int)(shown->width - width) : 0;
    if (!shown->left)
        printf("%*s", pad, "");
    fputs(text, stdout);
    if (!last)
        printf("%*s", (shown->left ? pad : 0) + 2, "");
}

static bool is_ok(const struct show_rows *rows, size_t row)
{
    return strcmp(show_rows_field(rows, row, show_rows_column("status")), "ok") == 0;
}

/* Prints the rows that are ok, or the rows that are not, as an aligned table. */
static void print_table(const struct show_rows *rows, struct shown *shown, size_t count, bool ok)
{
    for (size_t s = 0; s < count; s++)
        shown[s].width = escape_width(shown[s].head);
    char **text = memory_allocate(rows->count * count, sizeof *text);
    for (size_t r = 0; r < rows->count; r++)
        for (size_t s = 0; s < count && is_ok(rows, r) == ok; s++) {
            char **cell = &text[r * count + s];
            *cell = cell_text(rows, r, &shown[s]);
            const size_t width = escape_width(*cell);
            shown[s].width = width > shown[s].width ? width : shown[s].width;
        }
    for (size_t s = 0; s < count; s++)
        print_padded(shown[s].head, &shown[s], s + 1 == count);
    putchar('\n');
    for (size_t r = 0; r < rows->count; r++) {
        if (is_ok(rows, r) != ok)
            continue;
        for (size_t s = 0; s < count; s++) {
            print_padded(text[r * count + s], &shown[s], s + 1 == count);
            free(text[r * count + s]);
        }
        putchar('\n');
    }
    free(text);
}

static void print_all(const struct show_rows *rows, const char *experiment, const char *folder)
{
    struct shown shown[SHOWN_MAX] = {{.head = "variant", .left = true, .axis_column = RESULT_COLUMNS}};
    char *constants = NULL;
    size_t size, ok = 0;
    FILE *out = open_memstream(&constants, &size);
    if (!out) {
        perror("tilelab show");
        exit(EXIT_FAILURE);
    }
    const size_t axes_end = 1 + choose_axes(rows, shown + 1, out);
    fclose(out);
    for (size_t r = 0; r < rows->count; r++)
        ok += is_ok(rows, r);

    escape_put(stdout, escape_terminal, experiment);
    fputs(" in ", stdout);
    escape_put(stdout, escape_terminal, folder);
    printf(": %zu cells, %zu ok, %zu without a time\n%s%s", rows->count, ok, rows->count - ok, constants,
           *constants ? "\n" : "");
    free(constants);

    static const struct shown times[] = {{.head = "iterations"},
                                         {.head = "time"},
                                         {.head = "interval"},
                                         {.head = "GFLOP/s"},
                                         {.head = "flags", .left = true}};
    static const struct shown reasons[] = {{.head = "status", .left = true}, {.head = "reason", .left = true}};
    const char *value;
    const bool solved = spread_of(rows, show_rows_column("iterations"), &value) != ABSENT;
    size_t count = axes_end;
    for (size_t i = solved ? 0 : 1; i < sizeof times / sizeof *times; i++, count++) {
        shown[count] = times[i];
        shown[count].axis_column = RESULT_COLUMNS;
    }
    if (ok > 0) {
        putchar('\n');
        print_table(rows, shown, count, true);
    }
    count = axes_end;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++, count++) {
        shown[count] = reasons[i];
        shown[count].axis_column = RESULT_COLUMNS;
    }
    if (ok < rows->count) {
        putchar('\n');
        print_table(rows, shown, count, false);
    }
}

struct arguments {
    const char *folder, *experiment;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'd':
        arguments->folder = value;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->experiment)
            argp_error(state, "name one experiment at a time");
        arguments->experiment = value;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name an experiment, for example lab5-matmul");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int show_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"data", 'd', "DIR", 0, "folder of the results (default data/local)", 0}, {0}};
    static const struct argp argp = {.options = options,
                                     .parser = parse_option,
                                     .args_doc = "EXPERIMENT",
                                     .doc = "Prints the results of an experiment as a table."};
    struct arguments arguments = {.folder = "data/local"};
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);

    /* The user may write experiments/lab5-matmul.yaml for lab5-matmul. */
    const char *slash = strrchr(arguments.experiment, '/');
    char *experiment = strdup(slash ? slash + 1 : arguments.experiment);
    char *dot = experiment ? strstr(experiment, ".yaml") : NULL;
    if (dot && strcmp(dot, ".yaml") == 0)
        *dot = '\0';
    struct show_rows rows = {0};
    const bool shown = experiment && show_rows_read(arguments.folder, experiment, &rows);
    if (shown)
        print_all(&rows, experiment, arguments.folder);
    show_rows_free(&rows);
    free(experiment);
    return shown ? EXIT_OK : EXIT_USAGE;
}
