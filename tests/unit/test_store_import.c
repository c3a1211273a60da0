/* CSV files without a journal become a journal, and the journal gives the same CSV files.
 * SPDX-License-Identifier: MIT */
#include "store_fixture.h"
#include "base/csv.h"
#include "base/memory.h"
#include "base/file.h"
#include "test.h"

#include <glob.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static char archive_samples[128], archive_history[128];

FIXTURE(make)
{
    const int failed = make_store(state);
    snprintf(archive_samples, sizeof archive_samples, "%s/test.archive-samples.csv", folder);
    snprintf(archive_history, sizeof archive_history, "%s/test.archive-history.csv", folder);
    return failed;
}
#define TEST_IN_NEW_FOLDER(name) TEST_AROUND(name, make, remove_folder)

/* The texts of all CSV files, in one text that the caller frees. */
static char *all_files(void)
{
    const char *const paths[] = {results, samples, history, archive, archive_samples, archive_history};
    char *all = memory_copy("");
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *text = file_read(paths[i], NULL);
        char *more = memory_print("%s== %s\n", all, text ? text : "");
        free(all);
        free(text);
        all = more;
    }
    return all;
}

/* Asserts that the files have these texts, and frees them. */
static void assert_files(char *expected)
{
    char *all = all_files();
    assert_string_equal(expected, all);
    free(expected);
    free(all);
}

static void append_variant(struct store *store, int seed, int generation, double median_s)
{
    struct result result = make_result(seed);
    snprintf(result.provenance[BY_SOURCE], 17, "source-%d", generation);
    result.median_s = result.sample[0].kernel_s = median_s;
    result.history = memory_allocate(2, sizeof *result.history);
    result.history[0] = 1, result.history[1] = median_s;
    result.history_count = 2;
    result.history_every = generation;
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
}

/* Four cells: one skipped, one with two generations, one with a history, and one that the export does not list. */
static void fill(void)
{
    struct store *store = open_store(false);
    append(store, 0);
    append_variant(store, 1, 1, 0.5);
    append_variant(store, 1, 2, 0.25);
    struct result solve = make_result(2), skip = make_result(3);
    solve.history = memory_allocate(3, sizeof *solve.history);
    solve.history[0] = 2, solve.history[1] = NAN, solve.history[2] = INFINITY;
    solve.history_count = 3;
    solve.history_every = 4;
    skip.status = STATUS_SKIPPED;
    skip.sample_count = 0;
    strcpy(skip.reason, "tab\there, \"quotes\",\nlines \\n and \\");
    assert_int_equal(store_append(store, &solve), 0);
    assert_int_equal(store_append(store, &skip), 0);
    append(store, 4);
    export_cells(store, 4);
    result_clear(&solve);
    result_clear(&skip);
    store_close(store);
}

TEST_IN_NEW_FOLDER(a_folder_without_its_journal_keeps_its_record)
{
    fill();
    char *before = all_files();
    assert_non_null(strstr(before, ",source-1,")); /* in archive.csv */
    for (int read_only = 1; read_only >= 0; read_only--) {
        bool changed;
        assert_int_equal(unlink(journal), 0);
        struct store *store = open_store(read_only);
        assert_has(store, 0, true);
        assert_has(store, 4, true);
        const struct result *newest = store_find(store, ids(2)[1]);
        assert_true(newest && newest->median_s == 0.25 && newest->generation == 2);
        assert_int_equal(access(journal, F_OK), read_only ? -1 : 0);
        assert_int_equal(store_export(store, ids(4), 4, &changed) != 0, read_only);
        assert_false(changed);
        store_close(store);
        if (read_only)
            overwrite(journal, "", 0); /* an empty journal counts as none */
    }
    struct store *store = open_store(false); /* now from the journal */
    assert_false(export_cells(store, 4));
    store_close(store);
    assert_files(before);
}

/* The samples and residuals of the shown results where the study lists five cells and cell 1 is of generation 1. */
static char *rows_of_archived_results(void)
{
    struct result result = make_result(1);
    strcpy(result.provenance[BY_SOURCE], "source-1");
    struct store *store = open_store(false);
    assert_true(store_expect(store, result.id, result.provenance));
    export_cells(store, 5);
    assert_true(store_find(store, result.id)->median_s == 0.5);
    store_close(store);
    result_clear(&result);
    char *timed = file_read(samples, NULL), *residuals = file_read(history, NULL);
    char *rows = memory_print("%s%s", timed, residuals);
    free(timed);
    free(residuals);
    return rows;
}

/* A clone keeps the samples and residuals of archived results: the study may list their cells again, or the machine may
 * go back to what it was. */
TEST_IN_NEW_FOLDER(a_folder_without_its_journal_keeps_archived_samples)
{
    fill();
    char *before = rows_of_archived_results();
    struct store *store = open_store(false);
    export_cells(store, 4); /* as fill did */
    store_close(store);
    assert_int_equal(unlink(journal), 0);
    char *after = rows_of_archived_results();
    assert_non_null(strstr(after, "\n0000000000000001,0,0,0,3,,0.5,"));
    assert_non_null(strstr(after, "\n0000000000000001,1,0.5\n"));
    assert_non_null(strstr(after, "\n0000000000000004,"));
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* Samples go to no result where two archived rows have the same cell and generation. */
TEST_IN_NEW_FOLDER(samples_of_ambiguous_rows_are_left_out)
{
    overwrite(results, "cell,status\nab,ok\n", strlen("cell,status\nab,ok\n"));
    const char *const rows = "cell,generation,source_hash,status\nab,1,x,ok\nab,1,y,ok\nab,2,z,ok\n";
    const char *const timed = "cell,generation,round\nab,1,7\nab,2,8\nab,3,9\ncd,1,9\n,,\n";
    overwrite(archive, rows, strlen(rows));
    overwrite(archive_samples, timed, strlen(timed));
    struct store *store = open_store(false);
    export_cells(store, 0);
    store_close(store);
    char *text = file_read(archive_samples, NULL);
    assert_string_equal(text + strcspn(text, "\n"), "\nab,2,8,,,,,,,,,,,,,,,\n");
    free(text);
}

static void refused(const char *path, const char *text, const char *reason)
{
    overwrite(path, text, strlen(text));
    why[0] = '\0';
    assert_null(store_open(folder, "test", false, why, sizeof why));
    if (!strstr(why, reason))
        print_message("%s\n", why);
    assert_non_null(strstr(why, reason));
    assert_non_null(strstr(why, path));
    assert_null(strchr(why, '\n'));
}

TEST_IN_NEW_FOLDER(what_cannot_be_imported_is_refused)
{
    fill();
    char *rows = file_read(results, NULL), *timed = file_read(samples, NULL), *residuals = file_read(history, NULL);
    unlink(journal);
    char *end = strchr(rows, '\n');
    char *text = memory_print("%.*s,colour\n", (int)(end - rows), rows);
    refused(results, text, ":1: this program does not know the column 'colour'");
    free(text);
    refused(results, "cell,status\nab\n", ":2: the row has 1 fields, the header has 2");
    refused(results, "cell,status\nab,fine\n", ":2: 'fine' has no meaning in the column 'status'");
    refused(results, "cell,status\n,ok\n", ":2: the row tells no cell");
    refused(results, "cell,cell\n", ":1: there are two columns 'cell'");
    refused(results, "", ":1: there is no header line");
    refused(results, "cell,status\nab,ok\nab,ok\n", "two rows of the cell ab");
    overwrite(results, rows, strlen(rows));
    refused(samples, "cell,round\nab,1\n", ":2: results.csv has no row of the cell 'ab'");
    refused(samples, "cell,round\n0000000000000001,1;2\n", ":2: '1;2' has no meaning in the column 'round'");
    overwrite(samples, timed, strlen(timed));
    refused(history, "cell,sweep,residual\n0000000000000001,1,2\n", ":2: the sweeps of a cell must be");
    overwrite(history, residuals, strlen(residuals));
    struct store *store = open_store(false);
    assert_has(store, 0, true);
    store_close(store);
    free(rows);
    free(timed);
    free(residuals);
}

/* A row whose line is damaged, and a row that another program has added, come from the CSV files. A row that was edited
 * does not. */
TEST_IN_NEW_FOLDER(rows_that_the_journal_lacks_are_imported)
{
    fill();
    char *before = all_files(), *rows = file_read(results, NULL);
    static char text[1 << 16];
    size_t size;
    memcpy(text, contents(journal, &size), sizeof text);
    *strstr(text, "\tok\t") = ' '; /* of cell 0 */
    overwrite(journal, text, size);
    *strstr(rows, "0.25") = '9'; /* the time of cell 1 */
    overwrite(results, rows, strlen(rows));
    for (int read_only = 1; read_only >= 0; read_only--) {
        struct store *store = open_store(read_only);
        assert_has(store, 0, true);
        assert_true(store_find(store, ids(2)[1])->median_s == 0.25);
        if (!read_only)
            export_cells(store, 4);
        store_close(store);
    }
    assert_files(before);
    free(rows);
}

/* A process that ends within an import leaves a file that does not count. */
TEST_IN_NEW_FOLDER(an_interrupted_import_does_not_count)
{
    fill();
    char *before = all_files();
    char path[160];
    snprintf(path, sizeof path, "%s/.journal/.test.journal.new", folder);
    overwrite(path, "half a line", 11);
    overwrite(journal, "", 0);
    struct store *store = open_store(false);
    assert_false(export_cells(store, 4));
    store_close(store);
    assert_int_equal(access(path, F_OK), -1);
    assert_files(before);
}

static void copy(const char *from, size_t length, const char *suffix, const char *to)
{
    char *path = memory_print("%.*s%s", (int)length, from, suffix), *text = file_read(path, NULL);
    if (text)
        overwrite(to, text, strlen(text));
    else
        unlink(to);
    free(text);
    free(path);
}

/* Asserts that two files have the same records in the columns of the first. The experiment differs, as the copy has
 * another name. */
static void assert_same_columns(const char *path, size_t length, const char *suffix, const char *other)
{
    struct csv x, y;
    int place[256] = {0};
    char *first = memory_print("%.*s%s", (int)length, path, suffix);
    assert_true(csv_open(&x, first) && csv_open(&y, other));
    assert_true(csv_read(&x) == 1 && csv_read(&y) == 1);
    const size_t columns = x.fields;
    for (size_t i = 0; i < columns; i++) {
        place[i] = csv_find(&y, x.field[i]);
        assert_true(place[i] >= 0);
        if (strcmp(x.field[i], "experiment") == 0)
            place[i] = -1;
    }
    int got;
    while ((got = csv_read(&x)) == 1) {
        assert_int_equal(csv_read(&y), 1);
        for (size_t i = 0; i < columns; i++) {
            const char *a = csv_field(&x, (int)i), *b = csv_field(&y, place[i]);
            if (place[i] >= 0)
                assert_string_equal(a ? a : "", b ? b : "");
        }
    }
    assert_int_equal(csv_read(&y), 0);
    csv_close(&x);
    csv_close(&y);
    free(first);
}

TEST_IN_NEW_FOLDER(recorded_studies_come_back)
{
    glob_t found;
    if (glob("data/*/*.samples.csv", 0, NULL, &found) != 0)
        skip_because("there are no recorded studies");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        const size_t length = strlen(path) - strlen(".samples.csv");
        copy(path, length, ".results.csv", results);
        copy(path, length, ".samples.csv", samples);
        copy(path, length, ".history.csv", history);
        copy(path, length, ".archive.csv", archive);
        unlink(journal);
        struct csv csv;
        assert_true(csv_open(&csv, results));
        char(*id)[CELL_ID_SIZE] = NULL;
        size_t count = 0;
        assert_int_equal(csv_read(&csv), 1);
        const int cell = csv_find(&csv, "cell");
        while (csv_read(&csv) == 1) {
            id = memory_grow(id, count + 1, sizeof *id);
            snprintf(id[count++], sizeof *id, "%s", csv_field(&csv, cell));
        }
        csv_close(&csv);
        struct store *store = open_store(false);
        bool changed;
        assert_int_equal(store_export(store, (const char(*)[CELL_ID_SIZE])id, count, &changed), 0);
        store_close(store);
        free(id);
        assert_same_columns(path, length, ".results.csv", results);
        assert_same_columns(path, length, ".samples.csv", samples);
        if (access(history, F_OK) == 0)
            assert_same_columns(path, length, ".history.csv", history);
    }
    globfree(&found);
}
