/* The results of an experiment: an index over its journal, and the CSV files made from the journal.
 * SPDX-License-Identifier: MIT */
#include "store.h"

#include "journal_line.h"
#include "base/folder.h"
#include "base/journal.h"
#include "base/rewrite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The newest line of a cell. */
struct record {
    char id[CELL_ID_SIZE];
    uint32_t layout;       /* index in store->layout */
    size_t offset, length; /* of the line's body */
    struct result *result; /* once loaded */
};

struct store {
    char *folder, *experiment;
    struct journal journal;
    char *layout_body; /* of the line that tells today's layout, layout[0] */
    size_t layout_length;
    bool layout_told; /* the journal holds that line */
    struct journal_layout *layout;
    size_t layouts;
    struct record *record; /* in the order of first lines */
    size_t records, room;
    uint32_t *slot; /* open addressing by id: index in record + 1 */
    size_t slots;   /* a power of two, at least twice the records */
};

static size_t hash_id(const char *id)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *id; id++)
        hash = (hash ^ (unsigned char)*id) * UINT64_C(1099511628211);
    return (size_t)(hash ^ hash >> 32);
}

/* The slot that holds an id, or the empty slot where the id belongs. */
static uint32_t *slot_of(const struct store *store, const char *id)
{
    size_t at = hash_id(id) & (store->slots - 1);
    while (store->slot[at] && strcmp(store->record[store->slot[at] - 1].id, id) != 0)
        at = (at + 1) & (store->slots - 1);
    return &store->slot[at];
}

static struct record *record_of(const struct store *store, const char *id)
{
    const uint32_t index = store->slots ? *slot_of(store, id) : 0;
    return index ? &store->record[index - 1] : NULL;
}

static bool grow(struct store *store)
{
    const size_t room = store->room ? 2 * store->room : 64;
    struct record *record = realloc(store->record, room * sizeof *record);
    if (!record)
        return false;
    store->record = record;
    uint32_t *slot = calloc(2 * room, sizeof *slot);
    if (!slot)
        return false;
    free(store->slot);
    store->slot = slot;
    store->slots = 2 * room;
    store->room = room;
    for (size_t i = 0; i < store->records; i++)
        *slot_of(store, record[i].id) = (uint32_t)(i + 1);
    return true;
}

/* The record of an id; it is added if there was none. NULL without memory. */
static struct record *record_add(struct store *store, struct slice id)
{
    char text[CELL_ID_SIZE];
    memcpy(text, id.text, id.length);
    text[id.length] = '\0';
    if (store->records == store->room && !grow(store))
        return NULL;
    uint32_t *slot = slot_of(store, text);
    if (*slot == 0) {
        struct record *fresh = &store->record[store->records++];
        *fresh = (struct record){.layout = 0};
        memcpy(fresh->id, text, sizeof text);
        *slot = (uint32_t)store->records;
    }
    return &store->record[*slot - 1];
}

static bool take_layout(struct store *store, const struct journal_layout *layout)
{
    if (layout->tag == store->layout[0].tag) {
        store->layout_told = true;
        return true;
    }
    struct journal_layout *all = realloc(store->layout, (store->layouts + 1) * sizeof *all);
    if (!all)
        return false;
    all[store->layouts++] = *layout;
    store->layout = all;
    return true;
}

static bool take_line(void *context, size_t offset, const char *body, size_t length)
{
    struct store *store = context;
    struct journal_layout layout;
    uint32_t tag;
    if (journal_line_layout_read(&layout, body, length))
        return take_layout(store, &layout);
    if (!journal_line_tag(body, length, &tag))
        return false;
    for (size_t i = 0; i < store->layouts; i++) {
        if (store->layout[i].tag != tag)
            continue;
        const struct slice id = journal_line_id(&store->layout[i], body, length);
        if (id.length == 0 || id.length >= CELL_ID_SIZE)
            return false;
        struct record *record = record_add(store, id);
        if (!record)
            return false;
        record->layout = (uint32_t)i;
        record->offset = offset;
        record->length = length;
        return true;
    }
    return false;
}

/* Makes the folders, and opens and locks the journal. False with one line in `why`. */
static bool open_journal(struct store *store, bool read_only, char *why, size_t size)
{
    char *folder = NULL, *path = NULL;
    bool opened = false;
    if (asprintf(&folder, "%s/.journal", store->folder) < 0 ||
        asprintf(&path, "%s/%s.journal", folder, store->experiment) < 0) {
        folder_why(why, size, store->folder, ENOMEM);
    } else if (!read_only && !(folder_make(folder) && folder_probe(store->folder))) {
        folder_why(why, size, store->folder, errno);
    } else if (journal_open(&store->journal, path, read_only) != 0) {
        if (errno == EWOULDBLOCK)
            snprintf(why, size, "another run holds %s: wait until it ends, or end it", path);
        else
            folder_why(why, size, path, errno);
    } else if (!read_only && rewrite_sync_folder(folder) != 0) {
        folder_why(why, size, folder, errno);
    } else {
        opened = true;
    }
    free(folder);
    free(path);
    return opened;
}

struct store *store_open(const char *folder, const char *experiment, bool read_only, char *why, size_t size)
{
    struct store *store = calloc(1, sizeof *store);
    if (store) {
        store->journal.fd = -1;
        store->folder = strdup(folder);
        store->experiment = strdup(experiment);
        store->layout = calloc(1, sizeof *store->layout);
        store->layouts = 1;
    }
    if (!store || !store->folder || !store->experiment || !store->layout ||
        !(store->layout_body = journal_line_layout(store->layout, &store->layout_length))) {
        folder_why(why, size, folder, ENOMEM);
        goto failed;
    }
    if (read_only && !folder_exists(folder)) {
        snprintf(why, size, "no results in %s: %s", folder, strerror(errno));
        goto failed;
    }
    if (!open_journal(store, read_only, why, size))
        goto failed;
    if (journal_load(&store->journal, take_line, store) != 0) {
        folder_why(why, size, store->journal.path, errno);
        goto failed;
    }
    return store;
failed:
    store_close(store);
    return NULL;
}

/* The line of a record; NULL if it cannot be read. */
static const char *body_of(const struct store *store, const struct record *record)
{
    /* The cast is sound: a store lives on the heap and is constant only to its callers. The mapping may move here. */
    return journal_text(&((struct store *)store)->journal, record->offset, record->length);
}

static bool load(const struct store *store, const struct record *record, unsigned kinds, struct result *result)
{
    const char *body = body_of(store, record);
    return body && journal_line_read(&store->layout[record->layout], body, record->length, kinds, result);
}

const struct result *store_find(const struct store *store, const char *id)
{
    struct record *record = record_of(store, id);
    if (!record || record->result)
        return record ? record->result : NULL;
    struct result *result = calloc(1, sizeof *result);
    if (!result)
        return NULL;
    result_clear(result);
    if (!load(store, record, ~0u, result)) {
        free(result);
        return NULL;
    }
    record->result = result;
    return result;
}

bool store_peek(const struct store *store, const char *id, struct glance *glance)
{
    const struct record *record = record_of(store, id);
    struct result result = {0};
    if (!record ||
        !load(store, record, BIT(COLUMN_STATUS) | BIT(COLUMN_HASH) | BIT(COLUMN_TEXT) | BIT(COLUMN_FLAGS), &result))
        return false;
    *glance = (struct glance){.status = result.status, .flags = result.flags};
    memcpy(glance->provenance, result.provenance, sizeof result.provenance);
    glance->has_care = care_read(result.measure, strlen(result.measure), &glance->care);
    return true;
}

bool store_expect(struct store *store, const char *id, char (*provenance)[17])
{
    (void)store, (void)id, (void)provenance;
    return true;
}

bool store_resume(const struct store *store, const char *id, const char *settings_hash, struct result *result)
{
    (void)store, (void)id, (void)settings_hash, (void)result;
    return false;
}

int store_append(struct store *store, struct result *result)
{
    size_t length, offset;
    char *body = journal_line_print(&store->layout[0], result, &length);
    if (!body)
        return -1;
    struct record *record = record_add(store, (struct slice){result->id, strlen(result->id)});
    const struct journal_body lines[] = {{store->layout_body, store->layout_length}, {body, length}};
    const int told = store->layout_told;
    const int failed = !record || journal_append(&store->journal, lines + told, (size_t)(2 - told),
                                                 result->status != STATUS_SKIPPED, &offset) != 0;
    const int error = errno;
    free(body);
    errno = error;
    if (failed)
        return -1;
    store->layout_told = true;
    record->layout = 0;
    record->offset = offset;
    record->length = length;
    if (record->result) {
        struct result *held = record->result;
        *held = *result;
        held->sample = NULL;
        held->sample_count = 0;
        held->history = NULL;
        held->history_count = 0;
    }
    return 0;
}

/* The cells that an export lists: the given ids, or all records (ids is NULL). */
struct selection {
    const struct store *store;
    const char (*ids)[CELL_ID_SIZE];
    size_t count;
};

/* The body of the i-th cell and its layout; NULL if the store has no such cell. */
static const char *selected_body(const struct selection *selection, size_t i, const struct journal_layout **layout,
                                 size_t *length)
{
    const struct store *store = selection->store;
    const struct record *record = selection->ids ? record_of(store, selection->ids[i]) : &store->record[i];
    if (!record)
        return NULL;
    *layout = &store->layout[record->layout];
    *length = record->length;
    return body_of(store, record);
}

static void produce_results(struct sink *sink, const void *context)
{
    const struct selection *selection = context;
    const struct journal_layout *layout;
    size_t length;
    journal_line_put_header(sink, columns_result, RESULT_COLUMNS);
    for (size_t i = 0; i < selection->count && !sink->done; i++) {
        const char *body = selected_body(selection, i, &layout, &length);
        if (body)
            journal_line_put_result(sink, layout, body, length, selection->store->experiment);
    }
}

/* Puts the rows of every cell with `put`. */
static void produce_rows(struct sink *sink, const struct selection *selection,
                         void (*put)(struct sink *sink, const struct journal_layout *layout, const char *body,
                                     size_t length))
{
    const struct journal_layout *layout;
    size_t length;
    for (size_t i = 0; i < selection->count && !sink->done; i++) {
        const char *body = selected_body(selection, i, &layout, &length);
        if (body)
            put(sink, layout, body, length);
    }
}

static void produce_samples(struct sink *sink, const void *context)
{
    journal_line_put_header(sink, columns_sample, SAMPLE_COLUMNS);
    produce_rows(sink, context, journal_line_put_samples);
}

static void produce_history(struct sink *sink, const void *context)
{
    journal_line_put_header(sink, columns_history, HISTORY_COLUMNS);
    produce_rows(sink, context, journal_line_put_history);
}

static bool has_history(const struct selection *selection)
{
    const struct journal_layout *layout;
    size_t length;
    for (size_t i = 0; i < selection->count; i++) {
        const char *body = selected_body(selection, i, &layout, &length);
        if (body && journal_line_has_history(layout, body, length))
            return true;
    }
    return false;
}

static int export_one(const struct selection *selection, const char *suffix, sink_producer *produce, bool *changed)
{
    const struct store *store = selection->store;
    char *name;
    if (asprintf(&name, "%s.%s", store->experiment, suffix) < 0)
        return -1;
    const int failed = rewrite(store->folder, name, produce, selection, changed);
    const int error = errno;
    free(name);
    errno = error;
    return failed;
}

/* Removes a history.csv that no cell needs any more. */
static int remove_history(const struct store *store, bool *changed)
{
    char *path;
    if (asprintf(&path, "%s/%s.history.csv", store->folder, store->experiment) < 0)
        return -1;
    const int failed = unlink(path);
    const int error = errno;
    free(path);
    errno = error;
    *changed |= !failed;
    return failed && error != ENOENT ? -1 : 0;
}

int store_export(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count, bool *changed)
{
    const struct selection selection = {store, ids, count};
    *changed = false;
    if (store->journal.read_only) {
        errno = EROFS;
        return -1;
    }
    if (export_one(&selection, "results.csv", produce_results, changed) != 0 ||
        export_one(&selection, "samples.csv", produce_samples, changed) != 0)
        return -1;
    return has_history(&selection) ? export_one(&selection, "history.csv", produce_history, changed)
                                   : remove_history(store, changed);
}

size_t store_print(struct store *store, FILE *out)
{
    const struct selection selection = {store, NULL, store->records};
    return rewrite_print(out, produce_results, &selection) == 0 ? store->records : 0;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    journal_close(&store->journal);
    for (size_t i = 0; i < store->records; i++)
        free(store->record[i].result);
    free(store->record);
    free(store->slot);
    free(store->layout);
    free(store->layout_body);
    free(store->folder);
    free(store->experiment);
    free(store);
}
