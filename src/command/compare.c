/* `tilelab compare`: the results of data folders, or of two generations of a study, cell by cell.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "table.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/tool.h"
#include "plan/study_file.h"
#include "query/query.h"
#include "query/query_print.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* report/compare-folders.sql, which compares. */
static const char compare_sql[] =
#include "compare-folders.sql.inc"
    ;

/* The columns of these tables have the names that the reader sees. */
static const char cells_sql[] =
    "SELECT iif((SELECT count(DISTINCT experiment) FROM shown) > 1, experiment, NULL) AS study, variant, settings,"
    " iif((SELECT count(*) FROM label) > 2, other, NULL) AS host, si(base_s, 's') AS before, si(s, 's') AS time,"
    " sig(speedup, 3) AS 'speed-up', sig(low, 3) || ' .. ' || sig(high, 3) AS interval, upper(verdict) AS verdict,"
    " remark FROM pair ORDER BY experiment, variant, n, settings, cell, side";
/* A study that a side lacks as a whole is one row. */
static const char lacking_sql[] =
    "WITH told AS (SELECT *, NOT EXISTS (SELECT 1 FROM shown o JOIN label l USING (side) WHERE l.label = lacks"
    " AND o.experiment = lacking.experiment) AS whole FROM lacking)"
    "SELECT lacks AS 'not in', iif((SELECT count(DISTINCT experiment) FROM shown) > 1, experiment, NULL) AS study,"
    " iif(whole, 'all ' || count(*) || ' cells', variant) AS variant, iif(whole, NULL, settings) AS settings, reason"
    " FROM told GROUP BY side, lacks, experiment, iif(whole, '', cell)"
    " ORDER BY side, lacks, experiment, variant, n, settings, cell";
static const char summary_sql[] =
    "SELECT (SELECT label FROM label WHERE side = 0) AS 'compared with', other AS results, cells, faster, slower, same,"
    " undecided, nullif(broken, 0) AS broken, nullif(mended, 0) AS mended,"
    " sig(least, 3) || ' .. ' || sig(most, 3) AS 'speed-ups', nullif(lacks, 0) AS lacks, nullif(more, 0) AS more,"
    " nullif(other_machine, 0) AS 'other machine' FROM summary ORDER BY side";
static const char shared_sql[] =
    "SELECT pick(told, (SELECT axes FROM shared)) AS shared FROM shown WHERE shared <> '' LIMIT 1";
static const char regressions_sql[] = "SELECT coalesce(sum(regressions), 0) AS regressions FROM summary";
static const char sides_sql[] = "SELECT count(*) FILTER (WHERE side = 0), count(*) FILTER (WHERE side > 0) FROM label";
static const char empty_sql[] = "SELECT ': ' || group_concat(host, ', ') FROM hosts"
                                " WHERE coalesce(:older, '') = '' AND host NOT IN (SELECT label FROM label)";
static const char changed_sql[] = "SELECT host, file FROM changed_files"
                                  " WHERE coalesce(:study, '') = '' OR experiment = :study ORDER BY host, file";
/* Rows for programs: all columns, and numbers with all their digits. */
static const char csv_sql[] =
    "SELECT experiment, cell, variant, settings, base, other, base_status, status, base_s, s, speedup, low, high,"
    " verdict, other_machine, remark FROM pair UNION ALL"
    " SELECT experiment, cell, variant, settings, iif(has = other, NULL, has), iif(has = other, has, NULL), NULL, NULL,"
    " NULL, NULL, NULL, NULL, NULL, 'lacking', NULL, lacks || ': ' || reason"
    " FROM (SELECT k.*, l.label AS other FROM lacking k JOIN label l USING (side)) ORDER BY 1, 3, 4, 2, 6";
static const char json_sql[] =
    "SELECT json_object('base', (SELECT label FROM label WHERE side = 0), 'summary', (SELECT"
    " json_group_array(json_object('results', other, 'cells', cells, 'faster', faster, 'slower', slower, 'same', same,"
    " 'undecided', undecided, 'broken', broken, 'mended', mended, 'least', least, 'most', most, 'lacks', lacks, 'more',"
    " more, 'other_machine', other_machine, 'regressions', regressions)) FROM summary), 'cells', (SELECT"
    " json_group_array(json_object('experiment', experiment, 'cell', cell, 'variant', variant, 'settings', settings,"
    " 'results', other, 'base_status', base_status, 'status', status, 'base_s', base_s, 's', s, 'speedup', speedup,"
    " 'low', low, 'high', high, 'verdict', verdict, 'other_machine', json(iif(other_machine, 'true', 'false')),"
    " 'remark', remark)) FROM (SELECT * FROM pair ORDER BY experiment, variant, n, settings, cell, side)), 'lacking',"
    " (SELECT json_group_array(json_object('experiment', experiment, 'cell', cell, 'variant', variant, 'settings',"
    " settings, 'has', has, 'lacks', lacks, 'reason', reason)) FROM (SELECT * FROM lacking ORDER BY side, experiment,"
    " variant, n, settings, cell))) AS comparison";

enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_MARKDOWN };
static const char *const format_names[] = {"text", "json", "csv", "markdown", NULL};

enum { MOST_SIDES = 64 };

struct arguments {
    const char *side[MOST_SIDES], *folder;
    char *study;            /* owned; NULL: all studies */
    char *copy[MOST_SIDES]; /* of a side that is a revision: its temporary folder */
    size_t sides;
    struct options_format format;
    char threshold[32]; /* a share as text; empty: every result is accepted */
    struct query query;
};

/* ---- Printing ---- */

/* Prints the rows of a statement below a line. Nothing is printed without rows. */
static bool print_part(struct arguments *arguments, const char *head, const char *sql)
{
    struct rows rows;
    if (!query_run(&arguments->query, "tilelab compare", sql, &rows))
        return false;
    if (rows.count > 0) {
        const bool markdown = arguments->format.chosen == FORMAT_MARKDOWN;
        printf(markdown ? "%s\n\n" : "%s\n", head);
        table_rows(&rows, markdown);
        putchar('\n');
    }
    rows_free(&rows);
    return true;
}

/* The first value of a statement, for free(); NULL where there is none. */
static char *value_of(struct query *query, const char *sql, size_t column)
{
    struct rows rows;
    char *text = NULL;
    if (query_run(query, "tilelab compare", sql, &rows) && rows.count > 0 && rows_value(&rows, 0, column))
        text = memory_copy(rows_value(&rows, 0, column));
    rows_free(&rows);
    return text;
}

static bool print_report(struct arguments *arguments)
{
    char *shared = value_of(&arguments->query, shared_sql, 0);
    char head[512];
    snprintf(head, sizeof head, "Cells that both sides have%s%s", shared ? ", all with " : "", shared ? shared : "");
    free(shared);
    return print_part(arguments, head, cells_sql) && print_part(arguments, "Cells that one side lacks", lacking_sql) &&
           print_part(arguments, "Summary", summary_sql);
}

static bool print_rows(struct arguments *arguments)
{
    struct rows rows;
    if (!query_run(&arguments->query, "tilelab compare", arguments->format.chosen == FORMAT_CSV ? csv_sql : json_sql,
                   &rows))
        return false;
    if (arguments->format.chosen == FORMAT_CSV)
        query_print_find("csv")->print(&rows, stdout);
    else
        puts(rows.count > 0 && rows_value(&rows, 0, 0) ? rows_value(&rows, 0, 0) : "{}");
    rows_free(&rows);
    return true;
}

/* ---- Results as they were at a revision of git ---- */

/* Whether a text is FOLDER@REVISION and no folder itself. */
static bool names_revision(const char *text)
{
    const char *at = strrchr(text, '@');
    return at && at > text && at[1] && !folder_exists(text);
}

/* Runs a program of PATH, argument[0]; false unless it ends well. */
static bool run_program(const char *argument[])
{
    char program[PATH_MAX];
    if (!tool_find(argument[0], false, program, sizeof program))
        return false;
    argument[0] = program;
    char *printed = tool_run(argument);
    free(printed);
    return printed != NULL;
}

/* The name of the temporary folder below `root`: that of the folder, with the revision. */
static char *name_below(const char *root, const char *folder, const char *revision)
{
    char *path = folder_absolute(folder);
    char *name = memory_print("%s@%s", path ? folder_last_parts(path, 1) : "results", revision);
    for (char *slash = name; (slash = strchr(slash, '/'));)
        *slash = '-';
    char *below = memory_print("%s/%s", root, name);
    free(name);
    free(path);
    return below;
}

/* Removes the temporary folder and frees the path; NULL: does nothing. */
static void remove_copy(char *folder)
{
    if (!folder)
        return;
    *strrchr(folder, '/') = '\0';
    folder_remove(folder);
    free(folder);
}

/* Copies the files of FOLDER, as they were at REVISION, to a temporary folder. Returns its path, which the caller hands
 * to remove_copy; NULL with one line in `why` on failure. */
static char *copy_revision(const char *text, char *why, size_t size)
{
    const char *revision = strrchr(text, '@') + 1;
    char root[PATH_MAX], *folder = memory_print("%.*s", (int)(revision - 1 - text), text), *below = NULL;
    char *archive = NULL;
    bool done = false;
    if (!folder_temporary("tilelab-revision", root, sizeof root)) {
        snprintf(why, size, "%.400s cannot be made: %s", root, strerror(errno));
    } else {
        below = name_below(root, folder, revision);
        archive = memory_print("--output=%s/archive.tar", root);
        /* A revision that begins with a dash is no option. */
        const char *pack[] = {"git", "-C", folder, "archive", archive, revision, NULL};
        const char *unpack[] = {"tar", "-xf", archive + strlen("--output="), "-C", below, NULL};
        done = *revision != '-' && mkdir(below, 0700) == 0 && run_program(pack) && run_program(unpack);
        if (!done) {
            snprintf(why, size, "git has no files of %s at the revision %s, or git or tar is missing", folder,
                     revision);
            remove_copy(below);
            below = NULL;
        }
    }
    free(archive);
    free(folder);
    return below;
}

/* ---- The command line ---- */

enum { OPTION_EXP = 0x100, OPTION_FAIL_ABOVE };

/* Reads "5%" as 0.05. */
static void read_threshold(struct arguments *arguments, const char *text, struct argp_state *state)
{
    const size_t length = strlen(text);
    double percent = 0;
    if (length < 2 || text[length - 1] != '%' || !number_read(text, length - 1, &percent) || !(percent >= 0))
        argp_error(state, "--fail-above takes a share such as 5%%, not '%s'", text);
    sqlite3_snprintf(sizeof arguments->threshold, arguments->threshold, "%.17g", percent / 100);
}

static bool is_generation(const char *text)
{
    int64_t number;
    return number_read_count(text, strlen(text), &number) && number > 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->folder;
        state->child_inputs[1] = &arguments->format;
        return 0;
    case OPTION_EXP:
        free(arguments->study);
        arguments->study = study_file_name(text);
        return 0;
    case OPTION_FAIL_ABOVE:
        read_threshold(arguments, text, state);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->sides == MOST_SIDES)
            argp_error(state, "compare takes at most %d folders", MOST_SIDES);
        arguments->side[arguments->sides++] = text;
        return 0;
    case ARGP_KEY_END:
        if (arguments->sides < 2)
            argp_error(state, "name two data folders or more, or two generations and --exp STUDY");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Two numbers with --exp are generations of the study; everything else is a folder. False after a message. */
static bool set_sides(struct arguments *arguments)
{
    const bool generations = arguments->study && arguments->sides == 2 && is_generation(arguments->side[0]) &&
                             is_generation(arguments->side[1]);
    query_set(&arguments->query, "study", arguments->study ? arguments->study : "");
    query_set(&arguments->query, "older", generations ? arguments->side[0] : "");
    query_set(&arguments->query, "newer", generations ? arguments->side[1] : "");
    query_set(&arguments->query, "fail_above", arguments->threshold);
    for (size_t i = 0; i < (generations ? 1 : arguments->sides); i++) {
        const char *folder = generations ? arguments->folder : arguments->side[i];
        const size_t before = arguments->query.hosts.count;
        const bool is_revision = !generations && names_revision(folder);
        char failure[512];
        if (is_revision)
            arguments->copy[i] = copy_revision(folder, failure, sizeof failure);
        const char *why = is_revision && !arguments->copy[i]
                              ? failure
                              : hosts_add(&arguments->query.hosts, is_revision ? arguments->copy[i] : folder);
        if (!why && arguments->query.hosts.count == before)
            why = "the folder is named twice";
        if (!why)
            continue;
        escape_tell("tilelab compare: %s: %s", folder, why);
        return false;
    }
    return true;
}

/* Whether every side has results. False after a message. */
static bool check_sides(struct arguments *arguments)
{
    char *first = value_of(&arguments->query, sides_sql, 0), *others = value_of(&arguments->query, sides_sql, 1);
    const size_t wanted = arguments->query.hosts.count > 1 ? arguments->query.hosts.count - 1 : 1;
    const bool all = first && others && atoi(first) == 1 && (size_t)atoi(others) == wanted;
    free(first);
    free(others);
    if (all)
        return true;
    char *empty = value_of(&arguments->query, empty_sql, 0);
    escape_tell("tilelab compare: no results on one side%s%s%s; `tilelab list --results --data DIR` and "
                "`tilelab show --generations` tell what there is",
                arguments->study ? " of " : "", arguments->study ? arguments->study : "", empty ? empty : "");
    free(empty);
    return false;
}

/* Warns of files that somebody changed after their run. */
static void warn_changed(struct arguments *arguments)
{
    struct rows rows;
    if (query_run(&arguments->query, "tilelab compare", changed_sql, &rows))
        for (size_t i = 0; i < rows.count; i++)
            escape_tell("warning: %s: %s was changed after its run, or a run has not ended", rows_value(&rows, i, 0),
                        rows_value(&rows, i, 1));
    rows_free(&rows);
}

static enum exit_code compare(struct arguments *arguments)
{
    if (!set_sides(arguments) || !query_open(&arguments->query) ||
        !query_run(&arguments->query, "report/compare-folders.sql", compare_sql, NULL) || !check_sides(arguments))
        return EXIT_USAGE;
    warn_changed(arguments);
    const bool table = arguments->format.chosen == FORMAT_TEXT || arguments->format.chosen == FORMAT_MARKDOWN;
    if (!(table ? print_report : print_rows)(arguments))
        return EXIT_USAGE;
    char *count = *arguments->threshold ? value_of(&arguments->query, regressions_sql, 0) : NULL;
    const int regressions = count ? atoi(count) : 0;
    free(count);
    if (regressions == 0)
        return EXIT_OK;
    fprintf(stderr, "tilelab compare: %d cells have become slower beyond the threshold, or are broken\n", regressions);
    return EXIT_CHANGED;
}

int compare_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"exp", OPTION_EXP, "STUDY", 0, "compare this study only", 0},
        {"fail-above", OPTION_FAIL_ABOVE, "P%", 0,
         "exit with code 3 if a cell is slower by more than this share, or broken, on the same machine", 0},
        {0}};
    static const struct argp_child children[] = {{&options_data, 0, NULL, 0}, {&options_format, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "DIR[@REVISION] DIR[@REVISION]...\nGENERATION GENERATION --exp STUDY",
        .doc = "Compares the results of data folders with those of the first folder, or two generations of one study. "
               "DIR@REVISION is the folder as git has it at that revision. "
               "Cells match by their identity. A cell is FASTER or SLOWER if the interval of the speed-up excludes 1 "
               "and the speed-up exceeds 2 %, SAME if the interval lies within 2 %, and UNDECIDED otherwise. A cell is "
               "BROKEN if only the first side has a correct result of it, and MENDED if only the other side "
               "has.\vTimes of another machine are marked and never count as a regression."};
    struct arguments arguments = {.folder = "data/local", .format.names = format_names};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    const enum exit_code code = compare(&arguments);
    query_close(&arguments.query);
    for (size_t i = 0; i < arguments.sides; i++)
        remove_copy(arguments.copy[i]);
    free(arguments.study);
    return code;
}
