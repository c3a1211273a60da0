/* The results of an experiment: what a caller finds, expects and appends.
 * SPDX-License-Identifier: MIT */
#include "store.h"

#include "store_parts.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/rewrite.h"
#include "base/timer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *store_journals(const char *folder)
{
    return memory_print("%s/.journal", folder);
}

static char *journal_path(const char *folder, const char *experiment)
{
    return memory_print("%s/.journal/%s.journal", folder, experiment);
}

/* Makes the folders, and opens and locks the journal. False with one line in `why`. */
static bool open_journal(struct store *store, bool read_only, char *why, size_t size)
{
    char *folder = store_journals(store->folder), *path = journal_path(store->folder, store->experiment);
    bool opened = false;
    if (!read_only && !(folder_make(folder) && folder_probe(store->folder))) {
        folder_why(why, size, store->folder, errno);
    } else if (journal_open(&store->journal, path, read_only) != 0) {
        if (errno == EWOULDBLOCK)
            snprintf(why, size, "another run holds %s: wait until it ends, as run --wait does, or end it", path);
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
    struct stat opened;
    if (stat(folder, &opened) != 0) {
        folder_why(why, size, folder, errno);
        goto failed;
    }
    store->folder_device = opened.st_dev;
    store->folder_inode = opened.st_ino;
    if (journal_load(&store->journal, store_index_take, store) != 0) {
        folder_why(why, size, store->journal.path, errno);
        goto failed;
    }
    if (!store_import(store, why, size))
        goto failed;
    return store;
failed:
    store_close(store);
    return NULL;
}

bool store_is_held(const char *folder, const char *experiment)
{
    char *path = journal_path(folder, experiment);
    const bool is_held = journal_is_held(path);
    free(path);
    return is_held;
}

void store_await(const char *folder, const char *experiment)
{
    char *path = journal_path(folder, experiment);
    journal_await(path);
    free(path);
}

const char *store_body(const struct store *store, const struct store_line *line)
{
    /* The cast is sound: a store lives on the heap and is constant only to its callers. The journal reads ahead. */
    return journal_text(&((struct store *)store)->journal, line->offset, line->length);
}

static bool load(const struct store *store, const struct store_line *line, unsigned kinds, struct result *result)
{
    const char *body = store_body(store, line);
    return body && journal_line_read(&store->layout[line->layout], body, line->length, kinds, result);
}

/* Loads the line into the result that the record lends, in place of the former line. */
static bool load_lent(const struct store *store, struct store_record *record, uint32_t line)
{
    result_clear(record->result);
    record->loaded = load(store, &store->line[line - 1], ~0u, record->result) ? line : 0;
    return record->loaded != 0;
}

const struct result *store_find(const struct store *store, const char *id)
{
    struct store_record *record = store_index_find(store, id);
    const uint32_t shown = record ? store_index_shown(store, record) : 0;
    if (!shown)
        return NULL;
    if (!record->result && !(record->result = calloc(1, sizeof *record->result)))
        return NULL;
    return record->loaded == shown || load_lent(store, record, shown) ? record->result : NULL;
}

/* Reads a line with its samples into a result that is clear. */
static bool load_whole(const struct store *store, const struct store_line *line, struct result *result)
{
    const char *body = store_body(store, line);
    result_clear(result);
    if (body && journal_line_read(&store->layout[line->layout], body, line->length, ~0u, result) &&
        journal_line_read_samples(&store->layout[line->layout], body, line->length, result))
        return true;
    result_clear(result);
    return false;
}

bool store_copy(const struct store *store, const char *id, struct result *result)
{
    struct store_record *record = store_index_find(store, id);
    const uint32_t shown = record ? store_index_shown(store, record) : 0;
    return shown && load_whole(store, &store->line[shown - 1], result);
}

/* The criterion of a result; NULL: not known. A shown result without known settings is credited with the criterion of a
 * newer result of its generation, against which it was chosen. */
static const struct criterion *criterion_of(const struct store *store, const struct store_record *record,
                                            uint32_t index)
{
    const struct store_line *line = &store->line[index - 1];
    if (store->settings[line->settings].is_known)
        return &store->settings[line->settings].criterion;
    for (uint32_t at = record->newest; at != index && index == record->shown; at = store->line[at - 1].before) {
        const struct store_line *newer = &store->line[at - 1];
        if (newer->generation == line->generation && newer->status != STATUS_SKIPPED &&
            !(newer->flags & FLAG_PARTIAL) && store->settings[newer->settings].is_known)
            return &store->settings[newer->settings].criterion;
    }
    return NULL;
}

bool store_lookup(const struct store *store, const char *id, struct store_summary *summary)
{
    struct store_record *record = store_index_find(store, id);
    const uint32_t shown = record ? store_index_shown(store, record) : 0;
    struct result result = {0};
    if (!shown || !load(store, &store->line[shown - 1], BIT(COLUMN_HASH), &result))
        return false;
    const struct store_line *line = &store->line[shown - 1];
    const struct criterion *criterion = criterion_of(store, record, shown);
    *summary = (struct store_summary){.status = line->status, .flags = line->flags, .has_criterion = criterion != NULL};
    if (criterion)
        summary->criterion = *criterion;
    memcpy(summary->provenance, result.provenance, sizeof result.provenance);
    return true;
}

/* The settings with this hash. */
static const struct store_settings *settings_of(const struct store *store, const char *hash)
{
    return store_index_settings((struct store *)store, (struct slice){hash, strlen(hash)}); /* see store_body */
}

/* Today's generation of a cell that has lines. */
static uint64_t today(const struct store *store, const struct store_record *record)
{
    return record->is_expected ? record->generation : store->line[record->newest - 1].generation;
}

bool store_has_foreign(const struct store *store, const char *id)
{
    const struct store_record *record = store_index_find(store, id);
    for (uint32_t at = record && record->is_expected ? record->newest : 0; at; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        if (line->machine != record->machine && line->status != STATUS_SKIPPED &&
            !(line->flags & FLAG_SIMULATED) == !timer_is_fake())
            return true;
    }
    return false;
}

bool store_suffices(const struct store *store, const char *id, const char *settings_hash, const struct criterion *asked,
                    enum status *status)
{
    struct store_record *record = store_index_find(store, id);
    if (!record || !store_index_shown(store, record))
        return false;
    const struct store_settings *wanted = settings_of(store, settings_hash);
    bool has_ok = false, ends = false;
    for (uint32_t at = record->newest; at && !ends; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        if (line->generation != today(store, record) || line->status == STATUS_SKIPPED || line->flags & FLAG_PARTIAL)
            continue;
        const struct criterion *criterion = criterion_of(store, record, at);
        const bool ok = line->status == STATUS_OK, once = (line->flags & FLAG_ONCE) != 0;
        if ((ok || !has_ok) && (&store->settings[line->settings] == wanted ||
                                (criterion && criterion_satisfies(criterion, once, asked)))) {
            *status = line->status;
            return true;
        }
        has_ok |= ok;
        ends = line->status == STATUS_WRONG; /* nothing older counts */
    }
    return false;
}

static void slices_of(const char (*provenance)[HASH_SHORT_SIZE], struct slice slice[PROVENANCES])
{
    for (int p = 0; p < PROVENANCES; p++)
        slice[p] = (struct slice){provenance[p], strlen(provenance[p])};
}

unsigned store_changed_outputs(const struct store *store)
{
    return store->changed_outputs;
}

bool store_in_place(const struct store *store)
{
    struct stat now;
    if (stat(store->folder, &now) == 0 && now.st_dev == store->folder_device && now.st_ino == store->folder_inode)
        return true;
    errno = ENOLINK;
    return false;
}

const char *store_folder(const struct store *store)
{
    return store->folder;
}

bool store_expect(struct store *store, const char *id, char (*provenance)[HASH_SHORT_SIZE])
{
    struct slice now[PROVENANCES];
    const size_t length = strlen(id);
    if (length == 0 || length >= CELL_ID_SIZE)
        return false;
    slices_of((const char(*)[HASH_SHORT_SIZE])provenance, now);
    struct store_record *record = store_index_add(store, (struct slice){id, length});
    record->generation = store_index_generation(now, timer_is_fake());
    record->machine = store_index_machine(now[BY_MACHINE], timer_is_fake());
    record->is_expected = true;
    record->is_chosen = false;
    return true;
}

void store_learn_criterion(struct store *store, const char *settings_hash, const struct criterion *criterion)
{
    struct store_settings *settings = store_index_settings(store, (struct slice){settings_hash, strlen(settings_hash)});
    if (settings->is_known)
        return;
    settings->is_known = true;
    settings->criterion = *criterion;
    for (size_t i = 0; i < store->records; i++)
        store->record[i].is_chosen = false;
}

bool store_resume(const struct store *store, const char *id, const char *settings_hash, struct result *result)
{
    struct store_record *record = store_index_find(store, id);
    if (!record || !record->newest)
        return false;
    const struct store_settings *wanted = settings_of(store, settings_hash);
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        if (line->generation != today(store, record) || &store->settings[line->settings] != wanted ||
            line->status == STATUS_SKIPPED)
            continue;
        return line->flags & FLAG_PARTIAL && load_whole(store, line, result);
    }
    return false;
}

/* Writes the line of a result. */
static int write_line(struct store *store, const struct result *result)
{
    size_t length, offset;
    char *body = journal_line_print(&store->layout[0], result, &length);
    if (!body)
        return -1;
    const struct journal_body lines[] = {{store->layout_body, store->layout_length}, {body, length}};
    const int told = store->layout_told;
    const int failed = journal_append(&store->journal, lines + told, (size_t)(2 - told),
                                      result->status != STATUS_SKIPPED, &offset) != 0;
    const int error = errno;
    if (!failed) {
        store->layout_told = true;
        store_index_take(store, offset, body, length);
    }
    free(body);
    errno = error;
    return failed ? -1 : 0;
}

int store_append(struct store *store, struct result *result)
{
    struct slice provenance[PROVENANCES];
    slices_of((const char(*)[HASH_SHORT_SIZE])result->provenance, provenance);
    const uint64_t generation = store_index_generation(provenance, (result->flags & FLAG_SIMULATED) != 0);
    struct store_record *record = store_index_add(store, (struct slice){result->id, strlen(result->id)});
    const uint32_t shown = store_index_shown(store, record);
    result->generation = store_index_number(store, record, generation);
    if (result->status == STATUS_SKIPPED && shown && store->line[shown - 1].status != STATUS_SKIPPED)
        return 0;
    if (write_line(store, result) != 0)
        return -1;
    record = store_index_find(store, result->id);
    const uint32_t now = store_index_shown(store, record);
    if (record->result && record->loaded != now && !load_lent(store, record, now))
        return -1;
    return 0;
}

const char *store_failure(int error)
{
    /* The system's words of these, "Bad message", "Stale file handle" and "Link has been severed", name no cause. */
    return error == EBADMSG   ? "another program changed the journal"
           : error == ESTALE  ? "another program removed or replaced the journal"
           : error == ENOLINK ? "another program moved or replaced the folder"
                              : strerror(error);
}

void store_close(struct store *store)
{
    if (!store)
        return;
    journal_close(&store->journal);
    store_index_free(store);
    free(store->layout);
    free(store->layout_body);
    free(store->folder);
    free(store->experiment);
    free(store);
}
