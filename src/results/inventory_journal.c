/* The journal of a study as its CSV files show it.
 * SPDX-License-Identifier: MIT */
#include "inventory_journal.h"

#include "listed.h"
#include "outputs.h"
#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether the store shows the result of a row: the same measurement, by its status, its time and what it depends on. */
static bool is_shown(const struct store *store, const struct result *row)
{
    const struct result *result = store_find(store, row->id);
    if (!result || row->status != result->status)
        return false;
    for (int part = 0; part < PROVENANCES; part++)
        if (strcmp(row->provenance[part], result->provenance[part]) != 0)
            return false;
    return isnan(row->median_s) ? isnan(result->median_s) : row->median_s == result->median_s;
}

/* Tells the store which results results.csv shows. False if the store shows other results. */
static bool expect_rows(struct inventory_journal *held, const struct listed *listed)
{
    held->ids = memory_allocate(listed->count, sizeof *held->ids);
    held->count = listed->count;
    bool same = true;
    for (size_t r = 0; r < listed->count; r++) {
        memcpy(held->ids[r], listed->row[r].id, sizeof held->ids[r]);
        same = store_expect(held->store, held->ids[r], listed->row[r].provenance) && same;
    }
    for (size_t r = 0; same && r < listed->count; r++)
        same = is_shown(held->store, &listed->row[r]);
    return same;
}

/* The journal may have taken rows of changed files, which nobody but the run record can tell later. Returns 0 or an
 * errno. */
static int keep_changes(const struct inventory_journal *held, bool written)
{
    return outputs_keep_changes_in(store_folder(held->store), held->study, store_changed_outputs(held->store), written);
}

bool inventory_journal_open(struct inventory_journal *held, const char *folder, const char *study, bool read_only,
                            char *why, size_t size)
{
    struct listed listed = {.count = 0};
    *held = (struct inventory_journal){.store = store_open(folder, study, read_only, why, size), .study = study};
    if (!held->store)
        return false;
    const int failed = read_only ? 0 : keep_changes(held, false);
    if (failed) {
        snprintf(why, size, "%s/%s.run.json: %s", folder, study, store_failure(failed));
        inventory_journal_close(held);
        return false;
    }
    const bool same = !listed_read(&listed, folder, study) || expect_rows(held, &listed);
    listed_free(&listed);
    if (same)
        return true;
    snprintf(why, size, "%s/%s.results.csv does not show what its journal holds; `tilelab run` writes it anew", folder,
             study);
    inventory_journal_close(held);
    return false;
}

void inventory_journal_take(struct inventory_journal *held, struct store_inventory *inventory)
{
    store_inventory_take(held->store, (const char(*)[CELL_ID_SIZE])held->ids, held->count, inventory);
}

int inventory_journal_prune(struct inventory_journal *held, unsigned uses)
{
    const char(*ids)[CELL_ID_SIZE] = (const char(*)[CELL_ID_SIZE])held->ids;
    bool changed;
    errno = 0;
    if (store_prune(held->store, ids, held->count, uses) != 0 ||
        store_export(held->store, ids, held->count, &changed) != 0)
        return errno ? errno : EIO;
    return keep_changes(held, changed); /* the record names the files that were just written */
}

void inventory_journal_close(struct inventory_journal *held)
{
    store_close(held->store);
    free(held->ids);
    *held = (struct inventory_journal){.store = NULL};
}
