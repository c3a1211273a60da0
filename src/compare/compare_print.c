/* What `tilelab compare` prints, and what it says of sides that were measured in turn.
 * SPDX-License-Identifier: MIT */
#include "compare.h"

#include "base/memory.h"
#include "query/query_print.h"
#include "query/table.h"

#include <stdlib.h>

/* report/compare-launches.sql, which compares. */
static const char launches_sql[] =
#include "compare-called.sql.inc"
#include "compare-launches.sql.inc"
    ;

/* One sentence a comparison. Revisions compare several variants, so that the sentence names the variant. */
#define SENTENCE \
    ":subject_name || ' is ' || ratio(speedup, low, high) || ' times as fast as ' || :base_name || ': ' ||" \
    " upper(verdict) || ' (' || iif(variant = base, variant || ', ', '') || told || coalesce('; ' || remark, '') ||" \
    " ')'"
static const char sentence_sql[] = "SELECT " SENTENCE " FROM pair WHERE (SELECT count(*) FROM pair) = 1";
static const char pairs_sql[] =
    "SELECT iif(variant = base, variant, NULL) AS variant, told AS cell, si(base_s, 's') AS base, si(s, 's') AS time,"
    " sig(speedup, 3) AS 'speed-up', sig(low, 3) || ' .. ' || sig(high, 3) AS interval, upper(verdict) AS verdict,"
    " remark FROM pair WHERE (SELECT count(*) FROM pair) > 1 ORDER BY experiment, variant, n, told";
static const char alone_sql[] =
    "SELECT iif(:subject IS NULL, iif(side, :subject_name, :base_name), NULL) AS 'not compared', variant, told AS cell,"
    " why AS reason FROM alone ORDER BY side DESC, variant, n, told";
static const char means_sql[] =
    "SELECT 'Geometric mean over ' || sizes || ' sizes, n = ' || least || ' to ' || most || ': ' || :subject_name ||"
    " ' is ' || ratio(speedup, low, high) || ' times as fast as ' || :base_name || ' (' ||"
    " iif(variant = base, variant || ' ', '') || rest || ')' FROM mean ORDER BY variant, rest";
static const char alarms_sql[] =
    "SELECT 'Called faster or slower: ' || calls || ' of ' || tests || ' comparisons' ||"
    " iif(calls, '; at most ' || sig(false_ones, 2) || ' of them are expected to be false', '') ||"
    " ' (Benjamini-Hochberg, ' || CAST(100 * error_rate() AS INTEGER) || ' %).' ||"
    " iif(more_alone, ' Compared alone, ' || more_alone || ' more would be.', '') FROM alarms WHERE tests > 1";
static const char csv_sql[] =
    "SELECT experiment, cell, base_cell, variant, base, n, settings, launches, base_s, s, speedup, low, high, p,"
    " verdict, remark FROM pair UNION ALL"
    " SELECT NULL, NULL, NULL, variant, NULL, n, told, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'alone', why"
    " FROM alone ORDER BY 1, 4, 6, 7";
static const char json_sql[] =
    "SELECT json_object('subject', :subject_name, 'base', :base_name, 'cells', (SELECT json_group_array(json_object("
    "'experiment', experiment, 'cell', cell, 'base_cell', base_cell, 'variant', variant, 'base', base, 'n', n,"
    " 'settings', settings, 'launches', launches, 'base_s', base_s, 's', s, 'speedup', speedup, 'low', low, 'high',"
    " high, 'p', p, 'verdict', verdict, 'remark', remark)) FROM (SELECT * FROM pair ORDER BY experiment, variant, n,"
    " told)), 'means', (SELECT json_group_array(json_object('variant', variant, 'base', base, 'settings', rest,"
    " 'sizes', sizes, 'speedup', speedup, 'low', low, 'high', high)) FROM mean), 'alone', (SELECT json_group_array("
    "json_object('variant', variant, 'cell', told, 'side', iif(side, 'subject', 'base'), 'reason', why)) FROM alone),"
    " 'tests', tests, 'calls', calls, 'expected_false', false_ones) AS comparison FROM alarms";
static const char slower_sql[] =
    "SELECT (SELECT count(*) FROM pair WHERE verdict = 'slower' AND 1 / speedup > 1 + :fail_above)"
    " + (SELECT count(*) FROM alone WHERE regressed)";
static const char faults_sql[] = "SELECT coalesce(sum(fault), 0) FROM alone";
static const char cells_sql[] = "SELECT (SELECT count(*) FROM pair) + (SELECT count(*) FROM alone)";

char *compare_print_value(struct query *query, const char *sql, size_t column)
{
    struct rows rows;
    char *text = NULL;
    if (query_run(query, "tilelab compare", sql, &rows) && rows.count > 0 && rows_value(&rows, 0, column))
        text = memory_copy(rows_value(&rows, 0, column));
    rows_free(&rows);
    return text;
}

bool compare_print_part(struct query *query, int format, const char *head, const char *sql)
{
    struct rows rows;
    if (!query_run(query, "tilelab compare", sql, &rows))
        return false;
    if (rows.count > 0) {
        const bool markdown = format == COMPARE_MARKDOWN;
        printf(markdown ? "%s\n\n" : "%s\n", head);
        table_rows(&rows, markdown);
        putchar('\n');
    }
    rows_free(&rows);
    return true;
}

bool compare_print_csv(struct query *query, const char *sql)
{
    struct rows rows;
    if (!query_run(query, "tilelab compare", sql, &rows))
        return false;
    query_print_find("csv")->print(&rows, stdout);
    rows_free(&rows);
    return true;
}

/* Prints each row of a statement, which has one column, as a line. */
static bool print_lines(struct query *query, const char *sql)
{
    struct rows rows;
    if (!query_run(query, "tilelab compare", sql, &rows))
        return false;
    for (size_t i = 0; i < rows.count; i++)
        puts(rows_value(&rows, i, 0) ? rows_value(&rows, i, 0) : "");
    rows_free(&rows);
    return true;
}

bool compare_print_alarms(struct query *query)
{
    return print_lines(query, alarms_sql);
}

static bool print_text(struct query *query, int format, const char *subject, const char *base)
{
    char *head = memory_print("%s against %s, by the shortest samples of their launches", subject, base);
    const bool done = compare_print_part(query, format, head, pairs_sql) &&
                      compare_print_part(query, format, "Cells that are not compared", alone_sql) &&
                      print_lines(query, sentence_sql) && print_lines(query, means_sql) && compare_print_alarms(query);
    free(head);
    return done;
}

/* The number that a statement gives. */
static int count_of(struct query *query, const char *sql)
{
    char *text = compare_print_value(query, sql, 0);
    const int count = text ? atoi(text) : 0;
    free(text);
    return count;
}

enum exit_code compare_print_launches(struct query *query, const struct compare_asked *asked, const char *subject,
                                      const char *base)
{
    query_set(query, "subject_name", subject);
    query_set(query, "base_name", base);
    query_set(query, "fail_above", asked->threshold);
    if (!query_open(query) || !query_run(query, "report/compare-launches.sql", launches_sql, NULL))
        return EXIT_USAGE;
    if (count_of(query, cells_sql) == 0) {
        fprintf(stderr, "tilelab compare: no cell was measured on both sides\n");
        return EXIT_USAGE;
    }
    const int format = asked->format;
    const bool done = format == COMPARE_CSV    ? compare_print_csv(query, csv_sql)
                      : format == COMPARE_JSON ? print_lines(query, json_sql)
                                               : print_text(query, format, subject, base);
    if (!done)
        return EXIT_USAGE;
    const int slower = *asked->threshold ? count_of(query, slower_sql) : 0;
    if (slower > 0) {
        fprintf(stderr, "tilelab compare: in %d cells, %s is slower than %s beyond the threshold, or regressed\n",
                slower, subject, base);
        return EXIT_CHANGED;
    }
    return count_of(query, faults_sql) > 0 ? EXIT_CELLS : EXIT_OK;
}
