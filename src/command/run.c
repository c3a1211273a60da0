/* `tilelab run` and `tilelab plan`.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "base/number.h"
#include "base/timer.h"
#include "machine/host.h"
#include "measure/pool.h"
#include "measure/progress.h"
#include "measure/run_record.h"
#include "plan/experiment_read.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_RETRY = 256, OPTION_AGAIN };

struct arguments {
    const char **file;
    size_t files;
    const char *data;
    enum profile profile;
    double budget_s;
    enum again again;
};

const char *const profile_names[] = {"full", "quick", "record", NULL};

enum profile profile_argument(const char *text, const struct argp_state *state)
{
    for (int i = 0; profile_names[i]; i++)
        if (strcmp(text, profile_names[i]) == 0)
            return (enum profile)i;
    argp_error(state, "no profile '%s': it is quick, full or record", text);
    return PROFILE_FULL; /* not reached */
}

static const struct argp_option options[] = {
    {"profile", 'p', "NAME", 0, "grid to take: quick, full (default) or record", 0},
    {"data", 'd', "FOLDER", 0, "where results lie (default data/local)", 0},
    {"budget", 'b', "TIME", 0, "start no cell that would end later than TIME (90s, 10m, 2h) from now", 0},
    {"retry", OPTION_RETRY, 0, 0, "measure failed and wrong cells again", 0},
    {"again", OPTION_AGAIN, 0, 0, "measure all cells again", 0},
    {0},
};

/* "90s", "10m", "2h"; with a decimal point, whatever the locale. NAN if it is none. */
static double parse_duration(const char *text)
{
    const size_t length = strspn(text, "0123456789.");
    const char *unit = text + length;
    double value;
    if (*text == '.' || length == 0 || !number_read(text, length, &value))
        return NAN;
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"m", 60}, {"h", 3600}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0 && value > 0)
            return value * units[i].seconds;
    return NAN;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'p':
        arguments->profile = profile_argument(text, state);
        break;
    case 'd':
        arguments->data = text;
        break;
    case 'b':
        arguments->budget_s = parse_duration(text);
        if (isnan(arguments->budget_s))
            argp_error(state, "'%s' is no time: write 90s, 10m or 2h", text);
        break;
    case OPTION_RETRY:
        arguments->again = AGAIN_FAILED;
        break;
    case OPTION_AGAIN:
        arguments->again = AGAIN_ALL;
        break;
    case ARGP_KEY_ARG:
        arguments->file[arguments->files++] = text;
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which experiment? For example experiments/smoke.yaml");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Whether the grid expands; what is wrong with it is told before a folder is touched. */
static bool expands(const struct experiment *experiment)
{
    const struct grid_limits limits = grid_limits_here();
    struct grid grid;
    if (grid_expand(experiment, &limits, &grid, stderr) != 0)
        return false;
    grid_free(&grid);
    return true;
}

/* Reads all files before anything is measured. NULL if one is faulty. */
static struct experiment **load_all(const struct arguments *arguments)
{
    struct experiment **experiments = calloc(arguments->files, sizeof *experiments);
    bool faulty = !experiments;
    for (size_t i = 0; experiments && i < arguments->files; i++)
        if (!(experiments[i] = experiment_read(arguments->file[i], arguments->profile, stderr)) ||
            !expands(experiments[i]))
            faulty = true;
    if (!faulty)
        return experiments;
    for (size_t i = 0; experiments && i < arguments->files; i++)
        experiment_free(experiments[i]);
    free(experiments);
    return NULL;
}

static bool parse_arguments(const char *doc, int argc, char **argv, struct arguments *arguments)
{
    const struct argp argp = {.options = options, .parser = parse, .args_doc = "EXPERIMENT.yaml...", .doc = doc};
    *arguments = (struct arguments){.data = "data/local",
                                    .profile = PROFILE_FULL,
                                    .budget_s = INFINITY,
                                    .file = calloc((size_t)argc, sizeof *arguments->file)};
    argp_err_exit_status = EXIT_USAGE;
    return arguments->file && argp_parse(&argp, argc, argv, 0, NULL, arguments) == 0;
}

static void say_what_is_missing(const struct schedule *schedule)
{
    static const char *const reasons[] = {"missing",         "source changed",   "library changed",
                                          "machine changed", "settings changed", "asked for again"};
    size_t pending = 0, skipped = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        pending += task_pending(&schedule->task[i]);
        skipped += schedule->task[i].skip != NULL;
    }
    printf("%s: %zu cells, %zu finished, %zu that do not suit this machine, %zu to measure", schedule->experiment->name,
           schedule->count, schedule->count - pending - skipped, skipped, pending);
    for (size_t r = 0; r < sizeof reasons / sizeof *reasons; r++) {
        size_t count = 0;
        for (size_t i = 0; i < schedule->count; i++)
            count += task_pending(&schedule->task[i]) && strcmp(schedule->task[i].why, reasons[r]) == 0;
        if (count > 0)
            printf("; %s: %zu", reasons[r], count);
    }
    putchar('\n');
    fflush(stdout);
}

static enum exit_code write_results(struct schedule *schedule, struct store *store, const struct arguments *arguments,
                                    struct run_report *report)
{
    char(*ids)[CELL_ID_SIZE] = malloc(schedule->count * sizeof *ids + 1);
    bool changed = false;
    int failed = ids ? 0 : ENOMEM;
    for (size_t i = 0; ids && i < schedule->count; i++) {
        memcpy(ids[i], schedule->task[i].id, sizeof ids[i]);
        enum status status;
        if (store_peek(store, ids[i], &status, NULL))
            report->status[status]++;
    }
    if (!failed && store_export(store, (const char(*)[CELL_ID_SIZE])ids, schedule->count, &changed) != 0)
        failed = errno ? errno : EIO;
    if (!failed)
        failed = record_write(arguments->data, schedule, profile_names[arguments->profile], report, changed);
    free(ids);
    if (failed)
        fprintf(stderr, "tilelab: results in %s could not be written: %s\n", arguments->data, strerror(failed));
    return failed ? EXIT_STORE : EXIT_OK;
}

static enum exit_code run_one(const struct experiment *experiment, const struct arguments *arguments, double end_s)
{
    char why[512];
    struct store *store = store_open(arguments->data, experiment->name, false, why, sizeof why);
    if (!store) {
        fprintf(stderr, "tilelab: %s\n", why);
        return EXIT_STORE;
    }
    enum exit_code code = EXIT_USAGE;
    struct schedule *schedule = schedule_make(experiment, store, arguments->again, stderr);
    if (schedule) {
        struct run_report report;
        say_what_is_missing(schedule);
        run_schedule(schedule, store, &(struct run_options){.budget_s = arguments->budget_s, .end_s = end_s}, &report);
        code = write_results(schedule, store, arguments, &report);
        if (report.store_failed)
            code = EXIT_STORE;
        else if (code == EXIT_OK && report.interrupted)
            code = EXIT_INTERRUPTED;
        for (int i = 0; code == EXIT_OK && i < STATUSES; i++)
            if (i != STATUS_OK && i != STATUS_SKIPPED && report.status[i] > 0)
                code = EXIT_CELLS;
    }
    schedule_free(schedule);
    store_close(store);
    return code;
}

static void say_how_to_go_on(int argc, char **argv)
{
    fprintf(stderr, "interrupted; finished cells are kept. To go on:\n ");
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--again") != 0)
            fprintf(stderr, " %s", argv[i]);
    fputc('\n', stderr);
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--again") == 0)
            fprintf(stderr, "(cells that --again did not come to keep what they had; with --again "
                            "it starts over)\n");
}

int run_main(int argc, char **argv)
{
    struct arguments arguments;
    if (!parse_arguments("Measures the cells of experiments that are missing or no longer hold.", argc, argv,
                         &arguments))
        return EXIT_USAGE;
    struct experiment **experiments = load_all(&arguments);
    if (!experiments)
        return EXIT_USAGE;
    pool_catch_interrupts();
    const double end_s = timer_now_s() + arguments.budget_s;
    enum exit_code code = EXIT_OK;
    for (size_t i = 0; i < arguments.files; i++) {
        const enum exit_code one = run_one(experiments[i], &arguments, end_s);
        if (one > code)
            code = one;
        if (one == EXIT_STORE || one == EXIT_INTERRUPTED)
            break;
    }
    if (code == EXIT_INTERRUPTED)
        say_how_to_go_on(argc, argv);
    for (size_t i = 0; i < arguments.files; i++)
        experiment_free(experiments[i]);
    free(experiments);
    free(arguments.file);
    return code;
}

/* ---- plan ---- */

static void print_skips(const struct schedule *schedule)
{
    /* Reasons hold sizes, so they are many: the most frequent first lines suffice. */
    enum { SHOWN = 12 };
    const char *seen[SHOWN];
    size_t seen_count[SHOWN], kinds = 0, others = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        const char *skip = schedule->task[i].skip;
        size_t k = 0;
        if (!skip)
            continue;
        while (k < kinds && strcmp(seen[k], skip) != 0)
            k++;
        if (k == SHOWN) {
            others++;
            continue;
        }
        if (k == kinds) {
            seen[kinds] = skip;
            seen_count[kinds++] = 0;
        }
        seen_count[k]++;
    }
    for (size_t k = 0; k < kinds; k++)
        printf("  %7zu skipped: %s\n", seen_count[k], seen[k]);
    if (others > 0)
        printf("  %7zu skipped for other reasons\n", others);
}

static void print_plan(const struct schedule *schedule, const struct store *store)
{
    const struct measure *measure = &schedule->experiment->measure;
    double total_s = 0;
    size_t finished = 0, pending = 0;
    char time[32];
    printf("%s\n", schedule->experiment->name);
    for (size_t p = 0; p < schedule->points; p++) {
        const struct point *point = &schedule->point[p];
        const struct cell *head = &schedule->task[schedule->order[point->first]].cell;
        double point_s = 0;
        size_t cells = 0, long_cells = 0, too_long = 0;
        for (size_t i = 0; i < point->count; i++) {
            const struct task *task = &schedule->task[schedule->order[point->first + i]];
            finished += task->known;
            if (!task_pending(task))
                continue;
            const double run_s = predict_run_s(schedule->task, store, task);
            cells++;
            long_cells += run_s > measure->once_above_s && run_s <= measure->skip_above_s;
            too_long += run_s > measure->skip_above_s;
            point_s += run_s > measure->skip_above_s ? 0 : predict_cost_s(measure, &task->cell, run_s);
        }
        pending += cells;
        total_s += point_s;
        if (cells == 0)
            continue;
        progress_duration(point_s, time, sizeof time);
        printf("  %s %s", head->entry->problem->name, precision_names[head->precision]);
        if (head->m > 0)
            printf(" m=%lld", (long long)head->m);
        printf(" n=%lld", (long long)head->n);
        if (head->k > 0)
            printf(" k=%lld", (long long)head->k);
        printf(": %zu cells, about %s", cells, time);
        if (long_cells)
            printf(", %zu of them run once", long_cells);
        if (too_long)
            printf(", %zu predicted over skip-above", too_long);
        putchar('\n');
    }
    print_skips(schedule);
    progress_duration(total_s, time, sizeof time);
    printf("  %zu cells: %zu finished, %zu to measure, about %s\n", schedule->count, finished, pending, time);
}

int plan_main(int argc, char **argv)
{
    struct arguments arguments;
    if (!parse_arguments("Shows what `run` would measure, and how long that would take.", argc, argv, &arguments))
        return EXIT_USAGE;
    struct experiment **experiments = load_all(&arguments);
    if (!experiments)
        return EXIT_USAGE;
    enum exit_code code = EXIT_OK;
    for (size_t i = 0; i < arguments.files; i++) {
        char why[512];
        /* Without results yet, everything is predicted from typical rates. */
        struct store *store = store_open(arguments.data, experiments[i]->name, true, why, sizeof why);
        struct schedule *schedule = schedule_make(experiments[i], store, arguments.again, stderr);
        if (schedule)
            print_plan(schedule, store);
        else
            code = EXIT_USAGE;
        schedule_free(schedule);
        if (store)
            store_close(store);
        experiment_free(experiments[i]);
    }
    free(experiments);
    free(arguments.file);
    return code;
}
