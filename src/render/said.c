/* Prints what the report says: conclusions, the sentences of studies, notes on the method, and captions.
 * SPDX-License-Identifier: MIT */
#include "said.h"

#include "base/memory.h"
#include "query/query_layout.h"

#include <stdlib.h>
#include <string.h>

/* What two lines of a caption hold, in thousandths of an em. */
enum { CAPTION_WIDTH = 105000 };

static char *expand(struct said *said, const struct choose_row *row)
{
    const struct texts_text *const text = texts_find_in(&row->source->head, "says", said->language);
    said->template.table = row->source->table;
    said->template.row = row->row;
    char *const result = text ? template_expand(&said->template, text) : NULL;
    said->template.table = NULL;
    said->template.row = NULL;
    return result;
}

/* Prints parts of a line, up to NULL. */
static void put(struct said *said, const char *const *parts)
{
    for (; *parts; parts++)
        fputs(*parts, said->out);
}
#define PUT(...) put(said, (const char *const[]){__VA_ARGS__, NULL})

static void put_row(struct said *said, const char *before, const struct choose_row *row, const char *behind)
{
    char *const text = expand(said, row);
    PUT(before, text ? text : "", behind);
    free(text);
}

static void put_host(struct said *said, const char *before, const char *host, const char *behind)
{
    char *const label = template_host(&said->template, host);
    PUT(before, label, behind);
    free(label);
}

/* Prints how many hosts of a class have no sentences. */
static void put_further(struct said *said, const char *before, size_t hosts, const char *behind)
{
    char number[24];
    if (hosts <= CHOOSE_HOSTS)
        return;
    snprintf(number, sizeof number, "%zu", hosts - CHOOSE_HOSTS);
    char *const text = template_word(&said->template, "furtherhosts", number);
    PUT(before, text, behind);
    free(text);
}

static char *question(struct said *said, const struct choose_source *source)
{
    const struct texts_text *text = NULL;
    if (strcmp(said->language, "en") != 0 || texts_find(&source->head, "asks"))
        text = texts_find_in(&source->head, "asks", said->language);
    if (!text)
        text = texts_find(&source->head, "shows");
    said->template.table = source->table;
    char *const result = template_expand(&said->template, text);
    said->template.table = NULL;
    return result;
}

/* What a question of the summary lacks where no row answers it. */
static char *lack(struct said *said, const struct choose_source *source)
{
    const struct texts_text *const text = texts_find_in(&source->head, "lacks", said->language);
    return text ? template_expand(&said->template, text) : NULL;
}

void said_check(struct said *said)
{
    for (size_t i = 0; i < said->choose->sources; i++) {
        const struct choose_row row = {&said->choose->source[i], NULL};
        if (!row.source->table)
            continue;
        free(expand(said, &row));
        if (!row.source->is_note)
            free(question(said, row.source));
        if (row.source->answer > 0)
            free(lack(said, row.source));
    }
}

static bool is_format(const struct said *said, const struct markup *markup)
{
    return said->template.markup == markup;
}

/* What stands around the parts of a conclusion. The name of a study, the evidence, stands between `shown_in` and
 * `shown`. */
struct layout {
    const struct markup *markup;
    const char *before, *asked, *sentence, *said, *behind, *shown_in, *shown;
};

/* Prints the labels of the figures and tables that may show what a finding says of a study: "KIND:STUDY.NAME" for each
 * "KIND NAME" of its text `evidence`. */
static void put_labels(struct said *said, const struct choose_source *source, const char *study)
{
    const struct texts_text *const text = texts_find(&source->head, "evidence");
    PUT("{");
    for (const char *at = text ? text->text : ""; *at;) {
        const int kind = (int)strcspn(at, " "), name = (int)strcspn(at + kind, ",");
        if (kind == 0 || name < 2)
            break;
        fprintf(said->out, "%s%.*s:%s.%.*s", at == text->text ? "" : ",", kind, at, study, name - 1, at + kind + 1);
        at += kind + name;
        at += strspn(at, ", ");
    }
    PUT("}");
}

/* Prints what a row of a conclusion says, and the study that shows it: in brackets before the full stop, or as a link
 * behind it. */
static void put_conclusion_row(struct said *said, const struct layout *layout, const struct choose_row *row)
{
    const char *const named = choose_fact(row, "study");
    const char *const study = *named ? named : choose_fact(row, "experiment");
    char *const text = expand(said, row);
    const size_t length = text ? strlen(text) : 0;
    const bool stops = length > 0 && text[length - 1] == '.' && !is_format(said, &markup_html);
    if (*study && stops)
        text[length - 1] = '\0';
    PUT(text ? text : "");
    if (*study) {
        PUT(layout->shown_in, study, layout->shown);
        if (said->template.markup->is_latex)
            put_labels(said, row->source, study);
        PUT(stops ? "." : "");
    }
    free(text);
}

static void put_lack(struct said *said, const struct layout *layout, const struct choose_source *source)
{
    char *const text = lack(said, source);
    PUT(layout->sentence, text ? text : "", layout->said);
    free(text);
}

static void put_conclusion(struct said *said, const struct layout *layout, const struct choose_source *source,
                           bool summary)
{
    const struct markup *const markup = said->template.markup;
    const bool names_hosts = summary || (said->choose->hosts && said->choose->hosts->rows != 1);
    const char *host = "";
    size_t hosts = 0;
    struct choose_row *rows;
    const size_t count = summary ? choose_answer(source, &rows) : choose_rows(source, &rows);
    char *const asked = question(said, source);
    PUT(layout->before, asked, layout->asked);
    free(asked);
    for (size_t i = 0; i < count; i++) {
        const char *const named = choose_fact(&rows[i], "host");
        const bool begins = names_hosts && strcmp(named, host) != 0;
        hosts += begins;
        host = named;
        if (hosts > CHOOSE_HOSTS)
            continue;
        PUT(layout->sentence);
        if (begins) {
            put_host(said, markup->emphasis.open, host, ".");
            PUT(markup->emphasis.close, " ");
        }
        put_conclusion_row(said, layout, &rows[i]);
        PUT(layout->said);
    }
    if (count == 0)
        put_lack(said, layout, source);
    PUT(hosts > CHOOSE_HOSTS ? layout->sentence : "");
    put_further(said, "", hosts, layout->said);
    PUT(layout->behind);
    free(rows);
}

void said_conclusions(struct said *said, bool summary)
{
    static const struct layout layouts[] = {
        {&markup_latex, "\\finding{", "?}{", "", " ", "}\n", "\\evidence{", "}"},
        {&markup_html, "<li><strong>", "?</strong> ", "", " ", "</li>\n", " <a href=\"study-", ".html\">→</a>"},
        {&markup_markdown, "- **", "?** ", "", " ", "\n", " (`", "`)"},
        {&markup_text, "", "?\n", "  ", "\n", "", " (", ")"},
    };
    const struct layout *layout = layouts;
    const struct choose_source *chosen[CHOOSE_MOST];
    const size_t count = choose_conclusions(said->choose, summary, chosen);
    while (!is_format(said, layout->markup))
        layout++;
    for (size_t i = 0; i < count; i++)
        put_conclusion(said, layout, chosen[i], summary);
}

/* Prints the sentences of a study or of the method on a host. Three sentences or more are a list. */
static void put_sentences(struct said *said, const char *host, const struct choose_row *rows, size_t count,
                          bool about_study)
{
    const struct markup *const markup = said->template.markup;
    const bool list = count > 2 && !markup->is_latex;
    const bool html = is_format(said, &markup_html);
    if (markup->is_latex) {
        put_host(said, about_study ? "\\hostfindings{" : "\\hostnotes{", host, "}{");
        for (size_t i = 0; i < count; i++)
            put_row(said, "\\said{", &rows[i], "}");
        PUT(about_study ? "}" : "}\n");
        return;
    }
    PUT(html ? "<p>" : "", markup->emphasis.open);
    put_host(said, "", host, ".");
    PUT(markup->emphasis.close, list ? html ? "</p><ul>" : "\n\n" : " ");
    for (size_t i = 0; i < count; i++)
        put_row(said, list ? html ? "<li>" : "- " : "", &rows[i], list ? html ? "</li>" : "\n" : " ");
    PUT(html ? list ? "</ul>" : "</p>" : "\n", html || list ? "\n" : "\n\n");
}

/* Prints what is said of a study, or of the method if it is NULL. `apart`: below the study's name, without what the
 * conclusions say. */
static void put_study(struct said *said, const char *study, bool apart)
{
    const struct facts_table *const hosts = said->choose->hosts;
    const bool html = is_format(said, &markup_html);
    size_t told = 0;
    for (size_t i = 0; hosts && i < hosts->rows; i++) {
        const char *const host = facts_value(hosts, &hosts->row[i], "host");
        struct choose_row *rows;
        size_t count = choose_said(said->choose, study, host, &rows), kept = 0;
        for (size_t r = 0; apart && r < count; r++)
            if (!choose_is_concluded(said->choose, &rows[r]))
                rows[kept++] = rows[r];
        count = apart ? kept : count;
        told += count > 0;
        if (count > 0 && told == 1 && apart && !said->template.markup->is_latex)
            PUT(html ? "<h2>" : "## ", study, html ? "</h2>\n" : "\n\n");
        if (count > 0 && (told <= CHOOSE_HOSTS || !study))
            put_sentences(said, host, rows, count, study != NULL);
        free(rows);
    }
    if (!study)
        return;
    if (said->template.markup->is_latex)
        put_further(said, "\\furtherfindings{", told, "}");
    else
        put_further(said, html ? "<p>" : "", told, html ? "</p>\n" : "\n");
}

void said_studies(struct said *said, const char *study)
{
    const char **studies;
    const size_t count = choose_studies(said->choose, &studies);
    for (size_t i = 0; i < count; i++) {
        if (study && strcmp(studies[i], study) != 0)
            continue;
        if (said->template.markup->is_latex)
            PUT("\\describe{study}{", studies[i], "}{");
        put_study(said, studies[i], !study);
        PUT(said->template.markup->is_latex ? "}\n" : "");
    }
    free(studies);
}

void said_method(struct said *said)
{
    put_study(said, NULL, false);
}

/* Prints what a text says of a row if the query has its fact. */
static void put_if(struct said *said, const struct choose_row *row, const char *fact, const char *text)
{
    if (!*choose_fact(row, fact))
        return;
    const struct texts_text piece = {"the table of what is undecided", 1, "row", memory_print("%s", text)};
    said->template.table = row->source->table;
    said->template.row = row->row;
    char *const expanded = template_expand(&said->template, &piece);
    said->template.table = NULL;
    said->template.row = NULL;
    PUT(expanded);
    free(expanded);
    free(piece.text);
}

/* Prints a row of the table of what is undecided: host, study, what is compared, ratio, cell. */
static void put_undecided(struct said *said, const struct choose_row *row)
{
    const bool latex = said->template.markup->is_latex;
    const char *const named = choose_fact(row, "study"), *const study = *named ? named : choose_fact(row, "experiment");
    PUT(latex ? "\\undecidedrow{" : "  ", choose_fact(row, "host"), latex ? "}{" : "  ", study, latex ? "}{" : "  ");
    if (*choose_fact(row, "variant"))
        put_if(said, row, "variant", "\\code{variant}");
    else
        put_if(said, row, "idea", "\\code{idea}");
    PUT(latex ? "}{" : "  ");
    put_if(said, row, "base", "\\code{base}");
    PUT(latex ? "}{" : "  ");
    put_if(said, row, "ratio", "\\ratio{}");
    if (template_is_clear(row->source->table, row->row, ""))
        put_if(said, row, "ratio", "\\judged");
    PUT(latex ? "}{" : "  ");
    put_if(said, row, "precision", "\\fact{precision}");
    put_if(said, row, "n", *choose_fact(row, "precision") ? ", $n = \\fact{n}$" : "$n = \\fact{n}$");
    put_if(said, row, "tile", "\\comparedtile");
    put_if(said, row, "threads", "\\comparedthreads");
    PUT(latex ? "}\n" : "\n");
}

/* Whether a host is among the first ones of a class, which have sentences. */
static bool is_near(const struct facts_table *hosts, const char *host)
{
    for (size_t i = 0; hosts && i < hosts->rows && i < CHOOSE_HOSTS; i++)
        if (strcmp(facts_value(hosts, &hosts->row[i], "host"), host) == 0)
            return true;
    return false;
}

/* Prints the question above the rows of what is undecided. */
static void put_question(struct said *said, const struct choose_source *source)
{
    const bool latex = said->template.markup->is_latex;
    char *const asked = question(said, source);
    PUT(latex ? "\\undecided{" : "", asked, latex ? "?}\n" : "?\n");
    free(asked);
}

void said_undecided(struct said *said)
{
    const bool latex = said->template.markup->is_latex;
    for (size_t i = 0; i < said->choose->sources; i++) {
        const struct choose_source *const source = &said->choose->source[i];
        struct choose_row *rows;
        const size_t count = source->is_note ? 0 : choose_undecided(source, &rows);
        bool asks = true; /* the question, above its first row */
        for (size_t r = 0; r < count; r++) {
            if (!is_near(said->choose->hosts, choose_fact(&rows[r], "host")))
                continue;
            if (asks)
                put_question(said, source);
            asks = false;
            put_undecided(said, &rows[r]);
        }
        if (!source->is_note)
            free(rows);
    }
    put_further(said, latex ? "\\undecided{" : "", said->choose->hosts ? said->choose->hosts->rows : 0,
                latex ? "}\n" : "\n");
}

/* The width of a text without markup. */
static size_t width_of(struct template template, const struct texts_text *text)
{
    template.markup = &markup_text;
    char *const said = template_expand(&template, text);
    const size_t width = query_layout_text_width(said, strlen(said));
    free(said);
    return width;
}

static bool is_of_host(const struct facts_table *table, size_t row, const char *host)
{
    const char *const its = facts_value(table, &table->row[row], "host");
    return its && strcmp(its, host) == 0;
}

/* Leaves out the last hosts of a table's rows, which the panels or the table below the caption have, until the caption
 * has room for the others. Returns whether it has left out any. */
static bool fit(const struct template *template, const struct texts_text *text, struct facts_table *table)
{
    const size_t rows = table->rows;
    struct template fitting = *template;
    fitting.table = table;
    while (table->rows > 0 && width_of(fitting, text) > CAPTION_WIDTH) {
        const char *const host = facts_value(table, &table->row[table->rows - 1], "host");
        size_t others = table->rows;
        while (others > 0 && host && is_of_host(table, others - 1, host))
            others--;
        if (others == 0 || others == table->rows)
            break;
        table->rows = others;
    }
    return table->rows < rows;
}

bool said_caption(struct said *said, const struct texts *head)
{
    struct template *const template = &said->template;
    const struct facts_table *const table = template->table;
    const bool is_caption = texts_find(head, "caption") != NULL;
    const struct texts_text *text = texts_find(head, "shows");
    if (is_caption || texts_find(head, "says"))
        text = texts_find_in(head, is_caption ? "caption" : "says", said->language);
    char *caption = text ? template_expand(template, text) : NULL;
    struct facts_table fitting;
    if (caption && is_caption && table && template->faults == 0) {
        fitting = *table;
        if (fit(template, text, &fitting)) {
            free(caption);
            template->table = &fitting;
            caption = template_expand(template, text);
            template->table = table;
        }
    }
    if (caption)
        PUT(caption, "\n");
    free(caption);
    return caption != NULL;
}
