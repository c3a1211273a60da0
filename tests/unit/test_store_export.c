/* The CSV files follow from the journal alone, and are rewritten only where bytes change.
 * SPDX-License-Identifier: MIT */
#include "store_fixture.h"
#include "results/columns.h"
#include "test.h"

#include <locale.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

TEST_IN_FOLDER(export_rewrites_only_what_changes)
{
    struct store *store = open_store(false);
    struct stat first[2], then[2];
    append(store, 0);
    append(store, 1);
    assert_true(export_cells(store, 2));
    stat(results, &first[0]);
    stat(samples, &first[1]);
    for (int reopened = 0; reopened < 2; reopened++) {
        assert_false(export_cells(store, 2));
        append(store, 3); /* the export does not ask for this cell, so that it goes to archive.csv */
        assert_int_equal(export_cells(store, 2), !reopened);
        stat(results, &then[0]);
        stat(samples, &then[1]);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(then[i].st_ino, first[i].st_ino);
            assert_memory_equal(&then[i].st_mtim, &first[i].st_mtim, sizeof then[i].st_mtim);
        }
        store_close(store);
        store = open_store(false);
    }
    /* The export notices a shorter text, a longer text, and another text of the same length. */
    size_t size;
    char *text = contents(results, &size);
    text[size / 2] ^= 1;
    const size_t lengths[] = {size, size - 1, 0};
    for (size_t i = 0; i < 3; i++) {
        overwrite(results, text, lengths[i]);
        assert_true(export_cells(store, 2));
    }
    assert_true(export_cells(store, 1));
    store_close(store);
}

TEST_IN_FOLDER(export_follows_the_order_given)
{
    struct store *store = open_store(false);
    for (int i = 3; i >= 0; i--)
        append(store, i);
    append(store, 2); /* a cell that is measured again keeps one row */
    export_cells(store, 6);
    size_t size, rows = 0;
    char *line = strtok(contents(results, &size), "\n");
    assert_non_null(strstr(
        line, "experiment,cell,problem,variant,backend,device,precision,isa,opt,m,n,k,device-id,threads,ranks,"
              "gpus,tile,row-tile,padding,elements,memory,mc,nc,kc,omega,sweeps,cache,host-memory,inputs,status,"
              "reason,rounds,launches,samples,repeats,converged,bitwise,flags,median_s,ci_lo_s,ci_hi_s,min_s,upload_s,"
              "download_s,total_s,start_s,alloc_s,first_run_s,flops,bytes,gflops,gbs,energy_j,power_w,idle_w,"
              "gflops_per_w,no_energy,error,bound,norm2,growth,iterations,residual,radius,predicted_s,source_hash,"
              "library_hash,machine_hash,settings_hash"));
    while ((line = strtok(NULL, "\n"))) {
        char expected[64];
        snprintf(expected, sizeof expected, "test,%016x,matmul,matmul/seq-ijk,cpu,", (unsigned)rows++);
        assert_memory_equal(line, expected, strlen(expected));
    }
    assert_int_equal(rows, 4);
    line = strtok(contents(samples, &size), "\n");
    assert_string_equal(line, "cell,round,launch,index,repeats,iterations,kernel_s,cpu_s,upload_s,"
                              "download_s,total_s,clock_hz,temperature_c,energy_j,power_w,idle_w,flags");
    for (rows = 0; (line = strtok(NULL, "\n")); rows++) {
        char expected[64];
        snprintf(expected, sizeof expected, "%016x,%d,", (unsigned)(rows / 3), (int)(rows % 3));
        assert_memory_equal(line, expected, strlen(expected));
    }
    assert_int_equal(rows, 12);
    store_close(store);
}

/* Cells that one run measures, and cells that two runs measure with a torn line between them, give the same bytes. */
TEST_IN_FOLDER(resumed_and_undisturbed_runs_end_alike)
{
    static char undisturbed[2][1 << 16];
    const char *const paths[] = {results, samples};
    size_t size;
    struct store *store = open_store(false);
    for (int i = 0; i < 5; i++)
        append(store, i);
    export_cells(store, 5);
    store_close(store);
    for (int f = 0; f < 2; f++)
        memcpy(undisturbed[f], contents(paths[f], &size), sizeof undisturbed[f]);

    for (int f = 0; f < 2; f++)
        assert_int_equal(unlink(paths[f]), 0);
    assert_int_equal(unlink(journal), 0);
    store = open_store(false);
    append(store, 3);
    append(store, 0);
    append(store, 1);
    store_close(store);
    contents(journal, &size);
    assert_int_equal(truncate(journal, (off_t)size - 10), 0);
    store = open_store(false);
    for (int i = 1; i < 5; i++)
        append(store, i);
    export_cells(store, 5);
    store_close(store);
    for (int f = 0; f < 2; f++)
        assert_string_equal(contents(paths[f], &size), undisturbed[f]);
}

static void append_solve(struct store *store, int seed, int64_t every, const double *history, size_t count)
{
    struct result result = make_result(seed);
    result.history = malloc(count * sizeof *history);
    memcpy(result.history, history, count * sizeof *history);
    result.history_count = count;
    result.history_every = every;
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
    assert_null(result.history);
}

/* Residuals have a file of their own if there are any. They are not in the file of samples. */
TEST_IN_FOLDER(a_solvers_residuals_are_a_file_of_their_own)
{
    struct store *store = open_store(false);
    append(store, 0);
    export_cells(store, 2);
    assert_int_equal(access(history, F_OK), -1);
    append_solve(store, 1, 4, (const double[]){2, 0.5, NAN, INFINITY}, 4);
    append_solve(store, 2, 1, (const double[]){0.1}, 1);
    for (int reopened = 0; reopened < 2; reopened++) {
        assert_int_equal(export_cells(store, 3), !reopened);
        size_t size;
        assert_string_equal(contents(history, &size), "cell,sweep,residual\n"
                                                      "0000000000000001,0,2\n"
                                                      "0000000000000001,4,0.5\n"
                                                      "0000000000000001,8,\n"
                                                      "0000000000000001,12,1e999\n"
                                                      "0000000000000002,0,0.1\n");
        assert_null(strstr(contents(samples, &size), "1e999"));
        assert_has(store, 1, true);
        store_close(store);
        store = open_store(false);
    }
    assert_true(export_cells(store, 1));
    assert_int_equal(access(history, F_OK), -1);
    store_close(store);
}

TEST_IN_FOLDER(reasons_are_quoted)
{
    struct store *store = open_store(false);
    struct result result = make_result(0);
    strcpy(result.reason, "needs 3 GiB, has 2\n\"too little\" \\ here");
    assert_int_equal(store_append(store, &result), 0);
    result_clear(&result);
    export_cells(store, 1);
    size_t size;
    const char *text = contents(results, &size);
    assert_non_null(strstr(text, ",\"needs 3 GiB, has 2\n\"\"too little\"\" \\ here\","));
    assert_non_null(strstr(text, ",\"a CPU, of some kind\","));
    store_close(store);
}

TEST_IN_FOLDER(print_lists_all_cells)
{
    struct store *store = open_store(false);
    char *text = NULL;
    size_t size, exported;
    append(store, 0);
    append(store, 1);
    export_cells(store, 2);
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(store_print(store, out), 2);
    fclose(out);
    assert_string_equal(text, contents(results, &exported));
    free(text);
    store_close(store);
}

TEST_IN_FOLDER(a_decimal_comma_changes_no_file)
{
    static const char *const names[] = {"ru_RU.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8"};
    size_t i = 0, size;
    bool changed;
    struct store *store = open_store(false);
    append(store, 0);
    export_cells(store, 1);
    store_close(store);
    static char text[1 << 16];
    char aside[160];
    memcpy(text, contents(journal, &size), sizeof text);
    unlink(journal);
    snprintf(aside, sizeof aside, "%s.aside", results); /* nothing is to be imported */
    rename(results, aside);
    while (i < 4 && (!setlocale(LC_ALL, names[i]) || *localeconv()->decimal_point != ','))
        i++;
    if (i == 4)
        skip_because("no locale with a decimal comma is installed");
    store = open_store(false);
    append(store, 0);
    rename(aside, results);
    const int failed = store_export(store, ids(1), 1, &changed);
    setlocale(LC_ALL, "C");
    assert_int_equal(failed, 0);
    assert_false(changed);
    assert_memory_equal(contents(journal, &size), text, size);
    assert_has(store, 0, true);
    store_close(store);
}

TEST(every_column_is_described_once)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    columns_describe(out, columns_result, RESULT_COLUMNS);
    fclose(out);
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        char row[64];
        snprintf(row, sizeof row, "\n| %s | ", columns_result[c].name);
        assert_non_null(strstr(text, row));
        assert_true(strlen(columns_result[c].meaning) > 0);
        for (size_t d = 0; d < c; d++)
            assert_string_not_equal(columns_result[c].name, columns_result[d].name);
    }
    free(text);
}
