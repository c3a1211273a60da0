/* Expands the texts of findings, notes and captions. SPDX-License-Identifier: MIT */
#include "template.h"

#include "base/memory.h"
#include "base/raised.h"
#include "results/result.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A caption of more rows would be no caption. Words that mean each other would never end. */
enum { ROWS_MOST = 24, DEPTH_MOST = 16 };

/* A part of a text that is read. */
struct span {
    const struct texts_text *text;
    const char *at, *end;
};

static void expand(struct template *template, struct span span);
static void expand_word(struct template *template, const struct span *where, const char *name);

/* ---- output and faults ---- */

static void put_bytes(struct template *template, const char *bytes, size_t length)
{
    if (template->muted > 0)
        return;
    if (template->length + length + 1 > template->room) {
        template->room = 2 * (template->length + length) + 64;
        template->out = memory_grow(template->out, template->room, 1);
    }
    memcpy(template->out + template->length, bytes, length);
    template->length += length;
    template->out[template->length] = '\0';
}

static void put(struct template *template, const char *text)
{
    put_bytes(template, text, strlen(text));
}

/* Puts characters as a reader is to see them. */
static void put_plain(struct template *template, const char *text, size_t length)
{
    char *const piece = memory_print("%.*s", (int)length, text), *const escaped = template->markup->escape(piece);
    put(template, escaped);
    free(escaped);
    free(piece);
}

static void complain(struct template *template, const struct span *where, const char *kind, const char *what,
                     const char *name)
{
    int line = where->text->line;
    for (const char *at = where->text->text; at < where->at; at++)
        line += *at == '\n';
    escape_tell("%s:%d: %s: %s \"%s\"", where->text->path, line, kind, what, name);
    template->faults += strcmp(kind, "error") == 0;
}

/* ---- reading ---- */

static void skip_blanks(struct span *span)
{
    while (span->at < span->end && isspace((unsigned char)*span->at))
        span->at++;
}

/* Takes the group in braces that the span begins with, or its first character. */
static struct span take_group(struct span *span)
{
    skip_blanks(span);
    struct span group = *span;
    if (span->at == span->end || *span->at != '{') {
        group.end = span->at == span->end ? span->end : span->at + 1;
        span->at = group.end;
        return group;
    }
    int depth = 0;
    for (; span->at < span->end; span->at++) {
        if (*span->at == '\\' && span->at + 1 < span->end) {
            span->at++;
            continue;
        }
        depth += (*span->at == '{') - (*span->at == '}');
        if (depth == 0)
            break;
    }
    group.at++;
    group.end = span->at;
    span->at += span->at < span->end;
    return group;
}

static void copy_span(char *to, size_t size, const struct span *span)
{
    snprintf(to, size, "%.*s", (int)(span->end - span->at), span->at);
}

enum { NAME_SIZE = 64 };

/* Takes a group that is the name of a fact, or the word that a fact is compared with. */
static struct span take_name(struct span *span, char name[NAME_SIZE])
{
    const struct span group = take_group(span);
    copy_span(name, NAME_SIZE, &group);
    return group;
}

/* Takes the prefix in brackets, or none, and the empty group that ends a command. */
static void take_prefix(struct span *span, char prefix[NAME_SIZE])
{
    prefix[0] = '\0';
    const char *end;
    if (span->at < span->end && *span->at == '[' && (end = memchr(span->at, ']', (size_t)(span->end - span->at)))) {
        const struct span inside = {span->text, span->at + 1, end};
        copy_span(prefix, NAME_SIZE, &inside);
        span->at = end + 1;
    }
    if (span->end - span->at >= 2 && span->at[0] == '{' && span->at[1] == '}')
        span->at += 2;
}

/* ---- facts ---- */

/* The value of a fact; NULL: it has none. A fact that the query lacks is a fault. */
static const char *value_of(struct template *template, const struct span *where, const char *name)
{
    if (!template->table)
        return NULL;
    if (facts_column(template->table, name) < 0) {
        complain(template, where, "error", "the query lacks the fact", name);
        return NULL;
    }
    return template->row ? facts_value(template->table, template->row, name) : NULL;
}

static bool is_word(struct template *template, const struct span *where, const char *name, const char *word)
{
    const char *const value = value_of(template, where, name);
    return value && strcmp(value, word) == 0;
}

static void put_fact(struct template *template, const struct span *where, const char *name)
{
    const char *const value = value_of(template, where, name);
    if (value) {
        char *const shown = words_translate(template->words, value);
        put_plain(template, shown, strlen(shown));
        free(shown);
        return;
    }
    if (template->muted == 0 && template->row)
        complain(template, where, "warning", "no value for the fact", name);
    put(template, template->markup->dash);
}

/* Expands a text that is chosen, and reads through one that is not. */
static void expand_if(struct template *template, bool chosen, struct span span)
{
    template->muted += !chosen;
    expand(template, span);
    template->muted -= !chosen;
}

static void expand_word_if(struct template *template, bool chosen, const struct span *where, const char *name)
{
    template->muted += !chosen;
    expand_word(template, where, name);
    template->muted -= !chosen;
}

/* ---- commands ---- */

/* \iffact, \nofact */
static void put_whether(struct template *template, struct span *span, bool with)
{
    char name[NAME_SIZE];
    const struct span where = take_name(span, name);
    const bool has = value_of(template, &where, name) != NULL;
    expand_if(template, has == with, take_group(span));
}

static bool is_verdict(const char *word)
{
    static const char *const verdicts[] = {"faster", "slower", "same", "undecided", "single"};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (strcmp(word, verdicts[i]) == 0)
            return true;
    return false;
}

/* \when, \whennot */
static void put_when(struct template *template, struct span *span, bool equal)
{
    static const char verdict[] = "verdict";
    char name[NAME_SIZE], word[NAME_SIZE];
    const struct span where = take_name(span, name), compared = take_name(span, word);
    const size_t length = strlen(name), tail = sizeof verdict - 1;
    if (length >= tail && strcmp(name + length - tail, verdict) == 0 && !is_verdict(word))
        complain(template, &compared, "error", "this is no verdict:", word);
    const bool is = is_word(template, &where, name, word);
    expand_if(template, is == equal, take_group(span));
}

static void put_plural(struct template *template, struct span *span)
{
    char name[NAME_SIZE];
    const struct span where = take_name(span, name);
    const bool one = is_word(template, &where, name, "1");
    expand_if(template, one, take_group(span));
    expand_if(template, !one, take_group(span));
}

/* Which form a Russian word has beside a number: that of 1, 2 or 5. */
static int form_of(const char *number)
{
    const size_t digits = number ? strspn(number, "0123456789") : 0;
    if (digits > 0 && number[digits] == '.' && number[digits + strspn(number + digits, ".0123456789")] == '\0')
        return 2;
    if (digits == 0 || number[digits] != '\0')
        return 5;
    const long hundred = strtol(number + (digits > 2 ? digits - 2 : 0), NULL, 10), last = hundred % 10;
    if (hundred > 10 && hundred < 20)
        return 5;
    return last == 1 ? 1 : last >= 2 && last <= 4 ? 2 : 5;
}

static void put_forms(struct template *template, struct span *span)
{
    char name[NAME_SIZE];
    const struct span where = take_name(span, name);
    const int form = form_of(value_of(template, &where, name));
    expand_if(template, form == 1, take_group(span));
    expand_if(template, form == 2, take_group(span));
    expand_if(template, form == 5, take_group(span));
}

static void put_range(struct template *template, struct span *span)
{
    char least[NAME_SIZE], most[NAME_SIZE];
    const struct span low = take_name(span, least), high = take_name(span, most);
    const char *const from = value_of(template, &low, least), *const to = value_of(template, &high, most);
    put_fact(template, &low, least);
    if (from == to || (from && to && strcmp(from, to) == 0))
        return;
    put(template, template->markup->dash);
    put_fact(template, &high, most);
}

/* Puts a prefix and a name together. */
static const char *with(char whole[2 * NAME_SIZE], const char *prefix, const char *name)
{
    snprintf(whole, 2 * NAME_SIZE, "%s%s", prefix, name);
    return whole;
}

/* The row of a host in the table of hosts, or NULL. */
static const struct facts_row *row_of_host(const struct template *template, const char *host)
{
    for (size_t i = 0; template->hosts && host && i < template->hosts->rows; i++) {
        const char *const name = facts_value(template->hosts, &template->hosts->row[i], "host");
        if (name && strcmp(name, host) == 0)
            return &template->hosts->row[i];
    }
    return NULL;
}

/* Expands a word with the facts of a host. */
static void expand_of_host(struct template *template, const struct span *where, const char *host, const char *word)
{
    const struct facts_table *const table = template->table;
    const struct facts_row *const before = template->row;
    template->table = template->hosts;
    template->row = row_of_host(template, host);
    expand_word(template, where, word);
    template->table = table;
    template->row = before;
}

/* Puts the marks behind a ratio. Words stand in the place of the mark of the power limit: they also tell the limit. */
static void put_marks(struct template *template, const struct span *where, const char *marks)
{
    const char *const mark = raised(*result_flags[BIT_CAPPED].letter), *const at = strstr(marks, mark);
    put_plain(template, marks, at ? (size_t)(at - marks) : strlen(marks));
    if (!at)
        return;
    put_plain(template, at + strlen(mark), strlen(at + strlen(mark)));
    expand_of_host(template, where, value_of(template, where, "host"), "bothcapped");
}

static void put_ratio(struct template *template, struct span *span)
{
    char prefix[NAME_SIZE], name[2 * NAME_SIZE];
    const struct span where = *span;
    take_prefix(span, prefix);
    put_fact(template, &where, with(name, prefix, "ratio"));
    const bool has_interval = value_of(template, &where, with(name, prefix, "low")) != NULL;
    template->muted += !has_interval;
    put(template, " [");
    put_fact(template, &where, name);
    expand_word(template, &where, "betweennumbers");
    put_fact(template, &where, with(name, prefix, "high"));
    put(template, "]");
    template->muted -= !has_interval;
    const char *const marks = value_of(template, &where, with(name, prefix, "flagged"));
    if (marks)
        put_marks(template, &where, marks);
}

static void put_judged(struct template *template, struct span *span)
{
    char prefix[NAME_SIZE], name[2 * NAME_SIZE];
    const struct span where = *span;
    take_prefix(span, prefix);
    with(name, prefix, "verdict");
    if (is_word(template, &where, name, "same"))
        expand_word(template, &where, template->stands_behind && prefix[0] == '\0' ? "equalratio" : "judgedsame");
    else if (is_word(template, &where, name, "undecided"))
        expand_word(template, &where, "judgedundecided");
    else if (is_word(template, &where, name, "single"))
        expand_word(template, &where, "judgedsingle");
}

static void put_speed(struct template *template, struct span *span)
{
    char prefix[NAME_SIZE];
    const struct span where = *span;
    take_prefix(span, prefix);
    const bool same = is_word(template, &where, "verdict", "same");
    const bool slower = is_word(template, &where, "slower", "1");
    expand_word_if(template, same, &where, "isequal");
    expand_word_if(template, !same && slower, &where, "isslower");
    expand_word_if(template, !same && !slower, &where, "isfaster");
    template->stands_behind = true;
}

/* Puts a host as a sentence names it, or with its name alone. */
static void put_host(struct template *template, const struct span *where, const char *host, bool brief)
{
    const struct facts_row *const row = row_of_host(template, host);
    const char *const local = row ? facts_value(template->hosts, row, "local") : NULL;
    const bool is_local = local && strcmp(local, "1") == 0;
    if (!host || !row || (brief && !is_local)) {
        put_plain(template, host ? host : "", host ? strlen(host) : 0);
        return;
    }
    expand_of_host(template, where, host, is_local ? "thismachine" : "othermachine");
}

static void put_each(struct template *template, struct span *span)
{
    const struct span body = take_group(span);
    const struct facts_table *const table = template->table;
    const struct facts_row *const before = template->row;
    const size_t rows = template->muted == 0 && table ? table->rows : 0;
    for (size_t i = 0; i < rows && i < ROWS_MOST; i++) {
        template->row = &table->row[i];
        template->stands_behind = false;
        expand(template, body);
    }
    template->row = before;
    if (rows == 0)
        expand_if(template, false, body);
    if (rows > ROWS_MOST)
        put(template, template->markup->more);
}

static void put_any(struct template *template, struct span *span)
{
    char name[NAME_SIZE];
    const struct span where = take_name(span, name);
    bool any = value_of(template, &where, name) != NULL;
    for (size_t i = 0; template->table && i < template->table->rows; i++)
        any |= facts_value(template->table, &template->table->row[i], name) != NULL;
    expand_if(template, any, take_group(span));
}

/* Expands a command of the template. False if it is none. */
static bool put_command(struct template *template, struct span *span, const char *command)
{
    static const struct {
        const char *name;
        void (*put)(struct template *template, struct span *span);
    } commands[] = {{"plural", put_plural}, {"forms", put_forms}, {"range", put_range}, {"ratio", put_ratio},
                    {"judged", put_judged}, {"speed", put_speed}, {"each", put_each},   {"anyfact", put_any}};
    char name[NAME_SIZE];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(command, commands[i].name) == 0) {
            commands[i].put(template, span);
            return true;
        }
    if (strcmp(command, "fact") == 0 || strcmp(command, "code") == 0) {
        const struct span where = take_name(span, name);
        put(template, *command == 'c' ? template->markup->code.open : "");
        put_fact(template, &where, name);
        put(template, *command == 'c' ? template->markup->code.close : "");
    } else if (strcmp(command, "iffact") == 0 || strcmp(command, "nofact") == 0) {
        put_whether(template, span, *command == 'i');
    } else if (strcmp(command, "when") == 0 || strcmp(command, "whennot") == 0) {
        put_when(template, span, command[4] == '\0');
    } else if (strcmp(command, "host") == 0 || strcmp(command, "hostbrief") == 0) {
        const struct span where = *span;
        take_prefix(span, name);
        put_host(template, &where, value_of(template, &where, "host"), command[4] != '\0');
    } else if (template->shared && texts_find(template->shared, command)) {
        const struct span where = *span;
        take_prefix(span, name);
        expand_word(template, &where, command);
    } else {
        return false;
    }
    return true;
}

/* ---- LaTeX as another format ---- */

static void put_wrapped(struct template *template, const struct markup_pair *pair, struct span inside)
{
    put(template, pair->open);
    expand(template, inside);
    put(template, pair->close);
}

/* A command of LaTeX, which is left to LaTeX. */
static void put_foreign(struct template *template, struct span *span, const char *command)
{
    const struct markup *const markup = template->markup;
    const struct {
        const char *command;
        const struct markup_pair *pair;
    } wraps[] = {{"emph", &markup->emphasis}, {"textbf", &markup->strong}, {"texttt", &markup->code}};
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++)
        if (strcmp(command, wraps[i].command) == 0) {
            put_wrapped(template, wraps[i].pair, take_group(span));
            return;
        }
    const char *const symbol = markup_symbol(command);
    if (symbol)
        put_plain(template, symbol, strlen(symbol));
    else
        complain(template, span, "error", "no such command in this format:", command);
}

/* A character behind a backslash. */
static void put_control(struct template *template, char character)
{
    if (character == ',' || character == ';')
        put(template, template->markup->space);
    else if (character == '|')
        put_plain(template, "‖", strlen("‖"));
    else if (strchr(" \\\n", character))
        put(template, " ");
    else
        put_plain(template, &character, 1);
}

/* A character that LaTeX obeys, or prints as another one. */
static void put_special(struct template *template, struct span *span)
{
    const char character = *span->at++;
    if (character == '$') {
        template->in_formula = !template->in_formula;
    } else if (template->in_formula && (character == '^' || character == '_')) {
        put_wrapped(template, character == '^' ? &template->markup->raised : &template->markup->lowered,
                    take_group(span));
    } else if (character == '-') {
        size_t more = 0;
        for (; more < 2 && span->at < span->end && *span->at == '-'; span->at++)
            more++;
        put(template, more == 2 ? "—" : more == 1 ? "–" : template->in_formula ? "−" : "-");
    } else if (character == '~') {
        put(template, template->markup->space);
    } else if (character == '\'' || character == '`') {
        put(template, character == '`' ? "‘" : "’");
    } else if (character == '\n') {
        put(template, " ");
    } else if (!strchr("{}", character)) {
        put_plain(template, &character, 1);
    }
}

static void expand(struct template *template, struct span span)
{
    static const char special[] = "\\{}$~`'^_-#\n";
    const bool latex = template->markup->is_latex;
    while (span.at < span.end) {
        const char *const start = span.at;
        while (span.at < span.end && !strchr(special, *span.at))
            span.at++;
        if (latex)
            put_bytes(template, start, (size_t)(span.at - start));
        else
            put_plain(template, start, (size_t)(span.at - start));
        if (span.at == span.end)
            return;
        if (*span.at == '\\') {
            char command[NAME_SIZE];
            struct span name = {span.text, span.at + 1, span.at + 1};
            while (name.end < span.end && isalpha((unsigned char)*name.end))
                name.end++;
            copy_span(command, sizeof command, &name);
            const char *const backslash = span.at;
            span.at = name.end;
            if (name.end == name.at) {
                span.at += span.at < span.end;
                if (latex)
                    put_bytes(template, backslash, (size_t)(span.at - backslash));
                else
                    put_control(template, span.at[-1]);
                continue;
            }
            skip_blanks(&span);
            if (put_command(template, &span, command))
                continue;
            if (latex) {
                put_bytes(template, backslash, (size_t)(name.end - backslash));
                span.at = name.end;
            } else {
                put_foreign(template, &span, command);
            }
        } else if (*span.at == '#' && template->argument && span.at + 1 < span.end && span.at[1] == '1') {
            put_plain(template, template->argument, strlen(template->argument));
            span.at += 2;
        } else if (latex) {
            put_bytes(template, *span.at == '\n' ? " " : span.at, 1);
            span.at++;
        } else {
            put_special(template, &span);
        }
    }
}

static struct span span_of(const struct texts_text *text)
{
    return (struct span){text, text->text, text->text + strlen(text->text)};
}

static void expand_word(struct template *template, const struct span *where, const char *name)
{
    const struct texts_text *const word = template->shared ? texts_find(template->shared, name) : NULL;
    if (!word || template->depth == DEPTH_MOST) {
        complain(template, where, "error", word ? "words mean each other:" : "the language lacks the word", name);
        return;
    }
    template->depth++;
    expand(template, span_of(word));
    template->depth--;
}

/* ---- what callers see ---- */

static void begin(struct template *template)
{
    template->out = NULL;
    template->length = template->room = 0;
    template->stands_behind = template->in_formula = false;
    put(template, "");
}

char *template_expand(struct template *template, const struct texts_text *text)
{
    begin(template);
    if (strcmp(text->key, "shows") == 0)
        put_plain(template, text->text, strlen(text->text));
    else
        expand(template, span_of(text));
    return template->out;
}

char *template_word(struct template *template, const char *name, const char *argument)
{
    const struct texts_text nowhere = {template->shared->path, 1, "", ""};
    const struct span where = span_of(&nowhere);
    begin(template);
    template->argument = argument;
    expand_word(template, &where, name);
    template->argument = NULL;
    return template->out;
}

char *template_host(struct template *template, const char *host)
{
    const struct texts_text nowhere = {template->shared->path, 1, "", ""};
    const struct span where = span_of(&nowhere);
    begin(template);
    put_host(template, &where, host, false);
    return template->out;
}
