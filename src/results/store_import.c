/* A journal made from CSV files.
 * SPDX-License-Identifier: MIT
 *
 * The rows become lines text by text, so that an export gives the same bytes, also for variants that this program does
 * not know. A row is imported where the journal has no result of the same cell, generation and settings: all rows where
 * the journal is missing, else those that another program has added or whose line is damaged. */
#include "outputs.h"
#include "store_parts.h"
#include "base/csv.h"
#include "base/memory.h"
#include "base/number.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows. */
struct text {
    char *bytes;
    size_t length, room;
};

/* A row that becomes a line. */
struct row {
    char id[CELL_ID_SIZE];
    char generation[NUMBER_SIZE]; /* of a row of archive.csv */
    struct text body;             /* the line without samples and history */
    struct text samples, history;
    int64_t residuals, every; /* of the history */
};

struct import {
    struct store *store;
    struct row *row; /* those of archive.csv, then those of results.csv */
    size_t rows, room, archived;
    struct row **sorted; /* the rows of archive.csv by cell and generation, then those of results.csv by cell */
    bool takes_all;      /* the journal has no results */
    bool write_failed;
    char *why;
    size_t size;
};

/* Reads one CSV file: `column` tells the place of each field among the columns. */
struct reader {
    struct csv csv;
    short column[256];
    size_t columns;
};

/* The functions below return 1 where they go on, 0 where a file ends or is missing, and -1 on failure. */
enum { GO_ON = 1, END = 0, FAILED = -1 };

/* Says in import->why what is wrong with the record. */
__attribute__((format(printf, 3, 4))) static int refuse(struct import *import, const struct csv *csv,
                                                        const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(import->why, import->size, "%s:%d: %s", csv->path, csv->line, what);
    return FAILED;
}

static void add(struct text *text, const char *bytes, size_t length)
{
    if (length == 0)
        return;
    if (text->length + length > text->room) {
        text->room = 2 * (text->length + length);
        text->bytes = memory_grow(text->bytes, text->room, 1);
    }
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static struct slice slice_of(const char *text)
{
    return (struct slice){text ? text : "", text ? strlen(text) : 0};
}

/* Finds the columns of the header. */
static int read_header(struct import *import, struct reader *reader, const struct column *columns, size_t count)
{
    const struct csv *csv = &reader->csv;
    bool is_there[256] = {false};
    if (csv_read(&reader->csv) < 1 || csv->fields > sizeof reader->column / sizeof *reader->column)
        return refuse(import, csv, "there is no header line");
    reader->columns = csv->fields;
    for (size_t i = 0; i < csv->fields; i++) {
        const char *name = csv->field[i] ? csv->field[i] : "";
        size_t c = 0;
        while (c < count && strcmp(columns[c].name, name) != 0)
            c++;
        if (c == count)
            return refuse(import, csv,
                          "this program does not know the column '%s', as a newer program wrote the file: use that one",
                          name);
        if (is_there[c])
            return refuse(import, csv, "there are two columns '%s'", name);
        is_there[c] = true;
        reader->column[i] = (short)c;
    }
    return GO_ON;
}

/* Reads the next record into text[count], by column; NULL is an empty field. */
static int read_record(struct import *import, struct reader *reader, const char **text, size_t count)
{
    struct csv *csv = &reader->csv;
    const int got = csv_read(csv);
    if (got == 0)
        return END;
    if (got < 0 || csv->fields != reader->columns)
        return refuse(import, csv, "the row has %zu fields, the header has %zu", csv->fields, reader->columns);
    memset(text, 0, count * sizeof *text);
    for (size_t i = 0; i < csv->fields; i++)
        text[reader->column[i]] = csv->field[i];
    return GO_ON;
}

/* Tries whether the text of each column has a meaning; `scratch` is a row that takes the values. */
static int try_record(struct import *import, const struct csv *csv, const struct column *columns, size_t count,
                      const char *const *text, void *scratch)
{
    for (size_t c = 0; c < count; c++) {
        const struct slice field = slice_of(text[c]);
        if (!columns_read(&columns[c], scratch, field.text, field.length))
            return refuse(import, csv, "'%.40s' has no meaning in the column '%s'", field.text, columns[c].name);
    }
    return GO_ON;
}

/* Opens <experiment>.<suffix>. */
static int open_reader(struct import *import, struct reader *reader, const char *suffix)
{
    char *path = memory_print("%s/%s.%s", import->store->folder, import->store->experiment, suffix);
    const bool opened = csv_open(&reader->csv, path);
    const int error = errno;
    if (!opened && error != ENOENT)
        snprintf(import->why, import->size, "%s cannot be read: %s", path, strerror(error));
    free(path);
    return opened ? GO_ON : error == ENOENT ? END : FAILED;
}

/* Whether the journal has no line that stands for the row. */
static bool is_missing(const struct import *import, const char *const *text)
{
    struct store *store = import->store;
    const struct store_record *record = store_index_find(store, text[RESULT_AT_cell]);
    struct result result;
    const struct slice flags = slice_of(text[RESULT_AT_flags]);
    if (import->takes_all || !record || !record->newest ||
        !columns_read(&columns_result[RESULT_AT_flags], &result, flags.text, flags.length))
        return true;
    if (text[RESULT_AT_status] && strcmp(text[RESULT_AT_status], status_names[STATUS_SKIPPED]) == 0)
        return false;
    const struct slice provenance[PROVENANCES] = {
        [BY_SOURCE] = slice_of(text[RESULT_AT_source_hash]),
        [BY_LIBRARY] = slice_of(text[RESULT_AT_library_hash]),
        [BY_MACHINE] = slice_of(text[RESULT_AT_machine_hash]),
        [BY_SETTINGS] = slice_of(text[RESULT_AT_settings_hash]),
    };
    const uint64_t generation = store_index_generation(provenance, (result.flags & FLAG_SIMULATED) != 0);
    const struct store_settings *settings = store_index_settings(
        store, provenance[BY_SETTINGS].length > 0 ? provenance[BY_SETTINGS] : slice_of(text[RESULT_AT_measure]));
    for (uint32_t at = record->newest; at; at = store->line[at - 1].before) {
        const struct store_line *line = &store->line[at - 1];
        const bool is_less = (line->flags & FLAG_PARTIAL) && !(result.flags & FLAG_PARTIAL);
        if (line->generation == generation && line->status != STATUS_SKIPPED && !is_less &&
            &store->settings[line->settings] == settings)
            return false;
    }
    return true;
}

static int take_row(struct import *import, const struct csv *csv, const char *const *text, bool is_archived)
{
    size_t length;
    char *body = journal_line_compose(&import->store->layout[0], text, NULL, NULL, &length);
    if (!body)
        return refuse(import, csv, "there is not enough memory for the row");
    if (import->rows == import->room)
        import->row =
            memory_grow(import->row, import->room = import->room ? 2 * import->room : 64, sizeof *import->row);
    struct row *row = &import->row[import->rows++];
    *row = (struct row){.residuals = 0};
    snprintf(row->id, sizeof row->id, "%s", text[RESULT_AT_cell]);
    if (is_archived)
        snprintf(row->generation, sizeof row->generation, "%s", slice_of(text[RESULT_AT_generation]).text);
    add(&row->body, body, length - 2); /* without the tabs before the samples and the history */
    free(body);
    return GO_ON;
}

/* Takes the rows of a file that the journal lacks. */
static bool read_results(struct import *import, const char *suffix, bool is_archived)
{
    struct reader reader;
    struct result result = {0};
    const char *text[RESULT_COLUMNS];
    int got = open_reader(import, &reader, suffix);
    if (got != GO_ON)
        return got == END;
    for (got = read_header(import, &reader, columns_result, RESULT_COLUMNS); got == GO_ON;) {
        got = read_record(import, &reader, text, RESULT_COLUMNS);
        if (got == GO_ON && !text[RESULT_AT_cell])
            got = refuse(import, &reader.csv, "the row tells no cell");
        if (got != GO_ON || !is_missing(import, text))
            continue;
        got = try_record(import, &reader.csv, columns_result, RESULT_COLUMNS, text, &result);
        if (got == GO_ON)
            got = take_row(import, &reader.csv, text, is_archived);
    }
    csv_close(&reader.csv);
    return got == END;
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
    const int order = strcmp(x->id, y->id);
    return order ? order : strcmp(x->generation, y->generation);
}

/* Sorts the rows of both files. False if two rows of results.csv tell one cell. */
static bool sort_rows(struct import *import)
{
    struct row **sorted = import->sorted = memory_allocate(import->rows, sizeof *sorted);
    for (size_t i = 0; i < import->rows; i++)
        sorted[i] = &import->row[i];
    qsort(sorted, import->archived, sizeof *sorted, compare_rows);
    qsort(sorted + import->archived, import->rows - import->archived, sizeof *sorted, compare_rows);
    for (size_t i = import->archived + 1; i < import->rows; i++)
        if (compare_rows(&sorted[i - 1], &sorted[i]) == 0) {
            snprintf(import->why, import->size, "%s/%s.results.csv has two rows of the cell %s", import->store->folder,
                     import->store->experiment, sorted[i]->id);
            return false;
        }
    return true;
}

/* The row that a sample or a residual belongs to; a generation is that of a row of archive.csv. NULL: it is not
 * imported. Nothing tells which of two archived rows of one cell and generation it belongs to. */
static struct row *row_of(const struct import *import, const char *id, const char *generation)
{
    struct row key = {.id = ""}, *at = &key;
    struct row **first = import->sorted + (generation ? 0 : import->archived);
    struct row **end = import->sorted + (generation ? import->archived : import->rows);
    if (!id || strlen(id) >= sizeof key.id || (generation && strlen(generation) >= sizeof key.generation))
        return NULL;
    strcpy(key.id, id);
    strcpy(key.generation, generation ? generation : "");
    struct row **found = bsearch(&at, first, (size_t)(end - first), sizeof *first, compare_rows);
    const bool is_one = found && (found == first || compare_rows(found - 1, found) != 0) &&
                        (found + 1 == end || compare_rows(found, found + 1) != 0);
    return is_one ? *found : NULL;
}

static void take_sample(struct row *row, const char *const *text)
{
    if (row->samples.length > 0)
        add(&row->samples, ";", 1);
    for (size_t c = 1; c < SAMPLE_COLUMNS; c++) {
        if (c > 1)
            add(&row->samples, ",", 1);
        add(&row->samples, slice_of(text[c]).text, slice_of(text[c]).length);
    }
}

/* Takes a residual. The sweeps must be 0, every, 2 * every, ... */
static bool take_residual(struct row *row, const char *sweep_text, const char *residual)
{
    int64_t sweep;
    double value;
    if (!sweep_text || !number_read_count(sweep_text, strlen(sweep_text), &sweep) ||
        (residual && !number_read(residual, strlen(residual), &value)))
        return false;
    if (row->residuals == 1)
        row->every = sweep;
    if (sweep != row->residuals * row->every || (row->residuals == 1 && sweep == 0))
        return false;
    row->residuals++;
    add(&row->history, ";", 1);
    add(&row->history, slice_of(residual).text, slice_of(residual).length);
    return true;
}

/* Takes the samples (columns_sample) or the residuals (columns_history) of the rows. In the files of archived rows,
 * each row also tells the generation. */
static bool read_rows(struct import *import, const char *suffix, const struct column *columns, size_t count,
                      bool is_archived)
{
    enum { MOST = (int)SAMPLE_COLUMNS > (int)HISTORY_COLUMNS ? SAMPLE_COLUMNS : HISTORY_COLUMNS };
    struct reader reader;
    struct sample sample;
    struct column known[MOST + 1];
    const char *text[MOST + 1];
    const bool is_sample = columns == columns_sample;
    memcpy(known, columns, count * sizeof *known);
    known[count] = columns_result[RESULT_AT_generation];
    int got = open_reader(import, &reader, suffix);
    if (got != GO_ON)
        return got == END;
    for (got = read_header(import, &reader, known, count + is_archived); got == GO_ON;) {
        got = read_record(import, &reader, text, count + is_archived);
        if (got == GO_ON && is_sample) /* take_residual tries the texts of a history */
            got = try_record(import, &reader.csv, columns, count, text, &sample);
        const char *generation = is_archived && got == GO_ON ? slice_of(text[count]).text : NULL;
        struct row *row = got == GO_ON ? row_of(import, text[0], generation) : NULL;
        if (got == GO_ON && !row && import->takes_all && !is_archived)
            got = refuse(import, &reader.csv,
                         "results.csv has no row of the cell '%.20s'; to go on without these rows, move this file away",
                         slice_of(text[0]).text);
        else if (row && is_sample)
            take_sample(row, text);
        else if (row && !take_residual(row, text[1], text[2]))
            got = refuse(import, &reader.csv, "the sweeps of a cell must be 0, s, 2 s, 3 s and so on");
    }
    csv_close(&reader.csv);
    return got == END;
}

/* Puts the lines of the journal, if it has any, and behind them those of the rows. */
static void produce(struct sink *sink, const void *context)
{
    const struct import *import = context;
    const struct store *store = import->store;
    if (store->journal.end > 0)
        journal_put_all(sink, &import->store->journal);
    if (!store->layout_told)
        journal_put(sink, store->layout_body, store->layout_length);
    for (size_t i = 0; i < import->rows && !sink->done; i++) {
        const struct row *row = &import->row[i];
        struct text line = {NULL, 0, 0};
        add(&line, row->body.bytes, row->body.length);
        add(&line, "\t", 1);
        add(&line, row->samples.bytes, row->samples.length);
        add(&line, "\t", 1);
        if (row->residuals > 0) {
            char every[NUMBER_SIZE];
            add(&line, every, (size_t)snprintf(every, sizeof every, "%lld", (long long)(row->every ? row->every : 1)));
            add(&line, row->history.bytes, row->history.length);
        }
        journal_put(sink, line.bytes, line.length);
        free(line.bytes);
    }
}

/* Replaces the journal, and loads it again. */
static bool replace(struct import *import)
{
    struct store *store = import->store;
    const int failed = journal_replace(&store->journal, produce, import);
    if (!failed)
        store_index_clear(store);
    if (!failed && journal_load(&store->journal, store_index_take, store) == 0)
        return true;
    snprintf(import->why, import->size, "the CSV files of %s cannot be imported into %s: %s", store->experiment,
             store->journal.path, strerror(errno));
    import->write_failed = true;
    return false;
}

bool store_import(struct store *store, char *why, size_t size)
{
    struct import import = {.store = store, .takes_all = store->lines == 0, .why = why, .size = size};
    bool imported = read_results(&import, "archive.csv", true);
    import.archived = import.rows;
    imported = imported && read_results(&import, "results.csv", false) && sort_rows(&import);
    if (imported && import.rows > import.archived)
        store->changed_outputs = outputs_changed_in(store->folder, store->experiment);
    if (imported && import.rows > 0)
        imported = read_rows(&import, "samples.csv", columns_sample, SAMPLE_COLUMNS, false) &&
                   read_rows(&import, "history.csv", columns_history, HISTORY_COLUMNS, false) &&
                   read_rows(&import, "archive-samples.csv", columns_sample, SAMPLE_COLUMNS, true) &&
                   read_rows(&import, "archive-history.csv", columns_history, HISTORY_COLUMNS, true) &&
                   replace(&import);
    for (size_t i = 0; i < import.rows; i++) {
        free(import.row[i].body.bytes);
        free(import.row[i].samples.bytes);
        free(import.row[i].history.bytes);
    }
    free(import.row);
    free(import.sorted);
    if (imported || import.write_failed || store->journal.end == 0)
        return imported;
    fprintf(stderr, "tilelab: warning: %s; the journal is taken instead\n", why);
    return true;
}
