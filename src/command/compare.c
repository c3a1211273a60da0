/* `tilelab compare`: two variants or two revisions, which it measures; or the results of data folders, or of two
 * generations of a study, cell by cell.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/number.h"
#include "compare/compare.h"
#include "plan/study_file.h"
#include "plan/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* report/compare-folders.sql, which compares. */
static const char compare_sql[] =
#include "compare-called.sql.inc"
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
    " undecided, nullif(regressed, 0) AS regressed, nullif(fixed, 0) AS fixed,"
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
    "SELECT experiment, cell, variant, settings, base, other, base_status, status, base_s, s, speedup, low, high, p,"
    " verdict, other_machine, remark FROM pair UNION ALL"
    " SELECT experiment, cell, variant, settings, iif(has = other, NULL, has), iif(has = other, has, NULL), NULL, NULL,"
    " NULL, NULL, NULL, NULL, NULL, NULL, 'lacking', NULL, lacks || ': ' || reason"
    " FROM (SELECT k.*, l.label AS other FROM lacking k JOIN label l USING (side)) ORDER BY 1, 3, 4, 2, 6";
static const char json_sql[] =
    "SELECT json_object('base', (SELECT label FROM label WHERE side = 0), 'summary', (SELECT"
    " json_group_array(json_object('results', other, 'cells', cells, 'faster', faster, 'slower', slower, 'same', same,"
    " 'undecided', undecided, 'regressed', regressed, 'fixed', fixed, 'least', least, 'most', most, 'lacks', lacks,"
    " 'more', more, 'other_machine', other_machine, 'regressions', regressions)) FROM summary), 'cells', (SELECT"
    " json_group_array(json_object('experiment', experiment, 'cell', cell, 'variant', variant, 'settings', settings,"
    " 'results', other, 'base_status', base_status, 'status', status, 'base_s', base_s, 's', s, 'speedup', speedup,"
    " 'low', low, 'high', high, 'p', p, 'verdict', verdict, 'other_machine', json(iif(other_machine, 'true', 'false')),"
    " 'remark', remark)) FROM (SELECT * FROM pair ORDER BY experiment, variant, n, settings, cell, side)), 'lacking',"
    " (SELECT json_group_array(json_object('experiment', experiment, 'cell', cell, 'variant', variant, 'settings',"
    " settings, 'has', has, 'lacks', lacks, 'reason', reason)) FROM (SELECT * FROM lacking ORDER BY side, experiment,"
    " variant, n, settings, cell)), 'tests', tests, 'calls', calls, 'expected_false', false_ones) AS comparison"
    " FROM alarms";

static const char *const format_names[] = {"text", "json", "csv", "markdown", NULL};

enum { MOST_SIDES = 64 };

struct arguments {
    const char *side[MOST_SIDES];
    struct compare_asked asked;
    struct options_format format;
    char *study, *sizes;    /* owned; NULL: all studies, and the usual sizes */
    char *copy[MOST_SIDES]; /* of a side that is a revision: its temporary folder */
    size_t sides;
    struct query query;
};

/* ---- Printing ---- */

static bool print_report(struct arguments *arguments)
{
    struct query *query = &arguments->query;
    const int format = arguments->asked.format;
    char *shared = compare_print_value(query, shared_sql, 0);
    char head[512];
    snprintf(head, sizeof head, "Cells that both sides have%s%s", shared ? ", all with " : "", shared ? shared : "");
    free(shared);
    return compare_print_part(query, format, head, cells_sql) &&
           compare_print_part(query, format, "Cells that one side lacks", lacking_sql) &&
           compare_print_part(query, format, "Summary", summary_sql) && compare_print_alarms(query);
}

static bool print_json(struct query *query)
{
    char *text = compare_print_value(query, json_sql, 0);
    puts(text ? text : "{}");
    free(text);
    return true;
}

/* ---- The command line ---- */

enum { OPTION_EXP = 0x900, OPTION_FAIL_ABOVE, OPTION_AGAIN };

/* Reads "5%" as 0.05. */
static void read_threshold(struct arguments *arguments, const char *text, struct argp_state *state)
{
    const size_t length = strlen(text);
    double percent = 0;
    if (length < 2 || text[length - 1] != '%' || !number_read(text, length - 1, &percent) || !(percent >= 0))
        argp_error(state, "--fail-above takes a share such as 5%%, not '%s'", text);
    sqlite3_snprintf(sizeof arguments->asked.threshold, arguments->asked.threshold, "%.17g", percent / 100);
}

static bool is_generation(const char *text)
{
    int64_t number;
    return number_read_count(text, strlen(text), &number) && number > 0;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    struct experiments_arguments *run = &arguments->asked.run;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &run->data;
        state->child_inputs[1] = &arguments->format;
        state->child_inputs[2] = &run->profile;
        state->child_inputs[3] = run;
        return 0;
    case OPTION_EXP:
        free(arguments->study);
        arguments->study = study_file_name(text);
        arguments->asked.study = text;
        return 0;
    case 's':
        options_read_sizes("--sizes", text, AXIS_n, &(struct number_list){.count = 0}, state);
        free(arguments->sizes);
        arguments->sizes = memory_print("n=%s", text);
        return 0;
    case OPTION_AGAIN:
        run->again = AGAIN_ALL;
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
            argp_error(state, "name two variants, two data folders or more, two generations and --exp STUDY, or two "
                              "revisions and --exp STUDY");
        if (arguments->sizes)
            run->setting[run->settings++] = arguments->sizes;
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
    query_set(&arguments->query, "fail_above", arguments->asked.threshold);
    for (size_t i = 0; i < (generations ? 1 : arguments->sides); i++) {
        const char *folder = generations ? arguments->asked.run.data : arguments->side[i];
        const size_t before = arguments->query.hosts.count;
        const bool is_revision = !generations && compare_copy_asked(folder);
        char failure[512];
        if (is_revision)
            arguments->copy[i] = compare_copy(folder, failure, sizeof failure);
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
    char *first = compare_print_value(&arguments->query, sides_sql, 0),
         *others = compare_print_value(&arguments->query, sides_sql, 1);
    const size_t wanted = arguments->query.hosts.count > 1 ? arguments->query.hosts.count - 1 : 1;
    const bool all = first && others && atoi(first) == 1 && (size_t)atoi(others) == wanted;
    free(first);
    free(others);
    if (all)
        return true;
    char *empty = compare_print_value(&arguments->query, empty_sql, 0);
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

static enum exit_code compare_folders(struct arguments *arguments)
{
    struct query *query = &arguments->query;
    const struct compare_asked *asked = &arguments->asked;
    if (asked->run.settings + asked->run.onlys > 0 || asked->run.again || asked->run.dry_run || asked->run.seed ||
        isfinite(asked->run.budget_s)) {
        fputs("tilelab compare: results that are there are compared, and nothing is measured; --sizes, --set, --only, "
              "--again, --seed, --budget and --dry-run belong to two variants or revisions\n",
              stderr);
        return EXIT_USAGE;
    }
    if (!set_sides(arguments) || !query_open(query) ||
        !query_run(query, "report/compare-folders.sql", compare_sql, NULL) || !check_sides(arguments))
        return EXIT_USAGE;
    warn_changed(arguments);
    const int format = asked->format;
    if (!(format == COMPARE_CSV    ? compare_print_csv(query, csv_sql)
          : format == COMPARE_JSON ? print_json(query)
                                   : print_report(arguments)))
        return EXIT_USAGE;
    char *count = *asked->threshold ? compare_print_value(query, regressions_sql, 0) : NULL;
    const int regressions = count ? atoi(count) : 0;
    free(count);
    if (regressions == 0)
        return EXIT_OK;
    fprintf(stderr, "tilelab compare: %d cells have become slower beyond the threshold, or have regressed\n",
            regressions);
    return EXIT_CHANGED;
}

/* Tells why a text does not name a variant that could be compared. False. */
static bool complain(const char *text, bool several)
{
    if (several)
        escape_tell("tilelab compare: several problems have a variant '%s'; write PROBLEM/%s", text, text);
    else
        variants_complain(text);
    return false;
}

/* The variants that both sides name. False after a message where only one does, or the two cannot be compared. Both are
 * NULL where neither side is a variant. */
static bool find_variants(const struct arguments *arguments, const struct entry *found[2])
{
    bool several[2];
    const char *const *side = arguments->side;
    found[0] = compare_variants_find(side[0], NULL, &several[0]);
    found[1] = compare_variants_find(side[1], found[0] ? found[0]->problem : NULL, &several[1]);
    if (!found[0] && found[1])
        found[0] = compare_variants_find(side[0], found[1]->problem, NULL);
    for (int i = 0; i < 2; i++)
        if (!found[i] && (found[1 - i] || several[i]))
            return complain(side[i], several[i]);
    if (!found[0])
        return true;
    if (found[0] == found[1] || found[0]->problem != found[1]->problem) {
        fprintf(stderr, "tilelab compare: %s and %s are %s\n", found[0]->name, found[1]->name,
                found[0] == found[1] ? "one variant" : "variants of two problems");
        return false;
    }
    return true;
}

/* Two sides that are no folders are variants, generations or revisions. */
static enum exit_code compare(struct arguments *arguments)
{
    const struct entry *variant[2] = {NULL, NULL};
    const char *const *side = arguments->side;
    const bool numbers = arguments->study && is_generation(side[0]) && is_generation(side[1]);
    if (arguments->sides != 2 || numbers || folder_exists(side[0]) || folder_exists(side[1]))
        return compare_folders(arguments);
    if (!find_variants(arguments, variant))
        return EXIT_USAGE;
    if (variant[0])
        return compare_variants(&arguments->asked, variant[0], variant[1]);
    if (compare_revisions_know(side[0]) && compare_revisions_know(side[1]))
        return compare_revisions(&arguments->asked, side[0], side[1]);
    return compare_folders(arguments);
}

int compare_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"exp", OPTION_EXP, "STUDY", 0, "compare the cells of this study", 0},
        {"fail-above", OPTION_FAIL_ABOVE, "P%", 0,
         "exit with code 3 if a cell is slower by more than this share, or has regressed, on the same machine", 0},
        {"sizes", 's', "LIST", 0, "of two variants: orders n to measure (default 512)", 0},
        {"again", OPTION_AGAIN, NULL, 0,
         "of two variants: measure both again, though their results are there; so does --seed", 0},
        {0}};
    static const struct argp_child children[] = {{&options_data, 0, NULL, 0},
                                                 {&options_format, 0, NULL, 0},
                                                 {&options_profile, 0, NULL, 0},
                                                 {&options_measure, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "VARIANT VARIANT\nREVISION REVISION --exp STUDY\nDIR[@REVISION] DIR[@REVISION]...\n"
                    "GENERATION GENERATION --exp STUDY",
        .doc = "Measures two variants in the same rounds, unless such results are there, and says how many times as "
               "fast the first is as the second. Builds two revisions of the tree in git, and measures a study with "
               "both in turn. Or compares the results of data folders with those of the first folder, or two "
               "generations of one study. DIR@REVISION is the folder as git has it at that revision. "
               "Cells match by their identity. A cell is FASTER or SLOWER if the interval of the speed-up excludes 1, "
               "the speed-up exceeds 2 %, and the difference is no false alarm to be expected among so many cells. It "
               "is SAME if the interval lies within 2 %, and UNDECIDED otherwise. A cell is "
               "REGRESSED if only the first side has a correct result of it, and FIXED if only the other side "
               "has.\vTimes of another machine are marked and never count as a regression."};
    struct arguments arguments = {
        .asked =
            {
                .run = {.data = "data/local",
                        .profile = PROFILE_QUICK,
                        .budget_s = INFINITY,
                        .file = memory_allocate(1, sizeof *arguments.asked.run.file),
                        .opened = memory_allocate(1, sizeof *arguments.asked.run.opened),
                        .setting = memory_allocate((size_t)argc + 3, sizeof *arguments.asked.run.setting),
                        .only = memory_allocate((size_t)argc, sizeof *arguments.asked.run.only)},
            },
        .format.names = format_names};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    arguments.asked.format = arguments.format.chosen;
    const enum exit_code code = compare(&arguments);
    query_close(&arguments.query);
    for (size_t i = 0; i < arguments.sides; i++)
        compare_copy_remove(arguments.copy[i]);
    experiments_free(NULL, &arguments.asked.run);
    free(arguments.sizes);
    free(arguments.study);
    return code;
}
