/* `tilelab claims`: judges the claims of the sources, or a user's own, by the measured results.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/regular.h"
#include "query/claims_check.h"
#include "query/query.h"
#include "query/query_csv.h"
#include "query/query_print.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* report/judge-claims.sql, which judges. */
static const char judge_sql[] =
#include "judge-claims.sql.inc"
    ;

/* What stands behind a ratio says which side of it is the faster one. */
static const char shown_sql[] =
    "SELECT v.id AS claim, v.host, v.verdict,"
    " marked(t.measured || iif(v.parts = 1 AND j.points > 1, ' points', ''), v.flagged)"
    " || iif(v.parts = 1, CASE c.quantity WHEN 'time ratio' THEN ' times the time of ' || c.reference"
    " WHEN 'speed ratio' THEN ' times the speed of ' || c.reference ELSE '' END, '') AS here,"
    " coalesce(c.published, '') || iif(c.unit IS NULL, '', ' ' || c.unit) AS published, c.statement, v.reason"
    " FROM verdict v JOIN claims c ON c.rowid = v.row JOIN judged j ON j.row = v.row AND j.host = v.host"
    " JOIN told t ON t.id = v.id AND t.host = v.host"
    " WHERE coalesce(:claims, '') = '' OR instr(' ' || :claims || ' ', ' ' || v.id || ' ') ORDER BY v.host_ord, v.row";

static const char legend_sql[] =
    "SELECT m.mark || ' ' || m.name || ': ' || m.meaning FROM marks m WHERE EXISTS (SELECT 1 FROM verdict v"
    " WHERE v.compared AND instr(marked('', v.flagged), m.mark)"
    " AND (coalesce(:claims, '') = '' OR instr(' ' || :claims || ' ', ' ' || v.id || ' '))) ORDER BY m.ord";

static const char table_sql[] =
    "SELECT j.host, j.id, nullif(j.part, '') AS part, v.verdict, j.verdict AS part_verdict, j.points, j.holding,"
    " j.least, j.most, j.lo, j.hi, j.n, j.study,"
    " (SELECT group_concat(name, '+') FROM (SELECT name FROM marks WHERE j.flagged & flag(name) ORDER BY ord))"
    " AS flags, nullif(j.reason, '') AS reason"
    " FROM judged j JOIN verdict v USING (host, id)"
    " WHERE coalesce(:claims, '') = '' OR instr(' ' || :claims || ' ', ' ' || j.id || ' ') ORDER BY j.host_ord, j.row";

static const char json_sql[] =
    "SELECT json_group_array(json(claim)) AS claims FROM ("
    "SELECT json_object('claim', v.id, 'host', v.host, 'verdict', v.verdict, 'flagged',"
    " json(iif(doubt(v.flagged), 'true', 'false')), 'statement', c.statement, 'published', c.published, 'unit',"
    " c.unit, 'parts', (SELECT json_group_array(json_object('part', p.part, 'verdict', p.verdict, 'points', p.points,"
    " 'holding', p.holding, 'least', p.least, 'most', p.most, 'low', iif(abs(p.lo) < 1e300, p.lo, NULL),"
    " 'high', iif(abs(p.hi) < 1e300, p.hi, NULL), 'n', p.n)) FROM judged p"
    " WHERE p.host = v.host AND p.id = v.id)) AS claim"
    " FROM verdict v JOIN claims c ON c.rowid = v.row"
    " WHERE coalesce(:claims, '') = '' OR instr(' ' || :claims || ' ', ' ' || v.id || ' ') ORDER BY v.host_ord, v.row)";

static const char of_sources[] = "data/published/claims.csv";

enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };
static const char *const format_names[] = {"text", "csv", "json", NULL};

struct arguments {
    struct query query;
    const char *claims;
    struct options_format format;
    char **name;  /* the claims to show */
    size_t names; /* 0: all */
    char *shown;  /* their names, with blanks between them; owned */
};

/* Prints the verdicts for people: a line for each claim, what the marks behind numbers mean, and a tally. */
static void print_text(const struct rows *rows, const struct rows *legend)
{
    static const char *const tally[] = {"reproduced", "by model",       "not reproduced",     "undecided",
                                        "explained",  "other hardware", "not comparable here"};
    enum { TALLY = sizeof tally / sizeof *tally };
    size_t count[TALLY] = {0};
    for (size_t r = 0; r < rows->count; r++) {
        const char *verdict = rows_value(rows, r, 2), *here = rows_value(rows, r, 3),
                   *published = rows_value(rows, r, 4), *reason = rows_value(rows, r, 6);
        for (size_t i = 0; i < TALLY; i++)
            count[i] += strcmp(verdict, tally[i]) == 0;
        printf("%-12s %-10s %-20s ", rows_value(rows, r, 0), rows_value(rows, r, 1), verdict);
        if (here && *here)
            printf("here %s", here);
        if (published && *published)
            printf("%spublished %s", here && *here ? ", " : "", published);
        fputs("\n             ", stdout);
        escape_put(stdout, escape_terminal, rows_value(rows, r, 5) ? rows_value(rows, r, 5) : "");
        if (reason && *reason && (strcmp(verdict, "reproduced") != 0 && strcmp(verdict, "not reproduced") != 0)) {
            fputs(" (", stdout);
            escape_put(stdout, escape_terminal, reason);
            putchar(')');
        }
        putchar('\n');
    }
    for (size_t r = 0; r < legend->count; r++)
        puts(rows_value(legend, r, 0));
    for (size_t i = 0; i < TALLY; i++)
        printf("%s%zu %s", i > 0 ? ", " : "", count[i], tally[i]);
    putchar('\n');
}

/* Whether the file is the one that the verdicts are written to. */
static bool is_output(FILE *file)
{
    struct stat one, other;
    return fstat(fileno(file), &one) == 0 && fstat(STDOUT_FILENO, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* Compares the verdicts with those that a host's folder keeps in claims.csv. Returns EXIT_CHANGED if any differs. */
static enum exit_code compare_kept(struct query *query, const struct hosts_folder *host)
{
    char path[1024];
    struct rows rows;
    snprintf(path, sizeof path, "%s/claims.csv", host->folder);
    FILE *file = regular_open(path);
    if (!file)
        return EXIT_OK;
    const bool written_now = is_output(file);
    fclose(file);
    if (written_now)
        return EXIT_OK;
    sqlite3_set_authorizer(query->db, NULL, NULL);
    if (!query_run(query, path, "DROP TABLE IF EXISTS kept", NULL) ||
        query_csv_load_published(query->db, path, "kept", stderr) != 0)
        return EXIT_USAGE;
    query_set(query, "kept_host", host->name);
    const bool ran = query_run(query, path,
                               "SELECT DISTINCT v.id, k.verdict, v.verdict FROM verdict v JOIN kept k USING (id)"
                               " WHERE v.host = :kept_host AND v.verdict <> k.verdict",
                               &rows);
    query->sets--;
    for (size_t r = 0; ran && r < rows.count; r++)
        fprintf(stderr, "%s: %s was '%s' and is now '%s'\n", path, rows_value(&rows, r, 0), rows_value(&rows, r, 1),
                rows_value(&rows, r, 2));
    const enum exit_code code = !ran ? EXIT_USAGE : rows.count > 0 ? EXIT_CHANGED : EXIT_OK;
    rows_free(&rows);
    return code;
}

static enum exit_code judge(struct arguments *arguments)
{
    struct query *query = &arguments->query;
    struct rows rows = {0}, legend = {0};
    const bool text = arguments->format.chosen == FORMAT_TEXT, json = arguments->format.chosen == FORMAT_JSON;
    query_set(query, "claims", arguments->shown);
    if (!query_open(query))
        return EXIT_USAGE;
    sqlite3_set_authorizer(query->db, NULL, NULL);
    if (!query_run(query, "claims", "DROP TABLE IF EXISTS claims", NULL) ||
        query_csv_load_published(query->db, arguments->claims, "claims", stderr) != 0)
        return EXIT_USAGE;
    /* A user's file need not have these columns. A statement fails, without harm, if the file has its column. */
    sqlite3_exec(query->db, "ALTER TABLE claims ADD COLUMN explained TEXT", NULL, NULL, NULL);
    sqlite3_exec(query->db, "ALTER TABLE claims ADD COLUMN absolute_on TEXT", NULL, NULL, NULL);
    if (!query_run(query, "report/judge-claims.sql", judge_sql, NULL) ||
        !query_run(query, "claims",
                   text   ? shown_sql
                   : json ? json_sql
                          : table_sql,
                   &rows) ||
        (text && !query_run(query, "claims", legend_sql, &legend)))
        return EXIT_USAGE;
    if (text)
        print_text(&rows, &legend);
    else if (json)
        puts(rows_value(&rows, 0, 0));
    else
        query_print_find("csv")->print(&rows, stdout);
    rows_free(&legend);
    rows_free(&rows);
    enum exit_code code = EXIT_OK;
    for (size_t i = 0; i < query->hosts.count; i++) {
        const enum exit_code one = compare_kept(query, &query->hosts.host[i]);
        code = one > code ? one : code;
    }
    return code;
}

enum { OPTION_CLAIMS = 256 };

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->query.hosts;
        state->child_inputs[1] = &arguments->format;
        return 0;
    case OPTION_CLAIMS:
        arguments->claims = text;
        return 0;
    case ARGP_KEY_ARGS:
        arguments->name = state->argv + state->next;
        arguments->names = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The studies that claims may name: of the experiment files, of the hosts, and of all folders in data/. */
static void add_studies(struct study_file_names *known, const struct hosts *hosts)
{
    glob_t recorded;
    study_file_names_add_files(known);
    for (size_t i = 0; i < hosts->count; i++)
        study_file_names_add_results(known, hosts->host[i].folder);
    if (glob("data/*", 0, NULL, &recorded) != 0)
        return;
    for (size_t i = 0; i < recorded.gl_pathc; i++)
        study_file_names_add_results(known, recorded.gl_pathv[i]);
    globfree(&recorded);
}

int claims_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"claims", OPTION_CLAIMS, "FILE", 0,
         "file of the claims (default: data/published/claims.csv here, else that of this program)", 0},
        {0}};
    static const struct argp_child children[] = {{&options_hosts, 0, NULL, 0}, {&options_format, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "[CLAIM...]",
        .doc = "Judges claims by the measured results of each host: reproduced, by model (they follow from the code "
               "alone), not reproduced, undecided (an interval lies on both sides), explained (the report tells why), "
               "other hardware (the claim compares absolute figures of another device), or not comparable here.\vIf a "
               "host's folder holds claims.csv, as --format csv prints it, the exit code is 3 where a verdict has "
               "changed since. data/published/README.md explains the columns of a file of claims."};
    struct arguments arguments = {.claims = of_sources, .format.names = format_names};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (!hosts_exist(&arguments.query.hosts, "claims"))
        return EXIT_USAGE;
    const bool is_ours = strcmp(arguments.claims, of_sources) == 0;
    char *const ours = folder_found(of_sources, of_sources);
    if (is_ours)
        arguments.claims = ours;
    if (is_ours && access(ours, F_OK) != 0) {
        escape_tell("tilelab claims: there is no %s; --claims names a file of claims", ours);
        free(ours);
        return EXIT_USAGE;
    }
    struct study_file_names known = {NULL, 0};
    add_studies(&known, &arguments.query.hosts);
    /* A copy of the repository may lack studies that the claims of the sources name. */
    const bool right = claims_check(arguments.claims, is_ours ? NULL : &known, arguments.name, arguments.names);
    study_file_names_free(&known);
    if (!right) {
        free(ours);
        return EXIT_USAGE;
    }
    arguments.shown = memory_copy("");
    for (size_t i = 0; i < arguments.names; i++)
        memory_append(&arguments.shown, "%s%s", i > 0 ? " " : "", arguments.name[i]);
    const enum exit_code code = judge(&arguments);
    free(arguments.shown);
    free(ours);
    query_close(&arguments.query);
    return code;
}
