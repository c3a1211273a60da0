/* The journal loses, doubles and tears nothing.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "registry.h"
#include "store_fixture.h"
#include "results/journal_line.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void every_field_comes_back(void **state)
{
    (void)state;
    struct store *store = open_store(false);
    for (int i = 0; i < 40; i++)
        append(store, i);
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 40; i++)
            assert_has(store, i, true);
        assert_has(store, 40, false);
        store_close(store);
        store = open_store(again == 0);
    }
    store_close(store);
}

static void every_status_and_empty_fields_come_back(void **state)
{
    (void)state;
    struct store *store = open_store(false);
    struct result result[STATUSES];
    for (int s = 0; s < STATUSES; s++) {
        result[s] = (struct result){0};
        result_clear(&result[s]);
        result[s].cell = (struct cell){.entry = registry_find("matmul/seq-ijk"), .n = 1};
        result[s].status = (enum status)s;
        snprintf(result[s].id, sizeof result[s].id, "%016d", s);
        strcpy(result[s].reason, "tab\there, \"quotes\",\nlines \\n and \\");
        assert_int_equal(store_append(store, &result[s]), 0);
    }
    store_close(store);
    store = open_store(true);
    for (int s = 0; s < STATUSES; s++)
        assert_same_result(store_find(store, result[s].id), &result[s]);
    store_close(store);
}

static void a_line_of_an_older_program_is_counted_again(void **state)
{
    (void)state;
    struct store *store = open_store(false);
    struct result result = {0};
    result_clear(&result);
    result.cell = (struct cell){.entry = registry_find("aat/seq-ijk"), .n = 100, .k = 30};
    result.flops = 2 * 100 * 100 * 30;
    strcpy(result.id, "0123456789abcdef");
    assert_int_equal(store_append(store, &result), 0);
    assert_true(store_find(store, result.id)->flops == 100 * 101 * 30);
    store_close(store);
}

static void the_newest_line_of_a_cell_wins(void **state)
{
    (void)state;
    struct store *store = open_store(false);
    append(store, 1);
    struct result newer = make_result(1);
    const struct result *held = store_find(store, newer.id);
    newer.median_s = 42;
    strcpy(newer.provenance[BY_SOURCE], "new");
    assert_int_equal(store_append(store, &newer), 0);
    assert_ptr_equal(store_find(store, newer.id), held); /* the result that the store has lent is updated */
    assert_same_result(held, &newer);
    store_close(store);
    store = open_store(false);
    assert_same_result(store_find(store, newer.id), &newer);
    struct store_summary known;
    assert_true(store_lookup(store, newer.id, &known));
    assert_int_equal(known.status, STATUS_OK);
    for (int p = 0; p < PROVENANCES; p++)
        assert_string_equal(known.provenance[p], newer.provenance[p]);
    assert_false(store_lookup(store, "no such cell", &known));
    store_close(store);
    result_clear(&newer);
}

/* A crash may end the last line after any of its bytes. */
static void a_torn_tail_is_dropped_wherever_it_is_torn(void **state)
{
    (void)state;
    static char whole[1 << 16];
    size_t size, before;
    struct store *store = open_store(false);
    append(store, 0);
    append(store, 1);
    contents(journal, &before);
    append(store, 2);
    store_close(store);
    memcpy(whole, contents(journal, &size), sizeof whole);
    assert_true(size < sizeof whole);

    for (size_t cut = before; cut < size; cut++) {
        overwrite(journal, whole, cut);
        store = open_store(true);
        assert_has(store, 1, true);
        assert_has(store, 2, false);
        store_close(store);
        struct stat file;
        assert_int_equal(stat(journal, &file), 0);
        assert_int_equal(file.st_size, cut); /* a reader cuts nothing off */

        store = open_store(false);
        assert_has(store, 1, true);
        assert_has(store, 2, false);
        append(store, 2);
        store_close(store);
        size_t now;
        const char *text = contents(journal, &now);
        assert_int_equal(now, size);
        assert_memory_equal(text, whole, size);
    }
}

static void silence_stderr(int *kept)
{
    fflush(stderr);
    *kept = dup(STDERR_FILENO);
    char path[128];
    snprintf(path, sizeof path, "%s/stderr", folder);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(fd, STDERR_FILENO);
    close(fd);
}

static const char *restore_stderr(int kept)
{
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    char path[128];
    snprintf(path, sizeof path, "%s/stderr", folder);
    size_t size;
    return contents(path, &size);
}

static void a_damaged_byte_costs_its_own_line_only(void **state)
{
    (void)state;
    static char whole[1 << 16], damaged[1 << 16];
    size_t size, from, to;
    struct store *store = open_store(false);
    append(store, 0);
    contents(journal, &from);
    append(store, 1);
    contents(journal, &to);
    append(store, 2);
    store_close(store);
    memcpy(whole, contents(journal, &size), sizeof whole);
    for (size_t at = from; at + 1 < to; at += 7) {
        memcpy(damaged, whole, size);
        damaged[at] ^= 4;
        overwrite(journal, damaged, size);
        int kept;
        silence_stderr(&kept);
        store = open_store(false);
        assert_non_null(strstr(restore_stderr(kept), ".journal:3: warning: damaged line"));
        assert_has(store, 0, true);
        assert_has(store, 1, false);
        assert_has(store, 2, true);
        store_close(store);
        size_t now;
        assert_memory_equal(contents(journal, &now), damaged, size);
        assert_int_equal(now, size);
    }
}

/* A store reads today's lines even without the line that tells today's layout. */
static void a_damaged_layout_costs_nothing(void **state)
{
    (void)state;
    struct store *store = open_store(false);
    append(store, 0);
    store_close(store);
    static char text[1 << 16];
    size_t size;
    memcpy(text, contents(journal, &size), sizeof text);
    text[20] ^= 1;
    overwrite(journal, text, size);
    int kept;
    silence_stderr(&kept);
    store = open_store(false);
    assert_non_null(strstr(restore_stderr(kept), ".journal:1: warning: damaged line"));
    assert_has(store, 0, true);
    append(store, 1);
    store_close(store);
    silence_stderr(&kept);
    store = open_store(false);
    restore_stderr(kept);
    assert_has(store, 0, true);
    assert_has(store, 1, true);
    store_close(store);
}

static uint32_t slow_crc(const char *bytes, size_t length)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

/* The journal of another program may have fewer columns, more columns, and another order. */
static void a_journal_outlives_its_columns(void **state)
{
    (void)state;
    static const char names[] = "colour,cell,status,n,variant,median_s\tkernel_s,round,cache";
    char body[3][512], id[] = "00000000000000aa";
    const unsigned tag = (unsigned)slow_crc(names, sizeof names - 1);
    snprintf(body[0], sizeof body[0], "layout\t%08x\t%s", tag, names);
    snprintf(body[1], sizeof body[1], "%08x\t1.5\t%s\tok\t12\tmatmul/gone, \\\\really\t0.5\t0.25,3,hot;0.75,4,cold",
             tag, id);
    snprintf(body[2], sizeof body[2], "0badcafe\tnobody\tknows\tthis");
    struct store *store = open_store(false);
    store_close(store);
    FILE *out = fopen(journal, "we");
    for (int i = 0; i < 3; i++)
        fprintf(out, "%08x\t%s\n", (unsigned)slow_crc(body[i], strlen(body[i])), body[i]);
    fclose(out);

    struct stat before, after;
    stat(journal, &before);
    int kept;
    silence_stderr(&kept);
    store = open_store(false);
    assert_non_null(strstr(restore_stderr(kept), ".journal:3: warning: unknown line"));
    stat(journal, &after);
    assert_int_equal(before.st_size, after.st_size); /* a line that is sound but unknown is kept */

    const struct result *result = store_find(store, id);
    assert_non_null(result);
    assert_int_equal(result->status, STATUS_OK);
    assert_int_equal(result->cell.n, 12);
    assert_null(result->cell.entry);
    assert_true(result->median_s == 0.5);
    assert_true(isnan(result->min_s));

    bool changed;
    assert_int_equal(store_export(store, (const char(*)[CELL_ID_SIZE])id, 1, &changed), 0);
    size_t size;
    assert_non_null(strstr(contents(results, &size), "\"matmul/gone, \\really\""));
    assert_non_null(strstr(contents(samples, &size), "00000000000000aa,3,,,,,0.25,,,,,,,,,,\n"
                                                     "00000000000000aa,4,,,,,0.75,,,,,,,,,,\n"));
    append(store, 1);
    store_close(store);
    silence_stderr(&kept);
    store = open_store(true);
    restore_stderr(kept);
    assert_non_null(store_find(store, id));
    assert_has(store, 1, true);
    store_close(store);
}

/* A name or a value with a NUL in it begins as a word that the program knows. It is no such word, and nothing behind
 * the word is read. */
static void a_nul_makes_no_word(void **state)
{
    (void)state;
    static const char names[] = "cell,status\0and much that is behind the end of the name\tround";
    static const char ok[] = "ok\0and much that is behind the end of the word";
    char body[3][160];
    size_t length[3];
    const unsigned tag = (unsigned)slow_crc(names, sizeof names - 1);
    length[0] = (size_t)sprintf(body[0], "layout\t%08x\t", tag);
    memcpy(body[0] + length[0], names, sizeof names);
    length[0] += sizeof names - 1;
    struct journal_layout layout;
    assert_true(journal_line_layout_read(&layout, body[0], length[0]));
    assert_int_equal(layout.field[RESULT_AT_cell], 1);
    assert_int_equal(layout.field[RESULT_AT_status], -1);

    struct result result = {0};
    assert_true(columns_read(&columns_result[RESULT_AT_status], &result, ok, 2));
    assert_false(columns_read(&columns_result[RESULT_AT_status], &result, ok, sizeof ok - 1));
    assert_false(columns_read(&columns_result[RESULT_AT_flags], &result, "noisy\0?", 7));
    assert_false(columns_read(&columns_result[RESULT_AT_AXIS_precision], &result, "f64\0?", 5));

    /* Two lines whose cells differ behind a NUL. */
    struct store *store = open_store(false);
    append(store, 0);
    store_close(store);
    length[0] = (size_t)sprintf(body[0], "layout\t%08x\tcell,status\tround",
                                (unsigned)slow_crc("cell,status\tround", sizeof "cell,status\tround" - 1));
    for (int i = 1; i < 3; i++)
        length[i] = (size_t)sprintf(body[i], "%.8s\t%s%c%d\tok\t\t", body[0] + 7, ids(1)[0], 0, i);
    FILE *out = fopen(journal, "ae");
    for (int i = 0; i < 3; i++) {
        fprintf(out, "%08x\t", (unsigned)slow_crc(body[i], length[i]));
        fwrite(body[i], 1, length[i], out);
        putc('\n', out);
    }
    fclose(out);
    int kept;
    silence_stderr(&kept);
    store = open_store(false);
    assert_non_null(strstr(restore_stderr(kept), ".journal:4: warning: unknown line"));
    assert_has(store, 0, true);
    store_close(store);
}

static void a_second_runner_is_turned_away(void **state)
{
    (void)state;
    struct store *store = open_store(false);
    append(store, 0);
    assert_null(store_open(folder, "test", false, why, sizeof why));
    assert_non_null(strstr(why, "another run holds "));
    assert_null(strchr(why, '\n'));
    struct store *reader = open_store(true); /* a reader needs no lock */
    assert_has(reader, 0, true);
    store_close(reader);
    struct store *other = store_open(folder, "other", false, why, sizeof why);
    assert_non_null(other);
    store_close(other);
    store_close(store);
    store = open_store(false);
    store_close(store);
}

/* A worker that outlives its runner must not keep the lock. */
static void a_program_started_meanwhile_holds_no_lock(void **state)
{
    (void)state;
    struct store *store = open_store(false);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ready[0]);
        dup2(ready[1], STDOUT_FILENO);
        execlp("sh", "sh", "-c", "echo; exec sleep 60", (char *)NULL);
        _exit(127);
    }
    close(ready[1]);
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    store_close(store);
    store = open_store(false);
    store_close(store);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(every_field_comes_back),
        in_folder(every_status_and_empty_fields_come_back),
        in_folder(a_line_of_an_older_program_is_counted_again),
        in_folder(the_newest_line_of_a_cell_wins),
        in_folder(a_torn_tail_is_dropped_wherever_it_is_torn),
        in_folder(a_damaged_byte_costs_its_own_line_only),
        in_folder(a_damaged_layout_costs_nothing),
        in_folder(a_journal_outlives_its_columns),
        in_folder(a_nul_makes_no_word),
        in_folder(a_second_runner_is_turned_away),
        in_folder(a_program_started_meanwhile_holds_no_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
