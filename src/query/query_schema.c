/* The tables and views of `tilelab query`. Columns of CSV files follow the tables that also write the files.
 * SPDX-License-Identifier: MIT */
#include "query_schema.h"

#include "cell.h"
#include "query_marks.h"
#include "base/comparison.h"
#include "counters/counters.h"
#include "results/columns.h"

/* What run records and the program itself tell. `known`, `backends` and `axes` are what this program's registry says,
 * whatever the records say. */
static const char fixed[] =
    "CREATE TABLE hosts(ord INTEGER, host TEXT) STRICT;"
    "CREATE TABLE axes(ord INTEGER, axis TEXT, key TEXT, role TEXT, label TEXT, unset TEXT, meaning TEXT) STRICT;"
    "CREATE TABLE problems(name TEXT, probe INTEGER, title TEXT, title_ru TEXT, computes TEXT,"
    " computes_ru TEXT) STRICT;"
    "CREATE TABLE backends(name TEXT PRIMARY KEY, kind TEXT) STRICT;"
    "CREATE TABLE marks(ord INTEGER, letter TEXT, mark TEXT, name TEXT, meaning TEXT) STRICT;"
    "CREATE TABLE known(name TEXT PRIMARY KEY, summary TEXT, summary_ru TEXT, vendor INTEGER, halved INTEGER,"
    " library TEXT, style INTEGER, source_hash TEXT, own_file TEXT, parts TEXT, split TEXT, products INTEGER,"
    " compiler TEXT, version TEXT) STRICT;"
    "CREATE TABLE studied(host TEXT, experiment TEXT, ord INTEGER, problem TEXT) STRICT;"
    "CREATE TABLE experiments(host TEXT, name TEXT, title TEXT, title_ru TEXT, source TEXT,"
    " baseline TEXT, profile TEXT, measured_at INTEGER, \"commit\" TEXT, dirty INTEGER, about TEXT,"
    " about_ru TEXT) STRICT;"
    "CREATE TABLE variants(host TEXT, experiment TEXT, name TEXT, backend TEXT, ord INTEGER,"
    " summary TEXT, source TEXT, file TEXT, unit TEXT, tensor TEXT, pivoting TEXT,"
    " chaotic INTEGER, source_hash TEXT, compile_line TEXT,"
    " vendor INTEGER, halved INTEGER, library TEXT, style INTEGER, input_roundoff REAL, parts TEXT,"
    " split TEXT, products INTEGER, summary_ru TEXT) STRICT;"
    /* How builds before the last run's were compiled, of which the results still have rows. */
    "CREATE TABLE builds(host TEXT, experiment TEXT, name TEXT, source_hash TEXT, compile_line TEXT) STRICT;"
    "CREATE INDEX variants_of ON variants(host, experiment, name);"
    "CREATE TABLE figures(host TEXT, experiment TEXT, ord INTEGER, name TEXT) STRICT;"
    "CREATE TABLE tables(host TEXT, experiment TEXT, ord INTEGER, name TEXT) STRICT;"
    "CREATE TABLE libraries(host TEXT, experiment TEXT, name TEXT, path TEXT, hash TEXT,"
    " config TEXT, threads INTEGER, kernel TEXT, setting TEXT, choice TEXT, remark TEXT) STRICT;"
    "CREATE TABLE devices(host TEXT, experiment TEXT, id TEXT, name TEXT, kind TEXT, platform TEXT, version TEXT,"
    " driver TEXT, compute_units INTEGER, clock_mhz INTEGER, memory_bytes INTEGER, local_bytes INTEGER,"
    " group_items INTEGER, fp64 INTEGER) STRICT;"
    "CREATE TABLE changed_files(host TEXT, experiment TEXT, file TEXT) STRICT;"
    /* What left-out.csv says: rows that somebody left out, marked by their cell, or lost, counted by their status. */
    "CREATE TABLE marked_out(host TEXT, experiment TEXT, cell TEXT, status TEXT, rows INTEGER, reason TEXT,"
    " reason_ru TEXT) STRICT;"
    "CREATE TABLE left_out(host TEXT, file TEXT, line INTEGER, what TEXT) STRICT;"
    "CREATE TABLE machine(host TEXT, experiment TEXT, key TEXT, value TEXT) STRICT;"
    /* How many cores' worth all threads of a CPU gained when a study was measured; records of old have no row. */
    "CREATE VIEW effective_cores AS SELECT host, experiment, value + 0 AS cores FROM machine"
    " WHERE key = 'machine.effective_cores';"
    /* What `tilelab calibrate` has kept: a row for each comparison of a cell, or of half of it, with its twin. */
    "CREATE TABLE calibration(host TEXT, measured_at INTEGER, profile TEXT, side TEXT, variant TEXT, settings TEXT,"
    " half INTEGER, rounds INTEGER, speedup REAL, low REAL, high REAL, verdict TEXT, overlaps INTEGER, flags TEXT)"
    " STRICT;";

/* The sweeps that divide the residual by ten, over the second half of a solve. */
static const char decades[] =
    "CREATE VIEW decades AS WITH half AS ("
    " SELECT host, experiment, cell, min(sweep) AS first, max(sweep) AS last"
    " FROM (SELECT *, max(sweep) OVER (PARTITION BY host, experiment, cell) AS most FROM history)"
    " WHERE sweep >= most / 2 GROUP BY host, experiment, cell)"
    "SELECT host, experiment, cell, (last - first) / log10(a.residual / b.residual) AS decade_sweeps"
    " FROM half JOIN history a USING (host, experiment, cell) JOIN history b USING (host, experiment, cell)"
    " WHERE a.sweep = first AND b.sweep = last AND b.residual > 0 AND b.residual < a.residual;";

static const char *axis_type(int axis)
{
    static const char *const types[] = {[COUNT] = "INTEGER", [DECIMAL] = "REAL", [NAME] = "TEXT"};
    return types[cell_axes[axis].kind];
}

static const char *column_type(const struct column *column)
{
    switch (column->kind) {
    case COLUMN_AXIS:
        return axis_type((int)column->size);
    case COLUMN_COUNT:
    case COLUMN_INTEGER:
    case COLUMN_TRISTATE:
        return "INTEGER";
    case COLUMN_REAL:
        return "REAL";
    default:
        return "TEXT";
    }
}

/* The columns of a CSV file. In SQL an axis has the name of its field, as "row-tile" would need quotes. */
static void put_columns(sqlite3_str *sql, const struct column *columns, size_t count)
{
    for (size_t c = 0; c < count; c++) {
        const struct column *column = &columns[c];
        const char *name = column->kind == COLUMN_AXIS ? cell_axes[column->size].field : column->name;
        sqlite3_str_appendf(sql, ", \"%w\" %s", name, column_type(column));
    }
}

/* The column `settings`: the axes that have a value, as model() takes them. A DECIMAL has no exponent in it. */
static void put_settings(sqlite3_str *sql)
{
    sqlite3_str_appendf(sql, ", settings TEXT AS (ltrim(''");
    for (int axis = 0; axis < AXES; axis++) {
        const char *const format =
            cell_axes[axis].kind == DECIMAL ? "rtrim(rtrim(printf('%%.9f', %s), '0'), '.')" : "%s";
        char *const value = sqlite3_mprintf(format, cell_axes[axis].field);
        sqlite3_str_appendf(sql, " || iif(%s IS NULL, '', ' %s=' || %s)", cell_axes[axis].field, cell_axes[axis].key,
                            value);
        sqlite3_free(value);
    }
    sqlite3_str_appendf(sql, "))");
}

#define TEXT_OF(number) #number
#define UNSTEADY_ABOVE(number) "median_s > " TEXT_OF(number) " * min_s IS TRUE"
/* Whether a row should have the flag `unsteady`. */
#define UNSTEADY UNSTEADY_ABOVE(RESULT_UNSTEADY_ABOVE)

/* The columns `unsound`, `doubtful` and `weak`. A row of an older program may lack the flag `unsteady`, and does not
 * tell its launches: query_load counts them where samples are there. */
static void put_doubts(sqlite3_str *sql)
{
    sqlite3_str_appendf(sql, ", unsound INTEGER AS (" UNSTEADY);
    for (int bit = 0; bit < RESULT_FLAGS; bit++)
        if (result_flags[bit].kind != FLAG_IS_REMARK)
            sqlite3_str_appendf(sql, " OR instr('+' || coalesce(flags, '') || '+', '+%s+')", result_flags[bit].name);
    sqlite3_str_appendf(sql,
                        "), doubtful INTEGER AS (unsound OR coalesce(stale, 0))"
                        ", weak TEXT AS (CASE WHEN unsound THEN 'flagged'"
                        " WHEN coalesce(rounds, 0) < iif(median_s > %g, %d, %d) OR coalesce(launches, 1) < %d"
                        " THEN coalesce(rounds, 0) || ' rounds in ' || coalesce(launches, 1)"
                        " || iif(coalesce(launches, 1) = 1, ' launch', ' launches') END)",
                        COMPARISON_LONG_S, COMPARISON_LAUNCHES, COMPARISON_ROUNDS, COMPARISON_LAUNCHES);
}

static void put_flagged(sqlite3_str *sql)
{
    sqlite3_str_appendf(sql, ", flagged INTEGER AS (");
    query_marks_put(sql, UNSTEADY);
    sqlite3_str_appendf(sql, ")");
}

/* What follows from the axes and the study. `square`: all matrices are square. `conditions`: how many axes of the role
 * CONDITION are in another than the usual state; `usual`: none is. `counts`: the study measures speed, which `smoke`
 * does not: it checks results. */
static void put_kind(sqlite3_str *sql)
{
    sqlite3_str_appendf(sql,
                        ", square INTEGER AS (coalesce(m, n) = n AND coalesce(k, n) = n), conditions INTEGER AS (0");
    for (int axis = 0; axis < AXES; axis++)
        if (cell_axes[axis].role == ROLE_CONDITION)
            sqlite3_str_appendf(sql, " + (%s IS NOT NULL)", cell_axes[axis].field);
    sqlite3_str_appendf(sql, "), usual INTEGER AS (conditions = 0), counts INTEGER AS (experiment <> 'smoke')");
}

/* The table `results`, with columns that follow from others. `side`: CPU or GPU, what the cell ran on. `idea`: the
 * variant's name without its problem. `computes`: what is computed. `task`: this, and on which physical machine;
 * only cells of one task are compared with each other. Four columns are set after the rows are loaded. `vendor`: a
 * library did the work. `halved`: the variant computes one triangle of a symmetric result. `probe`: the runner added
 * the cell to the study. `stale`: the source of the variant has changed since; NULL where this program lacks the
 * variant. `machine`: the physical machine of the row; rows that do not tell it have the hash of their kind of
 * machine. Only times of one `machine` make a ratio. `unsound`: the time has a doubt or a lack (flags.def); times of
 * older programs that are unsteady lack the flag. `doubtful`: the time is flagged or stale. `flagged`: the set of
 * marks of query_marks.h, remarks among them. `weak`: why the time gives no verdict. */
static void put_results(sqlite3_str *sql)
{
    sqlite3_str_appendf(sql, "CREATE TABLE results(host TEXT");
    put_columns(sql, columns_result, RESULT_COLUMNS);
    sqlite3_str_appendf(sql, ", probe INTEGER, side TEXT, idea TEXT AS (substr(variant, instr(variant, '/') + 1)),"
                             " computes TEXT AS (problem");
    for (int axis = 0; axis < AXES; axis++)
        if (cell_axes[axis].role == ROLE_SHAPE || cell_axes[axis].role == ROLE_CONDITION)
            sqlite3_str_appendf(sql, " || ' ' || coalesce(%s, '')", cell_axes[axis].field);
    sqlite3_str_appendf(sql, "), task TEXT AS (machine || ' ' || computes), solver INTEGER AS (iterations IS NOT NULL),"
                             " vendor INTEGER, halved INTEGER, stale INTEGER,"
                             " machine TEXT AS (coalesce(machine_mark, machine_hash, ''))");
    put_doubts(sql);
    put_flagged(sql);
    put_kind(sql);
    put_settings(sql);
    sqlite3_str_appendf(sql, ") STRICT;");
}

/* The table `archive`: kept results that `results` does not show. Its columns mean what those of `results` do. */
static void put_archive(sqlite3_str *sql)
{
    sqlite3_str_appendf(sql, "CREATE TABLE archive(host TEXT");
    put_columns(sql, columns_result, RESULT_COLUMNS);
    sqlite3_str_appendf(sql, ", side TEXT, stale INTEGER, machine TEXT AS (coalesce(machine_mark, machine_hash, ''))");
    put_doubts(sql);
    put_flagged(sql);
    put_kind(sql);
    put_settings(sql);
    sqlite3_str_appendf(sql, ") STRICT;");
}

static void put_rows_of_cells(sqlite3_str *sql, const char *table, const struct column *columns, size_t count)
{
    sqlite3_str_appendf(sql, "CREATE TABLE %s(host TEXT, experiment TEXT", table);
    put_columns(sql, columns, count);
    sqlite3_str_appendf(sql, ") STRICT;");
}

static void put_counters(sqlite3_str *sql)
{
    sqlite3_str_appendf(sql, "CREATE TABLE counters(host TEXT");
    for (int c = 0; c < COUNTED_COLUMNS; c++) {
        const int axis = c - COUNTED_FIRST_AXIS;
        if (axis >= 0 && axis < AXES)
            sqlite3_str_appendf(sql, ", %s %s", cell_axes[axis].field, axis_type(axis));
        else
            sqlite3_str_appendf(sql, ", %s %s", counters_column_name(c), c < COUNTED_VALUES ? "TEXT" : "INTEGER");
    }
    put_settings(sql);
    sqlite3_str_appendf(sql, ") STRICT;");
}

/* The view `cell_axis`: for each cell a row for each axis that has a value, or whose lack of a value means something.
 * `value` has the type of the axis; it is NULL where the axis has none. `text` is the value as tables print it. `label`
 * is what the name of a curve says of the axis; it follows axes.def, with "1 thread" for "1 threads" and a fraction for
 * a long decimal. `sort_key` is a text that orders as the values do; the keys of several axes, in the order of `ord`,
 * may be joined to one key. */
static void put_cell_axis(sqlite3_str *sql)
{
    sqlite3_str_appendf(
        sql, "%s",
        "CREATE VIEW cell_axis AS "
        "SELECT host, experiment, cell, axis, role, ord, value, text,"
        " CASE WHEN value IS NULL THEN unset WHEN value = 1 AND label GLOB '*# *s'"
        " THEN replace(substr(label, 1, length(label) - 1), '#', text)"
        " ELSE replace(label, '#', iif(typeof(value) = 'real', fraction(value), text)) END AS label,"
        " printf('%02d:%s', ord, CASE WHEN value IS NULL THEN '' WHEN typeof(value) = 'text' THEN value"
        " ELSE printf('%024.9f', value) END) AS sort_key"
        " FROM (SELECT *, iif(typeof(value) = 'real', printf('%.9g', value), CAST(value AS TEXT)) AS text"
        " FROM (SELECT r.host, r.experiment, r.cell, a.axis, a.role, a.ord, a.label, a.unset, CASE a.axis");
    for (int axis = 0; axis < AXES; axis++)
        sqlite3_str_appendf(sql, " WHEN '%s' THEN r.%s", cell_axes[axis].field, cell_axes[axis].field);
    sqlite3_str_appendf(sql, " END AS value FROM results r CROSS JOIN axes a)"
                             " WHERE value IS NOT NULL OR unset IS NOT NULL);");
}

/* Reports ask for the rows of one study on one host at a time. */
static const char indexes[] = "CREATE INDEX results_of ON results(host, experiment);"
                              "CREATE INDEX archive_of ON archive(host, experiment);"
                              "CREATE INDEX counters_of ON counters(host, experiment, cell);"
                              "CREATE INDEX machine_of ON machine(host, key);";
/* The tables of many rows are indexed when these are there, which takes less time than an index that grows. */
static const char late_indexes[] = "CREATE INDEX samples_of ON samples(host, experiment, cell);"
                                   "CREATE INDEX history_of ON history(host, experiment, cell);";

/* Runs statements. Returns 0, or -1 after a line on `diagnostics`. */
static int execute(sqlite3 *db, const char *sql, FILE *diagnostics)
{
    const int failed = !sql || sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK;
    if (failed)
        fprintf(diagnostics, "tilelab query: %s\n", sqlite3_errmsg(db));
    return failed ? -1 : 0;
}

int query_schema_index(sqlite3 *db, FILE *diagnostics)
{
    return execute(db, late_indexes, diagnostics);
}

int query_schema_create(sqlite3 *db, FILE *diagnostics)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendf(sql, "%s", fixed);
    put_results(sql);
    put_archive(sql);
    put_rows_of_cells(sql, "samples", columns_sample, SAMPLE_COLUMNS);
    put_rows_of_cells(sql, "history", columns_history, HISTORY_COLUMNS);
    put_rows_of_cells(sql, "timeline", columns_timeline, TIMELINE_COLUMNS);
    put_counters(sql);
    sqlite3_str_appendf(sql, "%s", decades);
    put_cell_axis(sql);
    sqlite3_str_appendf(sql, "%s", indexes);
    char *text = sqlite3_str_finish(sql);
    const int status = execute(db, text, diagnostics);
    sqlite3_free(text);
    return status;
}
