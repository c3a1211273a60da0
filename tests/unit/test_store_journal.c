/* What another program does to a journal tears nothing, and is noticed.
 * SPDX-License-Identifier: MIT */
#include "store_fixture.h"
#include "base/memory.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void add_text(const char *text)
{
    const int fd = open(journal, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

/* Standard error goes to a file of the folder until `heard` gives what it got. */
static int kept_stderr;

static void listen(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/stderr", folder);
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, STDERR_FILENO);
    close(fd);
}

static const char *heard(void)
{
    char path[128];
    size_t size;
    snprintf(path, sizeof path, "%s/stderr", folder);
    fflush(stderr);
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    return contents(path, &size);
}

TEST_IN_FOLDER(foreign_text_within_a_run_tears_nothing)
{
    static const char *const texts[] = {"hello\n", "hello", "\n", "\n\nhello", "0badcafe\thello\n"};
    static char whole[1 << 16];
    size_t size;
    struct store *store = open_store(false);
    for (int i = 0; i < 6; i++)
        append(store, i);
    export_cells(store, 6);
    store_close(store);
    memcpy(whole, contents(results, &size), sizeof whole);

    unlink(journal);
    unlink(results);
    unlink(samples);
    store = open_store(false);
    for (int i = 0; i < 6; i++) {
        append(store, i);
        if (i < 5)
            add_text(texts[i]);
    }
    export_cells(store, 6);
    assert_string_equal(contents(results, &size), whole);
    store_close(store);
    listen();
    store = open_store(false);
    const char *warnings = heard();
    assert_non_null(strstr(warnings, ".journal:3: warning: damaged line left out"));
    unlink(results);
    for (int i = 0; i < 6; i++)
        assert_has(store, i, true);
    export_cells(store, 6);
    assert_string_equal(contents(results, &size), whole);
    store_close(store);
}

/* Fails to append and to export, with a line on stderr, and leaves the CSV files alone. */
static void assert_noticed(struct store *store, int error, const char *text)
{
    bool changed;
    struct result result = make_result(9);
    listen();
    errno = 0;
    const int appended = store_append(store, &result), failed = errno;
    const int exported = store_export(store, ids(2), 2, &changed);
    const char *said = heard();
    assert_non_null(strstr(said, text));
    assert_int_equal(appended, -1);
    assert_int_equal(failed, error);
    assert_int_equal(exported, -1);
    result_clear(&result);
}

static struct store *two_cells(void)
{
    struct store *store = open_store(false);
    append(store, 0);
    append(store, 1);
    export_cells(store, 2);
    return store;
}

TEST_IN_FOLDER(a_journal_that_is_cut_is_noticed)
{
    static char before[1 << 16];
    size_t size;
    struct store *store = two_cells();
    memcpy(before, contents(results, &size), sizeof before);
    contents(journal, &size);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(truncate(journal, i == 0 ? (off_t)size - 30 : 0), 0);
        assert_noticed(store, EBADMSG, "another program cut the journal");
        assert_string_equal(contents(results, &size), before);
        store_close(store);
        store = open_store(false); /* the rows come back from the CSV files */
        assert_has(store, 0, true);
        assert_has(store, 1, true);
        contents(journal, &size);
    }
    store_close(store);
}

TEST_IN_FOLDER(a_journal_that_is_replaced_is_noticed)
{
    struct store *store = two_cells();
    size_t size;
    char *text = contents(journal, &size);
    unlink(journal);
    assert_noticed(store, ESTALE, "another program removed or replaced the journal");
    overwrite(journal, text, size);
    struct result result = make_result(9);
    assert_int_equal(store_append(store, &result), -1);
    assert_int_equal(errno, ESTALE);
    result_clear(&result);
    store_close(store);
}

/* A link in the place of the folder: nothing is written where the link leads. */
TEST_IN_FOLDER(a_folder_that_is_replaced_is_noticed)
{
    char moved[80], other[80];
    struct store *store = two_cells();
    snprintf(moved, sizeof moved, "%s.moved", folder);
    snprintf(other, sizeof other, "%s.other", folder);
    assert_int_equal(rename(folder, moved), 0);
    assert_int_equal(mkdir(other, 0777), 0);
    assert_int_equal(symlink(other, folder), 0);
    bool changed;
    assert_int_equal(store_export(store, ids(2), 2, &changed), -1);
    assert_int_equal(errno, ENOLINK);
    assert_string_equal(store_failure(errno), "another program moved or replaced the folder");
    assert_int_equal(rmdir(other), 0); /* it is empty */
    /* A link to the folder itself harms nobody. */
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(symlink(moved, folder), 0);
    assert_true(store_in_place(store));
    store_close(store);
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(rename(moved, folder), 0);
}

TEST_IN_FOLDER(a_line_that_changes_under_a_run_is_noticed)
{
    static char text[1 << 16];
    size_t size, before;
    struct store *store = two_cells();
    memcpy(text, contents(results, &before), sizeof text);
    contents(journal, &size);
    const int fd = open(journal, O_WRONLY);
    assert_int_equal(pwrite(fd, "x", 1, (off_t)size - 20), 1);
    close(fd);
    bool changed;
    listen();
    const int failed = store_export(store, ids(2), 2, &changed), error = errno;
    assert_non_null(strstr(heard(), ".journal:3: error: another program changed this line"));
    assert_int_equal(failed, -1);
    assert_int_equal(error, EBADMSG);
    assert_string_equal(contents(results, &size), text);
    store_close(store);
}

/* A line longer than what is read at once. */
TEST_IN_FOLDER(long_lines_come_back)
{
    struct store *store = open_store(false);
    for (int i = 0; i < 4; i++) {
        struct result result = make_result(i);
        result.history_count = i == 1 ? 300000 : 3;
        result.history_every = 1;
        result.history = memory_allocate(result.history_count, sizeof *result.history);
        for (size_t h = 0; h < result.history_count; h++)
            result.history[h] = 1.0 / (double)(h + 1);
        assert_int_equal(store_append(store, &result), 0);
        result_clear(&result);
    }
    for (int opened = 0; opened < 2; opened++) {
        for (int i = 3; i >= 0; i--)
            assert_has(store, i, true);
        store_close(store);
        store = open_store(true);
    }
    store_close(store);
}

/* Whoever waits for the lock gets that of the file which the path names. */
TEST_IN_FOLDER(a_replaced_journal_stays_locked)
{
    struct store *store = two_cells(), *imported;
    store_close(store);
    unlink(journal);
    imported = open_store(false); /* from the CSV files: the journal is replaced */
    assert_null(store_open(folder, "test", false, why, sizeof why));
    assert_non_null(strstr(why, "another run holds "));
    append(imported, 2);
    store_close(imported);
    store = open_store(false);
    assert_has(store, 2, true);
    store_close(store);
}
