/* `tilelab count`: the GPU's hardware counters of an experiment's cells.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "options.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "counters/profiler.h"
#include "own/own.h"
#include "plan/counted.h"
#include "plan/schedule.h"
#include "plan/study_file.h"
#include "results/columns.h"
#include "run/pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char **file;
    size_t files;
    const char *data, *variant;
    enum profile profile;
    struct number_list n; /* empty: all */
};

static const struct argp_option options[] = {
    {"variant", 'v', "PATTERN", 0, "count these variants only, for example cuda-b* or aat/cuda-*", 0},
    {"n", 'n', "LIST", 0, "count these orders only, for example 1024,4096", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->data;
        state->child_inputs[1] = &arguments->profile;
        break;
    case 'v':
        arguments->variant = text;
        break;
    case 'n':
        if (!number_list_read(text, &arguments->n))
            argp_error(state, "'%s' is no list of sizes like 1024,4096", text);
        break;
    case ARGP_KEY_ARG:
        arguments->file[arguments->files++] = study_file_path(text);
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name an experiment, for example experiments/lab5-matmul.yaml");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* The profiler; it is searched for once. */
struct ncu {
    char path[1024], version[32];
    bool found;
};

/* The GPU cells of a schedule that the command line asks for, in its order. */
struct plan {
    const struct schedule *schedule;
    struct counted *cell;
    size_t cells;
};

static bool asked_for(const struct cell *cell, const struct arguments *arguments)
{
    bool among = arguments->n.count == 0;
    for (int i = 0; i < arguments->n.count; i++)
        among |= arguments->n.value[i] == cell->n;
    return among && (!arguments->variant || registry_matches(cell->entry, arguments->variant));
}

static struct plan make_plan(const struct schedule *schedule, const struct arguments *arguments)
{
    struct plan plan = {.schedule = schedule, .cell = memory_allocate(schedule->grid_items, sizeof *plan.cell)};
    for (size_t i = 0; i < schedule->grid_items; i++) {
        const struct item *item = &schedule->item[i];
        if (!backend_can_mark(item->cell.entry->backend) || !asked_for(&item->cell, arguments))
            continue;
        struct counted *cell = &plan.cell[plan.cells++];
        cell->cell = item->cell;
        cell->status = STATUS_SKIPPED;
        cell->decided = item_is_skipped(item);
        snprintf(cell->reason, sizeof cell->reason, "%s", item->skip ? item->skip : "");
    }
    return plan;
}

static size_t cells_with(const struct plan *plan, enum status status)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->cells; i++)
        count += plan->cell[i].decided && plan->cell[i].status == status;
    return count;
}

static void tell(const struct cell *cell)
{
    char key[512];
    cell_key(cell, key, sizeof key);
    printf("  %s\n", key);
    fflush(stdout);
}

/* Counts the cells. False: the user interrupted. */
static bool count_cells(struct plan *plan, const struct ncu *ncu, uint64_t seed)
{
    if (cells_with(plan, STATUS_SKIPPED) == plan->cells)
        return true;
    for (size_t i = 0; !ncu->found && i < plan->cells; i++)
        if (!plan->cell[i].decided) {
            snprintf(plan->cell[i].reason, sizeof plan->cell[i].reason,
                     "ncu was not found, which reads the counters: install " NCU_REMEDY);
            plan->cell[i].decided = true;
        }
    for (size_t i = 0; ncu->found && i < plan->cells; i++)
        if (!plan->cell[i].decided)
            own_build(&plan->cell[i].cell);
    return !ncu->found || profiler_count(ncu->path, plan->cell, plan->cells, seed, tell);
}

/* Prints how many cells were counted, skipped or failed, and each reason once. */
static void say(const struct plan *plan, const char *name)
{
    printf("%s: %zu cells of the GPU counted, %zu skipped, %zu failed\n", name, cells_with(plan, STATUS_OK),
           cells_with(plan, STATUS_SKIPPED), cells_with(plan, STATUS_FAILED));
    for (size_t i = 0; i < plan->cells; i++) {
        const struct counted *cell = &plan->cell[i];
        size_t alike = 0;
        bool first = cell->reason[0] != '\0';
        for (size_t k = 0; first && k < plan->cells; k++) {
            const bool same = plan->cell[k].status == cell->status && strcmp(plan->cell[k].reason, cell->reason) == 0;
            first = !(same && k < i);
            alike += same;
        }
        if (first)
            printf("  %7zu %s: %s\n", alike, status_names[cell->status], cell->reason);
    }
    fflush(stdout);
}

static char *number_text(int64_t value)
{
    return value < 0 ? NULL : memory_print("%lld", (long long)value);
}

static char *axis_text(const struct cell *cell, int axis)
{
    const struct result result = {.cell = *cell};
    char text[COLUMN_TEXT_SIZE] = "";
    for (int c = 0; c < RESULT_COLUMNS; c++)
        if (columns_result[c].kind == COLUMN_AXIS && columns_result[c].size == (size_t)axis)
            columns_print(&columns_result[c], &result, text);
    return memory_copy(text);
}

static struct counters_row row_of(const struct counted *cell, const char *id, const char *experiment,
                                  const struct ncu *ncu)
{
    const struct entry *entry = cell->cell.entry;
    const bool ok = cell->status == STATUS_OK;
    struct counters_row row = {0};
    row.field[COUNTED_EXPERIMENT] = memory_copy(experiment);
    row.field[COUNTED_CELL] = memory_copy(id);
    row.field[COUNTED_VARIANT] = memory_copy(entry->name);
    row.field[COUNTED_DEVICE] = ok ? memory_copy(backend_of(&cell->cell)->device(&cell->cell)) : NULL;
    for (int axis = 0; axis < AXES; axis++)
        row.field[COUNTED_FIRST_AXIS + axis] = axis_text(&cell->cell, axis);
    row.field[COUNTED_SOURCE_HASH] = memory_print("%.16s", entry->source_hash);
    row.field[COUNTED_NCU] = ok ? memory_copy(ncu->version) : NULL;
    row.field[COUNTED_STATUS] = memory_copy(status_names[cell->status]);
    row.field[COUNTED_REASON] = memory_copy(cell->reason);
    for (int i = 0; ok && i < COUNTERS; i++)
        row.field[COUNTED_VALUES + i] = number_text(cell->counts.value[i]);
    return row;
}

static struct counters_row *row_with(const struct counters_table *table, const char *id)
{
    for (size_t r = 0; r < table->count; r++)
        if (table->row[r].field[COUNTED_CELL] && strcmp(table->row[r].field[COUNTED_CELL], id) == 0)
            return &table->row[r];
    return NULL;
}

/* Makes one row for each GPU cell that a profile of the experiment lists. The row tells what was counted now. Where the
 * cell was not counted now, or skipped now but counted before, the row of `old` is moved over. */
static void merge(const struct plan *plan, const char *experiment, const struct ncu *ncu, struct counters_table *old,
                  struct counters_table *table)
{
    const struct counted *cell = plan->cell;
    const struct grid *listed = &plan->schedule->listed;
    *table = (struct counters_table){.row = memory_allocate(listed->count, sizeof *table->row)};
    for (size_t i = 0; i < listed->count; i++) {
        const char *id = plan->schedule->listed_id[i];
        const bool now = cell < plan->cell + plan->cells && cell_compare(&cell->cell, &listed->cell[i]) == 0;
        struct counters_row *before = row_with(old, id);
        const bool keep = before && (!now || (cell->status == STATUS_SKIPPED && counters_row_ok(before)));
        if (keep) {
            table->row[table->count++] = *before;
            *before = (struct counters_row){0};
        } else if (now) {
            table->row[table->count++] = row_of(cell, id, experiment, ncu);
        }
        cell += now;
    }
}

static bool write_rows(const struct plan *plan, const char *experiment, const char *data, const struct ncu *ncu)
{
    char why[512];
    struct counters_table old, table = {0};
    bool counted_before = false, changed = false;
    if (!counters_load(data, experiment, &old, why, sizeof why)) {
        fprintf(stderr, "tilelab: %s\n", why);
        return false;
    }
    for (size_t r = 0; r < old.count; r++)
        counted_before |= counters_row_ok(&old.row[r]);
    bool done = true;
    const bool is_kept = counted_before && cells_with(plan, STATUS_OK) == 0;
    if (!is_kept)
        merge(plan, experiment, ncu, &old, &table);
    if (is_kept) {
        printf("  %s/%s.counters.csv holds counts and is left unchanged\n", data, experiment);
    } else if (!folder_make(data) || counters_save(data, experiment, &table, &changed) != 0) {
        folder_why(why, sizeof why, data, errno);
        fprintf(stderr, "tilelab: %s\n", why);
        done = false;
    } else if (changed) {
        printf("  written: %s/%s.counters.csv\n", data, experiment);
    }
    counters_free(&old);
    counters_free(&table);
    return done;
}

static enum exit_code count_one(struct study *study, const struct arguments *arguments, const struct ncu *ncu)
{
    const struct experiment *experiment = study->asked;
    counted_use(arguments->data);
    struct schedule *schedule = schedule_make(study, NULL, AGAIN_NOTHING, stderr);
    enum exit_code code = EXIT_OK;
    if (!schedule)
        return EXIT_USAGE;
    struct plan plan = make_plan(schedule, arguments);
    schedule_list(schedule, NULL);
    if (plan.cells == 0) {
        printf("%s: there are no GPU cells to count\n", experiment->name);
    } else if (!count_cells(&plan, ncu, experiment->measure.seed)) {
        fprintf(stderr, "interrupted; nothing was written for %s\n", experiment->name);
        code = EXIT_INTERRUPTED;
    } else {
        say(&plan, experiment->name);
        code = !write_rows(&plan, experiment->name, arguments->data, ncu) ? EXIT_STORE
               : cells_with(&plan, STATUS_FAILED) > 0                     ? EXIT_CELLS
                                                                          : EXIT_OK;
    }
    free(plan.cell);
    schedule_free(schedule);
    return code;
}

int count_main(int argc, char **argv)
{
    static const char doc[] = "Launches each GPU cell once under Nsight Compute and writes the hardware counters to "
                              "<experiment>.counters.csv. The subcommand measures no times.";
    static const struct argp_child children[] = {{&options_data, 0, NULL, 0}, {&options_profile, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "EXPERIMENT.yaml...", .doc = doc, .children = children};
    struct arguments arguments = {
        .data = "data/local", .profile = PROFILE_QUICK, .file = memory_allocate((size_t)argc, sizeof *arguments.file)};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct yaml **opened = memory_allocate(arguments.files, sizeof *opened);
    for (size_t i = 0; i < arguments.files; i++)
        opened[i] = study_file_open(arguments.file[i]);
    struct study **studies = memory_allocate(arguments.files, sizeof *studies);
    enum exit_code code = EXIT_OK;
    for (size_t i = 0; i < arguments.files; i++)
        if (!opened[i] || !(studies[i] = study_read(opened[i], arguments.profile, NULL, 0, stderr)))
            code = EXIT_USAGE;
    if (code == EXIT_OK && !experiments_folder(arguments.data))
        code = EXIT_STORE;
    pool_catch_interrupts();
    struct ncu ncu;
    ncu.found = profiler_find(ncu.path, sizeof ncu.path, ncu.version, sizeof ncu.version);
    for (size_t i = 0; code != EXIT_USAGE && code != EXIT_STORE && i < arguments.files; i++) {
        const enum exit_code one = count_one(studies[i], &arguments, &ncu);
        if (one > code)
            code = one;
        if (one >= EXIT_STORE)
            break;
    }
    for (size_t i = 0; i < arguments.files; i++)
        study_free(studies[i]);
    free(studies);
    free(opened);
    free(arguments.file);
    return code;
}
