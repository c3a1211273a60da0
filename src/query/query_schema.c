/* The tables and views of `tilelab query`.
 * SPDX-License-Identifier: MIT */
#include "query_schema.h"

#include "cell.h"

#define AXIS_TYPE_COUNT "INTEGER"
#define AXIS_TYPE_DECIMAL "REAL"
#define AXIS_TYPE_NAME "TEXT"

/* The task of a result names the problem and the axes that say what is computed. */
#define AXIS_TASK_SHAPE(field) " || ' ' || coalesce(" #field ", '')"
#define AXIS_TASK_PLACE(field)
#define AXIS_TASK_TUNING(field)
#define AXIS_TASK_BUILD(field)

/* Of results: `side`: which device; `idea`: the variant's name without its problem; `task`: what was to be done; only
 * cells of one task are compared with each other; `vendor`: what own variants are compared with; `halved`: computes one
 * triangle of a symmetric product, n(n+1)k operations of the 2nnk that every rate counts. */
static const char schema[] =
    "CREATE TABLE hosts(ord INTEGER, host TEXT) STRICT;"
    "CREATE TABLE results(host TEXT, experiment TEXT, cell TEXT, problem TEXT, variant TEXT,"
    " backend TEXT, device TEXT,"
#define AXIS(field, key, kind, ...) #field " " AXIS_TYPE_##kind ","
#include "axes.def"
#undef AXIS
    " status TEXT, reason TEXT, rounds INTEGER, samples INTEGER, repeats INTEGER,"
    " converged INTEGER, bitwise INTEGER, flags TEXT, median_s REAL, ci_lo_s REAL, ci_hi_s REAL,"
    " min_s REAL, upload_s REAL, download_s REAL, total_s REAL, alloc_s REAL, first_run_s REAL,"
    " flops REAL, bytes REAL, gflops REAL, gbs REAL, error REAL, bound REAL, norm2 REAL, growth REAL,"
    " iterations INTEGER,"
    " residual REAL, radius REAL, predicted_s REAL, source_hash TEXT, library_hash TEXT, machine_hash TEXT,"
    " settings_hash TEXT, probe INTEGER, side TEXT,"
    " idea TEXT AS (substr(variant, instr(variant, '/') + 1)),"
    " task TEXT AS (problem"
#define AXIS(field, key, kind, role, ...) AXIS_TASK_##role(field)
#include "axes.def"
#undef AXIS
    "),"
    " solver INTEGER AS (iterations IS NOT NULL), vendor INTEGER, halved INTEGER) STRICT;"
    "CREATE TABLE samples(host TEXT, experiment TEXT, cell TEXT, round INTEGER, launch INTEGER,"
    " \"index\" INTEGER, repeats INTEGER, iterations INTEGER, kernel_s REAL, cpu_s REAL, upload_s REAL,"
    " download_s REAL, total_s REAL, clock_hz REAL, flags TEXT) STRICT;"
    "CREATE TABLE history(host TEXT, experiment TEXT, cell TEXT, sweep INTEGER, residual REAL) STRICT;"
    /* Sweeps for each factor of ten of the residual, over the second half of a solve. */
    "CREATE VIEW decades AS WITH half AS ("
    " SELECT host, experiment, cell, min(sweep) AS first, max(sweep) AS last"
    " FROM (SELECT *, max(sweep) OVER (PARTITION BY host, experiment, cell) AS most FROM history)"
    " WHERE sweep >= most / 2 GROUP BY host, experiment, cell)"
    "SELECT host, experiment, cell, (last - first) / log10(a.residual / b.residual) AS decade_sweeps"
    " FROM half JOIN history a USING (host, experiment, cell) JOIN history b USING (host, experiment, cell)"
    " WHERE a.sweep = first AND b.sweep = last AND b.residual > 0 AND b.residual < a.residual;"
    "CREATE TABLE counters(host TEXT, experiment TEXT, cell TEXT, variant TEXT, device TEXT,"
#define AXIS(field, key, kind, ...) #field " " AXIS_TYPE_##kind ","
#include "axes.def"
#undef AXIS
    " source_hash TEXT, ncu TEXT, status TEXT, reason TEXT"
#define COUNTER(column, ...) "," #column " INTEGER"
#include "counters/counters.def"
#undef COUNTER
    ") STRICT;"
    "CREATE TABLE axes(ord INTEGER, axis TEXT, key TEXT, role TEXT, label TEXT, unset TEXT, meaning TEXT) STRICT;"
    /* The axes of each cell, a row for each axis that has a value or that says something where it has none. `text`: the
     * value as curves and tables print it; `label`: what the name of a curve says of it; `sort_key`: a text that orders
     * as the values do, in which those of several axes, one behind the other, stay apart. */
    "CREATE VIEW cell_axis AS "
    "SELECT host, experiment, cell, axis, role, ord, value, text,"
    " CASE WHEN value IS NULL THEN unset WHEN value = 1 AND label GLOB '*# *s'"
    " THEN replace(substr(label, 1, length(label) - 1), '#', text) ELSE replace(label, '#', text) END AS label,"
    " printf('%02d:%s', ord, CASE WHEN value IS NULL THEN '' WHEN typeof(value) = 'text' THEN value"
    " ELSE printf('%024.9f', value) END) AS sort_key"
    " FROM (SELECT *, iif(typeof(value) = 'real', printf('%.9g', value), CAST(value AS TEXT)) AS text"
    " FROM (SELECT r.host, r.experiment, r.cell, a.axis, a.role, a.ord, a.label, a.unset, CASE a.axis"
#define AXIS(field, ...) " WHEN '" #field "' THEN r." #field
#include "axes.def"
#undef AXIS
    " END AS value FROM results r CROSS JOIN axes a)"
    " WHERE value IS NOT NULL OR unset IS NOT NULL);"
    "CREATE TABLE problems(name TEXT, probe INTEGER) STRICT;"
    "CREATE TABLE studied(host TEXT, experiment TEXT, ord INTEGER, problem TEXT) STRICT;"
    "CREATE TABLE experiments(host TEXT, name TEXT, title TEXT, title_ru TEXT, source TEXT,"
    " baseline TEXT, profile TEXT, measured_at INTEGER, \"commit\" TEXT, dirty INTEGER) STRICT;"
    "CREATE TABLE variants(host TEXT, experiment TEXT, name TEXT, backend TEXT, ord INTEGER,"
    " summary TEXT, source TEXT, file TEXT, unit TEXT, tensor TEXT, pivoting TEXT,"
    " chaotic INTEGER, source_hash TEXT, compile_line TEXT,"
    " vendor INTEGER, halved INTEGER, library TEXT, style INTEGER) STRICT;"
    "CREATE INDEX variants_of ON variants(host, experiment, name);"
    /* What this program knows of each variant and backend, whatever the records say. */
    "CREATE TABLE known(name TEXT PRIMARY KEY, vendor INTEGER, halved INTEGER, library TEXT, style INTEGER) STRICT;"
    "CREATE TABLE backends(name TEXT PRIMARY KEY, kind TEXT) STRICT;"
    "CREATE TABLE figures(host TEXT, experiment TEXT, ord INTEGER, name TEXT) STRICT;"
    "CREATE TABLE tables(host TEXT, experiment TEXT, ord INTEGER, name TEXT) STRICT;"
    "CREATE TABLE libraries(host TEXT, experiment TEXT, name TEXT, path TEXT, hash TEXT,"
    " config TEXT, threads INTEGER, kernel TEXT, setting TEXT, choice TEXT, remark TEXT) STRICT;"
    "CREATE TABLE machine(host TEXT, experiment TEXT, key TEXT, value TEXT) STRICT;";

int query_schema_create(sqlite3 *db, FILE *diagnostics)
{
    if (sqlite3_exec(db, schema, NULL, NULL, NULL) == SQLITE_OK)
        return 0;
    fprintf(diagnostics, "tilelab query: %s\n", sqlite3_errmsg(db));
    return -1;
}
