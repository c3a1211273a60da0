/* `tilelab query` and `tilelab cite` on small data folders: types, functions, formats, faults.
 * SPDX-License-Identifier: MIT */
#include "build_info.h"
#include "registry.h"
#include "base/memory.h"
#include "command/commands.h"
#include "query/query.h"
#include "query/query_layout.h"
#include "folder_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static char output[16384]; /* what the last call printed */
static char faults[4096];  /* what the last call printed on standard error */

static void write_file(const char *name, const char *text)
{
    put(name, "%s", text);
}

FIXTURE(set_up)
{
    char path[128];
    if (make_folder(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/host-1", folder);
    return mkdir(path, 0700);
}
#define QUERY_TEST(name) TEST_AROUND(name, set_up, remove_folder)

/* Redirects a stream into a file. Returns the descriptor that restore needs. */
static int redirect(FILE *stream, FILE *to)
{
    fflush(stream);
    const int kept = dup(fileno(stream));
    dup2(fileno(to), fileno(stream));
    return kept;
}

static void restore(FILE *stream, int kept, FILE *from, char *text, size_t size)
{
    fflush(stream);
    dup2(kept, fileno(stream));
    close(kept);
    rewind(from);
    text[fread(text, 1, size - 1, from)] = '\0';
    fclose(from);
}

static int call(int (*subcommand)(int, char **), int argc, char **argv)
{
    FILE *out = tmpfile(), *err = tmpfile();
    assert_non_null(out);
    assert_non_null(err);
    const int kept_out = redirect(stdout, out), kept_err = redirect(stderr, err);
    const int code = subcommand(argc, argv);
    restore(stdout, kept_out, out, output, sizeof output);
    restore(stderr, kept_err, err, faults, sizeof faults);
    return code;
}

/* Runs SQL over host-1/ and published/ of the test's folder. */
static int query(const char *format, const char *set, const char *sql)
{
    char data[128], published[128], file[128], binding[256];
    snprintf(data, sizeof data, "%s/host-1/", folder);
    snprintf(published, sizeof published, "%s/published", folder);
    snprintf(file, sizeof file, "%s/q.sql", folder);
    snprintf(binding, sizeof binding, "%s", set);
    write_file("q.sql", sql);
    char *argv[] = {"query",    "--data",       data,    "--published", published,
                    "--format", (char *)format, "--set", binding,       file};
    return call(query_main, 10, argv);
}

static void prints(const char *format, const char *sql, const char *text)
{
    assert_int_equal(query(format, "x=", sql), 0);
    assert_string_equal(output, text);
}

static void refuses(const char *sql, const char *told)
{
    assert_int_equal(query("tsv", "x=", sql), 2);
    assert_non_null(strstr(faults, told));
}

static void expect(const char *sql, const char *lines)
{
    prints("lines", sql, lines);
    assert_string_equal(faults, "");
}

QUERY_TEST(a_verdict_follows_the_rule_of_comparison)
{
    expect("SELECT verdict(1.5, 1.2, 1.8, NULL), verdict(0.5, 0.4, 0.6, NULL), verdict(1, 0.99, 1.01, NULL),"
           " verdict(1, 0.5, 2, NULL), verdict(1.5, NULL, 2, NULL), verdict(NULL, 1, 2, NULL) IS NULL;",
           "faster\tslower\tsame\tundecided\tsingle\t1\n");
    /* A side that gives no verdict. */
    expect("SELECT verdict(1.5, 1.2, 1.8, 'flagged'), verdict(1, 0.99, 1.01, ''), verdict(1.5, NULL, 2, 'flagged'),"
           " verdict(NULL, 1, 2, 'flagged') IS NULL;",
           "undecided\tundecided\tsingle\t1\n");
}

QUERY_TEST(a_time_that_gives_no_verdict_says_why)
{
    write_file("host-1/one.results.csv", "experiment,cell,variant,n,rounds,launches,flags,median_s,min_s\n"
                                         "one,a,matmul/seq-ijk,1,5,3,,1,0.9\n"
                                         "one,b,matmul/seq-ijk,2,5,3,simulated+capped,1,0.9\n"
                                         "one,c,matmul/seq-ijk,3,5,3,simulated+idle,1,0.9\n"
                                         "one,d,matmul/seq-ijk,4,5,3,,1,0.3\n" /* of a program without this flag */
                                         "one,e,matmul/seq-ijk,5,4,3,,2,1.9\n"
                                         "one,f,matmul/seq-ijk,6,3,3,,2.1,1.9\n"
                                         "one,g,matmul/seq-ijk,7,5,,,1,0.9\n");
    expect("SELECT n, unsound, doubtful, coalesce(weak, '-') FROM results ORDER BY n;",
           "1\t0\t0\t-\n2\t0\t0\t-\n3\t1\t1\tflagged\n4\t1\t1\tflagged\n5\t0\t0\t4 rounds in 3 launches\n"
           "6\t0\t0\t-\n7\t0\t0\t5 rounds in 1 launch\n");
}

QUERY_TEST(a_verdict_can_be_read_off_a_ratio)
{
    /* Three digits, and more where three would stand on the other side of 1 or of the threshold. */
    expect("SELECT ratio(1.25), ratio(0.08364), ratio(0.99996), ratio(1.0004), ratio(1), ratio(1.0203), ratio(1.0197),"
           " ratio(0.999997);",
           "1.25\t0.0836\t0.99996\t1.0004\t1.00\t1.0203\t1.02\t1.0000\n");
    expect("SELECT ratio(1.2, 1.1, 1.3), ratio(0.9, 0.8, 0.9997), ratio(2, NULL, NULL), ratio(NULL, 1, 2) IS NULL;",
           "1.20 [1.10, 1.30]\t0.900 [0.800, 0.9997]\t2.00\t1\n");
    /* Two times with their intervals: the ratio is least for the shortest first time and the longest second one. */
    expect(
        "WITH t AS (SELECT span(6, 5.5, 7) AS a, span(4, 4, 5) AS b, span(4, NULL, NULL) AS once)"
        " SELECT ratio(a, b), ratio_low(a, b), ratio_high(a, b), verdict(a, b, NULL), verdict(a, b, 'flagged'),"
        " ratio(a, once), ratio_low(a, once) IS NULL, verdict(a, once, NULL), verdict(a, NULL, NULL) IS NULL FROM t;",
        "1.50 [1.10, 1.75]\t1.1\t1.75\tfaster\tundecided\t1.50\t1\tsingle\t1\n");
}

/* A set of flags prints in the order of flags.def, whatever order a row has them in. A truth value is no set. */
QUERY_TEST(a_time_has_the_letters_of_its_flags)
{
    write_file("host-1/one.results.csv", "experiment,cell,variant,n,flags,median_s,min_s\n"
                                         "one,a,matmul/seq-ijk,1,,1,0.9\n"
                                         "one,b,matmul/seq-ijk,2,capped+noisy,1,0.9\n"
                                         "one,c,matmul/seq-ijk,3,capped,1,0.9\n"
                                         "one,d,matmul/seq-ijk,4,once,1,0.3\n"); /* unsteady, and does not say so */
    expect("SELECT marked(n, flagged), doubt(flagged), doubtful FROM results ORDER BY n;",
           "1\t0\t0\n2ⁿᶜ\t1\t1\n3ᶜ\t0\t0\n4ᵒᵘ\t1\t1\n");
    expect("SELECT marked('1 s', a.flagged, NULL, d.flagged), marked(NULL, a.flagged) IS NULL, marked('1 s', 0)"
           " FROM results a JOIN results d ON a.n = 2 AND d.n = 4;",
           "1 sⁿᵒᵘ\t1\t1 s\n");
    /* The power limit remains where all have it. */
    expect("SELECT marked('all', all_flags(flagged)) FROM results;", "allⁿᵒᵘ\n");
    expect("SELECT marked('both', all_flags(flagged)), marked('both', min(flagged), max(flagged)), marked('both', "
           "all_flags(min(flagged), max(flagged))) FROM results WHERE n IN (2, 3);",
           "bothⁿᶜ\tbothⁿᶜ\tbothⁿᶜ\n");
    expect("UPDATE results SET stale = 1;\nSELECT marked(n, flagged), doubt(flagged) FROM results WHERE n IN (1, 3);",
           "1ˢ\t1\n3ᶜˢ\t1\n");
    expect("SELECT mark, letter, name FROM marks WHERE letter IN ('n', 's');", "ⁿ\tn\tnoisy\nˢ\ts\tstale\n");
    assert_int_not_equal(query("lines", "x=", "SELECT marked('1 s', 1 OR 0);"), 0);
    assert_non_null(strstr(faults, "a truth value is no set of flags"));
}

QUERY_TEST(an_empty_field_is_null_and_axes_have_their_type)
{
    write_file("host-1/one.results.csv", "experiment,cell,variant,n,row-tile,median_s,reason\n"
                                         "one,a,matmul/seq-ijk,100,,0.5,\none,b,matmul/"
                                         "seq-ijk,20,7,,\"no, \"\"thanks\"\"\nreally\"\n");
    expect("SELECT host, n, typeof(n), typeof(row_tile), typeof(median_s), reason IS NULL FROM "
           "results ORDER BY n;",
           "host-1\t20\tinteger\tinteger\tnull\t0\nhost-1\t100\tinteger\tnull\treal\t1\n");
    prints("csv", "SELECT reason FROM results WHERE n = 20;", "reason\n\"no, \"\"thanks\"\"\nreally\"\n");
}

/* Writes a file of results, and expects `lines` from the query with a warning that holds `told`. */
static void left_out(const char *results, const char *lines, const char *told)
{
    write_file("host-1/one.results.csv", results);
    prints("lines", "SELECT n, median_s FROM results ORDER BY n;", lines);
    assert_non_null(strstr(faults, told));
    prints("lines", "SELECT host, file FROM left_out LIMIT 1;", "host-1\tone.results.csv\n");
}

QUERY_TEST(what_cannot_be_read_is_left_out_and_told_with_its_line)
{
    left_out("experiment,n,median_s\none,1,0.5\none,2,fast\none,3,1\n", "1\t0.5\n3\t1.0\n",
             "one.results.csv:3: warning: left out a row: cannot store TEXT value in REAL column");
    left_out("experiment,n,median_s\none,1,NaN\none,2,1e999\none,3,-1e999\none,4,1\n", "4\t1.0\n",
             "one.results.csv:3: warning: left out a row: median_s: the value is no finite number");
    left_out("experiment,n,median_s\none,1,1\none\none,2,1,1\n", "1\t1.0\n",
             "one.results.csv:3: warning: left out a row: 1 fields where the header has 3");
    left_out("experiment,n,median_s\none,1,1\none,\"1\n", "1\t1.0\n", "one.results.csv:3: warning: left out the rest");
    left_out("experiment,n,median_s,colour\none,1,1,blue\n", "1\t1.0\n",
             "one.results.csv:1: warning: left out the column 'colour'");
    left_out("experiment,n); DROP TABLE results\none,1\n", "", "one.results.csv:1: warning: left out the file");
    left_out("", "", "one.results.csv:1: warning: left out the file: the header line is missing");
    left_out("experiment,n,n,median_s,host,task\none,1,2,1,host-2,3\n", "1\t1.0\n", "left out the column 'host'");
    write_file("host-1/one.results.csv", "\xef\xbb\xbf"
                                         "experiment,n\r\none,1\r\n");
    expect("SELECT experiment, n FROM results;", "one\t1\n");
}

QUERY_TEST(many_faults_of_a_file_are_counted)
{
    char text[4096] = "experiment,n\n";
    for (int i = 0; i < 100; i++)
        strcat(text, "one\n");
    write_file("host-1/one.results.csv", text);
    prints("lines", "SELECT count(*) FROM left_out;", "4\n");
    assert_non_null(strstr(faults, "97 further faults"));
}

QUERY_TEST(a_run_record_that_cannot_be_read_leaves_the_results)
{
    write_file("host-1/one.results.csv", "experiment,n\none,1\n");
    write_file("host-1/one.run.json", "{\n\"schema\": 1,\n}");
    prints("lines", "SELECT count(*) FROM results;", "1\n");
    assert_non_null(strstr(faults, "one.run.json:3: warning: left out the run record"));
    write_file("host-1/one.run.json", "[]");
    assert_int_equal(query("lines", "x=", "SELECT count(*) FROM experiments;"), 0);
    assert_non_null(strstr(faults, "one.run.json:1: warning: left out the run record: it is no JSON object"));
    write_file("host-1/one.run.json", "{\"measured_at\": 9000000000000000000, \"variants\": [{\"order\": \"first\"}]}");
    prints("lines", "SELECT measured_at IS NULL FROM experiments;", "1\n");
    assert_non_null(strstr(faults, "no date"));
    assert_non_null(strstr(faults, "wrong type"));
}

QUERY_TEST(a_title_without_end_is_cut)
{
    char *text = malloc(400000);
    assert_non_null(text);
    strcpy(text, "{\"experiment\": {\"title_en\": \"x");
    char *at = text + strlen(text);
    for (int i = 0; i < 150000; i++)
        at = stpcpy(at, "\xd0\xb8");
    strcpy(at, "\"}}");
    write_file("host-1/one.run.json", text);
    free(text);
    prints("lines", "SELECT length(CAST(title AS BLOB)), length(title) FROM experiments;", "402\t203\n");
    assert_non_null(strstr(faults, "too long for a page"));
}

QUERY_TEST(pipes_devices_and_folders_are_no_files)
{
    char path[128];
    static const char *const names[] = {"a.results.csv", "b.run.json", "c.samples.csv"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/host-1/%s", folder, names[i]);
        assert_int_equal(i == 0 ? mkfifo(path, 0600) : i == 1 ? symlink("/dev/zero", path) : mkdir(path, 0700), 0);
    }
    prints("lines", "SELECT count(*) FROM samples; SELECT count(*) FROM left_out;", "0\n3\n");
    assert_non_null(strstr(faults, "a.results.csv: warning: left out the file: this is no regular file"));
    assert_non_null(strstr(faults, "b.run.json: warning: left out the run record: this is no regular file"));
    assert_non_null(strstr(faults, "c.samples.csv: warning: left out the file: this is no regular file"));
}

QUERY_TEST(a_fault_in_sql_is_told_with_its_line)
{
    refuses("SELECT 1;\n-- behind a comment\n\nSELECT 1,\n  bogus;\n", "q.sql:5: error: no such column: bogus");
    refuses("SELECT 1;\n\nSELECT :y;\n", "q.sql:3: error: parameter :y has no value");
    assert_int_equal(query("tsv", "x=", "ATTACH 'other.db' AS other;"), 2);
}

QUERY_TEST(a_directive_before_a_statement_without_rows_is_refused)
{
    static const char table[] = "CREATE TEMP TABLE t AS SELECT 1 AS a;\nSELECT a FROM t;\n";
    static const char *const directives[] = {"-- name: curves", "-- align: rl", "-- pivot: n t",
                                             "-- scalars",      "-- group",     "-- facts"};
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        char *sql = memory_print("SELECT 1;\n-- What the table is for.\n%s\n-- scalars\n%s", directives[i], table);
        char *told = memory_print("q.sql:3: error: '%s' stands before a statement without rows; "
                                  "move it to the SELECT below\n",
                                  directives[i]);
        refuses(sql, told);
        free(told);
        free(sql);
    }
    /* A text that names a directive is none, and a SELECT may have no row. */
    char *sql = memory_print("-- It has -- group, and\n-- no group.\n%s-- group\nSELECT a FROM t WHERE 0;\n", table);
    expect(sql, "1\n");
    free(sql);
}

QUERY_TEST(parameters_are_values_not_sql)
{
    assert_int_equal(query("lines", "x='; DROP TABLE results; --", "SELECT :x; SELECT count(*) FROM results;"), 0);
    assert_string_equal(output, "'; DROP TABLE results; --\n0\n");
    expect("SELECT :x IS NULL;", "1\n");
}

QUERY_TEST(significant_digits_survive_carries_and_scales)
{
    expect("SELECT sig(9.996, 3), sig(0.0123456), sig(12345.6, 3), sig(99.96, 3), sig(-0.99996, "
           "3), sig(0, 2), sig(NULL),"
           " sig(1, 1), sig(1234, 4);",
           "10.0\t0.0123\t12300\t100\t-1.00\t0.0\t\t1\t1234\n");
    expect("SELECT si(0.00123, 's'), si(63.4e12, 'FLOP/s'), si(9.999e-4, 's'), si(0.9999, 's'), "
           "si(2e-12, 's');",
           "1.23 ms\t63.4 TFLOP/s\t1.00 ms\t1.00 s\t0.00200 ns\n");
    assert_int_equal(query("lines", "x=", "SELECT sig(1, 99);"), 2);
}

QUERY_TEST(counts_of_a_study_are_a_table_and_may_be_absent)
{
    expect("SELECT count(*) FROM counters;", "0\n");
    write_file("host-1/one.counters.csv", "experiment,cell,n,padding,status,shared_store_wavefronts,dram_read_bytes\n"
                                          "one,a,1024,1,ok,34603008,\none,b,1024,,skipped,,\n");
    expect("SELECT host, experiment, cell, shared_store_wavefronts, dram_read_bytes IS NULL, "
           "padding FROM counters ORDER BY cell;",
           "host-1\tone\ta\t34603008\t1\t1\nhost-1\tone\tb\t\t1\t\n");
    write_file("host-1/one.counters.csv", "experiment,ffma\none,1.5\n");
    assert_int_equal(query("tsv", "x=", "SELECT 1;"), 0);
    assert_non_null(strstr(faults, "one.counters.csv:2: warning: left out a row: cannot store"));
}

QUERY_TEST(the_median_leaves_null_out)
{
    expect("SELECT median(column1) FROM (VALUES (3), (NULL), (1), (10), (2));", "2.5\n");
    expect("SELECT median(column1) IS NULL FROM (VALUES (NULL));", "1\n");
    expect("SELECT median(n) IS NULL FROM results;", "1\n");
}

QUERY_TEST(the_bank_model_is_json)
{
    expect("SELECT j ->> '$.shared_bytes', j ->> '$.shared_store.wavefronts', j ->> "
           "'$.shared_load.conflicts', j ->> '$.global_load.sectors', j ->> "
           "'$.global_load.wavefronts' IS NULL FROM (SELECT model('aat/cuda-b', 'precision=f32 n=1024 "
           "k=1024 tile=32') AS j);",
           "8192\t34603008\t0\t8388608\t1\n");
    expect("SELECT s.value ->> '$.width', s.value ->> '$.offset[1]', json_array_length(s.value, "
           "'$.offset') FROM json_each(model('aat/cuda-b', 'tile=16 k=64 n=64 precision=f64'), "
           "'$.sites') s WHERE s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = "
           "'store' AND s.value ->> '$.conflicts' > 0;",
           "8\t2176\t32\n");
    /* The query asks again for each cell, after more cells than the function remembers. */
    expect("SELECT count(DISTINCT n), count(DISTINCT m), count(DISTINCT n || m) FROM (SELECT n, "
           "model('aat/cuda-b', 'precision=f32 tile=8 n=' || n) AS m FROM (WITH c(i) AS (VALUES (0) UNION ALL "
           "SELECT i + 1 FROM c WHERE i < 1199) SELECT 8 * (1 + i % 600) AS n FROM c));",
           "600\t600\t600\n");
    expect("SELECT group_concat(model('aat/cuda-b', 'precision=f32 tile=8 n=' || column1) ->> "
           "'$.global_store.instructions') FROM (VALUES (8), (80), (160));",
           "2,200,800\n");
    expect("SELECT model('matmul/seq-ijk', 'precision=f32 m=8 n=8 k=8') IS NULL, "
           "model('aat/cuda-b', 'precision=f32 n=100 k=100 tile=32') IS NULL, "
           "model('aat/cuda-b', 'n=64 k=64 tile=32') IS NULL, model('aat/cuda-b', NULL) IS NULL, "
           "model(NULL, 'precision=f32 n=64 k=64 tile=32') IS NULL;",
           "1\t1\t1\t1\t1\n");
    expect("SELECT model('aat/cuda-b-pad', 'n=64 precision=f32') = "
           "model('aat/cuda-b-pad', 'precision=f32 m=7 n=64 k=64 tile=32 padding=1 omega=1.5'), "
           "model('matmul/cuda-shared', 'n=64 precision=f32') = "
           "model('matmul/cuda-shared', ' precision=f32  m=64 n=64 k=64 tile=32 ');",
           "1\t1\n");
    refuses("SELECT model('aat/b', 'precision=f32 n=8 tile=8');", "no variant 'aat/b'");
    refuses("SELECT model('aat/cuda-b', 'precision=f16 n=8 tile=8');", "'f16' is no precision");
    refuses("SELECT model('aat/cuda-b', 'precision=f32 n=x tile=8');", "'x' is no n");
    refuses("SELECT model('aat/cuda-b', 'precision=f32 n=0');", "'0' is no n");
    refuses("SELECT model('aat/cuda-b', 'n=8 width=8');", "no axis 'width'");
    refuses("SELECT model('aat/cuda-b', 'n=8 tile');", "axis 'tile' has no value");
}

QUERY_TEST(results_of_another_version_have_no_model)
{
    expect("SELECT known_model('aat/b', 'n=8') IS NULL, known_model('aat/cuda-b', 'precision=f16 n=8 tile=8') IS NULL,"
           " known_model('aat/cuda-b', 'n=64 precision=f32') = model('aat/cuda-b', 'n=64 precision=f32');",
           "1\t1\t1\n");
    expect("SELECT sig(1e308 * 10), si(-1e308 * 10, 's') IS NULL;", "\t1\n");
}

QUERY_TEST(rows_are_json_objects)
{
    prints("json", "SELECT 1 AS a, 2.5 AS b, 'x\"\n' AS c, NULL AS d UNION ALL SELECT 2, 3, '7', 4;",
           "[\n {\"a\": 1, \"b\": 2.5, \"c\": \"x\\\"\\n\", \"d\": null},\n"
           " {\"a\": 2, \"b\": 3, \"c\": \"7\", \"d\": 4}\n]\n");
    prints("json", "SELECT 1 AS a WHERE 0;", "[\n]\n");
}

QUERY_TEST(residuals_of_solvers_are_a_table)
{
    write_file("host-1/one.history.csv", "cell,sweep,residual\na,0,0.5\na,2,1e999\n");
    expect("SELECT experiment, cell, sweep FROM history WHERE residual > 1e300;", "one\ta\t2\n");
    write_file("host-1/one.history.csv", "cell,sweep,residual\n");
    expect("SELECT count(*) FROM history;", "0\n");
}

QUERY_TEST(samples_are_loaded_with_the_results)
{
    write_file("host-1/one.samples.csv", "cell,round,kernel_s\na,0,0.25\na,1,0.5\n");
    expect("SELECT experiment, sum(kernel_s) FROM samples;", "one\t0.75\n");
    write_file("host-1/one.samples.csv", "broken\n");
    prints("lines", "SELECT 1;", "1\n");
    assert_non_null(strstr(faults, "one.samples.csv:1: warning: left out the file"));
}

QUERY_TEST(a_pivot_makes_columns_of_values)
{
    prints("tsv",
           "-- pivot: n t\nSELECT column1 AS who, column2 AS n, column3 AS t FROM "
           "(VALUES ('a', 10, 1), ('a', 20, 2), ('b', 20, 3));",
           "who\t10\t20\na\t1\t2\nb\t\t3\n");
}

QUERY_TEST(a_table_leaves_out_columns_without_a_value)
{
    static const char sql[] = "-- align: rL{0.2}lr\nSELECT 7 AS a, NULL AS b, 'x' AS c, NULL AS d UNION ALL "
                              "SELECT NULL, NULL, 'y', NULL;";
    assert_int_equal(query("latex", "x=", sql), 0);
    assert_non_null(strstr(output, "{@{}rl@{}}"));
    assert_non_null(strstr(output, "a & c \\\\\n"));
    assert_non_null(strstr(output, "7 & x \\\\*\n– & y \\\\\n"));
    assert_int_equal(query("html", "x=", sql), 0);
    assert_non_null(strstr(output, "<th scope=\"col\">c</th></tr>"));
    assert_int_equal(query("csv", "x=", sql), 0);
    assert_non_null(strstr(output, "a,b,c,d\n7,,x,\n"));
}

QUERY_TEST(a_column_is_as_wide_as_the_blanks_that_bind_its_texts_demand)
{
    static const struct {
        const char *text, *piece;
    } cases[] = {
        {"a word: 4096 times", "word: 4096"}, {"тайл 32 из", "тайл 32"}, {"ab — c", "ab —"}, {"ab-abc d", "abc"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *const name = "a b", *const value = (char *)cases[i].text, numeric = 0;
        const struct rows rows = {
            .columns = 1, .count = 1, .name = (char **)&name, .value = (char **)&value, .numeric = (char *)&numeric};
        struct query_layout layout;
        assert_true(query_layout_make(&rows, &layout, true));
        assert_int_equal(layout.piece[0], query_layout_text_width(cases[i].piece, strlen(cases[i].piece)));
        assert_int_equal(layout.word[0], query_layout_text_width("b", 1));
    }
}

QUERY_TEST(a_block_of_a_table_is_blank_where_it_has_no_value_at_all)
{
    char data[128], published[128], file[128], one[] = "one=One", two[] = "two=Two";
    snprintf(data, sizeof data, "%s/host-1/", folder);
    snprintf(published, sizeof published, "%s/published", folder);
    snprintf(file, sizeof file, "%s/q.sql", folder);
    write_file("q.sql", "SELECT 'x' AS a, 1 AS b, iif(:host = 'one', 2, NULL) AS c UNION ALL SELECT 'y', NULL, NULL;");
    char *argv[] = {"query", "--data",  data, "--published", published, "--block",
                    one,     "--block", two,  "--format",    "latex",   file};
    assert_int_equal(call(query_main, 12, argv), 0);
    assert_non_null(strstr(output, "x & 1 & 2 \\\\*\ny & – & – \\\\*\n"));
    assert_non_null(strstr(output, "x & 1 &  \\\\*\ny & – &  \\\\\n"));
}

QUERY_TEST(latex_prints_hostile_text_as_characters)
{
    const char *sql = "SELECT '\\input{/etc/passwd}`id`%_{}&#$^~' AS \"a_b\", NULL AS c, 5 AS d;";
    assert_int_equal(query("latex", "x=", sql), 0);
    assert_null(strstr(output, "\\input"));
    assert_non_null(strstr(output, "\\textbackslash{}input\\{"));
    assert_non_null(strstr(output, "a\\_b"));
    prints("macros", "SELECT '\\input{x}' AS \"first_1\";", "\\def\\first{\\textbackslash{}input\\{x\\}}\n");
    prints("latex", "SELECT 1 AS one WHERE 0;", "");
}

QUERY_TEST(html_gets_links_and_names_of_rows)
{
    prints("html",
           "SELECT 'c' || n AS id, name AS \"Name\", 'p#' || n AS \"href Name\", n AS \"N\", NULL AS empty"
           " FROM (SELECT '<a>' AS name, 1 AS n UNION ALL SELECT 'b', NULL);",
           "<div class=\"table\"><table>\n<thead><tr><th scope=\"col\">Name</th>"
           "<th scope=\"col\" class=\"number\">N</th></tr></thead>\n<tbody>\n"
           "<tr id=\"c1\"><td data-label=\"Name\"><a href=\"p#1\">&#60;a&#62;</a></td>"
           "<td class=\"number\" data-label=\"N\">1</td></tr>\n"
           "<tr><td data-label=\"Name\">b</td><td class=\"number none\" data-label=\"N\">–</td></tr>\n"
           "</tbody>\n</table></div>\n");
    prints("html", "SELECT html('\"&') AS x WHERE 0;", "");
}

QUERY_TEST(gnuplot_gets_blocks_arrays_and_harmless_strings)
{
    prints("gnuplot",
           "-- name: curves\nSELECT column1 AS curve, column2 AS curve_style, column3 AS n, "
           "column4 AS y"
           " FROM (VALUES ('a', 1, 10, 0.5), ('a', 1, 20, NULL), ('b', 2, 10, 3));\n"
           "-- scalars\nSELECT 7 AS most, 'it''s `id`' AS text;",
           "$curves << END_OF_curves\n# n y\n10 0.5\n20 NaN\n\n\n10 3\nEND_OF_curves\n"
           "curves_count = 2\narray curves_title[2] = ['a', 'b']\n"
           "array curves_style[2] = [1, 2]\nmost = 7\ntext = 'it''s `id`'\n");
    assert_int_equal(query("gnuplot", "x=", "-- name: curves\nSELECT 1 AS curve, 2 AS y WHERE 0;"), 0);
    assert_non_null(strstr(output, "curves_count = 0\n"));
}

QUERY_TEST(published_columns_are_typed_by_their_values)
{
    write_file("published/a-b.csv", "n,ms,note\n1,0.5,3..4\n2,,\n");
    expect("SELECT typeof(n), typeof(ms), typeof(note) FROM a_b;", "integer\treal\ttext\ninteger\tnull\tnull\n");
}

QUERY_TEST(the_run_record_becomes_tables)
{
    write_file("host-1/one.run.json",
               "{\"experiment\": {\"title_en\": \"T\", \"source\": \"s\", \"baseline\": null, "
               "\"figures\": [\"f\", \"g\"],"
               "\"tables\": []}, \"machine\": {\"cores\": 2, \"deep\": [true]}, \"gpu\": null, "
               "\"measured_at\": 5,"
               "\"commit\": \"c\", \"dirty\": true, \"libraries\": [{\"name\": \"openblas\", \"threads\": "
               "2}],"
               "\"variants\": [{\"name\": \"matmul/a\", \"order\": 3, \"file\": \"kernels/a.c\"}]}");
    expect("SELECT title, baseline IS NULL, measured_at, dirty FROM experiments;", "T\t1\t5\t1\n");
    expect("SELECT key, value FROM machine ORDER BY key;", "gpu\t\nmachine.cores\t2\nmachine.deep.0\t1\n");
    expect("SELECT v.name, v.ord, l.name, f.name FROM variants v, libraries l, figures f ORDER BY "
           "f.ord;",
           "matmul/a\t3\topenblas\tf\nmatmul/a\t3\topenblas\tg\n");
}

/* A summary describes and measures nothing: it comes from this program, unless the program lacks the variant. */
QUERY_TEST(a_summary_is_that_of_the_registry)
{
    write_file("host-1/one.run.json", "{\"variants\": [{\"name\": \"matmul/gone\", \"order\": 1, \"summary\": \"old\"},"
                                      "{\"name\": \"matmul/seq-ijk\", \"order\": 2, \"summary\": \"old\"}]}");
    expect("SELECT v.name, v.summary = 'old', coalesce(v.summary = k.summary, 0) FROM variants v"
           " LEFT JOIN known k USING (name) ORDER BY ord;",
           "matmul/gone\t1\t0\nmatmul/seq-ijk\t0\t1\n");
}

QUERY_TEST(archived_results_are_a_table)
{
    expect("SELECT count(*) FROM archive;", "0\n");
    write_file("host-1/one.results.csv", "experiment,cell,variant,n,generation\none,a,matmul/seq-ijk,8,2\n");
    write_file("host-1/one.archive.csv", "experiment,cell,variant,n,generation\none,a,matmul/seq-ijk,8,1\n");
    expect("SELECT a.host, cell, a.generation, r.generation, a.settings FROM archive a JOIN results r USING (cell);",
           "host-1\ta\t1\t2\tn=8\n");
}

QUERY_TEST(a_result_of_another_source_is_stale)
{
    static const char rows[] = "experiment,cell,variant,source_hash\n"
                               "one,a,matmul/seq-ijk,0123456789abcdef\n"
                               "one,b,matmul/gone,0123456789abcdef\n"
                               "one,c,matmul/seq-ijk,\n";
    write_file("host-1/one.results.csv", rows);
    write_file("host-1/one.archive.csv", rows);
    expect("SELECT cell, stale FROM results ORDER BY cell;", "a\t1\nb\t\nc\t\n");
    expect("SELECT cell, stale FROM archive ORDER BY cell;", "a\t1\nb\t\nc\t\n");
    expect("SELECT length(source_hash) FROM known WHERE name = 'matmul/seq-ijk';", "16\n");
    size_t count;
    char row[128];
    const struct entry *entry = registry(&count);
    snprintf(row, sizeof row, "experiment,cell,variant,source_hash\none,a,%s,%.16s\n", entry->name, entry->source_hash);
    write_file("host-1/one.results.csv", row);
    expect("SELECT stale FROM results;", "0\n");
}

QUERY_TEST(a_result_of_another_compiler_is_not_known_to_be_stale)
{
    write_file("host-1/one.results.csv", "experiment,cell,variant,source_hash\n"
                                         "one,a,matmul/seq-ijk,0123456789abcdef\n"
                                         "one,b,matmul/cuda-global,0123456789abcdef\n"
                                         "one,c,matmul/opencl-global,0123456789abcdef\n");
    static const char record[] = "{\"experiment\": {\"name\": \"one\"}, \"compiler\": %s}";
    char *own = memory_print("{\"version\": \"%s\", \"nvcc\": \"%s\"}", TILELAB_CC_VERSION, TILELAB_NVCC_VERSION);
    const struct {
        const char *compiler, *stale;
    } cases[] = {{own, "a\t1\nb\t1\nc\t1\n"},
                 {"{\"version\": \"gcc 99\", \"nvcc\": null}", "a\t\nb\t1\nc\t1\n"},
                 {"{\"version\": \"gcc 99\", \"nvcc\": \"99.9\"}", "a\t\nb\t\nc\t1\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = memory_print(record, cases[i].compiler);
        write_file("host-1/one.run.json", text);
        expect("SELECT cell, stale FROM results ORDER BY cell;", cases[i].stale);
        free(text);
    }
    free(own);
}

QUERY_TEST(a_citation_names_the_data_by_their_hash)
{
    char data[128], first[sizeof output];
    snprintf(data, sizeof data, "%s/host-1", folder);
    char *argv[] = {"cite", "--data", data};
    assert_int_equal(call(cite_main, 3, argv), 2);
    assert_non_null(strstr(faults, "no data yet"));
    write_file("host-1/one.results.csv", "experiment,n\none,1\n");
    write_file("host-1/one.run.json", "{\"measured_at\": 1000000000, \"commit\": \"abc\", \"dirty\": false,"
                                      "\"machine\": {\"cpu_model\": \"CPU {\\\\x}\"}}");
    assert_int_equal(call(cite_main, 3, argv), 0);
    assert_non_null(strstr(output, "author      = {{The tilelab authors}}"));
    assert_non_null(strstr(output, "year        = {2001}"));
    assert_non_null(strstr(output, TILELAB_ADDRESS[0] ? "url         = {http" : "has no public address yet"));
    assert_non_null(strstr(output, "version     = {abc}"));
    assert_non_null(strstr(output, "CPU x"));
    strcpy(first, output);
    assert_int_equal(call(cite_main, 3, argv), 0);
    assert_string_equal(output, first);
    write_file("author.yaml", "title: \"My {\"\n");
    char author[128];
    snprintf(author, sizeof author, "%s/author.yaml", folder);
    char *own[] = {"cite", "--data", data, "--author", author};
    assert_int_equal(call(cite_main, 5, own), 2);
    write_file("author.yaml", "name: A. Student\ntitle: \"My #1 & 2\"\nrepository: https://example.org/x\n");
    assert_int_equal(call(cite_main, 5, own), 0);
    assert_non_null(strstr(output, "author      = {A. Student},\n  title       = {{My \\#1 \\& 2}}"));
    assert_non_null(strstr(output, "url         = {https://example.org/x}"));
    assert_null(strstr(output, "no public address"));
    write_file("host-1/one.results.csv", "experiment,n\none,2\n");
    assert_int_equal(call(cite_main, 3, argv), 0);
    assert_string_not_equal(output, first);
    write_file("host-1/two.run.json",
               "{\"measured_at\": 2000000000, \"machine\": {\"cpu_model\": \"\xd0\xa7\xd0\xb8 9\"}}");
    write_file("host-1/bad.run.json", "{");
    write_file("host-1/late.run.json", "{\"measured_at\": 9000000000000000000}");
    char pipe[128];
    snprintf(pipe, sizeof pipe, "%s/host-1/pipe.csv", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(call(cite_main, 3, argv), 0);
    assert_non_null(strstr(output, "year        = {2033}"));
    assert_non_null(strstr(output, "Measured on ?? 9."));
    assert_non_null(strstr(faults, "bad.run.json: warning: left out"));
    assert_non_null(strstr(faults, "pipe.csv: warning: left out: this is no regular file"));
}

QUERY_TEST(a_paragraph_may_hold_formulas_and_names_but_no_commands)
{
    expect("SELECT prose('5 % of `a_b`, $\\omega = 2/3$');", "5 \\% of \\texttt{a\\_b}, $\\omega = 2/3$\n");
    expect("SELECT prose('$\\input{x}$');", "\\$\\textbackslash{}input\\{x\\}\\$\n");
    expect("SELECT prose('$^^5cinput{x}$') LIKE '\\$%', prose('$}{$') LIKE '\\$%', prose(NULL) IS NULL;", "1\t1\t1\n");
    expect("SELECT prose('5 $ and a `');", "5 \\$ and a \\textasciigrave{}\n");
}

QUERY_TEST(an_experiment_file_decides_how_a_study_is_shown)
{
    write_file("host-1/one.results.csv", "experiment,cell,variant\none,a,matmul/seq-ijk\n");
    write_file("host-1/one.run.json",
               "{\"experiment\": {\"name\": \"one\", \"title_en\": \"Old\", \"figures\": [\"banks\"]}}");
    write_file("one.yaml", "schema: 1\ntitle: New\nabout: It asks.\nproblem: matmul\ngrid: {n: 8, variant: seq-ijk}\n"
                           "figures: roofline\n");
    write_file("faulty.yaml", "schema: 2\n");
    write_file("q.sql", "SELECT title, about, f.name FROM experiments e JOIN figures f ON f.experiment = e.name;");
    char data[128], file[128];
    snprintf(data, sizeof data, "%s/host-1", folder);
    snprintf(file, sizeof file, "%s/q.sql", folder);
    char *argv[] = {"query", "--data", data, "--published", folder, "--format", "lines", "--experiments", folder, file};
    assert_int_equal(call(query_main, 10, argv), 0);
    assert_string_equal(output, "New\tIt asks.\troofline\n");
}

QUERY_TEST(facts_are_printed_apart_from_other_rows)
{
    const char *const sql = "SELECT 1 AS other;\n-- facts\nSELECT 'same' AS verdict, '5 %' AS share, NULL AS low;";
    char expected[512];
    const char *const name = strrchr(folder, '/') + 1;
    snprintf(expected, sizeof expected,
             "table\t%s/q\thost\tverdict\tshare\tlow\nrow\t%s/q\thost=host-1\tverdict=same\tshare=5 %%\n", name, name);
    assert_int_equal(query("facts", "host=host-1", sql), 0);
    assert_string_equal(output, expected);
    assert_int_equal(query("lines", "host=host-1", sql), 0);
    assert_string_equal(output, "1\n");
    /* A file without facts is told, so that a text that uses one can be found. */
    snprintf(expected, sizeof expected, "table\t%s/q\n", name);
    prints("facts", "SELECT 1;", expected);
    assert_int_equal(call(query_main, 4, (char *[]){"query", "--facts", "/absent/file", "absent.sql"}), 4);
}

QUERY_TEST(wrong_usage_is_told)
{
    char *none[] = {"query"}, *format[] = {"query", "--format", "xml", "f.sql"}, *set[] = {"query", "--set", "x", "f"};
    assert_int_equal(call(query_main, 1, none), 2);
    assert_int_equal(call(query_main, 4, format), 2);
    assert_non_null(strstr(faults, "unknown format: xml"));
    assert_int_equal(call(query_main, 4, (char *[]){"query", "--data", folder, "absent.sql"}), 2);
    assert_non_null(strstr(faults, "absent.sql: error: No such file"));
    assert_int_equal(call(query_main, 4, set), 2);
}
