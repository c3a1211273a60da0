/* `tilelab findings`: says in sentences what the results show.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"
#include "query/query_facts.h"
#include "render/facts_query.h"
#include "render/said.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_HTML, FORMAT_LATEX };
static const char *const format_names[] = {"text", "markdown", "html", "latex", NULL};
static const struct markup *const markups[] = {&markup_text, &markup_markdown, &markup_html, &markup_latex};

enum part { PART_CONCLUSIONS, PART_SUMMARY, PART_STUDIES, PART_UNDECIDED, PART_METHOD };
static const char *const part_names[] = {"conclusions", "summary", "studies", "undecided", "method", NULL};

struct arguments {
    struct query query;
    struct options_format format;
    const char *caption, *language, *report, *study, *text;
    enum part part;
    const char **file; /* of facts */
    size_t files;      /* 0: the facts of the data */
};

static bool get_facts(struct arguments *arguments, struct facts *facts)
{
    static const char *const files[] = {"findings/*.sql", "notes/*.sql", NULL};
    for (size_t i = 0; i < arguments->files; i++)
        if (!facts_read(facts, arguments->file[i]))
            return false;
    return arguments->files > 0 || arguments->caption || arguments->text ||
           facts_query(facts, &arguments->query, arguments->report, files);
}

static bool say_caption(struct said *said, const struct facts *facts, const char *path)
{
    struct texts head;
    bool right = texts_read_head(&head, path);
    char *const name = query_facts_name(path);
    said->template.table = facts_find(facts, name);
    free(name);
    if (right && !said_caption(said, &head)) {
        escape_tell("%s: error: the first line does not say what the file shows", path);
        right = false;
    }
    texts_free(&head);
    return right;
}

/* Expands a file, or standard input, line by line. */
static bool say_text(struct said *said, const char *path)
{
    FILE *const file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    struct texts_text text = {path, 0, "text", NULL};
    size_t room = 0;
    if (!file) {
        escape_tell("%s: error: %s", path, strerror(errno));
        return false;
    }
    while (getline(&text.text, &room, file) >= 0) {
        text.line++;
        text.text[strcspn(text.text, "\n")] = '\0';
        char *const line = template_expand(&said->template, &text);
        puts(line);
        free(line);
    }
    free(text.text);
    if (file != stdin)
        fclose(file);
    return true;
}

static bool say_part(struct said *said, const struct arguments *arguments)
{
    said_check(said);
    if (said->template.faults > 0)
        return false;
    if (arguments->study || arguments->part == PART_STUDIES)
        said_studies(said, arguments->study);
    else if (arguments->part == PART_UNDECIDED)
        said_undecided(said);
    else if (arguments->part == PART_METHOD)
        said_method(said);
    else
        said_conclusions(said, arguments->part == PART_SUMMARY);
    return true;
}

static bool say(struct arguments *arguments, const struct texts *shared, const struct facts *facts)
{
    struct choose choose = {0};
    struct said said = {.template = {.markup = markups[arguments->format.chosen],
                                     .shared = shared,
                                     .words = arguments->query.words,
                                     .hosts = facts_find(facts, "report/hostnames")},
                        .choose = &choose,
                        .language = arguments->language,
                        .out = stdout};
    bool right;
    if (arguments->caption)
        right = say_caption(&said, facts, arguments->caption);
    else if (arguments->text)
        right = say_text(&said, arguments->text);
    else
        right = choose_open(&choose, arguments->report, facts) && say_part(&said, arguments);
    choose_free(&choose);
    return right && said.template.faults == 0;
}

enum {
    OPTION_CAPTION = 256,
    OPTION_DATABASE,
    OPTION_FACTS,
    OPTION_LANGUAGE,
    OPTION_PART,
    OPTION_REPORT,
    OPTION_STUDY,
    OPTION_TEXT
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const struct {
        int key;
        const char **value;
    } texts[] = {{OPTION_CAPTION, &arguments->caption},   {OPTION_DATABASE, &arguments->query.database},
                 {OPTION_LANGUAGE, &arguments->language}, {OPTION_REPORT, &arguments->report},
                 {OPTION_STUDY, &arguments->study},       {OPTION_TEXT, &arguments->text}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (key == texts[i].key) {
            *texts[i].value = text;
            return 0;
        }
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->query.hosts;
        state->child_inputs[1] = &arguments->format;
        return 0;
    case OPTION_FACTS:
        arguments->file = memory_grow(arguments->file, arguments->files + 1, sizeof *arguments->file);
        arguments->file[arguments->files++] = text;
        return 0;
    case OPTION_PART:
        arguments->part = (enum part)options_find(text, part_names, "part", state);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is no option", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Reads the words of the language, and says. */
static enum exit_code run(struct arguments *arguments)
{
    struct facts facts = {0};
    struct texts shared = {0};
    const bool right = facts_query_language(&arguments->query, arguments->report, arguments->language, &shared) &&
                       get_facts(arguments, &facts) && say(arguments, &shared, &facts);
    facts_free(&facts);
    texts_free(&shared);
    return right ? EXIT_OK : EXIT_USAGE;
}

int findings_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"caption", OPTION_CAPTION, "FILE.sql", 0, "print the caption of a figure or a table, from --facts", 0},
        {"database", OPTION_DATABASE, "FILE", 0, "take the data from what `tilelab query --save` wrote", 0},
        {"facts", OPTION_FACTS, "FILE", 0,
         "take what `tilelab query --format facts` printed, and no data; may be given several times", 0},
        {"language", OPTION_LANGUAGE, "NAME", 0, "language of the sentences (default en)", 0},
        {"part", OPTION_PART, "NAME", 0,
         "conclusions (the default), summary, studies (what only the study says), undecided or method", 0},
        {"report", OPTION_REPORT, "FOLDER", 0,
         "folder with the findings (default: report here, else that of this program)", 0},
        {"study", OPTION_STUDY, "NAME", 0, "print what is said of this study alone", 0},
        {"text", OPTION_TEXT, "FILE", 0, "print a text of LaTeX in the format, line by line; -: standard input", 0},
        {0}};
    static const struct argp_child children[] = {{&options_hosts, 0, NULL, 0}, {&options_format, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .doc = "Says in sentences what the results show, as the report and the site do.\vThe sentences stand in the "
               "heads of report/findings/*.sql and report/notes/*.sql."};
    char *const report = folder_found("report", "report/findings");
    char *const published = folder_found("data/published", "data/published");
    struct arguments arguments = {
        .query.published = published, .format.names = format_names, .language = "en", .report = report};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    const bool reads_data = arguments.files == 0 && !arguments.query.database && !arguments.caption && !arguments.text;
    enum exit_code code = EXIT_USAGE;
    char *const sentences = memory_print("%s/findings", arguments.report);
    if (!folder_exists(sentences))
        escape_tell("tilelab findings: there is no folder %s; --report names the folder report/ of tilelab", sentences);
    else if (!reads_data || hosts_exist(&arguments.query.hosts, "findings"))
        code = run(&arguments);
    words_free(arguments.query.words);
    query_close(&arguments.query);
    free(arguments.file);
    free(sentences);
    free(published);
    free(report);
    return code;
}
