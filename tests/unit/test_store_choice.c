/* Which of many results of a cell a store shows, and where the others are.
 * SPDX-License-Identifier: MIT */
#include "store_fixture.h"
#include "test.h"

#include <math.h>
#include <unistd.h>

/* A result to append: its median names it. */
struct sent {
    double median_s;
    int source, machine, rounds; /* rounds: of the settings; 0: a row of an old program */
    unsigned flags;
    enum status status;
};

static void provenance_of(const struct sent *sent, char provenance[PROVENANCES][17])
{
    snprintf(provenance[BY_SOURCE], 17, "source-%d", sent->source);
    snprintf(provenance[BY_LIBRARY], 17, "%s", "");
    snprintf(provenance[BY_MACHINE], 17, "machine-%d", sent->machine);
    snprintf(provenance[BY_SETTINGS], 17, "settings-%d%s", sent->rounds, sent->flags & FLAG_SIMULATED ? "-p" : "");
}

static int send(struct store *store, const struct sent *sent)
{
    struct result result = make_result(1);
    const struct criterion criterion = {.rounds = sent->rounds, .simulated = (sent->flags & FLAG_SIMULATED) != 0};
    provenance_of(sent, result.provenance);
    if (sent->rounds > 0)
        criterion_print(&criterion, result.measure);
    result.median_s = sent->median_s;
    result.flags = sent->flags;
    result.status = sent->status;
    const int failed = store_append(store, &result), generation = result.generation;
    assert_int_equal(failed, 0);
    result_clear(&result);
    return generation;
}

static void expect(struct store *store, const struct sent *today)
{
    char provenance[PROVENANCES][17];
    provenance_of(today, provenance);
    assert_true(store_expect(store, ids(2)[1], provenance));
}

/* The median of the shown result; 0: none is shown. */
static double shown(const struct store *store)
{
    const struct result *result = store_find(store, ids(2)[1]);
    struct store_summary summary;
    assert_int_equal(store_lookup(store, ids(2)[1], &summary), result != NULL);
    if (result) {
        assert_int_equal(summary.status, result->status);
        assert_int_equal(summary.flags, result->flags);
    }
    return result ? result->median_s : 0;
}

static size_t lines_of_journal(void)
{
    size_t size, lines = 0;
    const char *text = contents(journal, &size);
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Calls `check` with the store after the results came in each order, and again after the store was opened anew. */
static void in_all_orders(const struct sent *sent, int count, int *order, int placed, double expected)
{
    if (placed < count) {
        for (int i = 0; i < count; i++) {
            bool taken = false;
            for (int j = 0; j < placed; j++)
                taken |= order[j] == i;
            order[placed] = i;
            if (!taken)
                in_all_orders(sent, count, order, placed + 1, expected);
        }
        return;
    }
    unlink(journal);
    for (int opened = 0; opened < 2; opened++) {
        struct store *store = open_store(opened == 1);
        for (int i = 0; opened == 0 && i < count; i++)
            send(store, &sent[order[i]]);
        expect(store, &(struct sent){.source = 1, .machine = 1});
        assert_true(shown(store) == expected);
        store_close(store);
    }
}

TEST_IN_FOLDER(the_best_result_is_shown_in_whatever_order_they_came)
{
    const struct sent sent[] = {
        {1, 1, 1, 5, 0, STATUS_OK},       {2, 1, 1, 8, 0, STATUS_OK},  {3, 1, 1, 12, FLAG_PARTIAL, STATUS_OK},
        {4, 1, 1, 20, 0, STATUS_SKIPPED}, {5, 2, 1, 20, 0, STATUS_OK}, /* another source */
    };
    int order[5];
    in_all_orders(sent, 5, order, 0, 2);
    in_all_orders(sent + 2, 2, order, 0, 3); /* a partial result and a skip */
    in_all_orders(sent + 3, 2, order, 0, 5); /* a skip, and a time of another source */
    const struct sent elsewhere[] = {{6, 1, 2, 8, 0, STATUS_OK}, {7, 1, 1, 8, FLAG_SIMULATED, STATUS_OK}};
    in_all_orders(elsewhere, 2, order, 0, 0); /* another machine and another clock */
}

TEST_IN_FOLDER(of_equal_results_the_newest_is_shown)
{
    struct store *store = open_store(false);
    send(store, &(struct sent){1, 1, 1, 8, 0, STATUS_OK});
    send(store, &(struct sent){2, 1, 1, 8, 0, STATUS_OK});
    assert_true(shown(store) == 2);
    send(store, &(struct sent){3, 1, 1, 8, 0, STATUS_CRASH});
    assert_true(shown(store) == 3);
    store_close(store);
}

TEST_IN_FOLDER(nothing_older_than_a_wrong_result_is_shown)
{
    struct store *store = open_store(false);
    send(store, &(struct sent){1, 1, 1, 8, 0, STATUS_OK});
    send(store, &(struct sent){2, 1, 1, 5, 0, STATUS_WRONG});
    assert_true(shown(store) == 2);
    send(store, &(struct sent){3, 1, 1, 5, 0, STATUS_OK});
    assert_true(shown(store) == 3); /* not the careful time of before */
    send(store, &(struct sent){4, 1, 1, 4, 0, STATUS_OK});
    assert_true(shown(store) == 3);
    store_close(store);
}

TEST_IN_FOLDER(a_skip_is_kept_only_where_nothing_better_is)
{
    struct store *store = open_store(false);
    const struct sent skip = {9, 2, 1, 20, 0, STATUS_SKIPPED};
    expect(store, &skip);
    send(store, &skip);
    assert_true(shown(store) == 9);
    assert_int_equal(lines_of_journal(), 2);
    send(store, &(struct sent){1, 1, 1, 8, 0, STATUS_OK}); /* of an older source */
    assert_true(shown(store) == 1);
    send(store, &skip);
    assert_true(shown(store) == 1);
    assert_int_equal(lines_of_journal(), 3);
    store_close(store);
}

/* The newest generation of this machine counts where today's has no result. */
TEST_IN_FOLDER(an_older_generation_is_shown_until_there_is_a_new_result)
{
    struct store *store = open_store(false);
    assert_int_equal(send(store, &(struct sent){1, 1, 1, 8, 0, STATUS_OK}), 1);
    assert_int_equal(send(store, &(struct sent){2, 2, 1, 8, 0, STATUS_OK}), 2);
    assert_int_equal(send(store, &(struct sent){3, 2, 2, 8, 0, STATUS_OK}), 3);
    assert_int_equal(send(store, &(struct sent){4, 2, 1, 5, 0, STATUS_OK}), 2);
    assert_true(shown(store) == 2); /* the newest line's generation counts as today's */
    expect(store, &(struct sent){.source = 3, .machine = 1});
    assert_true(shown(store) == 2);
    expect(store, &(struct sent){.source = 1, .machine = 1});
    assert_true(shown(store) == 1);
    expect(store, &(struct sent){.source = 2, .machine = 2});
    assert_true(shown(store) == 3);
    expect(store, &(struct sent){.source = 2, .machine = 3});
    assert_true(shown(store) == 0);
    store_close(store);
}

/* The end of a row, from the comma before the generation on. The number and the mark of the machine follow it. */
static char *generation_of(char *row)
{
    char *at = row + strlen(row);
    for (int commas = 0; commas < 3;)
        commas += *--at == ',';
    return at;
}

TEST_IN_FOLDER(rows_of_an_old_program_count_as_a_generation)
{
    struct store *store = open_store(false);
    /* Lines without the column `generation`: the numbers are removed, and the layout told anew. */
    send(store, &(struct sent){1, 1, 1, 0, 0, STATUS_OK});
    send(store, &(struct sent){2, 2, 1, 0, 0, STATUS_OK});
    export_cells(store, 2);
    store_close(store);
    size_t size;
    char *text = contents(results, &size), *row = strchr(text, '\n') + 1;
    assert_string_equal(generation_of(row), ",2,,\n");
    strcpy(generation_of(row), ",,,\n");
    overwrite(results, text, strlen(text));
    text = contents(archive, &size), row = strchr(text, '\n') + 1;
    assert_string_equal(generation_of(row), ",1,,\n");
    strcpy(generation_of(row), ",,,\n");
    overwrite(archive, text, strlen(text));
    unlink(journal);
    store = open_store(false);
    assert_int_equal(send(store, &(struct sent){3, 3, 1, 8, 0, STATUS_OK}), 3);
    assert_int_equal(send(store, &(struct sent){4, 1, 1, 8, 0, STATUS_OK}), 1);
    assert_int_equal(send(store, &(struct sent){5, 2, 1, 8, 0, STATUS_OK}), 2);
    store_close(store);
}

/* A row of an old program tells only the hash of its settings. */
TEST_IN_FOLDER(the_care_of_old_rows_is_learned)
{
    struct store *store = open_store(false);
    struct store_summary summary;
    send(store, &(struct sent){1, 1, 1, 0, 0, STATUS_OK}); /* 5 rounds, 50 samples */
    assert_true(store_lookup(store, ids(2)[1], &summary));
    assert_false(summary.has_criterion);
    store_learn_criterion(store, "settings-0", &(struct criterion){.rounds = 6});
    assert_true(store_lookup(store, ids(2)[1], &summary));
    assert_true(summary.has_criterion);
    assert_int_equal(summary.criterion.rounds, 6);
    send(store, &(struct sent){2, 1, 1, 5, 0, STATUS_OK});
    assert_true(shown(store) == 1);
    send(store, &(struct sent){3, 1, 1, 7, 0, STATUS_OK});
    assert_true(shown(store) == 3);
    store_close(store);
}

/* Without known criterion, more rounds stay, and satisfy what the newer result was measured for. */
TEST_IN_FOLDER(an_old_row_is_credited_with_what_it_was_chosen_against)
{
    struct store *store = open_store(false);
    struct store_summary summary;
    send(store, &(struct sent){1, 1, 1, 0, 0, STATUS_OK});
    send(store, &(struct sent){2, 1, 1, 3, 0, STATUS_OK});
    assert_true(shown(store) == 1);
    assert_true(store_lookup(store, ids(2)[1], &summary));
    assert_true(summary.has_criterion);
    assert_int_equal(summary.criterion.rounds, 3);
    assert_string_equal(summary.provenance[BY_SETTINGS], "settings-0");
    store_close(store);
}

static void assert_suffices(const struct store *store, int rounds, bool expected, enum status expected_status)
{
    char settings[32];
    enum status status = expected_status;
    snprintf(settings, sizeof settings, "settings-%d", rounds);
    const struct criterion asked = {.rounds = rounds};
    assert_int_equal(store_suffices(store, ids(2)[1], settings, &asked, &status), expected);
    assert_int_equal(status, expected_status);
}

TEST_IN_FOLDER(any_result_of_today_may_suffice)
{
    struct store *store = open_store(false);
    assert_suffices(store, 1, false, STATUS_OK);
    send(store, &(struct sent){1, 1, 1, 8, FLAG_PARTIAL, STATUS_OK});
    send(store, &(struct sent){2, 2, 1, 8, 0, STATUS_OK}); /* another source */
    expect(store, &(struct sent){.source = 1, .machine = 1});
    assert_suffices(store, 1, false, STATUS_OK);
    send(store, &(struct sent){3, 1, 1, 8, 0, STATUS_CRASH});
    assert_suffices(store, 8, true, STATUS_CRASH);
    assert_suffices(store, 9, false, STATUS_CRASH);
    send(store, &(struct sent){4, 1, 1, 5, 0, STATUS_OK});
    assert_suffices(store, 8, false, STATUS_CRASH); /* it worked later: the failure does not suffice */
    assert_suffices(store, 4, true, STATUS_OK);
    send(store, &(struct sent){5, 1, 1, 3, 0, STATUS_WRONG});
    assert_suffices(store, 4, false, STATUS_WRONG);
    assert_suffices(store, 3, true, STATUS_WRONG);
    store_close(store);
}

static size_t rows_of(const char *path, const char *column_end)
{
    size_t size, rows = 0;
    for (const char *at = contents(path, &size); (at = strstr(at, column_end)); at++)
        rows++;
    return rows;
}

TEST_IN_FOLDER(the_archive_has_what_is_not_shown)
{
    struct store *store = open_store(false);
    bool changed;
    send(store, &(struct sent){1, 1, 1, 8, 0, STATUS_OK});
    send(store, &(struct sent){2, 1, 1, 5, 0, STATUS_OK}); /* less careful: in the journal only */
    export_cells(store, 2);
    assert_int_equal(access(archive, F_OK), -1);
    send(store, &(struct sent){3, 2, 1, 5, 0, STATUS_OK});
    send(store, &(struct sent){4, 1, 2, 5, 0, STATUS_OK});
    send(store, &(struct sent){5, 1, 1, 5, FLAG_SIMULATED, STATUS_OK});
    append(store, 0);
    expect(store, &(struct sent){.source = 2, .machine = 1});
    assert_int_equal(store_export(store, ids(2) + 1, 1, &changed), 0);
    assert_int_equal(rows_of(results, "\n"), 2);
    assert_true(shown(store) == 3);
    size_t size;
    char *line = strtok(contents(archive, &size), "\n");
    static const char *const begins[] = {"test,0000000000000000,", "test,0000000000000001,", "test,0000000000000001,",
                                         "test,0000000000000001,"};
    static const char *const ends[] = {",1,,", ",1,,", ",3,,",
                                       ",4,,"}; /* the cell that is not listed, then generations */
    for (int i = 0; i < 4; i++) {
        line = strtok(NULL, "\n");
        assert_non_null(line);
        assert_memory_equal(line, begins[i], strlen(begins[i]));
        assert_string_equal(generation_of(line), ends[i]);
    }
    assert_null(strtok(NULL, "\n"));
    assert_int_equal(rows_of(archive, ",simulated,"), 1);
    assert_int_equal(store_export(store, ids(2) + 1, 1, &changed), 0);
    assert_false(changed);
    store_close(store);
}

static void send_rounds(struct store *store, const struct sent *sent, int rounds)
{
    struct result result = make_result(1);
    provenance_of(sent, result.provenance);
    result.flags = sent->flags;
    result.status = sent->status;
    result.sample_count = (size_t)rounds;
    result.history = calloc(3, sizeof *result.history);
    result.history[1] = NAN, result.history[2] = INFINITY;
    result.history_count = 3;
    result.history_every = 4;
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
}

TEST_IN_FOLDER(an_interrupted_cell_is_taken_up)
{
    const struct sent partial = {1, 1, 1, 8, FLAG_PARTIAL, STATUS_OK}, quick = {2, 1, 1, 5, 0, STATUS_OK},
                      complete = {3, 1, 1, 8, 0, STATUS_OK}, skip = {4, 1, 1, 8, 0, STATUS_SKIPPED};
    const char *id = ids(2)[1];
    struct result result = {0}, expected = make_result(1);
    struct store *store = open_store(false);
    assert_false(store_resume(store, id, "settings-8", &result));
    send_rounds(store, &partial, 1);
    send_rounds(store, &partial, 2);
    send_rounds(store, &quick, 3);
    send_rounds(store, &skip, 0);
    assert_true(store_resume(store, id, "settings-8", &result));
    assert_int_equal(result.sample_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(result.sample[i].round, expected.sample[i].round);
        assert_int_equal(result.sample[i].launch, expected.sample[i].launch);
        assert_int_equal(result.sample[i].flags, expected.sample[i].flags);
        assert_memory_equal(&result.sample[i].kernel_s, &expected.sample[i].kernel_s, sizeof(double));
        assert_true(isnan(result.sample[i].total_s));
    }
    assert_int_equal(result.history_count, 3);
    assert_int_equal(result.history_every, 4);
    assert_true(result.history[0] == 0 && isnan(result.history[1]) && isinf(result.history[2]));
    assert_true(result.error == expected.error && result.first_run_s == expected.first_run_s);
    assert_int_equal(result.flags, FLAG_PARTIAL);
    result_clear(&result);
    assert_false(store_resume(store, id, "settings-5", &result));
    expect(store, &(struct sent){.source = 2, .machine = 1});
    assert_false(store_resume(store, id, "settings-8", &result));
    expect(store, &partial);
    assert_true(store_resume(store, id, "settings-8", &result));
    send_rounds(store, &complete, 3);
    assert_false(store_resume(store, id, "settings-8", &result));
    store_close(store);
    result_clear(&result);
    result_clear(&expected);
}
