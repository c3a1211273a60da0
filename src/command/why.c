/* `tilelab why`: says what is known of a cell, and why it is as slow as it is.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/typed.h"
#include "plan/study_file.h"
#include "query/query_settings.h"
#include "render/facts_query.h"
#include "render/template.h"
#include "results/inventory.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 20 };

/* The texts of report/why.sql, a line each. */
static const char *const lines[] = {"cell", "outcome", "doubt", "state", "limit", "waits", "removal", "type"};
enum { LINES = sizeof lines / sizeof *lines };

struct arguments {
    struct query query;
    const char *language, *report, *cell;
    char *conditions;
};

enum { OPTION_LANGUAGE = 256, OPTION_REPORT };

static void take_word(struct arguments *arguments, const char *word, struct argp_state *state)
{
    char why[256];
    if (!arguments->cell) {
        arguments->cell = word;
        return;
    }
    if (!query_settings_check(word, why, sizeof why))
        argp_error(state, "%s", why);
    memory_append(&arguments->conditions, "%s%s", arguments->conditions ? " " : "", word);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->query.hosts;
        return 0;
    case OPTION_LANGUAGE:
        arguments->language = text;
        return 0;
    case OPTION_REPORT:
        arguments->report = text;
        return 0;
    case ARGP_KEY_ARG:
        take_word(arguments, text, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name a cell: its id, or a variant and settings, for example matmul/seq-ijk n=512");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Prints what is known of a cell: the texts that say something, all but the first behind blanks. */
static void say_cell(struct template *template, const struct texts *head, const char *language)
{
    for (size_t i = 0; i < LINES; i++) {
        const struct texts_text *const text = texts_find_in(head, lines[i], language);
        char *const said = text ? template_expand(template, text) : NULL;
        const char *const words = said ? said + strspn(said, " ") : "";
        if (*words && strcmp(words, "—") != 0) {
            fputs(i == 0 ? "" : "  ", stdout);
            escape_put(stdout, escape_terminal, words);
            putchar('\n');
        }
        free(said);
    }
}

static bool say(const struct arguments *arguments, const struct facts *facts, const struct texts *shared,
                const struct texts *head)
{
    const struct facts_table *const table = facts_find(facts, "report/why");
    struct template template = {.markup = &markup_text,
                                .shared = shared,
                                .words = arguments->query.words,
                                .hosts = facts_find(facts, "report/hostnames"),
                                .table = table};
    const size_t cells = table ? table->rows : 0;
    for (size_t r = 0; r < cells && r < CELLS_MOST; r++) {
        template.row = &table->row[r];
        fputs(r > 0 ? "\n" : "", stdout);
        say_cell(&template, head, arguments->language);
    }
    if (cells > CELLS_MOST)
        printf("\n%zu more cells; settings behind the variant choose some, as n=2048 threads=1\n", cells - CELLS_MOST);
    if (cells == 0)
        escape_tell("tilelab why: no cell is called '%s'%s%s" INVENTORY_REMEDY, arguments->cell,
                    arguments->conditions ? " with " : "", arguments->conditions ? arguments->conditions : "");
    return cells > 0 && template.faults == 0;
}

/* The option --data of each host, as JSON; the default folder needs none. The caller frees the text. */
static char *data_options(const struct hosts *hosts)
{
    json_t *const options = json_object();
    for (size_t i = 0; i < hosts->count; i++) {
        const struct hosts_folder *const host = &hosts->host[i];
        char *const quoted = escape_shell(host->folder);
        char *const option =
            strcmp(host->folder, "data/local") == 0 ? memory_copy("") : memory_print(" --data %s", quoted);
        json_object_set_new(options, host->name, json_string(option));
        free(option);
        free(quoted);
    }
    char *const text = json_dumps(options, 0);
    json_decref(options);
    return text;
}

/* The studies whose files `tilelab run` finds by their names, between blanks. The caller frees the text. */
static char *studies_here(void)
{
    struct study_file_names names = {NULL, 0};
    char *text = memory_copy(" ");
    study_file_names_add_files(&names);
    for (size_t i = 0; i < names.count; i++)
        memory_append(&text, "%s ", names.name[i]);
    study_file_names_free(&names);
    return text;
}

/* Reads the texts and the words of the language, asks the data, and says. */
static bool run(struct arguments *arguments)
{
    static const char *const files[] = {"why.sql", NULL};
    struct facts facts = {0};
    struct texts shared = {0}, head = {0};
    char *const sql = memory_print("%s/why.sql", arguments->report);
    char *const program = typed_program(), *const data = data_options(&arguments->query.hosts);
    char *const here = studies_here();
    query_set(&arguments->query, "program", program);
    query_set(&arguments->query, "data", data);
    query_set(&arguments->query, "here", here);
    query_set(&arguments->query, "cell", arguments->cell);
    query_set(&arguments->query, "conditions", arguments->conditions ? arguments->conditions : "");
    const bool right = facts_query_language(&arguments->query, arguments->report, arguments->language, &shared) &&
                       texts_read_head(&head, sql) &&
                       facts_query(&facts, &arguments->query, arguments->report, files) &&
                       say(arguments, &facts, &shared, &head);
    facts_free(&facts);
    texts_free(&shared);
    texts_free(&head);
    free(here);
    free(data);
    free(program);
    free(sql);
    return right;
}

int why_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"language", OPTION_LANGUAGE, "NAME", 0, "language of the sentences (default en)", 0},
        {"report", OPTION_REPORT, "FOLDER", 0, "folder with the sentences (default: that of this program)", 0},
        {0}};
    static const struct argp_child children[] = {{&options_hosts, 0, NULL, 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .children = children,
        .args_doc = "CELL [KEY=VALUE...]",
        .doc = "Says of each cell what was measured, what is in doubt, what bounds it and by how much, which variant "
               "removes this limit, and what to type.\vA CELL is the id of a cell, or its beginning, or a variant or "
               "a pattern of variants; settings behind a variant choose its cells: matmul/cuda-shared n=2048.\n\n"
               "The limit is the unit that works most, if it works at least half of the time. Counters of the GPU "
               "tell it, see `tilelab count`; without counters, the rate beside the measured ceilings does."};
    struct arguments arguments = {.query = {.published = "data/published", .journals = true}, .language = "en"};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    char *const installed = arguments.report ? NULL : folder_installed("report");
    if (!arguments.report)
        arguments.report = installed ? installed : "report";
    const bool right = hosts_exist(&arguments.query.hosts, "why") && run(&arguments);
    words_free(arguments.query.words);
    query_close(&arguments.query);
    free(arguments.conditions);
    free(installed);
    return right ? EXIT_OK : EXIT_USAGE;
}
