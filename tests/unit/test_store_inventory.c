/* What the lines of a journal are there for, and a journal without some of them.
 * SPDX-License-Identifier: MIT */
#include "store_fixture.h"
#include "test.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static void send(struct store *store, int seed, const char *source, const char *settings, unsigned flags,
                 enum status status)
{
    struct result result = make_result(seed);
    snprintf(result.provenance[BY_SOURCE], 17, "%s", source);
    snprintf(result.provenance[BY_SETTINGS], 17, "%s", settings);
    snprintf(result.provenance[BY_MACHINE], 17, "machine");
    result.flags = flags;
    result.status = status;
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
}

/* Opens the store without the warnings. */
static struct store *open_quietly(void)
{
    const int kept = dup(STDERR_FILENO);
    assert_non_null(freopen("/dev/null", "w", stderr));
    struct store *store = open_store(false);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    return store;
}

/* Lines of every use; the last one is damaged. */
static struct store *fill(void)
{
    struct store *store = open_store(false);
    send(store, 0, "old", "s", 0, STATUS_SKIPPED);         /* superseded */
    send(store, 0, "old", "s", 0, STATUS_OK);              /* superseded */
    send(store, 0, "old", "s", 0, STATUS_OK);              /* archived */
    send(store, 0, "new", "s", FLAG_PARTIAL, STATUS_OK);   /* superseded */
    send(store, 0, "new", "s", 0, STATUS_OK);              /* shown */
    send(store, 1, "new", "s", 0, STATUS_OK);              /* shown */
    send(store, 1, "new", "s-1", FLAG_PARTIAL, STATUS_OK); /* superseded */
    send(store, 1, "new", "s-1", FLAG_PARTIAL, STATUS_OK); /* pending */
    send(store, 2, "new", "s", 0, STATUS_OK);              /* not listed */
    send(store, 3, "new", "s", 0, STATUS_OK);              /* damaged */
    store_close(store);
    size_t size;
    char *text = contents(journal, &size);
    text[size - 9] = '\r';
    overwrite(journal, text, size);
    return open_quietly();
}

static void assert_lines(const struct store_lines *counts, size_t lines, size_t cells)
{
    assert_int_equal(counts->lines, lines);
    assert_int_equal(counts->cells, cells);
    assert_int_equal(counts->bytes > 100 * lines, lines > 0);
}

TEST_IN_FOLDER(every_line_has_a_use)
{
    struct store *store = fill();
    struct store_inventory inventory;
    store_inventory_take(store, ids(2), 2, &inventory);
    assert_lines(&inventory.use[STORE_SHOWN], 2, 2);
    assert_lines(&inventory.use[STORE_PENDING], 1, 1);
    assert_lines(&inventory.use[STORE_ARCHIVED], 1, 1);
    assert_lines(&inventory.archived[0], 1, 1);
    assert_lines(&inventory.archived[1], 0, 0);
    assert_lines(&inventory.use[STORE_UNLISTED], 1, 1);
    assert_lines(&inventory.use[STORE_SUPERSEDED], 4, 2);
    assert_lines(&inventory.use[STORE_DAMAGED], 1, 0);
    assert_lines(&inventory.use[STORE_UNKNOWN], 0, 0);
    assert_lines(&inventory.behind_archived, 2, 1);
    assert_int_equal(inventory.generations, 2);
    assert_int_equal(inventory.elsewhere, 0);
    size_t bytes = 0, size;
    for (int use = 0; use < STORE_USES; use++)
        bytes += inventory.use[use].bytes;
    const char *text = contents(journal, &size);
    assert_int_equal(bytes, size - (size_t)(strchr(text, '\n') + 1 - text)); /* all but the line of the layout */
    store_close(store);
}

/* Appends a result of cell 0 that the physical machine `mark` measured. */
static void send_from(struct store *store, const char *mark, double median_s, unsigned flags)
{
    struct result result = make_result(0);
    snprintf(result.machine_mark, sizeof result.machine_mark, "%s", mark);
    result.median_s = median_s;
    result.flags = flags;
    result.status = STATUS_OK;
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
}

TEST_IN_FOLDER(the_newest_sure_result_of_each_other_machine_is_archived)
{
    struct store *store = open_store(false);
    send_from(store, "first", 1001, 0);
    send_from(store, "first", 1002, 0);
    send_from(store, "second", 1003, 0);
    send_from(store, "second", 1004, FLAG_NOISY);
    send_from(store, "third", 1005, FLAG_CAPPED); /* a remark is no doubt */
    send_from(store, "", 1006, 0);                /* it does not tell its machine */
    send_from(store, "fourth", 1007, 0);
    send_from(store, "fourth", 1008, 0);
    export_cells(store, 1);
    for (int time = 1001; time <= 1008; time++) {
        size_t size;
        char field[16];
        snprintf(field, sizeof field, ",%d,", time);
        assert_int_equal(strstr(contents(results, &size), field) != NULL, time == 1008);
        const bool is_archived = time == 1002 || time == 1003 || time == 1005;
        assert_int_equal(strstr(contents(archive, &size), field) != NULL, is_archived);
    }
    char archive_samples[160]; /* the rows of several machines would not tell theirs */
    snprintf(archive_samples, sizeof archive_samples, "%.*s.archive-samples.csv", (int)strlen(archive) - 12, archive);
    assert_int_equal(access(archive_samples, F_OK), -1);
    struct store_inventory inventory;
    store_inventory_take(store, ids(1), 1, &inventory);
    assert_lines(&inventory.use[STORE_ARCHIVED], 3, 1);
    assert_lines(&inventory.use[STORE_SUPERSEDED], 4, 1);
    store_close(store);
}

TEST_IN_FOLDER(pruning_drops_what_was_chosen_and_nothing_else)
{
    static const struct {
        unsigned uses;
        size_t left[STORE_USES]; /* lines */
    } table[] = {
        {0, {2, 1, 1, 1, 4, 1, 0}},
        {BIT(STORE_SUPERSEDED), {2, 1, 1, 1, 0, 1, 0}},
        {BIT(STORE_DAMAGED), {2, 1, 1, 1, 4, 0, 0}},
        /* with the superseded lines of the archived generation */
        {BIT(STORE_ARCHIVED) | BIT(STORE_UNLISTED), {2, 1, 0, 0, 2, 1, 0}},
        {~0u, {2, 1, 0, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        static char before[1 << 16];
        size_t size;
        assert_int_equal(remove_folder(state), 0);
        assert_int_equal(make_store(state), 0);
        struct store *store = fill();
        export_cells(store, 2);
        memcpy(before, contents(results, &size), sizeof before);
        assert_int_equal(store_prune(store, ids(2), 2, table[i].uses), 0);
        for (int opened = 0; opened < 2; opened++) {
            struct store_inventory inventory;
            export_cells(store, 2);
            assert_string_equal(contents(results, &size), before);
            store_inventory_take(store, ids(2), 2, &inventory);
            for (int use = 0; use < STORE_USES; use++)
                assert_int_equal(inventory.use[use].lines, table[i].left[use]);
            assert_null(store_open(folder, "test", false, why, sizeof why)); /* the lock is kept */
            store_close(store);
            store = open_quietly();
        }
        store_close(store);
    }
}

/* What remains can be appended to and taken up. */
TEST_IN_FOLDER(a_pruned_store_goes_on)
{
    struct store *store = fill();
    struct result result = {0};
    assert_int_equal(store_prune(store, ids(2), 2, ~0u), 0);
    assert_true(store_resume(store, ids(2)[1], "s-1", &result));
    result_clear(&result);
    append(store, 5);
    assert_has(store, 5, true);
    store_close(store);
    store = open_store(false);
    assert_has(store, 5, true);
    assert_true(store_resume(store, ids(2)[1], "s-1", &result));
    result_clear(&result);
    store_close(store);
}

TEST_IN_FOLDER(a_reader_prunes_nothing)
{
    struct store *store = open_store(false);
    append(store, 0);
    append(store, 0);
    store_close(store);
    store = open_store(true);
    assert_int_equal(store_prune(store, NULL, 0, BIT(STORE_SUPERSEDED)), -1);
    assert_int_equal(errno, EROFS);
    store_close(store);
}
