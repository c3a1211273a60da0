/* `tilelab claims`: judges the claims of the sources, or a user's own, by the measured results.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "options.h"
#include "registry.h"
#include "base/csv.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/regular.h"
#include "base/suggest.h"
#include "query/query.h"
#include "query/query_csv.h"
#include "query/query_print.h"
#include "query/query_settings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* report/claims.sql, which judges. */
static const char judge_sql[] =
#include "claims.sql.inc"
    ;

static const char shown_sql[] =
    "SELECT v.id AS claim, v.host, v.verdict,"
    " CASE WHEN v.compared = 0 THEN '' WHEN v.parts > 1 THEN v.holding || ' of ' || v.compared || ' parts'"
    " WHEN j.points > 1 THEN j.holding || ' of ' || j.points || ' points, ' || sig(j.least, 3) || '..'"
    " || sig(j.most, 3) ELSE sig(j.least, 3) END AS here,"
    " coalesce(c.published, '') || iif(c.unit IS NULL, '', ' ' || c.unit) AS published, c.statement, v.reason"
    " FROM verdict v JOIN claims c ON c.rowid = v.row JOIN judged j ON j.row = v.row AND j.host = v.host"
    " WHERE coalesce(:claims, '') = '' OR instr(' ' || :claims || ' ', ' ' || v.id || ' ') ORDER BY v.host_ord, v.row";

static const char table_sql[] =
    "SELECT j.host, j.id, nullif(j.part, '') AS part, v.verdict, j.verdict AS part_verdict, j.points, j.holding,"
    " j.least, j.most, j.lo, j.hi, j.n, j.flagged, j.not_here"
    " FROM judged j JOIN verdict v USING (host, id)"
    " WHERE coalesce(:claims, '') = '' OR instr(' ' || :claims || ' ', ' ' || j.id || ' ') ORDER BY j.host_ord, j.row";

static const char json_sql[] =
    "SELECT json_group_array(json(claim)) AS claims FROM ("
    "SELECT json_object('claim', v.id, 'host', v.host, 'verdict', v.verdict, 'flagged', json(iif(v.flagged, 'true',"
    " 'false')), 'statement', c.statement, 'published', c.published, 'unit', c.unit, 'parts', (SELECT"
    " json_group_array(json_object('part', p.part, 'verdict', p.verdict, 'points', p.points, 'holding', p.holding,"
    " 'least', p.least, 'most', p.most, 'low', iif(abs(p.lo) < 1e300, p.lo, NULL), 'high', iif(abs(p.hi) < 1e300, p.hi,"
    " NULL), 'n', p.n)) FROM judged p WHERE p.host = v.host AND p.id = v.id)) AS claim"
    " FROM verdict v JOIN claims c ON c.rowid = v.row"
    " WHERE coalesce(:claims, '') = '' OR instr(' ' || :claims || ' ', ' ' || v.id || ' ') ORDER BY v.host_ord, v.row)";

/* ---- The file of claims is checked before anything is judged. ---- */

enum field {
    FIELD_ID,
    FIELD_PART,
    FIELD_STATEMENT,
    FIELD_STUDIES,
    FIELD_QUANTITY,
    FIELD_SUBJECT,
    FIELD_SUBJECT_AT,
    FIELD_REFERENCE,
    FIELD_REFERENCE_AT,
    FIELD_MATCH,
    FIELD_POINTS,
    FIELD_RELATION,
    FIELD_VALUE,
    FIELD_TO,
    FIELD_TOLERANCE,
    FIELD_NOT_HERE,
    FIELDS
};
static const char *const field_names[] = {"id",         "part",      "statement",    "studies", "quantity", "subject",
                                          "subject_at", "reference", "reference_at", "match",   "points",   "relation",
                                          "value",      "to",        "tolerance",    "not_here"};
static const char *const quantities[] = {"time ratio",   "end-to-end ratio", "speed-up",         "speed-up ratio",
                                         "efficiency",   "efficiency ratio", "iso rate ratio",   "unsteadiness ratio",
                                         "gflops",       "share of peak",    "sweeps",           "sweep ratio",
                                         "crossover",    "bank conflicts",   "sectors per load", "read ratio",
                                         "global reads", "shared reads",     "reuse ratio",      "tile formula ratio"};
static const char *const axis_quantities[] = {"best", "trend", "spread"};
static const char *const points[] = {"largest", "every", "least"};
static const char *const relations[] = {"=", "in", "<", "<=", ">", ">="};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

struct checked {
    struct csv csv;
    int column[FIELDS];
    int faults;
    char **id; /* of the claims so far; owned */
    size_t ids;
};

static void __attribute__((format(printf, 2, 3))) fault(struct checked *checked, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    escape_put(stderr, escape_terminal, checked->csv.path);
    fprintf(stderr, ":%d: error: ", checked->csv.line);
    escape_put(stderr, escape_terminal, text);
    fputc('\n', stderr);
    checked->faults++;
}

static const char *field(const struct checked *checked, enum field name)
{
    const char *text = csv_field(&checked->csv, checked->column[name]);
    return text ? text : "";
}

static void check_word(struct checked *checked, enum field name, const char *const *known, size_t count)
{
    const char *word = field(checked, name);
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, known[i]) == 0)
            return;
    const char *near = suggest_name(word, known, count);
    char all[400] = "";
    for (size_t i = 0; !near && i < count; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i == 0 ? "; it can be: " : ", ", known[i]);
    fault(checked, "there is no %s '%s'%s%s", field_names[name], word, suggest_words(near), all);
}

/* "time ratio", or "best tile" with the key of an axis. */
static void check_quantity(struct checked *checked)
{
    const char *text = field(checked, FIELD_QUANTITY), *blank = strchr(text, ' ');
    for (size_t i = 0; blank && i < LENGTH(axis_quantities); i++) {
        const size_t length = strlen(axis_quantities[i]);
        if (strncmp(text, axis_quantities[i], length) != 0 || text[length] != ' ')
            continue;
        if (cell_axis_find(blank + 1, strlen(blank + 1)) < 0)
            fault(checked, "there is no axis '%s'", blank + 1);
        return;
    }
    check_word(checked, FIELD_QUANTITY, quantities, LENGTH(quantities));
}

static void check_number(struct checked *checked, enum field name, bool needed)
{
    const char *text = field(checked, name);
    double value;
    if ((needed && !*text) || !number_read(text, strlen(text), &value))
        fault(checked, "%s is no number: '%s'", field_names[name], text);
}

static void check_variants(struct checked *checked, enum field name)
{
    size_t count, length;
    const struct entry *entries = registry(&count);
    for (const char *at = field(checked, name) + strspn(field(checked, name), " "); *at;
         at += length + strspn(at + length, " ")) {
        char pattern[128];
        size_t i = 0;
        length = strcspn(at, " ");
        snprintf(pattern, sizeof pattern, "%.*s", (int)length, at);
        while (i < count && !registry_matches(&entries[i], pattern))
            i++;
        if (i == count)
            fault(checked, "%s: no variant matches '%s'; `tilelab list` names them", field_names[name], pattern);
        else if (!strchr(pattern, '/'))
            fault(checked, "%s: '%s' names no problem; write '%s/%s'", field_names[name], pattern,
                  entries[i].problem->name, pattern);
    }
}

static void check_conditions(struct checked *checked, enum field name)
{
    char why[200];
    if (!query_settings_check(field(checked, name), why, sizeof why))
        fault(checked, "%s: %s", field_names[name], why);
}

static void check_axes(struct checked *checked)
{
    size_t length;
    for (const char *at = field(checked, FIELD_MATCH); *at; at += length + strspn(at + length, " ")) {
        length = strcspn(at, " ");
        if (cell_axis_find(at, length) < 0)
            fault(checked, "match: there is no axis '%.*s'", (int)length, at);
    }
}

static void check_record(struct checked *checked)
{
    if (!*field(checked, FIELD_ID))
        fault(checked, "the claim has no id");
    checked->id = memory_grow(checked->id, checked->ids + 1, sizeof *checked->id);
    checked->id[checked->ids++] = memory_copy(field(checked, FIELD_ID));
    if (*field(checked, FIELD_NOT_HERE))
        return; /* the claim says itself why it is not judged */
    check_quantity(checked);
    check_word(checked, FIELD_POINTS, points, LENGTH(points));
    check_word(checked, FIELD_RELATION, relations, LENGTH(relations));
    check_number(checked, FIELD_VALUE, true);
    check_number(checked, FIELD_TO, strcmp(field(checked, FIELD_RELATION), "in") == 0);
    check_number(checked, FIELD_TOLERANCE, false);
    if (!*field(checked, FIELD_SUBJECT))
        fault(checked, "the claim has no subject");
    if (!*field(checked, FIELD_STUDIES))
        fault(checked, "the claim names no studies");
    check_variants(checked, FIELD_SUBJECT);
    check_variants(checked, FIELD_REFERENCE);
    check_conditions(checked, FIELD_SUBJECT_AT);
    check_conditions(checked, FIELD_REFERENCE_AT);
    check_axes(checked);
}

/* Whether the file has all claims that the user names. False after a message. */
static bool has_names(const struct checked *checked, char *const *names, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        size_t i = 0;
        while (i < checked->ids && strcmp(checked->id[i], names[n]) != 0)
            i++;
        if (i < checked->ids)
            continue;
        fputs("tilelab claims: there is no claim '", stderr);
        escape_put(stderr, escape_terminal, names[n]);
        fprintf(stderr, "' in %s%s\n", checked->csv.path,
                suggest_words(suggest_name(names[n], (const char *const *)checked->id, checked->ids)));
        return false;
    }
    return true;
}

/* Finds the columns. */
static void check_header(struct checked *checked, bool is_there)
{
    char missing[400] = "";
    size_t count = 0;
    for (int i = 0; i < FIELDS; i++) {
        checked->column[i] = is_there ? csv_find(&checked->csv, field_names[i]) : -1;
        if (checked->column[i] < 0)
            snprintf(missing + strlen(missing), sizeof missing - strlen(missing), "%s%s", count++ ? ", " : "",
                     field_names[i]);
    }
    const char *only = is_there && checked->csv.fields == 1 ? csv_field(&checked->csv, 0) : NULL;
    if (only && strpbrk(only, ";\t"))
        fault(checked, "the columns are not separated by commas");
    else if (count > 0)
        fault(checked, "the header lacks the column%s %s", count == 1 ? "" : "s", missing);
}

/* Checks the file, and that it has the claims that the user names. False after messages. */
static bool check_claims(const char *path, char *const *names, size_t count)
{
    struct checked checked = {.faults = 0};
    if (!csv_open(&checked.csv, path)) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        return false;
    }
    int got = csv_read(&checked.csv);
    check_header(&checked, got > 0);
    while (checked.faults == 0 && (got = csv_read(&checked.csv)) > 0)
        check_record(&checked);
    if (got < 0)
        fault(&checked, "a quoted field is not closed");
    const bool right = checked.faults == 0 && has_names(&checked, names, count);
    for (size_t i = 0; i < checked.ids; i++)
        free(checked.id[i]);
    free(checked.id);
    csv_close(&checked.csv);
    return right;
}

/* ---- The verb ---- */

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

/* Prints the verdicts for people: a line for each claim, and a tally. */
static void print_text(const struct rows *rows)
{
    static const char *const tally[] = {"reproduced", "not reproduced", "undecided", "explained",
                                        "not comparable here"};
    size_t count[LENGTH(tally)] = {0};
    for (size_t r = 0; r < rows->count; r++) {
        const char *verdict = rows_value(rows, r, 2), *here = rows_value(rows, r, 3),
                   *published = rows_value(rows, r, 4), *reason = rows_value(rows, r, 6);
        for (size_t i = 0; i < LENGTH(tally); i++)
            count[i] += strcmp(verdict, tally[i]) == 0;
        printf("%-12s %-10s %-20s ", rows_value(rows, r, 0), rows_value(rows, r, 1), verdict);
        if (here && *here)
            printf("here %s", here);
        if (published && *published)
            printf("%spublished %s", here && *here ? ", " : "", published);
        fputs("\n             ", stdout);
        escape_put(stdout, escape_terminal, rows_value(rows, r, 5) ? rows_value(rows, r, 5) : "");
        if (reason && *reason && (strcmp(verdict, "not comparable here") == 0 || strcmp(verdict, "explained") == 0)) {
            fputs(" (", stdout);
            escape_put(stdout, escape_terminal, reason);
            putchar(')');
        }
        putchar('\n');
    }
    for (size_t i = 0; i < LENGTH(tally); i++)
        printf("%s%zu %s", i > 0 ? ", " : "", count[i], tally[i]);
    putchar('\n');
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
    fclose(file);
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
    struct rows rows = {0};
    const bool text = arguments->format.chosen == FORMAT_TEXT, json = arguments->format.chosen == FORMAT_JSON;
    query_set(query, "claims", arguments->shown);
    if (!query_open(query))
        return EXIT_USAGE;
    sqlite3_set_authorizer(query->db, NULL, NULL);
    if (!query_run(query, "claims", "DROP TABLE IF EXISTS claims", NULL) ||
        query_csv_load_published(query->db, arguments->claims, "claims", stderr) != 0)
        return EXIT_USAGE;
    /* A user's file need not have this column. The statement fails, without harm, if the file has it. */
    sqlite3_exec(query->db, "ALTER TABLE claims ADD COLUMN explained TEXT", NULL, NULL, NULL);
    if (!query_run(query, "claims.sql", judge_sql, NULL) || !query_run(query, "claims",
                                                                       text   ? shown_sql
                                                                       : json ? json_sql
                                                                              : table_sql,
                                                                       &rows))
        return EXIT_USAGE;
    if (text)
        print_text(&rows);
    else if (json)
        puts(rows_value(&rows, 0, 0));
    else
        query_print_find("csv")->print(&rows, stdout);
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
    const char *why;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->format;
        return 0;
    case 'd':
        if ((why = hosts_add(&arguments->query.hosts, text)))
            argp_error(state, "%s: %s", text, why);
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

int claims_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"data", 'd', "FOLDER", 0, "folder of a host's results (default data/local); may be given several times", 0},
        {"claims", OPTION_CLAIMS, "FILE", 0, "file of the claims (default data/published/claims.csv)", 0},
        {0}};
    static const struct argp_child children[] = {{&options_format, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "[CLAIM...]",
        .doc = "Judges claims by the measured results of each host: reproduced, not reproduced, undecided (an interval "
               "lies on both sides), explained (the report tells why), or not comparable "
               "here.\vIf a host's folder holds claims.csv, as --format csv "
               "prints it, the exit code is 3 where a verdict has changed since. data/published/README.md explains "
               "the columns of a file of claims."};
    struct arguments arguments = {.claims = "data/published/claims.csv", .format.names = format_names};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    if (arguments.query.hosts.count == 0)
        hosts_add(&arguments.query.hosts, "data/local");
    for (size_t i = 0; i < arguments.query.hosts.count; i++) {
        const char *folder = arguments.query.hosts.host[i].folder;
        if (!folder_exists(folder)) {
            fprintf(stderr, "tilelab claims: %s: %s; --data names a folder with results\n", folder, strerror(errno));
            return EXIT_USAGE;
        }
    }
    if (!check_claims(arguments.claims, arguments.name, arguments.names))
        return EXIT_USAGE;
    arguments.shown = memory_copy("");
    for (size_t i = 0; i < arguments.names; i++)
        memory_append(&arguments.shown, "%s%s", i > 0 ? " " : "", arguments.name[i]);
    const enum exit_code code = judge(&arguments);
    free(arguments.shown);
    query_close(&arguments.query);
    return code;
}
