/* `tilelab list --results`: what a data folder holds.
 * SPDX-License-Identifier: MIT */
#include "list_results.h"

#include "commands.h"
#include "holding.h"
#include "holding_store.h"
#include "table.h"
#include "base/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void begin_state(struct table *table)
{
    static const struct {
        const char *head;
        bool left, optional;
    } columns[] = {{"study", true, false},         {"profile", true, true},    {"ok", false, false},
                   {"skipped", false, false},      {"failed", false, false},   {"flagged", false, false},
                   {"partial", false, true},       {"pretended", false, true}, {"stale", false, false},
                   {"generations", false, false},  {"archived", false, true},  {"machine", true, false},
                   {"measured (UTC)", true, true}, {"CSV", false, false},      {"journal", false, false}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        table_column(table, columns[i].head, columns[i].left, columns[i].optional);
}

static void add_state(struct table *table, const struct holding *holding)
{
    static const char *const machines[] = {"unknown", "this one", "another", "several"};
    char measured[32] = "", bytes[HOLDING_BYTES_SIZE] = "";
    const time_t seconds = (time_t)holding->measured_at;
    struct tm at;
    if (seconds > 0 && gmtime_r(&seconds, &at))
        strftime(measured, sizeof measured, "%Y-%m-%d %H:%M", &at);
    table_text(table, holding->study);
    table_text(table, holding->profiles);
    table_print(table, "%zu", holding->ok);
    table_print(table, "%zu", holding->skipped);
    table_print(table, "%zu", holding->failed);
    table_print(table, "%zu", holding->flagged);
    table_count(table, holding->partial);
    table_count(table, holding->pretended);
    table_print(table, "%zu", holding->stale);
    table_print(table, "%d", holding->generations);
    table_count(table, holding->archived);
    table_text(table, machines[holding->machine]);
    table_text(table, measured);
    holding_print_bytes(holding->csv_bytes, bytes);
    table_text(table, bytes);
    if (holding->journal_bytes > 0)
        holding_print_bytes(holding->journal_bytes, bytes);
    table_text(table, holding->journal_bytes > 0 ? bytes : "none");
}

/* What a table of the rest shows, in its order. */
static const enum store_use uses[] = {STORE_SUPERSEDED, STORE_ARCHIVED, STORE_UNLISTED,
                                      STORE_PENDING,    STORE_DAMAGED,  STORE_UNKNOWN};
enum { USES = sizeof uses / sizeof *uses };

/* Adds a row for a study that holds more than shown results. Returns whether it did. */
static bool add_rest(struct table *table, const char *folder, const struct holding *holding)
{
    struct holding_store held;
    struct store_inventory inventory = {.generations = 0};
    char why[512] = "";
    if (holding->has_results && holding_store_open(&held, folder, holding->study, true, why, sizeof why)) {
        holding_store_take_stock(&held, &inventory);
        holding_store_close(&held);
    }
    if (holding_store_lines(holding, &inventory, uses, USES) == 0 && !*why && holding->has_file)
        return false;
    holding_store_add_texts(table, holding, &inventory, uses, USES);
    if (*why)
        table_text(table, why);
    else if (holding->has_file)
        table_text(table, "");
    else
        table_print(table, "experiments/%s.yaml is gone", holding->study);
    return true;
}

/* Prints what the studies hold besides shown results. */
static void print_rest(const char *folder, const struct holding *list, size_t count)
{
    struct table table = {.columns = 0};
    bool any = false;
    holding_store_columns(&table, uses, USES);
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

int list_results(const char *folder)
{
    struct holding *list;
    const int count = holding_find(folder, &list);
    if (count < 0)
        return EXIT_USAGE;
    fputs("studies in ", stdout);
    escape_put(stdout, escape_terminal, folder);
    printf(": %d\n", count);
    if (count > 0) {
        struct table table = {.columns = 0};
        begin_state(&table);
        for (int i = 0; i < count; i++)
            add_state(&table, &list[i]);
        table_end(&table);
        print_rest(folder, list, (size_t)count);
    }
    free(list);
    return EXIT_OK;
}
