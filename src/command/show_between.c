/* The times of cells that were measured again: in another launch, another run, or on another machine.
 * SPDX-License-Identifier: MIT */
#include "show_between.h"

#include "base/escape.h"
#include "base/folder.h"
#include "query/query_print.h"
#include "query/table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* report/between.sql, which finds the pairs of times, and report/between-table.sql, the table for readers. */
static const char between_sql[] =
#include "between.sql.inc"
    ;
static const char table_sql[] =
#include "between-table.sql.inc"
    ;
/* Rows for programs: numbers with all their digits. */
static const char data_sql[] =
    "SELECT host AS folder, device, work, measured_in, cells, pairs, median, p75, p90, largest, above, apart, intervals"
    " FROM measured_again ORDER BY row";

static void print_folders(const struct hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++) {
        fputs(i == 0 ? "" : i + 1 < hosts->count ? ", " : " and ", stdout);
        escape_put(stdout, escape_terminal, hosts->host[i].folder);
    }
}

static void print_table(const struct rows *rows, const struct hosts *hosts, bool markdown)
{
    if (rows->count == 0) {
        fputs("No cell was measured again in ", stdout);
        print_folders(hosts);
        puts(": neither in several launches nor in several runs of one source.");
        return;
    }
    fputs("Cells that were measured again in ", stdout);
    print_folders(hosts);
    puts(": the slower of two times over the faster one\n");
    table_rows(rows, markdown);
    puts("\nApart: pairs whose intervals do not overlap, of the pairs with two intervals. Flagged times count; "
         "withdrawn and\nsimulated times do not, nor does the study smoke.");
}

/* Runs the queries of a format and prints their rows. False after a message. */
static bool print_spread(struct query *query, enum show_between_format format)
{
    const bool table = format == SHOW_BETWEEN_TEXT || format == SHOW_BETWEEN_MARKDOWN;
    struct rows rows;
    query_set(query, "most", "1000000");
    if (!query_open(query) || !query_run(query, "report/between.sql", between_sql, NULL) ||
        !query_run(query, "report/between-table.sql", table ? table_sql : data_sql, &rows))
        return false;
    if (table)
        print_table(&rows, &query->hosts, format == SHOW_BETWEEN_MARKDOWN);
    else
        query_print_find(format == SHOW_BETWEEN_CSV ? "csv" : "json")->print(&rows, stdout);
    rows_free(&rows);
    return true;
}

enum exit_code show_between(struct query *query, enum show_between_format format)
{
    for (size_t i = 0; i < query->hosts.count; i++) {
        const char *folder = query->hosts.host[i].folder;
        if (folder_exists(folder))
            continue;
        escape_tell("tilelab show: %s: %s; --data names a folder with results", folder, strerror(errno));
        return EXIT_USAGE;
    }
    return print_spread(query, format) ? EXIT_OK : EXIT_USAGE;
}
