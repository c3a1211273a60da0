/* The results of several stores of one experiment, joined in one of them.
 * SPDX-License-Identifier: MIT */
#include "store_merge.h"

#include "journal_line_parts.h"
#include "store_parts.h"
#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line as texts, which lie in `buffer`. */
struct texts {
    char *buffer;
    const char *column[RESULT_COLUMNS];
    const char *samples, *history;
};

/* A line that takes part. */
struct entry {
    struct texts texts;
    struct store_line line; /* as its store has it */
    int rounds;             /* as its settings ask for */
    double width;           /* of its interval, as a share of the median; INFINITY: none */
    bool is_aside;          /* a line of the joined store that does not count */
    char *body;             /* in today's layout */
    size_t length;
};

struct merge {
    struct entry *entry;
    size_t count, room;
    const struct store *into;
};

/* Reads a line. False with errno set on failure. */
static bool read_texts(const struct store *store, const struct store_line *line, struct texts *texts)
{
    struct slice field[FIELDS_MAX];
    const struct journal_layout *layout = &store->layout[line->layout];
    const char *body = store_body(store, line);
    if (!body)
        return false;
    errno = EPROTO;
    if (!layout->samples_as_rows || !journal_line_fields(layout, body, line->length, field))
        return false;
    char *to = texts->buffer = memory_allocate(line->length + RESULT_COLUMNS + 3, 1);
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        texts->column[c] = to;
        if (layout->field[c] >= 0)
            to += journal_line_unescape(field[layout->field[c]], to);
        *to++ = '\0';
    }
    const struct slice tails[] = {field[layout->samples],
                                  layout->history >= 0 ? field[layout->history] : (struct slice){"", 0}};
    const char **const places[] = {&texts->samples, &texts->history};
    for (int i = 0; i < 2; i++) {
        *places[i] = to;
        memcpy(to, tails[i].text, tails[i].length);
        to[tails[i].length] = '\0';
        to += tails[i].length + 1;
    }
    return true;
}

static bool counts(uint8_t use)
{
    return use == STORE_SHOWN || use == STORE_ARCHIVED || use == STORE_UNLISTED || use == STORE_PENDING;
}

int store_merge_visit(struct store *store, store_merge_visitor *visit, void *context)
{
    uint8_t *use = store_inventory_uses(store, NULL, 0);
    bool failed = false;
    for (size_t i = 0; i < store->lines && !failed; i++) {
        struct texts texts = {.buffer = NULL};
        if (!counts(use[i]))
            continue;
        failed = !read_texts(store, &store->line[i], &texts);
        if (!failed)
            visit(context, texts.column, use[i] == STORE_SHOWN);
        const int error = errno;
        free(texts.buffer);
        errno = error;
    }
    const int error = errno;
    free(use);
    errno = error;
    return failed ? -1 : 0;
}

static double width_of(const struct texts *texts)
{
    const double median = strtod(texts->column[RESULT_AT_median_s], NULL);
    const char *low = texts->column[RESULT_AT_ci_lo_s], *high = texts->column[RESULT_AT_ci_hi_s];
    return *low && *high && median > 0 ? (strtod(high, NULL) - strtod(low, NULL)) / median : INFINITY;
}

/* Takes the lines of a store. Those that do not count are taken if `all` says so. */
static bool take_store(struct merge *merge, struct store *store, bool all)
{
    uint8_t *use = store_inventory_uses(store, NULL, 0);
    bool fine = true;
    for (size_t i = 0; i < store->lines && fine; i++) {
        const struct store_line *line = &store->line[i];
        if (!all && !counts(use[i]))
            continue;
        if (merge->count == merge->room)
            merge->entry =
                memory_grow(merge->entry, merge->room = merge->room ? 2 * merge->room : 64, sizeof *merge->entry);
        struct entry *entry = &merge->entry[merge->count];
        const struct store_settings *settings = &store->settings[line->settings];
        *entry = (struct entry){.line = *line, .is_aside = !counts(use[i])};
        entry->rounds = settings->is_known ? settings->criterion.rounds : line->rounds;
        fine = read_texts(store, line, &entry->texts);
        if (fine)
            merge->count++;
        entry->width = fine ? width_of(&entry->texts) : INFINITY;
    }
    const int error = errno;
    free(use);
    errno = error;
    return fine;
}

static int compare_numbers(double a, double b)
{
    return (a > b) - (a < b);
}

static const char *id_of(const struct entry *entry)
{
    return entry->texts.column[RESULT_AT_cell];
}

/* By cell and generation. */
static int compare_generations(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const int order = strcmp(id_of(x), id_of(y));
    return order ? order : (x->line.generation > y->line.generation) - (x->line.generation < y->line.generation);
}

/* By cell and number of the generation; the hash decides between equal numbers. */
static int compare_ages(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    const int order = strcmp(id_of(x), id_of(y));
    return order                              ? order
           : x->line.number != y->line.number ? compare_numbers(x->line.number, y->line.number)
                                              : compare_generations(a, b);
}

/* Gives the generations of each cell numbers: the highest number that a store gave it, or the next one that is free. */
static void number_generations(struct merge *merge)
{
    struct entry *entry = merge->entry;
    qsort(entry, merge->count, sizeof *entry, compare_generations);
    for (size_t i = 0, end; i < merge->count; i = end) {
        int highest = 1;
        for (end = i; end < merge->count && compare_generations(&entry[i], &entry[end]) == 0; end++)
            highest = entry[end].line.number > highest ? entry[end].line.number : highest;
        for (size_t j = i; j < end; j++)
            entry[j].line.number = highest;
    }
    qsort(entry, merge->count, sizeof *entry, compare_ages);
    for (size_t i = 0, end; i < merge->count; i = end) {
        const bool is_next = i > 0 && strcmp(id_of(&entry[i - 1]), id_of(&entry[i])) == 0;
        const int least = is_next ? entry[i - 1].line.number + 1 : 1, told = entry[i].line.number;
        for (end = i; end < merge->count && compare_ages(&entry[i], &entry[end]) == 0; end++)
            ;
        for (size_t j = i; j < end; j++)
            entry[j].line.number = told > least ? told : least;
    }
}

/* Prints the entries' lines in today's layout. False without memory. */
static bool compose(struct merge *merge, store_merge_number *number, const void *context)
{
    for (size_t i = 0; i < merge->count; i++) {
        struct entry *entry = &merge->entry[i];
        const char *text[RESULT_COLUMNS];
        char generation[16], machine[16];
        memcpy(text, entry->texts.column, sizeof text);
        const int of_machine = number(context, text[RESULT_AT_machine_mark]);
        snprintf(generation, sizeof generation, "%d", entry->line.number);
        snprintf(machine, sizeof machine, "%d", of_machine);
        text[RESULT_AT_generation] = generation;
        if (of_machine > 0)
            text[RESULT_AT_machine_number] = machine;
        entry->body = journal_line_compose(&merge->into->layout[0], text, entry->texts.samples, entry->texts.history,
                                           &entry->length);
        if (!entry->body)
            return false;
    }
    return true;
}

static int rank_status(const struct entry *entry)
{
    const unsigned status = entry->line.status;
    return status == STATUS_SKIPPED ? 0 : status == STATUS_WRONG ? 3 : status == STATUS_OK ? 2 : 1;
}

/* What comes last among the results of one generation counts, unless the rules of store.h say otherwise. */
static int compare_merit(const struct entry *x, const struct entry *y)
{
    const unsigned doubts = result_flags_of(FLAG_IS_DOUBT);
    const int order[] = {
        compare_numbers(rank_status(x) > 0, rank_status(y) > 0),
        compare_numbers(!(x->line.flags & FLAG_PARTIAL), !(y->line.flags & FLAG_PARTIAL)),
        compare_numbers(rank_status(x), rank_status(y)),
        compare_numbers(x->rounds, y->rounds),
        compare_numbers(x->line.rounds, y->line.rounds),
        compare_numbers(!(x->line.flags & doubts), !(y->line.flags & doubts)),
        compare_numbers(y->width, x->width),
        compare_numbers(x->line.samples, y->line.samples),
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i] != 0)
            return order[i];
    const int bytes = memcmp(x->body, y->body, x->length < y->length ? x->length : y->length);
    return bytes ? bytes : compare_numbers((double)x->length, (double)y->length);
}

/* The order of the lines in the joined journal. */
static int compare_lines(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->is_aside != y->is_aside)
        return x->is_aside ? -1 : 1;
    const int order = strcmp(id_of(x), id_of(y));
    if (order != 0)
        return order;
    if (x->line.number != y->line.number)
        return compare_numbers(x->line.number, y->line.number);
    /* Lines that do not count keep the order of their journal. */
    return x->is_aside ? compare_numbers((double)x->line.offset, (double)y->line.offset) : compare_merit(x, y);
}

static bool is_measured(const struct entry *entry)
{
    return entry->line.status != STATUS_SKIPPED && !(entry->line.flags & FLAG_PARTIAL);
}

static void forget(struct entry *entry)
{
    free(entry->texts.buffer);
    free(entry->body);
    *entry = (struct entry){.body = NULL};
}

/* Sorts the lines and drops those that are there twice. Returns how many cells have different results. */
static size_t sort_lines(struct merge *merge)
{
    struct entry *entry = merge->entry;
    size_t kept = 0, aside = 0, doubled = 0;
    bool is_counted = false;
    qsort(entry, merge->count, sizeof *entry, compare_lines);
    while (aside < merge->count && entry[aside].is_aside)
        aside++;
    for (size_t i = 0; i < aside; i++) {
        struct entry key = entry[i];
        key.is_aside = false;
        if (merge->count > aside &&
            bsearch(&key, entry + aside, merge->count - aside, sizeof *entry, compare_lines) != NULL)
            forget(&entry[i]);
        else
            entry[kept++] = entry[i];
    }
    for (size_t i = aside; i < merge->count; i++) {
        struct entry *before = kept > 0 && !entry[kept - 1].is_aside ? &entry[kept - 1] : NULL;
        if (before && compare_lines(before, &entry[i]) == 0) {
            forget(&entry[i]);
            continue;
        }
        const bool same_cell = before && strcmp(id_of(before), id_of(&entry[i])) == 0;
        is_counted = is_counted && same_cell;
        if (same_cell && !is_counted && before->line.number == entry[i].line.number &&
            before->rounds == entry[i].rounds && is_measured(before) && is_measured(&entry[i])) {
            doubled++;
            is_counted = true;
        }
        entry[kept++] = entry[i];
    }
    merge->count = kept;
    return doubled;
}

static void produce(struct sink *sink, const void *context)
{
    const struct merge *merge = context;
    journal_put(sink, merge->into->layout_body, merge->into->layout_length);
    for (size_t i = 0; i < merge->count && !sink->done; i++)
        journal_put(sink, merge->entry[i].body, merge->entry[i].length);
}

int store_merge(struct store *into, struct store *const from[], size_t count, store_merge_number *number,
                const void *context, size_t *doubled)
{
    struct merge merge = {.into = into};
    bool fine = into->journal.unknown.lines == 0 && into->journal.damaged.lines == 0;
    errno = EPROTO;
    fine = fine && take_store(&merge, into, true);
    for (size_t i = 0; i < count && fine; i++)
        fine = take_store(&merge, from[i], false);
    if (fine && merge.count > 0) {
        number_generations(&merge);
        errno = ENOMEM;
        fine = compose(&merge, number, context);
    }
    if (fine && merge.count > 0) {
        *doubled = sort_lines(&merge);
        fine = journal_replace(&into->journal, produce, &merge) == 0;
        if (fine) {
            store_index_clear(into);
            fine = journal_load(&into->journal, store_index_take, into) == 0;
        }
    }
    const int error = errno;
    for (size_t i = 0; i < merge.count; i++)
        forget(&merge.entry[i]);
    free(merge.entry);
    errno = error;
    return fine ? 0 : -1;
}
