/* `tilelab list --results`: what a data folder holds.
 * SPDX-License-Identifier: MIT */
#include "list_results.h"

#include "commands.h"
#include "stock_table.h"
#include "base/escape.h"
#include "plan/provenance.h"
#include "query/query.h"
#include "query/query_record.h"
#include "query/table.h"
#include "results/inventory.h"
#include "results/inventory_journal.h"

#include <stdio.h>
#include <stdlib.h>

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
    provenance_machine(here);
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
    struct store_inventory stock = {.generations = 0};
    char why[512] = "";
    if (study->has_results && inventory_journal_open(&held, folder, study->study, true, why, sizeof why)) {
        inventory_journal_take_stock(&held, &stock);
        inventory_journal_close(&held);
    }
    if (stock_table_lines(study, &stock, uses, USES) == 0 && !*why && study->has_file)
        return false;
    stock_table_add(table, study, &stock, uses, USES);
    if (*why)
        table_text(table, why);
    else if (study->has_file)
        table_text(table, "");
    else
        table_print(table, "experiments/%s.yaml is gone", study->study);
    return true;
}

/* Prints what the studies hold besides shown results. */
static void print_rest(const char *folder, const struct inventory *list, size_t count)
{
    struct table table = {.columns = 0};
    bool any = false;
    stock_table_columns(&table, uses, USES);
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
