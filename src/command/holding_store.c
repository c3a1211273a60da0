/* The journal of a study as its CSV files show it.
 * SPDX-License-Identifier: MIT */
#include "holding_store.h"

#include "show_rows.h"
#include "base/memory.h"
#include "results/outputs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The hashes of a row, as store_expect takes them. */
static void provenance_of(const struct show_rows *rows, size_t row, char provenance[PROVENANCES][HASH_SHORT_SIZE])
{
    struct result result = {.provenance = {""}};
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        const char *text = show_rows_field(rows, row, c);
        if (columns_result[c].kind == COLUMN_HASH)
            columns_read(&columns_result[c], &result, text, strlen(text));
    }
    memcpy(provenance, result.provenance, sizeof result.provenance);
}

/* Whether the store shows the result of a row: the same measurement, by its status, its time and what it depends on. */
static bool is_shown(const struct store *store, const struct show_rows *rows, size_t row)
{
    char provenance[PROVENANCES][HASH_SHORT_SIZE];
    const struct result *result = store_find(store, show_rows_field(rows, row, RESULT_AT_cell));
    const double median_s = show_rows_number(rows, row, RESULT_AT_median_s);
    provenance_of(rows, row, provenance);
    if (!result || !show_rows_has_status(rows, row, result->status))
        return false;
    for (int part = 0; part < PROVENANCES; part++)
        if (strcmp(provenance[part], result->provenance[part]) != 0)
            return false;
    return isnan(median_s) ? isnan(result->median_s) : median_s == result->median_s;
}

/* Tells the store which results results.csv shows. False if the store shows other results. */
static bool expect_rows(struct holding_store *held, const struct show_rows *rows)
{
    held->ids = memory_allocate(rows->count, sizeof *held->ids);
    held->count = rows->count;
    bool same = true;
    for (size_t r = 0; r < rows->count; r++) {
        char provenance[PROVENANCES][HASH_SHORT_SIZE];
        snprintf(held->ids[r], sizeof held->ids[r], "%s", show_rows_field(rows, r, RESULT_AT_cell));
        provenance_of(rows, r, provenance);
        same = store_expect(held->store, held->ids[r], provenance) && same;
    }
    for (size_t r = 0; same && r < rows->count; r++)
        same = is_shown(held->store, rows, r);
    return same;
}

/* The journal may have taken rows of changed files, which nobody but the run record can tell later. Returns 0 or an
 * errno. */
static int keep_changes(const struct holding_store *held)
{
    return outputs_keep_changes_in(store_folder(held->store), held->study, store_changed_outputs(held->store));
}

bool holding_store_open(struct holding_store *held, const char *folder, const char *study, bool read_only, char *why,
                        size_t size)
{
    struct show_rows rows = {.count = 0};
    *held = (struct holding_store){.store = store_open(folder, study, read_only, why, size), .study = study};
    if (!held->store)
        return false;
    const int failed = read_only ? 0 : keep_changes(held);
    if (failed) {
        snprintf(why, size, "%s/%s.run.json: %s", folder, study, store_failure(failed));
        holding_store_close(held);
        return false;
    }
    const bool same = !show_rows_read_file(folder, study, &rows) || expect_rows(held, &rows);
    show_rows_free(&rows);
    if (same)
        return true;
    snprintf(why, size, "%s/%s.results.csv does not show what its journal holds; `tilelab run` writes it anew", folder,
             study);
    holding_store_close(held);
    return false;
}

void holding_store_take_stock(struct holding_store *held, struct store_inventory *inventory)
{
    store_take_stock(held->store, (const char(*)[CELL_ID_SIZE])held->ids, held->count, inventory);
}

void holding_store_columns(struct table *table, const enum store_use uses[], size_t count)
{
    static const char *const names[STORE_USES] = {
        [STORE_PENDING] = "pending",       [STORE_ARCHIVED] = "archived", [STORE_UNLISTED] = "unlisted",
        [STORE_SUPERSEDED] = "superseded", [STORE_DAMAGED] = "damaged",   [STORE_UNKNOWN] = "unknown"};
    table_column(table, "study", true, false);
    for (size_t u = 0; u <= count; u++) {
        table_column(table, u < count ? names[uses[u]] : "temporary", false, true);
        table_column(table, "bytes", false, true);
    }
}

size_t holding_store_lines(const struct holding *holding, const struct store_inventory *inventory,
                           const enum store_use uses[], size_t count)
{
    size_t lines = holding->temporary;
    for (size_t u = 0; u < count; u++)
        lines += inventory->use[uses[u]].lines;
    return lines;
}

void holding_store_add_texts(struct table *table, const struct holding *holding,
                             const struct store_inventory *inventory, const enum store_use uses[], size_t count)
{
    table_text(table, holding->study);
    for (size_t u = 0; u <= count; u++) {
        const size_t lines = u < count ? inventory->use[uses[u]].lines : holding->temporary;
        char text[HOLDING_BYTES_SIZE] = "";
        if (lines > 0)
            holding_print_bytes(u < count ? (int64_t)inventory->use[uses[u]].bytes : holding->temporary_bytes, text);
        table_count(table, lines);
        table_text(table, text);
    }
}

int holding_store_prune(struct holding_store *held, unsigned uses)
{
    const char(*ids)[CELL_ID_SIZE] = (const char(*)[CELL_ID_SIZE])held->ids;
    bool changed;
    errno = 0;
    if (store_prune(held->store, ids, held->count, uses) != 0 ||
        store_export(held->store, ids, held->count, &changed) != 0)
        return errno ? errno : EIO;
    return keep_changes(held); /* the record names the files that were just written */
}

void holding_store_close(struct holding_store *held)
{
    store_close(held->store);
    free(held->ids);
    *held = (struct holding_store){.store = NULL};
}
