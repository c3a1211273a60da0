/* `tilelab list`: the variants, and which of them run here; or what a data folder holds.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "options.h"
#include "backend/found.h"
#include "base/escape.h"
#include "own/kernel_files.h"
#include "plan/provenance.h"
#include "plan/variants.h"
#include "query/inventory_table.h"
#include "query/query.h"
#include "query/query_record.h"
#include "results/inventory.h"
#include "results/inventory_journal.h"

#include <stdlib.h>

struct arguments {
    const char *pattern, *folder;
    bool results, devices;
};

static error_t parse_option(int key, char *value, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'r':
        arguments->results = true;
        return 0;
    case 'D':
        arguments->devices = true;
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->folder;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->pattern)
            argp_error(state, "give one pattern, in quotes");
        arguments->pattern = value;
        return 0;
    case ARGP_KEY_END:
        if ((arguments->results || arguments->devices) && arguments->pattern)
            argp_error(state, "--results and --devices take no pattern");
        if (arguments->folder && !arguments->results)
            argp_error(state, "--data belongs to --results");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int list_variants(const char *pattern)
{
    size_t count;
    const struct entry *entries = registry(&count);
    if (!variants_check(pattern))
        return EXIT_USAGE;
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &entries[i];
        if (entry->problem->hidden || !variants_match(pattern, entry))
            continue;
        char precisions[32];
        cell_precisions_print(entry->meta->precisions, precisions, sizeof precisions);
        const struct cell cell = {.entry = entry, .precision = F32};
        const char *missing = backend_of(&cell)->missing(&cell);
        printf("%-28s %-12s %s (%s)\n", entry->name, precisions, entry->meta->summary, entry->meta->source);
        if (missing)
            printf("%-28s %-12s not here: %s\n", "", "", missing);
    }
    kernel_files_warn(stderr);
    return EXIT_OK;
}

/* Lists the devices of each backend by the names that an experiment may give them. */
static int list_devices(void)
{
    for (int id = 0; id < BACKENDS; id++) {
        const struct registry_backend *known = &registry_backends[id];
        const struct backend *backend = backend_get((enum backend_id)id);
        if (known->made == MADE_LIBRARIES)
            continue; /* they run on the device of the CPU backend */
        const int count = backend->discover ? backend->discover()->count : backend->device(NULL)[0] != '\0';
        const char *missing = count == 0 && backend->missing ? backend->missing(NULL) : NULL;
        if (count == 0)
            printf("%-10s not here: %s\n", known->name, missing ? missing : "no device");
        for (int i = 0; i < count; i++) {
            char line[300];
            if (backend->discover)
                found_line((enum backend_id)id, i, line, sizeof line);
            else
                snprintf(line, sizeof line, "%s, %s", backend->device(NULL), registry_kind_names[known->kind]);
            printf("%-10s %s\n",
                   known->devices > 0 ? cell_device_names[registry_device((enum backend_id)id, i)] : known->name, line);
        }
    }
    return EXIT_OK;
}

/* ---- What a data folder holds ---- */

static const char held_sql[] = "CREATE TEMP TABLE held(study TEXT, csv TEXT, journal TEXT) STRICT";
/* report/inventory.sql, a row for each study of `held`. */
static const char state_sql[] =
#include "inventory.sql.inc"
    ;

/* Puts what the files take into the table `held`. */
static bool put_files(struct query *query, const struct inventory *list, size_t count)
{
    bool done = query_run(query, "tilelab list", held_sql, NULL);
    for (size_t i = 0; i < count && done; i++) {
        char csv[INVENTORY_BYTES_SIZE], journal[INVENTORY_BYTES_SIZE];
        inventory_print_bytes(list[i].csv_bytes, csv);
        inventory_print_bytes(list[i].journal_bytes, journal);
        const char *const row[] = {list[i].study, csv, list[i].journal_bytes > 0 ? journal : NULL};
        done = query_record_insert(query->db, "INSERT INTO held VALUES(?,?,?)", 3, row);
    }
    return done;
}

/* Prints the state of the shown results of each study. False after a message. */
static bool print_state(const char *folder, const struct inventory *list, size_t count)
{
    struct query query = {.journals = true};
    struct rows rows = {0};
    char here[HASH_SHORT_SIZE];
    provenance_machine(folder, here);
    query_set(&query, "here", here);
    hosts_add(&query.hosts, folder);
    const bool done =
        query_open(&query) && put_files(&query, list, count) && query_run(&query, "tilelab list", state_sql, &rows);
    if (done)
        table_rows(&rows, false);
    rows_free(&rows);
    query_close(&query);
    return done;
}

/* What a table of the rest shows, in its order. */
static const enum store_use uses[] = {STORE_SUPERSEDED, STORE_ARCHIVED, STORE_UNLISTED,
                                      STORE_PENDING,    STORE_DAMAGED,  STORE_UNKNOWN};
enum { USES = sizeof uses / sizeof *uses };

/* Adds a row for a study that holds more than shown results. Returns whether it did. */
static bool add_rest(struct table *table, const char *folder, const struct inventory *study)
{
    struct inventory_journal held;
    struct store_inventory counts = {.generations = 0};
    char why[512] = "";
    if (study->has_results && inventory_journal_open(&held, folder, study->study, true, why, sizeof why)) {
        inventory_journal_take(&held, &counts);
        inventory_journal_close(&held);
    }
    if (inventory_table_lines(study, &counts, uses, USES) == 0 && !*why && study->has_file)
        return false;
    inventory_table_add(table, study, &counts, uses, USES);
    if (*why)
        table_text(table, why);
    else if (study->has_file)
        table_text(table, "");
    else
        table_print(table, "%s.yaml is neither here nor in experiments/", study->study);
    return true;
}

/* Prints what the studies hold besides shown results. */
static void print_rest(const char *folder, const struct inventory *list, size_t count)
{
    struct table table = {.columns = 0};
    bool any = false;
    inventory_table_columns(&table, uses, USES);
    table_column(&table, "remark", true, true);
    for (size_t i = 0; i < count; i++)
        any = add_rest(&table, folder, &list[i]) || any;
    if (!any)
        return;
    puts("\nBesides the shown results, lines of the journals and files:");
    table_end(&table);
    puts("`tilelab prune` drops superseded and damaged lines and temporary files (--superseded), and archived lines\n"
         "(--generations). Pending lines are rounds that a run takes up. Unlisted cells left their study.");
}

/* Prints a table of the studies of a folder, and a table of what could be dropped. */
static enum exit_code list_results(const char *folder)
{
    struct inventory *list;
    const int count = inventory_find(folder, &list);
    if (count < 0)
        return EXIT_USAGE;
    fputs("studies in ", stdout);
    escape_put(stdout, escape_terminal, folder);
    printf(": %d\n", count);
    const bool printed = count == 0 || print_state(folder, list, (size_t)count);
    if (printed)
        print_rest(folder, list, (size_t)count);
    free(list);
    return printed ? EXIT_OK : EXIT_USAGE;
}

int list_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"results", 'r', NULL, 0, "list what a data folder holds of each study, and what could be dropped", 0},
        {"devices", 'D', NULL, 0, "list the devices, by the names that an experiment file gives them", 0},
        {0}};
    static const struct argp_child children[] = {{&options_data, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse_option,
        .children = children,
        .args_doc = "[PATTERN]\n--results\n--devices",
        .doc = "Lists the variants in the order of legends: name, precisions, summary and source. A variant that does "
               "not run here has a second line that says why. PATTERN is like \"matmul/omp-*\"."};
    struct arguments arguments = {.results = false};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (arguments.devices)
        return list_devices();
    if (arguments.results)
        return list_results(arguments.folder ? arguments.folder : "data/local");
    return list_variants(arguments.pattern ? arguments.pattern : "*");
}
