/* The CSV files of a store.
 * SPDX-License-Identifier: MIT */
#include "store_parts.h"
#include "base/memory.h"
#include "base/rewrite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The lines that a file lists. */
struct selection {
    const struct store *store;
    const struct store_line **line;
    size_t count;
    bool by_generation; /* a cell may have several lines */
};

/* A line for archive.csv, and the cell by which it is sorted. */
struct archived {
    const char *id;
    const struct store_line *line;
};

static void select_line(struct selection *selection, uint32_t index)
{
    selection->line[selection->count++] = &selection->store->line[index - 1];
}

/* Selects the shown results of the given cells, or of all cells (ids is NULL). */
static struct selection select_shown(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count)
{
    if (!ids)
        count = store->records;
    struct selection selection = {store, memory_allocate(count, sizeof *selection.line), 0, false};
    for (size_t i = 0; i < count; i++) {
        struct store_record *record = ids ? store_index_find(store, ids[i]) : &store->record[i];
        const uint32_t shown = record ? store_index_shown(store, record) : 0;
        if (shown)
            select_line(&selection, shown);
    }
    return selection;
}

static int compare_archived(const void *a, const void *b)
{
    const struct archived *x = a, *y = b;
    const int order = strcmp(x->id, y->id);
    if (order != 0)
        return order;
    if (x->line->number != y->line->number)
        return x->line->number < y->line->number ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Selects the best results of all other generations, and of all other cells, by cell and generation. */
static struct selection select_archived(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count)
{
    uint8_t *use = store_inventory_uses(store, ids, count);
    struct selection selection = {.store = store, .by_generation = true};
    for (size_t i = 0; i < store->lines; i++)
        selection.count += use[i] == STORE_ARCHIVED || use[i] == STORE_UNLISTED;
    struct archived *archived = memory_allocate(selection.count, sizeof *archived);
    selection.line = memory_allocate(selection.count, sizeof *selection.line);
    size_t found = 0;
    for (size_t i = 0; i < store->lines; i++)
        if (use[i] == STORE_ARCHIVED || use[i] == STORE_UNLISTED)
            archived[found++] = (struct archived){store->record[store->line[i].record].id, &store->line[i]};
    qsort(archived, found, sizeof *archived, compare_archived);
    for (size_t i = 0; i < found; i++)
        selection.line[i] = archived[i].line;
    free(archived);
    free(use);
    return selection;
}

static void produce_results(struct sink *sink, const void *context)
{
    const struct selection *selection = context;
    const struct store *store = selection->store;
    journal_line_put_header(sink, columns_result, RESULT_COLUMNS, false);
    for (size_t i = 0; i < selection->count && !sink->done; i++) {
        const struct store_line *line = selection->line[i];
        const char *body = store_body(store, line);
        if (body)
            journal_line_put_result(sink, &store->layout[line->layout], body, line->length, store->experiment);
        else
            sink_fail(sink, errno);
    }
}

/* Whether the rows of samples and residuals of a line are put. An archived line of another physical machine than the
 * shown one of its generation has a row alone: a cell and a generation do not tell its samples from others. */
static bool puts_rows(const struct selection *selection, const struct store_line *line)
{
    const struct store *store = selection->store;
    const uint32_t shown = store->record[line->record].shown;
    return !selection->by_generation || !shown || line == &store->line[shown - 1] ||
           line->generation != store->line[shown - 1].generation;
}

/* Puts the rows of every line with `put`. */
static void produce_rows(struct sink *sink, const struct selection *selection,
                         void (*put)(struct sink *sink, const struct journal_layout *layout, const char *body,
                                     size_t length, bool by_generation))
{
    for (size_t i = 0; i < selection->count && !sink->done; i++) {
        const struct store_line *line = selection->line[i];
        if (!puts_rows(selection, line))
            continue;
        const char *body = store_body(selection->store, line);
        if (body)
            put(sink, &selection->store->layout[line->layout], body, line->length, selection->by_generation);
        else
            sink_fail(sink, errno);
    }
}

static void produce_samples(struct sink *sink, const void *context)
{
    const struct selection *selection = context;
    journal_line_put_header(sink, columns_sample, SAMPLE_COLUMNS, selection->by_generation);
    produce_rows(sink, selection, journal_line_put_samples);
}

static void produce_history(struct sink *sink, const void *context)
{
    const struct selection *selection = context;
    journal_line_put_header(sink, columns_history, HISTORY_COLUMNS, selection->by_generation);
    produce_rows(sink, selection, journal_line_put_history);
}

static bool has_any(const struct selection *selection,
                    bool (*has)(const struct journal_layout *layout, const char *body, size_t length))
{
    for (size_t i = 0; i < selection->count; i++) {
        const struct store_line *line = selection->line[i];
        const char *body = puts_rows(selection, line) ? store_body(selection->store, line) : NULL;
        if (body && has(&selection->store->layout[line->layout], body, line->length))
            return true;
    }
    return false;
}

static int write_file(const struct selection *selection, const char *suffix, sink_producer *produce, bool *changed)
{
    const struct store *store = selection->store;
    char *name = memory_print("%s.%s", store->experiment, suffix);
    const int failed = rewrite(store->folder, name, produce, selection, changed);
    const int error = errno;
    free(name);
    errno = error;
    return failed;
}

/* Removes a file that lists nothing any more. */
static int remove_file(const struct store *store, const char *suffix, bool *changed)
{
    char *path = memory_print("%s/%s.%s", store->folder, store->experiment, suffix);
    const int failed = unlink(path);
    const int error = errno;
    free(path);
    errno = error;
    *changed |= !failed;
    return failed && error != ENOENT ? -1 : 0;
}

/* Writes a file, or removes it where it would have no rows. */
static int write_or_remove(struct store *store, const struct selection *selection, bool has_rows, const char *suffix,
                           sink_producer *produce, bool *changed)
{
    return has_rows ? write_file(selection, suffix, produce, changed) : remove_file(store, suffix, changed);
}

static int write_archive(struct store *store, const struct selection *archived, bool *changed)
{
    return write_or_remove(store, archived, archived->count > 0, "archive.csv", produce_results, changed) != 0 ||
           write_or_remove(store, archived, has_any(archived, journal_line_has_samples), "archive-samples.csv",
                           produce_samples, changed) != 0 ||
           write_or_remove(store, archived, has_any(archived, journal_line_has_history), "archive-history.csv",
                           produce_history, changed) != 0;
}

int store_export(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count, bool *changed)
{
    *changed = false;
    if (store->journal.read_only) {
        errno = EROFS;
        return -1;
    }
    if (!store_in_place(store))
        return -1;
    journal_refresh(&store->journal); /* a line that another program has changed must not pass unnoticed */
    const struct selection shown = select_shown(store, ids, count), archived = select_archived(store, ids, count);
    const int failed = write_file(&shown, "results.csv", produce_results, changed) != 0 ||
                       write_file(&shown, "samples.csv", produce_samples, changed) != 0 ||
                       write_or_remove(store, &shown, has_any(&shown, journal_line_has_history), "history.csv",
                                       produce_history, changed) != 0 ||
                       write_archive(store, &archived, changed) != 0 || journal_check(&store->journal) != 0;
    const int error = errno;
    free(shown.line);
    free(archived.line);
    errno = error;
    return failed ? -1 : 0;
}

size_t store_print(struct store *store, FILE *out)
{
    const struct selection selection = select_shown(store, NULL, 0);
    const size_t printed = rewrite_print(out, produce_results, &selection) == 0 ? selection.count : 0;
    const int error = errno;
    free(selection.line);
    errno = error;
    return printed;
}

char *store_text(const char *folder, const char *experiment, size_t *size)
{
    char *text = NULL, why[512];
    struct store *store = store_open(folder, experiment, true, why, sizeof why);
    FILE *out = store ? open_memstream(&text, size) : NULL;
    const size_t cells = out ? store_print(store, out) : 0;
    if (out)
        fclose(out);
    store_close(store);
    if (cells > 0)
        return text;
    free(text);
    return NULL;
}
