/* What the lines of a journal are there for, and a journal without some of them.
 * SPDX-License-Identifier: MIT */
#include "store_parts.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Whether store_resume may take up a partial line: no newer result of the same generation and settings is there. */
static bool is_pending(const struct store *store, const struct store_record *record, uint32_t index)
{
    const struct store_line *line = &store->line[index - 1];
    for (uint32_t at = record->newest; at != index; at = store->line[at - 1].before) {
        const struct store_line *newer = &store->line[at - 1];
        if (newer->generation == line->generation && newer->settings == line->settings &&
            newer->status != STATUS_SKIPPED)
            return false;
    }
    return true;
}

/* Whether a line tells a time without doubt, and the physical machine. */
static bool is_sure(const struct store_line *line)
{
    return line->status == STATUS_OK && line->mark && !(line->flags & (FLAG_PARTIAL | result_flags_of(FLAG_IS_DOUBT)));
}

/* Archives, in the generation of the line `shown`, the newest sure result of each other physical machine. A probe is a
 * ceiling of its own machine's times alone, and results of two machines show how far their times differ. */
static void archive_machines(const struct store *store, const struct store_record *record, uint32_t shown, uint8_t *use)
{
    const struct store_line *of_shown = &store->line[shown - 1];
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        bool is_first = is_sure(line) && line->generation == of_shown->generation && line->mark != of_shown->mark;
        for (uint32_t newer = record->newest; is_first && newer != at; newer = store->line[newer - 1].before)
            is_first = use[newer - 1] != STORE_ARCHIVED || store->line[newer - 1].generation != line->generation ||
                       store->line[newer - 1].mark != line->mark;
        if (is_first)
            use[at - 1] = STORE_ARCHIVED;
    }
}

static void judge(const struct store *store, struct store_record *record, bool is_listed, uint8_t *use)
{
    const uint32_t shown = store_index_shown(store, record);
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before) {
        const bool partial = (store->line[at - 1].flags & FLAG_PARTIAL) != 0;
        use[at - 1] = partial && is_pending(store, record, at) ? STORE_PENDING : STORE_SUPERSEDED;
    }
    size_t count;
    uint64_t *generation = store_index_generations(store, record, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t best = store_index_best(store, record, generation[i]);
        if (store->line[best - 1].status != STATUS_SKIPPED)
            use[best - 1] = STORE_ARCHIVED;
    }
    free(generation);
    if (shown && is_listed && store->line[shown - 1].status == STATUS_OK)
        archive_machines(store, record, shown, use);
    if (shown && (is_listed || store->line[shown - 1].status != STATUS_SKIPPED))
        use[shown - 1] = is_listed ? STORE_SHOWN : STORE_UNLISTED;
}

uint8_t *store_inventory_uses(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count)
{
    uint8_t *use = memory_allocate(store->lines, sizeof *use);
    for (size_t i = 0; i < store->records; i++)
        store->record[i].is_listed = !ids;
    for (size_t i = 0; ids && i < count; i++) {
        struct store_record *record = store_index_find(store, ids[i]);
        if (record)
            record->is_listed = true;
    }
    for (size_t i = 0; i < store->records; i++)
        judge(store, &store->record[i], store->record[i].is_listed, use);
    return use;
}

enum { OVERHEAD = 10 }; /* bytes of a line besides its body: checksum, tab and line feed */

static void add(struct store_lines *counts, const struct store_line *line, bool *is_counted)
{
    counts->lines++;
    counts->bytes += line->length + OVERHEAD;
    counts->cells += !*is_counted;
    *is_counted = true;
}

/* Whether a superseded line would count again if the best result of its generation were dropped for one of `uses`. It
 * is then dropped too. */
static bool is_behind(const struct store *store, const struct store_record *record, const uint8_t *use, uint32_t index,
                      unsigned uses)
{
    if (use[index - 1] != STORE_SUPERSEDED)
        return false;
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before)
        if ((BIT(use[at - 1]) & uses & (BIT(STORE_ARCHIVED) | BIT(STORE_UNLISTED))) != 0 &&
            store->line[at - 1].generation == store->line[index - 1].generation)
            return true;
    return false;
}

/* Counts the lines of one cell. */
static void add_cell(const struct store *store, const struct store_record *record, const uint8_t *use,
                     struct store_inventory *inventory)
{
    bool is_counted[STORE_USES] = {false}, is_archived[STORE_GENERATIONS] = {false};
    bool is_elsewhere = false, has_behind = false;
    const uint64_t machine = record->is_expected ? record->machine
                             : record->shown     ? store->line[record->shown - 1].machine
                                                 : 0;
    int generations = 0;
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        add(&inventory->use[use[at - 1]], line, &is_counted[use[at - 1]]);
        if (is_behind(store, record, use, at, BIT(STORE_ARCHIVED)))
            add(&inventory->behind_archived, line, &has_behind);
        generations += use[at - 1] == STORE_SHOWN || use[at - 1] == STORE_UNLISTED || use[at - 1] == STORE_ARCHIVED;
        if (use[at - 1] != STORE_ARCHIVED)
            continue;
        const int number = store_index_number(store, record, line->generation);
        const int place = number < STORE_GENERATIONS ? number - 1 : STORE_GENERATIONS - 1;
        add(&inventory->archived[place], line, &is_archived[place]);
        is_elsewhere |= line->machine != machine;
    }
    inventory->elsewhere += is_elsewhere;
    if (generations > inventory->generations)
        inventory->generations = generations;
}

void store_inventory_take(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count,
                          struct store_inventory *inventory)
{
    uint8_t *use = store_inventory_uses(store, ids, count);
    *inventory = (struct store_inventory){.generations = 0};
    for (size_t i = 0; i < store->records; i++)
        add_cell(store, &store->record[i], use, inventory);
    const struct journal *journal = &store->journal;
    inventory->use[STORE_DAMAGED] =
        (struct store_lines){.lines = journal->damaged.lines, .bytes = journal->damaged.bytes};
    inventory->use[STORE_UNKNOWN] =
        (struct store_lines){.lines = journal->unknown.lines, .bytes = journal->unknown.bytes};
    free(use);
}

int store_prune(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count, unsigned uses)
{
    uint8_t *use = store_inventory_uses(store, ids, count);
    size_t *offset = memory_allocate(store->lines, sizeof *offset), dropped = 0;
    uses &= BIT(STORE_ARCHIVED) | BIT(STORE_UNLISTED) | BIT(STORE_SUPERSEDED) | BIT(STORE_DAMAGED);
    for (size_t i = 0; i < store->lines; i++)
        if (uses & BIT(use[i]) || is_behind(store, &store->record[store->line[i].record], use, (uint32_t)(i + 1), uses))
            offset[dropped++] = store->line[i].offset;
    const bool drop_damaged = (uses & BIT(STORE_DAMAGED)) != 0 && store->journal.damaged.lines > 0;
    int failed = 0;
    if (dropped > 0 || drop_damaged) {
        failed = journal_filter(&store->journal, offset, dropped, drop_damaged);
        if (!failed) {
            store_index_clear(store);
            failed = journal_load(&store->journal, store_index_take, store);
        }
    }
    free(offset);
    free(use);
    return failed;
}
