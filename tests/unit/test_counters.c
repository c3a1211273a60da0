/* Reads logs of Nsight Compute, and the file of an experiment's counts.
 * SPDX-License-Identifier: MIT */
#include "counters/counters.h"
#include "store_fixture.h"

#define LOADS "sm__sass_inst_executed_op_shared_ld.sum"
#define READ "dram__bytes_read.sum"
#define HEADER(metrics) \
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\"," \
    "\"Block Size\",\"Grid Size\",\"Device\",\"CC\"," metrics "\n"
#define UNITS(units) "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"," units "\n"
#define KERNEL(name, blocks, values) \
    "\"0\",\"99\",\"tilelab\",\"127.0.0.1\",\"" name "\",\"1\",\"13\",\"(32, 8, 1)\",\"(" blocks \
    ", 1, 1)\",\"0\",\"9.0\"," values "\n"
#define BOTH HEADER("\"" READ "\",\"" LOADS "\"") UNITS("\"byte\",\"inst\"")
#define OPEN(blocks) KERNEL("tilelab_marker()", blocks, "\"1,024\",\"77\"")
#define CLOSE KERNEL("tilelab_marker()", "1", "\"0\",\"0\"")
#define ONE HEADER("\"" LOADS "\"") UNITS("\"inst\"")
#define OPEN_ONE(blocks) KERNEL("tilelab_marker()", blocks, "\"77\"")
#define CLOSE_ONE KERNEL("tilelab_marker()", "1", "\"0\"")

enum { CELLS = 3 };
static struct counts counts[CELLS];

static void read_log(const char *text)
{
    FILE *log = fmemopen((char *)text, strlen(text), "r");
    memset(counts, 0x5A, sizeof counts);
    counters_read_log(log, counts, CELLS);
    fclose(log);
}

static void assert_counts(int cell, int kernels, int64_t loads, int64_t bytes)
{
    assert_true(counts[cell].closed);
    assert_int_equal(counts[cell].kernels, kernels);
    assert_true(counts[cell].value[COUNTER_shared_load_instructions] == loads);
    assert_true(counts[cell].value[COUNTER_dram_read_bytes] == bytes);
}

TEST(thousands_may_be_separated)
{
    read_log("==PROF== Connected to process 99 (/usr/bin/tilelab)\n"
             "==PROF== Profiling \"aat\" - 0: 0%....50%....100% - 9 passes\n" BOTH OPEN("2")
                 KERNEL("void aat<float, (int)32>(const T1 *, T1 *, long)", "1024", "\"4,194,304\",\"41943040\"") CLOSE
             "==PROF== Disconnected from process 99\n");
    assert_counts(0, 1, 41943040, 4194304);
    assert_true(counts[0].value[COUNTER_ffma] == -1);
    assert_false(counts[1].closed);
}

TEST(the_kernels_of_a_launch_are_added)
{
    read_log(BOTH OPEN("4") KERNEL("first", "8", "\"32\",\"5\"") KERNEL("second", "8", "\"64.00\",\"1,000\"")
                 CLOSE OPEN("3") KERNEL("other", "8", "\"96\",\"7\"") CLOSE);
    assert_counts(2, 2, 1005, 96);
    assert_counts(1, 1, 7, 96);
    assert_false(counts[0].closed);
}

TEST(kernels_outside_marks_count_nowhere)
{
    read_log(BOTH KERNEL("before", "8", "\"32\",\"5\"") OPEN("2") KERNEL("own", "8", "\"32\",\"6\"")
                 CLOSE KERNEL("between", "8", "\"32\",\"7\"") OPEN("3") KERNEL("own", "8", "\"32\",\"8\"")
                     CLOSE KERNEL("after", "8", "\"32\",\"9\"") OPEN("77") KERNEL("no such cell", "8", "\"32\",\"10\"")
                         CLOSE);
    assert_counts(0, 1, 6, 32);
    assert_counts(1, 1, 8, 32);
    assert_false(counts[2].closed);
}

TEST(a_launch_without_a_closing_mark_is_not_counted)
{
    read_log(BOTH OPEN("2") KERNEL("own", "8", "\"32\",\"6\"") OPEN("3") KERNEL("own", "8", "\"32\",\"8\"")
                 CLOSE OPEN("4"));
    assert_false(counts[0].closed);
    assert_counts(1, 1, 8, 32);
    assert_false(counts[2].closed);
    assert_int_equal(counts[2].kernels, 0);
}

TEST(what_is_not_told_is_no_zero)
{
    read_log(ONE OPEN_ONE("2") KERNEL("own", "8", "\"6\"") CLOSE_ONE);
    assert_counts(0, 1, 6, -1);
    read_log(BOTH OPEN("2") KERNEL("one", "8", "\"n/a\",\"6\"") KERNEL("two", "8", "\"32\",\"6\"") CLOSE OPEN("3")
                 KERNEL("one", "8", "\"(!) nan\",\"\"") CLOSE);
    assert_counts(0, 2, 12, -1);
    assert_counts(1, 1, -1, -1);
    read_log(HEADER("\"" READ "\",\"" LOADS "\"") UNITS("\"Mbyte\",\"inst\"") OPEN("2")
                 KERNEL("own", "8", "\"4.19\",\"6\"") CLOSE);
    assert_counts(0, 1, 6, -1);
}

TEST(a_torn_log_keeps_what_is_whole)
{
    read_log(BOTH OPEN("2") KERNEL("own", "8", "\"32\",\"6\"") CLOSE OPEN("3") "\"9\",\"99\",\"tilelab\",\"127");
    assert_counts(0, 1, 6, 32);
    assert_false(counts[1].closed);
    read_log(BOTH OPEN("2") KERNEL("own", "8", "\"32\",\"6\"") CLOSE OPEN("3") "\"9\",\"99\",\"tilelab\"\n" CLOSE);
    assert_counts(0, 1, 6, 32);
    assert_false(counts[1].closed);
    read_log("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n");
    assert_false(counts[0].closed);
}

TEST(a_second_table_has_its_own_columns)
{
    read_log(BOTH OPEN("2") KERNEL("own", "8", "\"32\",\"6\"") CLOSE ONE OPEN_ONE("3") KERNEL("own", "8", "\"9\"")
                 CLOSE_ONE);
    assert_counts(0, 1, 6, 32);
    assert_counts(1, 1, 9, -1);
}

TEST(rows_survive_a_file)
{
    bool changed = false;
    struct counters_row row = {.field[COUNTED_CELL] = "abc",
                               .field[COUNTED_STATUS] = "ok",
                               .field[COUNTED_REASON] = "a, \"b\"",
                               .field[COUNTED_VALUES + COUNTER_dmul] = "17"};
    const struct counters_table table = {.row = &row, .count = 1};
    struct counters_table read;
    assert_true(counters_load(folder, "none", &read, why, sizeof why));
    assert_int_equal(read.count, 0);
    assert_int_equal(counters_save(folder, "one", &table, &changed), 0);
    assert_true(changed);
    assert_true(counters_load(folder, "one", &read, why, sizeof why));
    assert_int_equal(read.count, 1);
    for (int i = 0; i < COUNTED_COLUMNS; i++)
        if (row.field[i])
            assert_string_equal(read.row[0].field[i], row.field[i]);
        else
            assert_null(read.row[0].field[i]);
    assert_true(counters_row_ok(&read.row[0]));
    changed = false;
    assert_int_equal(counters_save(folder, "one", &read, &changed), 0);
    assert_false(changed);
    counters_free(&read);
}

TEST(another_file_is_not_taken_for_counts)
{
    struct counters_table read;
    static const char *const texts[] = {"", "n,m\n1,2\n", "cell,status\na\n", "cell,status\n\"a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put("one.counters.csv", "%s", texts[i]);
        assert_false(counters_load(folder, "one", &read, why, sizeof why));
        assert_non_null(strstr(why, "no table of counts"));
    }
}

TEST_MAIN(make_folder, remove_folder)
