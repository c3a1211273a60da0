/* `tilelab calibrate`: measures variants under two names, and counts how often the rule of comparison sees a difference
 * where there is none.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "registry.h"
#include "backend/backend.h"
#include "base/comparison.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/rewrite.h"
#include "plan/experiment.h"
#include "query/query.h"
#include "query/query_print.h"
#include "query/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* report/calibrate-twins.sql, which compares the twins. */
static const char calibrate_sql[] =
#include "calibrate-twins.sql.inc"
    ;

/* report/calibration-summary.sql, which sums up what is kept. */
static const char calibration_sql[] =
#include "calibration-summary.sql.inc"
    ;

/* The cells of each side: every size, precision and variant is a cell. Runs take microseconds to milliseconds, as those
 * of most studies. Each cell gives one comparison, or two where its launches are halved: then each half has what a
 * verdict needs, and one round more. The cells of a GPU are not halved, since a converged cell has few rounds. */
enum { VARIANTS = 4, PRECISIONS_USED = 2, CELLS_OF_A_SIZE = VARIANTS * PRECISIONS_USED, HALVES = 2 };
static const struct side {
    const char *key;  /* for --side */
    const char *name; /* of the experiment */
    enum backend_id backend;
    int pairs_of_a_cell;
    int first, step; /* the sizes */
    const char *variant[VARIANTS];
} sides[] = {
    {"cpu", "calibration-cpu", BACKEND_CPU, HALVES, 32, 16, {"seq-ijk", "seq-ikj", "omp-ijk", "omp-packed"}},
    {"gpu",
     "calibration-gpu",
     BACKEND_CUDA,
     1,
     256,
     32,
     {"cuda-global", "cuda-shared", "cuda-register", "cuda-warptile"}},
};
enum { SIDES = sizeof sides / sizeof *sides };

struct arguments {
    const char *data;
    enum profile profile;
    char *folder;            /* of the measured cells, in the data folder */
    int64_t pairs;           /* comparisons of each side */
    const struct side *side; /* measured alone; NULL: all sides */
    bool only_show;
};

/* Writes the experiment file of a side: FOLDER/NAME.yaml. False with errno. */
static bool write_experiment(const struct arguments *arguments, const struct side *side)
{
    /* Of the profiles: that of `full` is called measure. */
    static const char *const sections[] = {"measure", "quick", "record"};
    char *text = NULL, *file = memory_print("%s.yaml", side->name);
    bool changed;
    const int64_t pairs_of_a_size = (int64_t)CELLS_OF_A_SIZE * side->pairs_of_a_cell;
    const int64_t sizes = (arguments->pairs + pairs_of_a_size - 1) / pairs_of_a_size;
    memory_append(&text, "schema: 1\ntitle: {en: \"Each variant and its twin\"}\nsource: tilelab\nproblem: matmul\n");
    memory_append(&text, "grid:\n  precision: [f32, f64]\n  n: {from: %d, to: %lld, step: %d}\n  variant: [",
                  side->first, (long long)(side->first + (sizes - 1) * side->step), side->step);
    for (int v = 0; v < VARIANTS; v++)
        memory_append(&text, "%s%s, %s%s", v ? ", " : "", side->variant[v], side->variant[v], REGISTRY_TWIN);
    memory_append(&text, "]\n");
    if (side->pairs_of_a_cell == HALVES)
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
            memory_append(&text, "%s: {rounds: %d, launches: %d}\n", sections[i], HALVES * (COMPARISON_ROUNDS + 1),
                          HALVES * COMPARISON_LAUNCHES);
    const bool written = rewrite_bytes(arguments->folder, file, text, strlen(text), &changed) == 0;
    const int error = errno;
    free(text);
    free(file);
    errno = error;
    return written;
}

/* Measures the sides that this machine has. Returns the exit code of the run. */
static int measure(const struct arguments *arguments)
{
    char *path[SIDES];
    char *call[8 + SIDES] = {"tilelab calibrate", "--data", arguments->folder, "--profile",
                             (char *)experiment_profiles[arguments->profile]};
    enum { OPTIONS = 5 };
    int words = OPTIONS, code = EXIT_OK;
    size_t made = 0;
    for (size_t i = 0; i < SIDES && code == EXIT_OK; i++) {
        const struct cell any = {.precision = F32};
        if ((arguments->side && arguments->side != &sides[i]) || backend_get(sides[i].backend)->missing(&any))
            continue;
        path[made] = memory_print("%s/%s.yaml", arguments->folder, sides[i].name);
        call[words++] = path[made];
        if (!write_experiment(arguments, &sides[i])) {
            fprintf(stderr, "tilelab calibrate: %s: %s\n", path[made], strerror(errno));
            code = EXIT_STORE;
        }
        made++;
    }
    if (words == OPTIONS) {
        fprintf(stderr, "tilelab calibrate: this machine has no GPU that the program can use; see `tilelab doctor`\n");
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK)
        code = run_calibration(words, call);
    while (made > 0)
        free(path[--made]);
    return code;
}

/* Writes DATA/calibration.csv. False after a message. */
static bool keep(const struct arguments *arguments, const struct rows *rows)
{
    static const char name[] = "calibration.csv";
    char *text = NULL;
    size_t size;
    bool changed;
    FILE *out = open_memstream(&text, &size);
    if (out)
        query_print_find("csv")->print(rows, out);
    const bool kept = out && fclose(out) == 0 && rewrite_bytes(arguments->data, name, text, size, &changed) == 0;
    if (!kept)
        fprintf(stderr, "tilelab calibrate: %s/%s: %s\n", arguments->data, name, strerror(errno));
    free(text);
    return kept;
}

/* Compares the measured twins, and keeps a row for each cell, beside the last rows of a side that was not measured.
 * Returns the exit code. */
static int compare(const struct arguments *arguments)
{
    struct query query = {.published = NULL};
    char now[24], rounds[12], launches[12];
    snprintf(now, sizeof now, "%lld", (long long)time(NULL));
    snprintf(rounds, sizeof rounds, "%d", COMPARISON_ROUNDS);
    snprintf(launches, sizeof launches, "%d", COMPARISON_LAUNCHES);
    query_set(&query, "now", now);
    query_set(&query, "rounds", rounds);
    query_set(&query, "launches", launches);
    query_set(&query, "profile", experiment_profiles[arguments->profile]);
    struct rows rows = {.count = 0};
    const bool read = !hosts_add(&query.hosts, arguments->folder) && !hosts_add(&query.hosts, arguments->data) &&
                      query_open(&query) && query_run(&query, "report/calibrate-twins.sql", calibrate_sql, &rows);
    int code = !read ? EXIT_USAGE : EXIT_OK;
    if (read && rows.count == 0) {
        fprintf(stderr, "tilelab calibrate: no cell was measured together with its twin\n");
        code = EXIT_CELLS;
    } else if (read && !keep(arguments, &rows)) {
        code = EXIT_STORE;
    }
    rows_free(&rows);
    query_close(&query);
    return code;
}

/* Prints what the data folder keeps. Returns the exit code. */
static int print(const struct arguments *arguments)
{
    static const struct {
        const char *column, *head;
    } shown[] = {{"side", "side"},
                 {"pairs", "pairs"},
                 {"faster", "faster"},
                 {"slower", "slower"},
                 {"same", "same"},
                 {"undecided", "undecided"},
                 {"share", "% different"},
                 {"width", "half width in %"},
                 {"width_most", "95 % of them below"},
                 {"halved", "cells halved"},
                 {"overlap", "% whose halves overlap"}};
    enum { SHOWN = sizeof shown / sizeof *shown };
    struct query query = {.published = NULL};
    struct rows rows = {.count = 0};
    struct table table = {.columns = 0};
    const bool read = !hosts_add(&query.hosts, arguments->data) && query_open(&query) &&
                      query_run(&query, "report/calibration-summary.sql", calibration_sql, NULL) &&
                      query_run(&query, "tilelab calibrate", "SELECT * FROM calibrated ORDER BY side", &rows);
    for (size_t i = 0; i < SHOWN; i++)
        table_column(&table, shown[i].head, i == 0, false);
    for (size_t row = 0; row < rows.count; row++)
        for (size_t i = 0; i < SHOWN; i++) {
            const char *value = rows_value(&rows, row, rows_column(&rows, shown[i].column));
            table_text(&table, value ? value : "");
        }
    if (read && rows.count > 0) {
        puts(
            "Each cell was measured twice in the same rounds, under two names. Every difference is a false one. Where\n"
            "a cell's launches are halved, each half is compared alone, and the halves' intervals should overlap:");
        table_end(&table);
    } else if (read) {
        fprintf(stderr, "tilelab calibrate: %s holds no calibration\n", arguments->data);
    }
    const bool found = read && rows.count > 0;
    rows_free(&rows);
    query_close(&query);
    return found ? EXIT_OK : EXIT_USAGE;
}

enum { OPTION_PAIRS = 0x100, OPTION_SIDE, OPTION_SHOW };

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    enum { MOST_PAIRS = 100000 };
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->data;
        state->child_inputs[1] = &arguments->profile;
        return 0;
    case OPTION_PAIRS:
        if (!number_read_count(text, strlen(text), &arguments->pairs) || arguments->pairs < 1 ||
            arguments->pairs > MOST_PAIRS)
            argp_error(state, "'%s' is no number of pairs from 1 to %d", text, MOST_PAIRS);
        return 0;
    case OPTION_SIDE:
        for (size_t i = 0; i < SIDES; i++)
            if (strcmp(text, sides[i].key) == 0)
                arguments->side = &sides[i];
        if (!arguments->side)
            argp_error(state, "there is no side '%s', only cpu and gpu", text);
        return 0;
    case OPTION_SHOW:
        arguments->only_show = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "calibrate takes no arguments");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int calibrate_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"pairs", OPTION_PAIRS, "NUMBER", 0, "comparisons of each side, rounded up to a multiple of 16 (default 200)",
         0},
        {"side", OPTION_SIDE, "cpu|gpu", 0, "measure one side alone, and keep the last result of the other", 0},
        {"show", OPTION_SHOW, NULL, 0, "measure nothing, and print the last calibration", 0},
        {0}};
    static const struct argp_child children[] = {{&options_data, 0, NULL, 0}, {&options_profile, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .doc = "Measures variants under two names, on the CPU and on the GPU if there is one, and counts how often the "
               "rule of comparison calls one name faster than the other. The folder keeps the result, which the "
               "report's section on the method shows."};
    struct arguments arguments = {.data = "data/local", .profile = PROFILE_QUICK, .pairs = 200};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    int code = EXIT_OK;
    if (!arguments.only_show) {
        /* Before the first look at the registry, here and in the workers. */
        setenv("TILELAB_TWINS", "1", 1);
        /* The folder may hold the cells of a call that was interrupted. They are not measured again. */
        arguments.folder = memory_print("%s/.calibration-%s", arguments.data, experiment_profiles[arguments.profile]);
        if (!folder_make(arguments.folder)) {
            fprintf(stderr, "tilelab calibrate: %s: %s\n", arguments.folder, strerror(errno));
            code = EXIT_STORE;
        }
        if (code == EXIT_OK)
            code = measure(&arguments);
        if (code == EXIT_OK || code == EXIT_CELLS)
            code = compare(&arguments);
        if (code == EXIT_OK)
            folder_remove(arguments.folder);
        free(arguments.folder);
    }
    return code == EXIT_OK ? print(&arguments) : code;
}
