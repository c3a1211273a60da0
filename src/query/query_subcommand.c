/* `tilelab query`: loads CSV files and run records into SQLite, then runs SQL files over them.
 * SPDX-License-Identifier: MIT */
#include "query.h"

#include "query_facts.h"
#include "query_load.h"
#include "query_marks.h"
#include "query_print.h"
#include "query_sources.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "Usage: tilelab query [OPTION...] FILE.sql|SQL|-...\n"
    "Runs SQL over results: files, statements such as 'SELECT ...', or the standard input (-). A line\n"
    "\"-- needs: FILE.sql...\" in the head of a file names files, in its folder, that run before it.\n"
    "Loads DIR/<experiment>.{results,archive,samples,history,timeline,counters}.csv and .run.json, and the tables of\n"
    "--published. Then runs the SQL in order and prints the rows of its SELECTs. What a folder holds that cannot be\n"
    "read, a row or a file, is left out. A warning and a row of the table left_out(host, file, line, what) name it.\n"
    "\n"
    "      --author FILE.yaml     the author of a report, as a table\n"
    "      --block HOST=LABEL     run the files once for each of these options, with :host set to HOST; the rows\n"
    "                             of the last SELECTs become one table with a block for each host\n"
    "      --data DIR             folder of a host's results (default data/local); may be given several times\n"
    "      --database FILE        read what --save wrote, in place of --data, --published, --experiments and\n"
    "                             --author; takes a time that does not grow with the data\n"
    "      --experiments DIR      take titles, texts, figures and tables of studies from the files in DIR, and\n"
    "                             not from the run records\n"
    "      --facts FILE           print the rows of the SELECT below a line \"-- facts\", which are facts for\n"
    "                             `tilelab findings`, to FILE\n"
    "      --format NAME          format of the output: tsv, csv, json, lines, latex, macros, html, gnuplot or\n"
    "                             facts (the rows of --facts, to the standard output) (default tsv)\n"
    "      --language NAME        print headings, fixed words, numbers and units in this language. A column X\n"
    "                             that has a companion X_NAME gives the text of X_NAME, as title_ru instead of\n"
    "                             title\n"
    "      --published DIR        folder of published tables (default data/published)\n"
    "      --save FILE            write everything that was loaded into FILE, an SQLite database; files of SQL\n"
    "                             are then not needed\n"
    "      --set NAME=VALUE       set the parameter :NAME of the SQL; may be given several times\n"
    "      --words FILE.csv       words of the language\n"
    "  -h, --help                 print this text\n"
    "\n"
    "Tables of the CSV files: results, archive, samples, history, timeline, counters. `tilelab columns` explains\n"
    "their columns. Each has the column host; samples, history and timeline also have the column experiment. Further\n"
    "columns of results:\n"
    "  side     CPU or GPU: what the cell ran on\n"
    "  idea     the variant's name without its problem\n"
    "  computes what is computed: the problem and its axes of the roles shape and condition\n"
    "  task     the same behind the mark of the physical machine; compare only cells of one task\n"
    "  solver   1: the cell ran a solver\n"
    "  vendor   1: a library did the work\n"
    "  halved   1: the variant computes one triangle of a symmetric result\n"
    "  probe    1: the runner added the cell to the study\n"
    "  stale    1: this program has another source of the variant; archive has this column too\n"
    "  unsound  1: the time has a flag that is a doubt or a lack\n"
    "  doubtful 1: the time is flagged or stale\n"
    "  flagged  the flags of the time as marked() takes them, remarks among them; archive has it too\n"
    "  weak     why the time gives no verdict: it is flagged, or of too few rounds or launches; NULL: it does\n"
    "  machine  the mark of the physical machine; where the row does not tell it, the hash of its kind of machine\n"
    "  settings the axes of the cell that have a value, as model() takes them; archive and counters have it too\n"
    "  square, conditions, usual, counts\n"
    "           1: all matrices are square; how many axes of the role condition are not in the usual state; 1: none;\n"
    "           1: the study measures speed; archive has these columns too\n"
    "Views: described has all results with the facts of their variants, which the table variant_facts has, and span,\n"
    "the time with its interval. cells has those of them that are verified and square, without added probes: take\n"
    "those that are usual and count. solves has the sweeps of each solver that converged, jacobi_sweeps those of\n"
    "Jacobi. cell_axis has a row for each axis of each cell: host, experiment, cell, axis, role, ord, value, text,\n"
    "label (what the name of a curve says of the axis), sort_key (text that orders as the values do). decades has the\n"
    "sweeps that divide a solver's residual by ten. terms tells of each cell whether its GPU was at its power limit,\n"
    "this limit in watts, and the clock.\n"
    "Tables of the run records: experiments, studied, variants, builds, figures, tables, libraries, devices and\n"
    "machine.\n"
    "Table changed_files: host, experiment, and file, which is not the file that the run record names.\n"
    "Table of --author, the file about the author of a report: author(key, value).\n"
    "Table marked_out, what somebody left out: host, experiment, and cell, or status and rows; reason.\n"
    "Table of `tilelab calibrate`: calibration, a row for each comparison of a cell with its twin.\n"
    "Tables of the program: hosts, axes, problems, backends, known (what the program itself knows of each variant;\n"
    "own_file is the copy of the source of a kernel from a folder of one's own).\n"
    "Table marks: the letters behind times and what they mean. Each published file is a table of its own.\n"
    "Functions: median(x), sig(x, digits), si(x, unit), latex(text), prose(text), html(text),\n"
    "ratio(x) and ratio(x, low, high), which print a ratio so that its verdict can be read off it,\n"
    "span(time, low, high), a time with its interval; ratio(a, b), ratio_low(a, b), ratio_high(a, b) and\n"
    "verdict(a, b, weak), which are those of the ratio of two spans,\n"
    "marked(text, flagged, ...), which puts the letters of flags behind the text of a number,\n"
    "all_flags(flagged, ...), which joins flags, doubt(flagged, ...), which is 1 where a flag is no remark,\n"
    "verdict(speedup, low, high, weak), which gives faster, slower, same, undecided or single (an end is NULL),\n"
    "log_error(low, high, rounds), the standard error of a time's logarithm, ratio_p(ratio, error, launches), its p,\n"
    "launch_ratio(x) and mean_ratio(x), which average ratios and give ratio, low, high and p as JSON,\n"
    "called_p(p), the greatest p-value of a difference that is called, error_rate(), the share of false ones among\n"
    "these, min_launches(), the launches that a verdict needs,\n"
    "translated(text), which gives the text in the language of --language,\n"
    "suits(settings, conditions), which is 1 if conditions such as 'tile=16|32 n<=4032' hold,\n"
    "matches(variant, patterns), which is 1 if one of patterns such as 'matmul/blas-* aat/*' matches,\n"
    "pick(settings, axes) and drop_axes(settings, axes), which give the settings of these or of all other axes, and\n"
    "model(variant, settings), which gives the bank model as JSON. Settings are values of axes, such as\n"
    "'precision=f32 n=64 tile=32'. An axis without a value has the default of the variant; m and k are n.\n"
    "`tilelab banks --help` lists the axes. known_model(variant, settings) is the same, and NULL where this program\n"
    "does not know the variant or a value, as in results of another version.\n";

static void print_rows(const struct query *query, const struct query_print_format *format, struct rows *rows)
{
    if (strcmp(format->name, "gnuplot") == 0)
        query_marks_show(rows, true); /* figures draw a time in doubt as a hollow point */
    words_translate_rows(query->words, format->translates, rows);
    if (format->drops_empty)
        rows_drop_empty(rows);
    format->print(rows, stdout);
}

static bool run_source(struct query *query, const struct query_source *source, const struct query_print_format *format)
{
    const char *at = source->text;
    query->facts_told = false;
    while (at && *query_statement_start(at)) {
        struct rows rows;
        at = query_run_statement(query, source->name, source->text, at, &rows);
        if (at && rows.columns > 0 && !query_take_facts(query, source->name, &rows))
            print_rows(query, format, &rows);
        rows_free(&rows);
    }
    query_close_facts(query, source->name);
    return at != NULL;
}

static int usage_error(const char *what, const char *word)
{
    fprintf(stderr, "tilelab query: %s%s%s\nTry `tilelab query --help' for more information.\n", what, word ? ": " : "",
            word ? word : "");
    return 2;
}

/* Runs the SQL once for each block, with :host set to the host of the block and with fresh temporary tables. Prints
 * the rows of the last SELECTs as one table with a block for each host. */
static bool run_blocks(struct query *query, const struct query_sources *sources,
                       const struct query_print_format *format)
{
    struct rows all = {0};
    bool ran = true;
    const size_t sets = query->sets;
    for (size_t b = 0; b < query->blocks && ran; b++) {
        struct rows rows = {0};
        query->sets = sets;
        if (!query_set(query, "host", query->block[b].host)) {
            usage_error("too many parameters", NULL);
            ran = false;
            break;
        }
        ran = b == 0 || query_reopen(query);
        for (size_t i = 0; i < sources->count && ran; i++) {
            rows_free(&rows);
            query->facts_told = false;
            ran = query_run(query, sources->source[i].name, sources->source[i].text, &rows);
            query_close_facts(query, sources->source[i].name);
        }
        rows_append(&all, &rows, query->block[b].label);
    }
    if (ran && all.columns > 0)
        print_rows(query, format, &all);
    rows_free(&all);
    return ran;
}

/* Where the value of an option goes that is a text; NULL: the option takes something else. */
static const char **text_of(struct query *query, const char *option)
{
    const struct {
        const char *option, **value;
    } texts[] = {{"author", &query->author},    {"database", &query->database}, {"experiments", &query->experiments},
                 {"facts", &query->facts_path}, {"language", &query->language}, {"published", &query->published},
                 {"save", &query->save},        {"words", &query->words_path}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(option, texts[i].option) == 0)
            return texts[i].value;
    return NULL;
}

/* Reads the options, and moves the files between them to argv[1] and on. Returns the number of files, or -1 minus the
 * exit code where the program ends. */
static int read_options(struct query *query, int argc, char **argv, const struct query_print_format **format)
{
    int files = 0, at = 1;
    while (at < argc) {
        if (argv[at][0] == '\0')
            return -1 - usage_error("an empty word is neither a file nor SQL", NULL);
        if (argv[at][0] != '-' || argv[at][1] == '\0') {
            argv[++files] = argv[at++];
            continue;
        }
        const char *option = argv[at] + (argv[at][1] == '-' ? 2 : 1);
        if (strcmp(argv[at], "-h") == 0 || strcmp(argv[at], "--help") == 0) {
            fputs(usage, stdout);
            return -1;
        }
        if (at + 1 >= argc)
            return -1 - usage_error("a value is missing after", argv[at]);
        char *value = argv[at + 1], *equals = strchr(value, '=');
        if (text_of(query, option)) {
            *text_of(query, option) = value;
        } else if (strcmp(option, "data") == 0) {
            const char *why = *value ? hosts_add(&query->hosts, value) : "the folder has an empty name";
            if (why)
                return -1 - usage_error(why, *value ? value : "--data");
        } else if (strcmp(option, "block") == 0) {
            if (!equals)
                return -1 - usage_error("not HOST=LABEL", value);
            *equals = '\0';
            query->block = memory_grow(query->block, query->blocks + 1, sizeof *query->block);
            query->block[query->blocks++] = (struct query_block){value, equals + 1};
        } else if (strcmp(option, "format") == 0) {
            if (!(*format = query_print_find(value)))
                return -1 - usage_error("unknown format", value);
            if (strcmp(value, "facts") == 0)
                query->facts = stdout;
        } else if (strcmp(option, "set") == 0) {
            if (!equals || equals == value || !query_set(query, value, equals + 1))
                return -1 - usage_error("not name=value, or too many", value);
            *equals = '\0';
        } else {
            return -1 - usage_error("unknown option", argv[at]);
        }
        at += 2;
    }
    return files;
}

int query_main(int argc, char **argv)
{
    struct query query = {.published = "data/published"};
    const struct query_print_format *format = query_print_find("tsv");
    const int files = read_options(&query, argc, argv, &format);
    if (files < 0)
        return -1 - files;
    if (files == 0 && !query.save)
        return usage_error("no SQL given", NULL);
    if (query.save && query.database)
        return usage_error("--save and --database exclude each other", NULL);
    /* A report, which saves what it loads, is also made of a machine without results. */
    if (!query.save && !hosts_exist(&query.hosts, "query"))
        return 2;
    if (query.hosts.count == 0)
        hosts_add(&query.hosts, "data/local");

    if (query.language && strcmp(query.language, "en") == 0)
        query.language = NULL;
    if (query.language) {
        if (!query.words_path)
            return usage_error("--words is missing for --language", query.language);
        query.words = words_read(query.words_path, query.language, stderr);
        if (!query.words)
            return 2;
    }
    if (strcmp(format->name, "gnuplot") == 0)
        words_print_gnuplot(query.words, stdout);
    if (query.facts_path && !(query.facts = fopen(query.facts_path, "we"))) {
        fprintf(stderr, "%s: error: %s\n", query.facts_path, strerror(errno));
        return 4;
    }

    if (query.save && unlink(query.save) != 0 && errno != ENOENT) {
        fprintf(stderr, "%s: error: %s\n", query.save, strerror(errno));
        return 4;
    }
    struct query_sources sources = {NULL, 0};
    bool ran = true;
    for (int i = 0; i < files && ran; i++)
        ran = query_sources_add_word(&sources, argv[1 + i]);
    query.many = query.save && files == 0; /* else the files may change what the views show */
    ran = ran && query_open(&query) && (!query.save || query_load_changes(&query, stderr));
    if (query.blocks > 0)
        ran = ran && run_blocks(&query, &sources, format);
    for (size_t i = 0; query.blocks == 0 && i < sources.count && ran; i++)
        ran = run_source(&query, &sources.source[i], format);
    query_close(&query);
    query_sources_free(&sources);
    free(query.block);
    words_free(query.words);
    /* main() tells a failure of the standard output. */
    if (query.facts_path && fclose(query.facts) != 0) {
        fprintf(stderr, "%s: error: %s\n", query.facts_path, strerror(errno));
        return 4;
    }
    return ran ? 0 : 2;
}
