/* The store: nothing lost, doubled or torn, and CSV files that are a pure function of the journal.
 * SPDX-License-Identifier: MIT */
#include "columns.h"
#include "inputs.h"
#include "rewrite.h"
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], journal[128], results[128], samples[128], why[512];

static int remove_one(const char *path, const struct stat *file, int kind, struct FTW *at)
{
    (void)file, (void)kind, (void)at;
    return remove(path);
}

static int make_folder(void **state)
{
    (void)state;
    /* Thousands of syncs: memory if it can be had. */
    snprintf(folder, sizeof folder, "%s/tilelab-store-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    snprintf(journal, sizeof journal, "%s/.journal/test.journal", folder);
    snprintf(results, sizeof results, "%s/test.results.csv", folder);
    snprintf(samples, sizeof samples, "%s/test.samples.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static struct store *opened(bool read_only)
{
    why[0] = '\0';
    struct store *store = store_open(folder, "test", read_only, why, sizeof why);
    if (!store)
        print_message("%s\n", why);
    assert_non_null(store);
    return store;
}

static char *contents(const char *path, size_t *size)
{
    FILE *in = fopen(path, "re");
    assert_non_null(in);
    static char text[1 << 20];
    *size = fread(text, 1, sizeof text - 1, in);
    text[*size] = '\0';
    fclose(in);
    return text;
}

static void overwrite(const char *path, const char *text, size_t size)
{
    FILE *out = fopen(path, "we");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    fclose(out);
}

static double number(uint64_t i)
{
    return ldexp(inputs_uniform(5, 0, i), (int)(i % 40) - 30);
}

/* A result with something in every field, different for each `seed`; owns its samples. */
static struct result made(int seed)
{
    struct result result = {0};
    result_clear(&result);
    result.cell = (struct cell){.entry = registry_find("matmul/seq-ijk"),
                                .precision = F64,
                                .isa = ISA_V3,
                                .opt = OPT_O2,
                                .m = 3 + seed,
                                .n = 5,
                                .k = 7,
                                .threads = 2,
                                .tile = 16,
                                .row_tile = 4};
    assert_non_null(result.cell.entry);
    snprintf(result.id, sizeof result.id, "%016x", (unsigned)seed);
    for (int p = 0; p < PROVENANCES; p++)
        snprintf(result.provenance[p], sizeof result.provenance[p], "%08x%08x", (unsigned)seed,
                 (unsigned)p);
    strcpy(result.device, "a CPU, of some kind");
    result.rounds = 5;
    result.samples = 50;
    result.repeats = 3;
    result.converged = 1;
    result.bitwise = 0;
    result.flags = FLAG_NOISY | FLAG_THROTTLED;
    double *const fields[] = {&result.median_s, &result.ci_lo_s,    &result.ci_hi_s,
                              &result.min_s,    &result.upload_s,   &result.download_s,
                              &result.total_s,  &result.alloc_s,    &result.first_run_s,
                              &result.flops,    &result.bytes,      &result.gflops,
                              &result.gbs,      &result.error,      &result.bound,
                              &result.norm2,    &result.predicted_s};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        *fields[i] = number(100 * (uint64_t)seed + i);
    result.sample_count = 3;
    result.sample = calloc(3, sizeof *result.sample);
    for (int i = 0; i < 3; i++)
        result.sample[i] = (struct sample){.round = i,
                                           .launch = i / 2,
                                           .index = 0,
                                           .repeats = 3,
                                           .kernel_s = i == 2 ? NAN : number((uint64_t)i),
                                           .cpu_s = NAN,
                                           .upload_s = i == 2 ? 0.25 : NAN,
                                           .download_s = NAN,
                                           .total_s = i == 2 ? 0.5 : NAN,
                                           .clock_hz = 1.98e9,
                                           .flags = i == 1 ? FLAG_NOISY : 0};
    return result;
}

/* Equal but for the samples, which a store does not load. Compares as text what every column makes
 * of them. */
static void assert_same(const struct result *a, const struct result *b)
{
    char x[COLUMN_TEXT_SIZE], y[COLUMN_TEXT_SIZE];
    assert_non_null(a);
    assert_non_null(b);
    assert_memory_equal(&a->cell, &b->cell, sizeof a->cell);
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        column_print(&result_columns[c], a, x);
        column_print(&result_columns[c], b, y);
        assert_string_equal(x, y);
        if (result_columns[c].kind == COLUMN_REAL)
            assert_memory_equal((const char *)a + result_columns[c].offset,
                                (const char *)b + result_columns[c].offset, sizeof(double));
    }
}

static void append(struct store *store, int seed)
{
    struct result result = made(seed);
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
}

static void assert_has(const struct store *store, int seed, bool expected)
{
    struct result result = made(seed);
    const struct result *found = store_find(store, result.id);
    if (expected)
        assert_same(found, &result);
    else
        assert_null(found);
    result_clear(&result);
}

/* Ids of results 0 .. count - 1. */
static const char (*ids(int count))[CELL_ID_SIZE]
{
    static char id[64][CELL_ID_SIZE];
    for (int i = 0; i < count; i++)
        snprintf(id[i], sizeof id[i], "%016x", (unsigned)i);
    return (const char(*)[CELL_ID_SIZE])id;
}

static void every_field_comes_back(void **state)
{
    (void)state;
    struct store *store = opened(false);
    for (int i = 0; i < 40; i++)
        append(store, i);
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 40; i++)
            assert_has(store, i, true);
        assert_has(store, 40, false);
        store_close(store);
        store = opened(again == 0);
    }
    store_close(store);
}

static void every_status_and_empty_fields_come_back(void **state)
{
    (void)state;
    struct store *store = opened(false);
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
    store = opened(true);
    for (int s = 0; s < STATUSES; s++)
        assert_same(store_find(store, result[s].id), &result[s]);
    store_close(store);
}

static void the_newest_line_of_a_cell_wins(void **state)
{
    (void)state;
    struct store *store = opened(false);
    append(store, 1);
    struct result newer = made(1);
    const struct result *held = store_find(store, newer.id);
    newer.median_s = 42;
    strcpy(newer.provenance[BY_SOURCE], "new");
    assert_int_equal(store_append(store, &newer), 0);
    assert_ptr_equal(store_find(store, newer.id),
                     held); /* what the store lent is brought up to date */
    assert_same(held, &newer);
    store_close(store);
    store = opened(false);
    assert_same(store_find(store, newer.id), &newer);
    enum status status;
    char provenance[PROVENANCES][17];
    assert_true(store_peek(store, newer.id, &status, provenance));
    assert_int_equal(status, STATUS_OK);
    for (int p = 0; p < PROVENANCES; p++)
        assert_string_equal(provenance[p], newer.provenance[p]);
    assert_false(store_peek(store, "no such cell", NULL, NULL));
    store_close(store);
    result_clear(&newer);
}

/* A crash may end the last line after any of its bytes. */
static void a_torn_tail_is_dropped_wherever_it_is_torn(void **state)
{
    (void)state;
    static char whole[1 << 16];
    size_t size, before;
    struct store *store = opened(false);
    append(store, 0);
    append(store, 1);
    contents(journal, &before);
    append(store, 2);
    store_close(store);
    memcpy(whole, contents(journal, &size), sizeof whole);
    assert_true(size < sizeof whole);

    for (size_t cut = before; cut < size; cut++) {
        overwrite(journal, whole, cut);
        store = opened(true);
        assert_has(store, 1, true);
        assert_has(store, 2, false);
        store_close(store);
        struct stat file;
        assert_int_equal(stat(journal, &file), 0);
        assert_int_equal(file.st_size, cut); /* reading only, nothing is cut off */

        store = opened(false);
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
    struct store *store = opened(false);
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
        store = opened(false);
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

/* Without the line that spells out today's layout, today's lines are read all the same. */
static void a_damaged_layout_costs_nothing(void **state)
{
    (void)state;
    struct store *store = opened(false);
    append(store, 0);
    store_close(store);
    static char text[1 << 16];
    size_t size;
    memcpy(text, contents(journal, &size), sizeof text);
    text[20] ^= 1;
    overwrite(journal, text, size);
    int kept;
    silence_stderr(&kept);
    store = opened(false);
    assert_non_null(strstr(restore_stderr(kept), ".journal:1: warning: damaged line"));
    assert_has(store, 0, true);
    append(store, 1);
    store_close(store);
    silence_stderr(&kept);
    store = opened(false);
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

/* A journal of a program with fewer, more and otherwise ordered columns. */
static void a_journal_outlives_its_columns(void **state)
{
    (void)state;
    static const char names[] = "omega,cell,status,n,variant,median_s\tkernel_s,round,cache";
    char body[3][512], id[] = "00000000000000aa";
    const unsigned tag = (unsigned)slow_crc(names, sizeof names - 1);
    snprintf(body[0], sizeof body[0], "layout\t%08x\t%s", tag, names);
    snprintf(body[1], sizeof body[1],
             "%08x\t1.5\t%s\tok\t12\tmatmul/gone, \\\\really\t0.5\t0.25,3,hot;0.75,4,cold", tag,
             id);
    snprintf(body[2], sizeof body[2], "0badcafe\tnobody\tknows\tthis");
    struct store *store = opened(false);
    store_close(store);
    FILE *out = fopen(journal, "we");
    for (int i = 0; i < 3; i++)
        fprintf(out, "%08x\t%s\n", (unsigned)slow_crc(body[i], strlen(body[i])), body[i]);
    fclose(out);

    struct stat before, after;
    stat(journal, &before);
    int kept;
    silence_stderr(&kept);
    store = opened(false);
    assert_non_null(strstr(restore_stderr(kept), ".journal:3: warning: unknown line"));
    stat(journal, &after);
    assert_int_equal(before.st_size, after.st_size); /* sound, if not understood: kept */

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
    assert_non_null(strstr(contents(samples, &size), "00000000000000aa,3,,,,0.25,,,,,,\n"
                                                     "00000000000000aa,4,,,,0.75,,,,,,\n"));
    append(store, 1);
    store_close(store);
    silence_stderr(&kept);
    store = opened(true);
    restore_stderr(kept);
    assert_non_null(store_find(store, id));
    assert_has(store, 1, true);
    store_close(store);
}

static void a_second_runner_is_turned_away(void **state)
{
    (void)state;
    struct store *store = opened(false);
    append(store, 0);
    assert_null(store_open(folder, "test", false, why, sizeof why));
    assert_non_null(strstr(why, "another run holds "));
    assert_null(strchr(why, '\n'));
    struct store *reader = opened(true); /* reading needs no lock */
    assert_has(reader, 0, true);
    store_close(reader);
    struct store *other = store_open(folder, "other", false, why, sizeof why);
    assert_non_null(other);
    store_close(other);
    store_close(store);
    store = opened(false);
    store_close(store);
}

/* A worker that outlives its runner must not keep the lock. */
static void a_program_started_meanwhile_holds_no_lock(void **state)
{
    (void)state;
    struct store *store = opened(false);
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
    store = opened(false);
    store_close(store);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
}

static void export_rewrites_only_what_changes(void **state)
{
    (void)state;
    struct store *store = opened(false);
    struct stat first[2], then[2];
    bool changed;
    append(store, 0);
    append(store, 1);
    assert_int_equal(store_export(store, ids(2), 2, &changed), 0);
    assert_true(changed);
    stat(results, &first[0]);
    stat(samples, &first[1]);
    for (int reopened = 0; reopened < 2; reopened++) {
        assert_int_equal(store_export(store, ids(2), 2, &changed), 0);
        assert_false(changed);
        append(store, 3); /* not asked for */
        assert_int_equal(store_export(store, ids(2), 2, &changed), 0);
        assert_false(changed);
        stat(results, &then[0]);
        stat(samples, &then[1]);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(then[i].st_ino, first[i].st_ino);
            assert_memory_equal(&then[i].st_mtim, &first[i].st_mtim, sizeof then[i].st_mtim);
        }
        store_close(store);
        store = opened(false);
    }
    /* Shorter, longer, and other text of the same length are all seen. */
    size_t size;
    char *text = contents(results, &size);
    text[size / 2] ^= 1;
    const size_t lengths[] = {size, size - 1, 0};
    for (size_t i = 0; i < 3; i++) {
        overwrite(results, text, lengths[i]);
        assert_int_equal(store_export(store, ids(2), 2, &changed), 0);
        assert_true(changed);
    }
    assert_int_equal(store_export(store, ids(2), 1, &changed), 0);
    assert_true(changed);
    store_close(store);
}

static void export_follows_the_order_given(void **state)
{
    (void)state;
    struct store *store = opened(false);
    bool changed;
    for (int i = 3; i >= 0; i--)
        append(store, i);
    append(store, 2); /* measured again: still one row */
    assert_int_equal(store_export(store, ids(6), 6, &changed), 0);
    size_t size, rows = 0;
    char *line = strtok(contents(results, &size), "\n");
    assert_non_null(strstr(
        line, "experiment,cell,problem,variant,backend,device,precision,isa,opt,m,n,k,threads,"
              "tile,row-tile,status,reason,rounds,samples,repeats,converged,bitwise,flags,"
              "median_s,ci_lo_s,ci_hi_s,min_s,upload_s,download_s,total_s,alloc_s,first_run_s,"
              "flops,bytes,gflops,gbs,error,bound,norm2,predicted_s,source_hash,library_hash,"
              "machine_hash,settings_hash"));
    while ((line = strtok(NULL, "\n"))) {
        char expected[64];
        snprintf(expected, sizeof expected, "test,%016x,matmul,matmul/seq-ijk,cpu,",
                 (unsigned)rows++);
        assert_memory_equal(line, expected, strlen(expected));
    }
    assert_int_equal(rows, 4);
    line = strtok(contents(samples, &size), "\n");
    assert_string_equal(
        line, "cell,round,launch,index,repeats,kernel_s,cpu_s,upload_s,download_s,total_s,clock_hz,"
              "flags");
    for (rows = 0; (line = strtok(NULL, "\n")); rows++) {
        char expected[64];
        snprintf(expected, sizeof expected, "%016x,%d,", (unsigned)(rows / 3), (int)(rows % 3));
        assert_memory_equal(line, expected, strlen(expected));
    }
    assert_int_equal(rows, 12);
    store_close(store);
}

/* The same cells in one go, or in two runs with a torn line between them, end in the same bytes. */
static void resumed_and_undisturbed_runs_end_alike(void **state)
{
    (void)state;
    static char undisturbed[2][1 << 16];
    const char *const paths[] = {results, samples};
    size_t size;
    bool changed;
    struct store *store = opened(false);
    for (int i = 0; i < 5; i++)
        append(store, i);
    store_export(store, ids(5), 5, &changed);
    store_close(store);
    for (int f = 0; f < 2; f++)
        memcpy(undisturbed[f], contents(paths[f], &size), sizeof undisturbed[f]);

    assert_int_equal(unlink(journal), 0);
    store = opened(false);
    append(store, 3);
    append(store, 0);
    append(store, 1);
    store_close(store);
    contents(journal, &size);
    assert_int_equal(truncate(journal, (off_t)size - 10), 0);
    store = opened(false);
    for (int i = 1; i < 5; i++)
        append(store, i);
    store_export(store, ids(5), 5, &changed);
    store_close(store);
    for (int f = 0; f < 2; f++)
        assert_string_equal(contents(paths[f], &size), undisturbed[f]);
}

static void reasons_are_quoted(void **state)
{
    (void)state;
    struct store *store = opened(false);
    struct result result = made(0);
    strcpy(result.reason, "needs 3 GiB, has 2\n\"too little\" \\ here");
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
    bool changed;
    assert_int_equal(store_export(store, ids(1), 1, &changed), 0);
    size_t size;
    const char *text = contents(results, &size);
    assert_non_null(strstr(text, ",\"needs 3 GiB, has 2\n\"\"too little\"\" \\ here\","));
    assert_non_null(strstr(text, ",\"a CPU, of some kind\","));
    store_close(store);
}

static void print_lists_all_cells(void **state)
{
    (void)state;
    struct store *store = opened(false);
    char *text = NULL;
    size_t size, exported;
    bool changed;
    append(store, 0);
    append(store, 1);
    store_export(store, ids(2), 2, &changed);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(store_print(store, out), 2);
    fclose(out);
    assert_string_equal(text, contents(results, &exported));
    free(text);
    store_close(store);
}

static void folders_that_cannot_be_used_say_why(void **state)
{
    (void)state;
    char file[128], below[192];
    snprintf(file, sizeof file, "%s/file", folder);
    overwrite(file, "x", 1);
    snprintf(below, sizeof below, "%s/data", file);
    assert_null(store_open(below, "test", false, why, sizeof why));
    assert_non_null(strstr(why, below));
    assert_non_null(strstr(why, "Not a directory"));
    assert_non_null(strstr(why, "--data"));
    assert_null(strchr(why, '\n'));

    snprintf(below, sizeof below, "%s/none", folder);
    assert_null(store_open(below, "test", true, why, sizeof why));
    assert_non_null(strstr(why, below));
    struct stat none;
    assert_int_not_equal(stat(below, &none), 0); /* reading makes nothing */

    assert_null(store_open("/proc/tilelab", "test", false, why, sizeof why));
    assert_non_null(strstr(why, "/proc/tilelab"));
}

static void a_store_read_only_refuses_to_write(void **state)
{
    (void)state;
    struct store *store = opened(true); /* the folder is there, a journal is not */
    struct result result = made(0);
    bool changed;
    assert_has(store, 0, false);
    errno = 0;
    assert_int_not_equal(store_append(store, &result), 0);
    assert_int_equal(errno, EROFS);
    assert_int_not_equal(store_export(store, ids(1), 1, &changed), 0);
    store_close(store);
    result_clear(&result);
}

/* A small medium of its own at `folder`; skips where mounting is not permitted. */
static void mount_small(const char *size)
{
    if (mount("tmpfs", folder, "tmpfs", 0, size) != 0)
        skip();
}

static void a_full_medium_is_found_before_measuring(void **state)
{
    (void)state;
    mount_small("size=32k");
    struct store *store = store_open(folder, "test", false, why, sizeof why);
    umount(folder);
    assert_null(store);
    assert_non_null(strstr(why, "No space left"));
    assert_non_null(strstr(why, folder));
}

/* The medium fills up during the run: the line that did not fit leaves no trace, and the rest
 * stays. */
static void a_medium_that_fills_up_loses_nothing_kept(void **state)
{
    (void)state;
    mount_small("size=96k");
    struct store *store = store_open(folder, "test", false, why, sizeof why);
    int kept = 0, error = 0;
    for (; store && !error && kept < 1000; kept++) {
        struct result result = made(kept);
        error = store_append(store, &result) ? errno : 0;
        result_clear(&result);
    }
    kept--;
    store_close(store);
    store = store_open(folder, "test", true, why, sizeof why);
    char last[CELL_ID_SIZE], next[CELL_ID_SIZE];
    snprintf(last, sizeof last, "%016x", (unsigned)kept - 1);
    snprintf(next, sizeof next, "%016x", (unsigned)kept);
    const bool has_last = store && store_find(store, last),
               has_next = store && store_find(store, next);
    store_close(store);
    umount(folder);
    assert_int_equal(error, ENOSPC);
    assert_true(kept > 10);
    assert_true(has_last);
    assert_false(has_next);
}

static void a_read_only_medium_is_found_before_measuring(void **state)
{
    (void)state;
    mount_small("size=1m");
    struct store *store = store_open(folder, "test", false, why, sizeof why);
    append(store, 0);
    store_close(store);
    const bool remounted = mount("tmpfs", folder, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) == 0;
    why[0] = '\0';
    struct store *writer = store_open(folder, "test", false, why, sizeof why);
    char failure[sizeof why];
    strcpy(failure, why);
    struct store *reader = store_open(folder, "test", true, why, sizeof why);
    const bool readable = reader && store_find(reader, ids(1)[0]);
    store_close(reader);
    store_close(writer);
    umount(folder);
    if (!remounted)
        skip();
    assert_null(writer);
    assert_non_null(strstr(failure, "Read-only"));
    assert_true(readable);
}

static void rewrite_tells_of_a_full_medium(void **state)
{
    (void)state;
    struct store *store = opened(false);
    append(store, 0);
    FILE *full = fopen("/dev/full", "we");
    if (!full)
        skip();
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(store_print(store, full), 0);
    assert_int_equal(errno, ENOSPC);
    fclose(full);
    store_close(store);
}

static void a_decimal_comma_changes_no_file(void **state)
{
    (void)state;
    static const char *const names[] = {"ru_RU.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8"};
    size_t i = 0, size;
    bool changed;
    struct store *store = opened(false);
    append(store, 0);
    assert_int_equal(store_export(store, ids(1), 1, &changed), 0);
    store_close(store);
    static char text[1 << 16];
    memcpy(text, contents(journal, &size), sizeof text);
    unlink(journal);
    while (i < 4 && (!setlocale(LC_ALL, names[i]) || *localeconv()->decimal_point != ','))
        i++;
    if (i == 4)
        skip(); /* no such locale is installed */
    store = opened(false);
    append(store, 0);
    const int failed = store_export(store, ids(1), 1, &changed);
    setlocale(LC_ALL, "C");
    assert_int_equal(failed, 0);
    assert_false(changed);
    assert_memory_equal(contents(journal, &size), text, size);
    assert_has(store, 0, true);
    store_close(store);
}

static void every_column_is_described_once(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    store_describe(out);
    fclose(out);
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        char row[64];
        snprintf(row, sizeof row, "\n| %s | ", result_columns[c].name);
        assert_non_null(strstr(text, row));
        assert_true(strlen(result_columns[c].meaning) > 0);
        for (size_t d = 0; d < c; d++)
            assert_string_not_equal(result_columns[c].name, result_columns[d].name);
    }
    free(text);
}

#define in_folder(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        in_folder(every_field_comes_back),
        in_folder(every_status_and_empty_fields_come_back),
        in_folder(the_newest_line_of_a_cell_wins),
        in_folder(a_torn_tail_is_dropped_wherever_it_is_torn),
        in_folder(a_damaged_byte_costs_its_own_line_only),
        in_folder(a_damaged_layout_costs_nothing),
        in_folder(a_journal_outlives_its_columns),
        in_folder(a_second_runner_is_turned_away),
        in_folder(a_program_started_meanwhile_holds_no_lock),
        in_folder(export_rewrites_only_what_changes),
        in_folder(export_follows_the_order_given),
        in_folder(resumed_and_undisturbed_runs_end_alike),
        in_folder(reasons_are_quoted),
        in_folder(print_lists_all_cells),
        in_folder(folders_that_cannot_be_used_say_why),
        in_folder(a_store_read_only_refuses_to_write),
        in_folder(a_full_medium_is_found_before_measuring),
        in_folder(a_medium_that_fills_up_loses_nothing_kept),
        in_folder(a_read_only_medium_is_found_before_measuring),
        in_folder(rewrite_tells_of_a_full_medium),
        in_folder(a_decimal_comma_changes_no_file),
        cmocka_unit_test(every_column_is_described_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
