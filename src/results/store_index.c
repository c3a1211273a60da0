/* The index over the lines of a journal, and which line of a cell is shown.
 * SPDX-License-Identifier: MIT */
#include "choice.h"
#include "store_parts.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t HASH_START = UINT64_C(14695981039346656037);

/* FNV-1a. A zero byte behind each text keeps "ab" "c" and "a" "bc" apart. */
static uint64_t hash_text(uint64_t hash, struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.text[i]) * UINT64_C(1099511628211);
    return hash * UINT64_C(1099511628211);
}

uint64_t store_index_machine(struct slice machine, bool simulated)
{
    return hash_text(hash_text(HASH_START, machine), (struct slice){"p", simulated});
}

uint64_t store_index_generation(const struct slice provenance[PROVENANCES], bool simulated)
{
    const uint64_t machine = store_index_machine(provenance[BY_MACHINE], simulated);
    return hash_text(hash_text(machine, provenance[BY_SOURCE]), provenance[BY_LIBRARY]);
}

static size_t slot_of_hash(uint64_t hash, size_t slots)
{
    return (size_t)(hash ^ hash >> 32) & (slots - 1);
}

/* Makes room for one entry more, and for twice as many slots as entries. Returns whether the slots are new, so that
 * they are empty. */
static bool grow(void **entries, size_t size, size_t count, size_t *room, struct store_slots *slots)
{
    if (count < *room)
        return false;
    *room = *room ? 2 * *room : 64;
    *entries = memory_grow(*entries, *room, size);
    free(slots->slot);
    slots->count = 2 * *room;
    slots->slot = memory_allocate(slots->count, sizeof *slots->slot);
    return true;
}

/* The slot that holds an id, or the empty slot where the id belongs. */
static uint32_t *slot_of_id(const struct store *store, struct slice id)
{
    const struct store_slots *slots = &store->by_id;
    size_t at = slot_of_hash(hash_text(HASH_START, id), slots->count);
    for (; slots->slot[at]; at = (at + 1) & (slots->count - 1)) {
        if (text_is(id.text, id.length, store->record[slots->slot[at] - 1].id))
            break;
    }
    return &slots->slot[at];
}

struct store_record *store_index_find(const struct store *store, const char *id)
{
    const uint32_t index = store->by_id.count ? *slot_of_id(store, (struct slice){id, strlen(id)}) : 0;
    return index ? &store->record[index - 1] : NULL;
}

struct store_record *store_index_add(struct store *store, struct slice id)
{
    void *records = store->record;
    const bool moved = grow(&records, sizeof *store->record, store->records, &store->record_room, &store->by_id);
    store->record = records;
    for (size_t i = 0; moved && i < store->records; i++)
        *slot_of_id(store, (struct slice){store->record[i].id, strlen(store->record[i].id)}) = (uint32_t)(i + 1);
    uint32_t *slot = slot_of_id(store, id);
    if (*slot == 0) {
        struct store_record *fresh = &store->record[store->records++];
        *fresh = (struct store_record){.newest = 0};
        memcpy(fresh->id, id.text, id.length);
        *slot = (uint32_t)store->records;
    }
    return &store->record[*slot - 1];
}

static uint32_t *slot_of_settings(const struct store *store, uint64_t hash)
{
    const struct store_slots *slots = &store->by_hash;
    size_t at = slot_of_hash(hash, slots->count);
    while (slots->slot[at] && store->settings[slots->slot[at] - 1].hash != hash)
        at = (at + 1) & (slots->count - 1);
    return &slots->slot[at];
}

struct store_settings *store_index_settings(struct store *store, struct slice text)
{
    const uint64_t hash = hash_text(HASH_START, text);
    void *settings = store->settings;
    const bool moved =
        grow(&settings, sizeof *store->settings, store->settings_count, &store->settings_room, &store->by_hash);
    store->settings = settings;
    for (size_t i = 0; moved && i < store->settings_count; i++)
        *slot_of_settings(store, store->settings[i].hash) = (uint32_t)(i + 1);
    uint32_t *slot = slot_of_settings(store, hash);
    if (*slot == 0) {
        store->settings[store->settings_count++] = (struct store_settings){.hash = hash};
        *slot = (uint32_t)store->settings_count;
    }
    return &store->settings[*slot - 1];
}

static bool take_layout(struct store *store, const struct journal_layout *layout)
{
    if (layout->tag == store->layout[0].tag) {
        store->layout_told = true;
        return true;
    }
    for (size_t i = 1; i < store->layouts; i++)
        if (store->layout[i].tag == layout->tag)
            return true;
    if (store->layouts > UINT16_MAX)
        return false;
    store->layout = memory_grow(store->layout, store->layouts + 1, sizeof *store->layout);
    store->layout[store->layouts++] = *layout;
    return true;
}

/* Reads a column of the key; a text without meaning makes the line unknown. */
static bool read_key(size_t column, struct slice text, struct result *result)
{
    return columns_read(&columns_result[column], result, text.text, text.length);
}

static bool take_result(struct store *store, size_t layout, size_t offset, const char *body, size_t length)
{
    static struct result result; /* only the columns of the key are set, and always all of them */
    struct journal_key key;
    if (!journal_line_key(&store->layout[layout], body, length, &key) || key.id.length >= CELL_ID_SIZE ||
        length > UINT32_MAX || !read_key(RESULT_AT_status, key.status, &result) ||
        !read_key(RESULT_AT_flags, key.flags, &result) || !read_key(RESULT_AT_rounds, key.rounds, &result) ||
        !read_key(RESULT_AT_samples, key.samples, &result) || !read_key(RESULT_AT_generation, key.generation, &result))
        return false;
    const bool simulated = (result.flags & FLAG_SIMULATED) != 0;
    const struct slice hash = key.provenance[BY_SETTINGS];
    struct store_settings *settings = store_index_settings(store, hash.length > 0 ? hash : key.measure);
    if (!settings->is_known)
        settings->is_known = criterion_read(key.measure.text, key.measure.length, &settings->criterion);

    struct store_record *record = store_index_add(store, key.id);
    if (store->lines == store->line_room)
        store->line = memory_grow(store->line, store->line_room = store->line_room ? 2 * store->line_room : 64,
                                  sizeof *store->line);
    store->line[store->lines++] = (struct store_line){
        .generation = store_index_generation(key.provenance, simulated),
        .machine = store_index_machine(key.provenance[BY_MACHINE], simulated),
        .mark = key.mark.length > 0 ? hash_text(HASH_START, key.mark) : 0,
        .offset = offset,
        .length = (uint32_t)length,
        .record = (uint32_t)(record - store->record),
        .before = record->newest,
        .settings = (uint32_t)(settings - store->settings),
        .rounds = result.rounds,
        .samples = result.samples,
        .number = result.generation,
        .layout = (uint16_t)layout,
        .flags = (uint16_t)result.flags,
        .status = (uint8_t)result.status,
    };
    record->newest = (uint32_t)store->lines;
    record->is_chosen = false;
    return true;
}

bool store_index_take(void *context, size_t offset, const char *body, size_t length)
{
    struct store *store = context;
    struct journal_layout layout;
    uint32_t tag;
    if (memchr(body, '\0', length)) /* no text of a row holds a NUL, and a cell could take the name of another */
        return false;
    if (journal_line_layout_read(&layout, body, length))
        return take_layout(store, &layout);
    if (!journal_line_tag(body, length, &tag))
        return false;
    for (size_t i = 0; i < store->layouts; i++)
        if (store->layout[i].tag == tag)
            return take_result(store, i, offset, body, length);
    return false;
}

void store_index_clear(struct store *store)
{
    for (size_t i = 0; i < store->records; i++) {
        struct store_record *record = &store->record[i];
        record->newest = record->shown = record->loaded = 0;
        record->is_chosen = false;
    }
    store->lines = 0;
    store->layout_told = false;
}

void store_index_free(struct store *store)
{
    for (size_t i = 0; i < store->records; i++) {
        if (store->record[i].result)
            result_clear(store->record[i].result);
        free(store->record[i].result);
    }
    free(store->record);
    free(store->by_id.slot);
    free(store->settings);
    free(store->by_hash.slot);
    free(store->line);
}

uint64_t *store_index_generations(const struct store *store, const struct store_record *record, size_t *count)
{
    size_t lines = 0, seen = 0;
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before)
        lines++;
    uint64_t *all = memory_allocate(lines, sizeof *all);
    size_t i = lines;
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before)
        all[--i] = store->line[at - 1].generation;
    for (i = 0; i < lines; i++) {
        size_t j = 0;
        while (j < seen && all[j] != all[i])
            j++;
        if (j == seen)
            all[seen++] = all[i];
    }
    *count = seen;
    return all;
}

int store_index_number(const struct store *store, const struct store_record *record, uint64_t generation)
{
    int highest = 0;
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        if (line->generation == generation && line->number > 0)
            return line->number;
        if (line->number > highest)
            highest = line->number;
    }
    /* An old program's lines have no number, but count as generations. */
    size_t count, i = 0;
    uint64_t *all = store_index_generations(store, record, &count);
    while (i < count && all[i] != generation)
        i++;
    free(all);
    return i < count || (int)count >= highest ? (int)i + 1 : highest + 1;
}

static struct choice_merit merit_of(const struct store *store, const struct store_line *line)
{
    const struct store_settings *settings = &store->settings[line->settings];
    return (struct choice_merit){
        .skipped = line->status == STATUS_SKIPPED,
        .partial = (line->flags & FLAG_PARTIAL) != 0,
        .ok = line->status == STATUS_OK,
        .wrong = line->status == STATUS_WRONG,
        .once = (line->flags & FLAG_ONCE) != 0,
        .rounds = line->rounds,
        .samples = line->samples,
        .settings = settings->hash,
        .criterion = settings->is_known ? &settings->criterion : NULL,
    };
}

uint32_t store_index_best(const struct store *store, const struct store_record *record, uint64_t generation)
{
    uint32_t best = 0;
    struct choice_merit of_best = {.skipped = true};
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        if (line->generation != generation)
            continue;
        const struct choice_merit merit = merit_of(store, line);
        if (!best || choice_keeps_older(&merit, &of_best)) {
            best = at;
            of_best = merit;
        }
        if (choice_ends(&merit))
            break;
    }
    return best;
}

static uint32_t choose(const struct store *store, const struct store_record *record)
{
    if (!record->newest)
        return 0;
    const struct store_line *newest = &store->line[record->newest - 1];
    const uint64_t today = record->is_expected ? record->generation : newest->generation;
    const uint64_t machine = record->is_expected ? record->machine : newest->machine;
    const uint32_t best = store_index_best(store, record, today);
    if (best && store->line[best - 1].status != STATUS_SKIPPED)
        return best;
    uint32_t skip = best;
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        if (line->machine != machine)
            continue;
        if (line->status != STATUS_SKIPPED)
            return store_index_best(store, record, line->generation);
        if (!skip)
            skip = at;
    }
    return skip;
}

uint32_t store_index_shown(const struct store *store, struct store_record *record)
{
    if (!record->is_chosen) {
        record->shown = choose(store, record);
        record->is_chosen = true;
    }
    return record->shown;
}
