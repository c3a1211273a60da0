/* `tilelab show`: the results of an experiment as a table, read from its results.csv. Where a run was cut off before it
 * wrote that file, the results are read from the journal.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/comparison.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/regular.h"
#include "base/suggest.h"
#include "base/text.h"
#include "inspect/assembly.h"
#include "own/own.h"
#include "plan/study_file.h"
#include "query/query.h"
#include "query/query_print.h"
#include "query/table.h"
#include "results/columns.h"
#include "results/inventory.h"
#include "results/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* report/show.sql, which says what is shown. */
static const char show_sql[] =
#include "show.sql.inc"
    ;
static const char head_sql[] = "SELECT line FROM head ORDER BY ord";
static const char foot_sql[] = "SELECT line FROM foot ORDER BY ord";
static const char rounds_sql[] = "SELECT DISTINCT rounds FROM shown WHERE rounds BETWEEN 2 AND 1000 ORDER BY rounds";
/* Tables for readers, with the columns that the rows differ in. */
static const char times_sql[] = "SELECT variant%s, iterations, time, interval, rate AS 'GFLOP/s', bandwidth AS 'GB/s',"
                                " share AS '%% of bandwidth'%s, withdrawn AS status FROM shown WHERE ok"
                                " ORDER BY ord";
static const char reasons_sql[] = "SELECT variant%s%s, status, reason FROM shown WHERE NOT ok ORDER BY ord";
static const char steps_sql[] =
    "SELECT variant%s, from_generation AS generation, profile, changed, iif(ok, time, status) AS time, interval,"
    " \"time / before\", \"its interval\", judgement AS verdict, iif(listed, 'shown', 'archived') AS 'kept as'"
    " FROM steps";

struct arguments {
    const char *folder, *experiment;
    struct query query; /* with all folders that were named, for --between */
    bool generations, orphaned, assembly, between;
    struct assembly_request code;
    struct options_format format;
};

enum format { TEXT, MARKDOWN, JSON, CSV };
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
    if (arguments->orphaned && other)
        argp_error(state, "--orphaned belongs to the results of an experiment, not to %s", other);
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
        options_check_folder(value, state);
        add_folder(arguments, value, state);
        return 0;
    case OPTION_BETWEEN:
        arguments->between = true;
        return 0;
    case 'g':
        arguments->generations = true;
        return 0;
    case 'o':
        arguments->orphaned = true;
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

/* Runs a statement on the results. False after a message. */
static bool run(struct arguments *arguments, const char *sql, struct rows *rows)
{
    return query_run(&arguments->query, "tilelab show", sql, rows);
}

/* The columns of results.csv as the list of a SELECT, each through a function of SQL. `named`: an axis has the name
 * that it has in that file. The caller frees the list. */
static char *columns_of(const char *function, bool named)
{
    char *text = NULL;
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        const struct column *column = &columns_result[c];
        const char *field = column->kind == COLUMN_AXIS ? cell_axes[column->size].field : column->name;
        memory_append(&text, "%s%s(\"%s\") AS \"%s\"", c > 0 ? ", " : "", function, field,
                      named ? column->name : field);
    }
    return text;
}

/* Loads the study, and finds what is shown. False after a message. */
static bool load(struct arguments *arguments, const char *study)
{
    query_set(&arguments->query, "folder", arguments->folder);
    query_set(&arguments->query, "study", study);
    query_set(&arguments->query, "orphaned", arguments->orphaned ? "1" : "");
    query_set(&arguments->query, "generations", arguments->generations ? "1" : "");
    arguments->query.study = study;
    arguments->query.journals = true;
    char *columns = columns_of("", false);
    char *kept = memory_print("CREATE TEMP TABLE kept AS SELECT %s, settings, stale, 1 AS listed FROM results"
                              " UNION ALL SELECT %s, settings, stale, 0 FROM archive",
                              columns, columns);
    const bool loaded = query_open(&arguments->query) && run(arguments, kept, NULL) &&
                        query_run(&arguments->query, "report/show.sql", show_sql, NULL);
    free(kept);
    free(columns);
    return loaded;
}

/* Whether the folder has results of the study. False after a message. */
static bool check_results(struct arguments *arguments, const char *study)
{
    struct rows rows;
    char *path = memory_print("%s/%s.results.csv", arguments->folder, study);
    FILE *file = regular_open(path);
    const int error = file ? 0 : errno;
    if (file)
        fclose(file);
    const bool found =
        !error || (error == ENOENT && run(arguments, "SELECT 1 FROM results LIMIT 1", &rows) && rows.count > 0);
    if (error == ENOENT)
        rows_free(&rows);
    if (!found) {
        char *near = error == ENOENT ? study_file_near_results(arguments->folder, study) : NULL;
        escape_tell("tilelab show: %s: %s%s", path, strerror(error),
                    error != ENOENT ? ""
                    : near          ? suggest_words(near)
                                    : INVENTORY_REMEDY);
        free(near);
    }
    free(path);
    return found;
}

static bool print_lines(struct arguments *arguments, const char *sql)
{
    struct rows rows;
    const bool done = run(arguments, sql, &rows);
    for (size_t r = 0; r < rows.count; r++) {
        escape_put(stdout, escape_terminal, rows_value(&rows, r, 0));
        putchar('\n');
    }
    rows_free(&rows);
    return done;
}

/* Says how often the intervals of the table cover the true median, for each number of rounds. */
static bool print_coverage(struct arguments *arguments)
{
    struct rows rows;
    const bool done = run(arguments, rounds_sql, &rows);
    for (size_t r = 0; r < rows.count; r++)
        printf("%s %s rounds: %.4g %%%s",
               r > 0 ? "," : "interval: the range of the round medians. It covers the true median with",
               rows_value(&rows, r, 0), 100 * comparison_coverage(atoi(rows_value(&rows, r, 0))),
               r + 1 < rows.count ? "" : "\n");
    rows_free(&rows);
    return done;
}

/* Prints the rows of a statement, whose columns `sql` leaves open, below an empty line. *any: there are rows. */
__attribute__((format(printf, 2, 0))) static bool print_table(struct arguments *arguments, const char *sql, bool *any)
{
    struct rows columns, rows = {0};
    bool done = run(arguments, "SELECT coalesce(axes, ''), coalesce(origins, '') FROM shown_columns", &columns);
    if (done) {
        char *text = memory_print(sql, rows_value(&columns, 0, 0), rows_value(&columns, 0, 1));
        done = run(arguments, text, &rows);
        free(text);
    }
    *any = rows.count > 0;
    if (*any) {
        putchar('\n');
        table_rows(&rows, arguments->format.chosen == MARKDOWN);
    }
    rows_free(&columns);
    rows_free(&rows);
    return done;
}

/* Prints the tables for readers. */
static bool print_tables(struct arguments *arguments)
{
    bool any;
    if (!print_lines(arguments, head_sql) ||
        !print_table(arguments, arguments->generations ? steps_sql : times_sql, &any))
        return false;
    if (any)
        putchar('\n');
    if (any && !((arguments->generations || print_coverage(arguments)) && print_lines(arguments, foot_sql)))
        return false;
    return arguments->generations || print_table(arguments, reasons_sql, &any);
}

/* Prints the columns of results.csv that some row fills; CSV with the digits of that file. */
static bool print_data(struct arguments *arguments)
{
    struct rows rows;
    const bool csv = arguments->format.chosen == CSV;
    char *columns = columns_of(csv ? "exact" : "", true),
         *sql = memory_print("SELECT %s FROM shown ORDER BY ord", columns);
    const bool done = run(arguments, sql, &rows);
    rows_drop_empty(&rows);
    if (done)
        query_print_find(formats[arguments->format.chosen])->print(&rows, stdout);
    rows_free(&rows);
    free(sql);
    free(columns);
    return done;
}

/* Prints what the folder holds of the experiment. */
static enum exit_code show_experiment(struct arguments *arguments)
{
    char *study = study_file_name(arguments->experiment);
    const char *path = study_file_path(arguments->experiment);
    if (text_ends(path, ".yaml")) {
        struct yaml *yaml = yaml_read(path);
        own_use_experiment(yaml);
        yaml_free(yaml);
    }
    const bool data = arguments->format.chosen == CSV || arguments->format.chosen == JSON;
    bool shown = load(arguments, study) && check_results(arguments, study);
    if (shown) {
        outputs_warn_changed(arguments->folder, study);
        shown = data ? print_data(arguments) : print_tables(arguments);
    }
    free(study);
    return shown ? EXIT_OK : EXIT_USAGE;
}

/* ---- The times of cells that were measured again: in another launch, another run, or on another machine ---- */

/* report/between.sql, which finds the pairs of times, and report/between-table.sql, the table for readers. */
static const char between_sql[] =
#include "between.sql.inc"
    ;
static const char between_table_sql[] =
#include "between-table.sql.inc"
    ;
/* Rows for programs: numbers with all their digits. */
static const char between_data_sql[] =
    "SELECT host AS folder, device, work, measured_in, cells, pairs, median, p75, p90, largest, above, apart, intervals"
    " FROM measured_again ORDER BY row";

static void print_folders(const struct hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++) {
        fputs(i == 0 ? "" : i + 1 < hosts->count ? ", " : " and ", stdout);
        escape_put(stdout, escape_terminal, hosts->host[i].folder);
    }
}

static void print_between(const struct rows *rows, const struct hosts *hosts, bool markdown)
{
    if (rows->count == 0) {
        fputs("No cell was measured again in ", stdout);
        print_folders(hosts);
        puts(": neither in several launches nor in several runs of one source.");
        return;
    }
    fputs("Cells that were measured again in ", stdout);
    print_folders(hosts);
    puts(": the slower of two times over the faster one\n");
    table_rows(rows, markdown);
    puts("\nApart: pairs whose intervals do not overlap, of the pairs with two intervals. Flagged times count; "
         "withdrawn and\nsimulated times do not, nor does the study smoke.");
}

/* Prints the distribution of the slower time over the faster one (report/between.sql), for each folder of the query and
 * for pairs of two folders. */
static enum exit_code show_between(struct arguments *arguments)
{
    struct query *query = &arguments->query;
    const int format = arguments->format.chosen;
    const bool data = format == CSV || format == JSON;
    struct rows rows;
    if (!hosts_exist(&query->hosts, "show"))
        return EXIT_USAGE;
    query_set(query, "most", "1000000");
    query_set(query, "probes", "yes");
    if (!query_open(query) || !query_run(query, "report/between.sql", between_sql, NULL) ||
        !query_run(query, "report/between-table.sql", data ? between_data_sql : between_table_sql, &rows))
        return EXIT_USAGE;
    if (data)
        query_print_find(formats[format])->print(&rows, stdout);
    else
        print_between(&rows, &query->hosts, format == MARKDOWN);
    rows_free(&rows);
    return EXIT_OK;
}

int show_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"data", 'd', "FOLDER", 0, "folder of the results (default data/local); --between takes several", 0},
        {"between", OPTION_BETWEEN, NULL, 0,
         "how far times lie apart where a cell was measured again: in another launch or run, or on another machine", 0},
        {"generations", 'g', NULL, 0,
         "the cells with results of several generations: each result, and its time over the time before", 0},
        {"orphaned", 'o', NULL, 0,
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
    if (!arguments.between)
        hosts_free(&arguments.query.hosts);
    if (arguments.query.hosts.count == 0)
        hosts_add(&arguments.query.hosts, arguments.folder);
    const enum exit_code code = arguments.assembly  ? (enum exit_code)assembly_show(&arguments.code)
                                : arguments.between ? show_between(&arguments)
                                                    : show_experiment(&arguments);
    query_close(&arguments.query);
    return code;
}
