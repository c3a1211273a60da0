/* `tilelab show`: the results of an experiment as a table, read from its results.csv. Where a run was cut off before it
 * wrote that file, the results are read from the journal.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "show_between.h"
#include "show_data.h"
#include "show_faulty.h"
#include "show_generations.h"
#include "show_origin.h"
#include "show_rows.h"
#include "study_record.h"
#include "table.h"
#include "base/comparison.h"
#include "base/escape.h"
#include "inspect/assembly.h"
#include "plan/study_file.h"
#include "query/query.h"
#include "results/outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What all tables of an experiment share. */
struct view {
    const struct show_rows *rows;
    size_t axis[AXES], axes; /* columns of results.csv that the tables show */
    unsigned origins;        /* in which the rows differ */
    const char *profile;     /* of rows that do not tell their profile */
    bool markdown;
    const size_t *faulty; /* show_faulty_find() */
};

/* Begins a table with the columns that name a cell. */
static void begin_table(const struct view *view, struct table *table)
{
    table_column(table, "variant", true, false);
    for (size_t a = 0; a < view->axes; a++)
        table_column(table, columns_result[view->axis[a]].name, false, false);
}

static void add_cell(const struct view *view, size_t row, struct table *table)
{
    table_text(table, show_rows_field(view->rows, row, RESULT_AT_variant));
    for (size_t a = 0; a < view->axes; a++)
        table_text(table, show_rows_field(view->rows, row, view->axis[a]));
}

static void add_origin_columns(const struct view *view, struct table *table)
{
    for (int origin = 0; origin < ORIGINS; origin++)
        if (view->origins & 1u << origin)
            table_column(table, show_origin_names[origin], origin != ORIGIN_GENERATION, true);
}

static void add_origins(const struct view *view, size_t row, struct table *table)
{
    for (int origin = 0; origin < ORIGINS; origin++)
        if (view->origins & 1u << origin) {
            char text[ORIGIN_SIZE];
            show_origin_print(view->rows, row, (enum show_origin)origin, view->profile, text);
            table_text(table, text);
        }
}

/* Says how often the intervals of the table cover the true median, for each number of rounds. */
static void print_coverage(const struct show_rows *rows)
{
    enum { ROUNDS_MOST = 1000 };
    bool told = false;
    for (int rounds = 2; rounds <= ROUNDS_MOST; rounds++)
        for (size_t r = 0; r < rows->count; r++)
            if (show_rows_number(rows, r, RESULT_AT_rounds) == rounds) {
                printf("%s %d rounds: %.4g %%",
                       told ? ","
                            : "interval: the range of the round medians. It covers the "
                              "true median with",
                       rounds, 100 * comparison_coverage(rounds));
                told = true;
                break;
            }
    if (told)
        putchar('\n');
}

static void print_times(const struct view *view)
{
    struct table table = {.markdown = view->markdown};
    begin_table(view, &table);
    table_column(&table, "iterations", false, true);
    table_column(&table, "time", false, false);
    table_column(&table, "interval", false, false);
    table_column(&table, "GFLOP/s", false, false);
    add_origin_columns(view, &table);
    table_column(&table, "status", true, true);
    for (size_t r = 0; r < view->rows->count; r++) {
        if (!show_rows_has_status(view->rows, r, STATUS_OK))
            continue;
        char time[SHOW_TEXT_SIZE], interval[SHOW_TEXT_SIZE], rate[SHOW_TEXT_SIZE] = "";
        const double gflops = show_rows_number(view->rows, r, RESULT_AT_gflops);
        show_rows_print_time(view->rows, r, time, interval);
        if (!isnan(gflops))
            snprintf(rate, sizeof rate, "%.*f", show_rows_decimals(gflops), gflops);
        add_cell(view, r, &table);
        table_text(&table, show_rows_field(view->rows, r, RESULT_AT_iterations));
        table_text(&table, time);
        table_text(&table, interval);
        table_text(&table, rate);
        add_origins(view, r, &table);
        table_text(&table, view->faulty[r] != SHOW_FAULTY_NONE ? "withdrawn" : "");
    }
    putchar('\n');
    table_end(&table);
    putchar('\n');
    print_coverage(view->rows);
    show_rows_print_flags(view->rows);
}

static void print_reasons(const struct view *view)
{
    struct table table = {.markdown = view->markdown};
    begin_table(view, &table);
    add_origin_columns(view, &table);
    table_column(&table, "status", true, false);
    table_column(&table, "reason", true, false);
    for (size_t r = 0; r < view->rows->count; r++) {
        if (show_rows_has_status(view->rows, r, STATUS_OK))
            continue;
        add_cell(view, r, &table);
        add_origins(view, r, &table);
        table_text(&table, show_rows_field(view->rows, r, RESULT_AT_status));
        table_text(&table, show_rows_field(view->rows, r, RESULT_AT_reason));
    }
    putchar('\n');
    table_end(&table);
}

/* Counts the rows that are no ordinary results, as a reader may overlook a word in the last column. */
static void print_doubts(const struct show_rows *rows)
{
    size_t partial = 0, pretended = 0;
    for (size_t r = 0; r < rows->count; r++) {
        partial += show_rows_has_flag(rows, r, FLAG_PARTIAL);
        pretended += show_rows_has_flag(rows, r, FLAG_PRETENDED) && !show_rows_has_status(rows, r, STATUS_SKIPPED);
    }
    if (partial > 0)
        printf("partial: %zu (the run was interrupted; the next run adds the missing rounds)\n", partial);
    if (pretended > 0)
        printf("pretended: %zu (a test's fake timer gave the times)\n", pretended);
}

static void print_all(const struct show_rows *rows, const char *experiment, const char *folder, bool markdown)
{
    const struct study_record record = study_record_read(folder, experiment);
    struct view view = {.rows = rows, .profile = record.profile, .markdown = markdown};
    char *constants = show_rows_axes(rows, view.axis, &view.axes);
    size_t ok = 0;
    for (size_t r = 0; r < rows->count; r++)
        ok += show_rows_has_status(rows, r, STATUS_OK);

    escape_put(stdout, escape_terminal, experiment);
    fputs(" in ", stdout);
    escape_put(stdout, escape_terminal, folder);
    printf(": %zu cells, %zu ok, %zu without a time\n%s%s", rows->count, ok, rows->count - ok, constants,
           *constants ? "\n" : "");
    free(constants);
    view.origins = show_origin_print_shared(rows, view.profile);
    print_doubts(rows);
    size_t *faulty = show_faulty_find(rows);
    view.faulty = faulty;
    show_faulty_print(rows, faulty);
    if (ok > 0)
        print_times(&view);
    if (ok < rows->count)
        print_reasons(&view);
    free(faulty);
}

struct arguments {
    const char *folder, *experiment;
    struct query query; /* with all folders that were named, for --between */
    bool generations, outside, assembly, between;
    struct assembly_request code;
    struct options_format format;
};

enum format { TEXT = SHOW_BETWEEN_TEXT, MARKDOWN, JSON, CSV };
static const char *const formats[] = {"text", "markdown", "json", "csv", NULL};

enum { OPTION_BETWEEN = 0x100, OPTION_ASSEMBLY, OPTION_ALL, OPTION_ARCH, OPTION_AXIS };

static void read_axis(int axis, const char *text, struct arguments *arguments, struct argp_state *state)
{
    int64_t *const value = cell_axis(&arguments->code.cell, axis);
    if (!cell_axis_read(axis, text, strlen(text), value) || !cell_axis_allows(axis, *value))
        argp_error(state, "'%s' is no value of %s", text, cell_axes[axis].key);
}

static void add_folder(struct arguments *arguments, const char *folder, struct argp_state *state)
{
    const char *why = hosts_add(&arguments->query.hosts, folder);
    if (why)
        argp_error(state, "%s: %s", folder, why);
    arguments->folder = folder;
}

/* Ends the program where options do not belong together. */
static void check_arguments(const struct arguments *arguments, struct argp_state *state)
{
    const struct assembly_request *code = &arguments->code;
    const char *other = arguments->assembly      ? "--assembly"
                        : arguments->generations ? "--generations"
                        : arguments->between     ? "--between"
                                                 : NULL;
    if (arguments->between && (arguments->assembly || arguments->generations || arguments->experiment))
        argp_error(state, "--between shows all studies of the folders, and goes with --data and --format alone");
    if (!arguments->experiment && !arguments->between)
        argp_error(state, arguments->assembly ? "name a variant, for example matmul/seq-ijk"
                                              : "name an experiment, for example lab5-matmul");
    if (arguments->outside && other)
        argp_error(state, "--outside belongs to the results of an experiment, not to %s", other);
    if (arguments->format.chosen != TEXT && other && !arguments->between)
        argp_error(state, "--format belongs to the results of an experiment, not to %s", other);
    if (!arguments->assembly && (code->all || code->arch || code->cell.precision || code->cell.isa || code->cell.opt ||
                                 code->cell.tile || code->cell.device_id))
        argp_error(state, "--precision, --opt, --isa, --arch, --tile, --device and --all belong to --assembly");
}

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->format;
        return 0;
    case 'd':
        add_folder(arguments, value, state);
        return 0;
    case OPTION_BETWEEN:
        arguments->between = true;
        return 0;
    case 'g':
        arguments->generations = true;
        return 0;
    case 'o':
        arguments->outside = true;
        return 0;
    case OPTION_ASSEMBLY:
        arguments->assembly = true;
        return 0;
    case OPTION_ALL:
        arguments->code.all = true;
        return 0;
    case OPTION_ARCH:
        arguments->code.arch = value;
        return 0;
    case OPTION_AXIS + AXIS_precision:
    case OPTION_AXIS + AXIS_isa:
    case OPTION_AXIS + AXIS_opt:
    case OPTION_AXIS + AXIS_tile:
    case OPTION_AXIS + AXIS_device_id:
        read_axis(key - OPTION_AXIS, value, arguments, state);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->experiment)
            argp_error(state, "name one experiment or variant at a time");
        arguments->experiment = value;
        return 0;
    case ARGP_KEY_END:
        check_arguments(arguments, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_as(enum format format, const struct show_rows *rows, const char *experiment, const char *folder)
{
    if (format == CSV)
        show_data_csv(rows);
    else if (format == JSON)
        show_data_json(rows);
    else
        print_all(rows, experiment, folder, format == MARKDOWN);
}

/* Prints what the folder holds of the experiment. */
static enum exit_code show_experiment(const struct arguments *arguments)
{
    char *experiment = study_file_name(arguments->experiment);
    struct show_rows rows = {.count = 0};
    const bool shown = show_rows_read(arguments->folder, experiment, &rows);
    if (shown)
        outputs_warn_changed(arguments->folder, experiment);
    if (shown && arguments->outside)
        show_rows_add_outside(arguments->folder, experiment, &rows);
    if (shown && arguments->generations)
        show_generations(arguments->folder, experiment, &rows);
    else if (shown)
        print_as((enum format)arguments->format.chosen, &rows, experiment, arguments->folder);
    show_rows_free(&rows);
    free(experiment);
    return shown ? EXIT_OK : EXIT_USAGE;
}

int show_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"data", 'd', "FOLDER", 0, "folder of the results (default data/local); --between takes several", 0},
        {"between", OPTION_BETWEEN, NULL, 0,
         "how far times lie apart where a cell was measured again: in another launch or run, or on another machine", 0},
        {"generations", 'g', NULL, 0,
         "the cells with results of several generations: each result, and its time over the time before", 0},
        {"outside", 'o', NULL, 0,
         "also the cells that the experiment file does not have: those of `run --set`, or of an earlier file", 0},
        {"assembly", OPTION_ASSEMBLY, NULL, 0,
         "the machine code of a VARIANT: its innermost loop that multiplies most, with the source lines", 1},
        {"all", OPTION_ALL, NULL, 0, "show the whole code behind the loop", 1},
        {"precision", OPTION_AXIS + AXIS_precision, "NAME", 0, "f32, f64 or i32 (default: the first it has)", 1},
        {"opt", OPTION_AXIS + AXIS_opt, "NAME", 0, "CPU: optimisation level, O2 or O3 (default O3)", 1},
        {"isa", OPTION_AXIS + AXIS_isa, "NAME", 0, "CPU: base, v3 or v4 (default: the best that runs here)", 1},
        {"arch", OPTION_ARCH, "NAME", 0, "GPU: architecture, as sm_90 (default: this machine's GPU, or the newest)", 1},
        {"tile", OPTION_AXIS + AXIS_tile, "N", 0, "OpenCL: tile that the kernel is compiled for (default: its own)", 1},
        {"device", OPTION_AXIS + AXIS_device_id, "NAME", 0,
         "OpenCL: device whose compiler makes the code (default: opencl:0; `tilelab list --devices` lists them)", 1},
        {0}};
    static const struct argp_child children[] = {{&options_format, 0, NULL, 0}, {0}};
    static const struct argp argp = {.options = options,
                                     .parser = parse_option,
                                     .children = children,
                                     .args_doc = "EXPERIMENT\n--between\n--assembly VARIANT",
                                     .doc = "Prints the results of an experiment as a table, and says which profile, "
                                            "generation, source and clock gave them. With --between it tells how "
                                            "reproducible the times of data folders are. With --assembly it prints "
                                            "the machine code of a variant."};
    struct arguments arguments = {.folder = "data/local", .format.names = formats};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    arguments.code.variant = arguments.experiment;
    if (arguments.query.hosts.count == 0)
        hosts_add(&arguments.query.hosts, arguments.folder);
    const enum exit_code code = arguments.assembly ? (enum exit_code)assembly_show(&arguments.code)
                                : arguments.between
                                    ? show_between(&arguments.query, (enum show_between_format)arguments.format.chosen)
                                    : show_experiment(&arguments);
    query_close(&arguments.query);
    return code;
}
