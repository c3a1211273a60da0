/* The commands that a text may have, see template.h. SPDX-License-Identifier: MIT */
#include "template_parts.h"

#include "base/comparison.h"
#include "base/number.h"
#include "base/raised.h"
#include "results/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A caption of more rows would be no caption. */
enum { ROWS_MOST = 24 };

/* ---- facts ---- */

/* The value of a fact; NULL: it has none. A fact that the query lacks is a fault. */
static const char *value_of(struct template *template, const struct template_span *where, const char *name)
{
    if (!template->table)
        return NULL;
    if (facts_column(template->table, name) < 0) {
        template_complain(template, where, "error", "the query lacks the fact", name);
        return NULL;
    }
    return template->row ? facts_value(template->table, template->row, name) : NULL;
}

static bool is_word(struct template *template, const struct template_span *where, const char *name, const char *word)
{
    const char *const value = value_of(template, where, name);
    return value && strcmp(value, word) == 0;
}

static void put_fact(struct template *template, const struct template_span *where, const char *name)
{
    const char *const value = value_of(template, where, name);
    if (value) {
        char *const shown = words_translate(template->words, value);
        template_put_plain(template, shown, strlen(shown));
        free(shown);
        return;
    }
    if (template->muted == 0 && template->row)
        template_complain(template, where, "warning", "no value for the fact", name);
    template_put(template, template->markup->dash);
}

/* Expands a text that is chosen, and reads through one that is not. */
static void put_text_if(struct template *template, bool chosen, struct template_span span)
{
    template->muted += !chosen;
    template_put_text(template, span);
    template->muted -= !chosen;
}

static void put_word_if(struct template *template, bool chosen, const struct template_span *where, const char *name)
{
    template->muted += !chosen;
    template_put_word(template, where, name);
    template->muted -= !chosen;
}

/* ---- commands ---- */

/* \iffact, \nofact */
static void put_whether(struct template *template, struct template_span *span, bool with)
{
    char name[TEMPLATE_NAME_SIZE];
    const struct template_span where = template_take_name(span, name);
    const bool has = value_of(template, &where, name) != NULL;
    put_text_if(template, has == with, template_take_group(span));
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
static void put_when(struct template *template, struct template_span *span, bool equal)
{
    static const char verdict[] = "verdict";
    char name[TEMPLATE_NAME_SIZE], word[TEMPLATE_NAME_SIZE];
    const struct template_span where = template_take_name(span, name), compared = template_take_name(span, word);
    const size_t length = strlen(name), tail = sizeof verdict - 1;
    if (length >= tail && strcmp(name + length - tail, verdict) == 0 && !is_verdict(word))
        template_complain(template, &compared, "error", "this is no verdict:", word);
    const bool is = is_word(template, &where, name, word);
    put_text_if(template, is == equal, template_take_group(span));
}

static void put_plural(struct template *template, struct template_span *span)
{
    char name[TEMPLATE_NAME_SIZE];
    const struct template_span where = template_take_name(span, name);
    const bool one = is_word(template, &where, name, "1");
    put_text_if(template, one, template_take_group(span));
    put_text_if(template, !one, template_take_group(span));
}

/* The digits that a number begins with: "12", "12,345,678". */
static size_t digits_of(const char *number)
{
    size_t digits = strspn(number, "0123456789");
    while (digits > 0 && number[digits] == ',' && strspn(number + digits + 1, "0123456789") == 3)
        digits += 4;
    return digits;
}

/* Which form a Russian word has beside a number: that of 1, 2 or 5. */
static int form_of(const char *number)
{
    const size_t digits = number ? digits_of(number) : 0;
    if (digits > 0 && number[digits] == '.' && number[digits + strspn(number + digits, ".0123456789")] == '\0')
        return 2;
    if (digits == 0 || number[digits] != '\0')
        return 5;
    const long hundred = strtol(number + (digits > 2 ? digits - 2 : 0), NULL, 10), last = hundred % 10;
    if (hundred > 10 && hundred < 20)
        return 5;
    return last == 1 ? 1 : last >= 2 && last <= 4 ? 2 : 5;
}

static void put_forms(struct template *template, struct template_span *span)
{
    char name[TEMPLATE_NAME_SIZE];
    const struct template_span where = template_take_name(span, name);
    const int form = form_of(value_of(template, &where, name));
    put_text_if(template, form == 1, template_take_group(span));
    put_text_if(template, form == 2, template_take_group(span));
    put_text_if(template, form == 5, template_take_group(span));
}

static void put_range(struct template *template, struct template_span *span)
{
    char least[TEMPLATE_NAME_SIZE], most[TEMPLATE_NAME_SIZE];
    const struct template_span low = template_take_name(span, least), high = template_take_name(span, most);
    const char *const from = value_of(template, &low, least), *const to = value_of(template, &high, most);
    put_fact(template, &low, least);
    if (from == to || (from && to && strcmp(from, to) == 0))
        return;
    template_put(template, template->markup->dash);
    put_fact(template, &high, most);
}

/* Puts a prefix and a name together. */
static const char *with(char whole[2 * TEMPLATE_NAME_SIZE], const char *prefix, const char *name)
{
    snprintf(whole, 2 * TEMPLATE_NAME_SIZE, "%s%s", prefix, name);
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
static void expand_of_host(struct template *template, const struct template_span *where, const char *host,
                           const char *word)
{
    const struct facts_table *const table = template->table;
    const struct facts_row *const before = template->row;
    template->table = template->hosts;
    template->row = row_of_host(template, host);
    template_put_word(template, where, word);
    template->table = table;
    template->row = before;
}

/* Puts the marks behind a ratio, but that of the power limit. True if the ratio has it. */
static bool put_marks(struct template *template, const char *marks)
{
    const char *const mark = raised(*result_flags[BIT_CAPPED].letter), *const at = strstr(marks, mark);
    template_put_plain(template, marks, at ? (size_t)(at - marks) : strlen(marks));
    if (at)
        template_put_plain(template, at + strlen(mark), strlen(at + strlen(mark)));
    return at;
}

/* Whether one of the marks behind a ratio is more than a remark. */
static bool tells_doubt(const char *marks)
{
    for (int bit = 0; marks && bit < RESULT_FLAGS; bit++)
        if (result_flags[bit].kind != FLAG_IS_REMARK && strstr(marks, raised(*result_flags[bit].letter)))
            return true;
    return false;
}

/* The words behind a ratio stand before what tells of the power limit, which also tells the limit. */
static void put_ratio(struct template *template, struct template_span *span)
{
    char prefix[TEMPLATE_NAME_SIZE], name[2 * TEMPLATE_NAME_SIZE];
    const struct template_span where = *span;
    template_take_prefix(span, prefix);
    const bool worded = span->at < span->end && *span->at == '{';
    const struct template_span words = worded ? template_take_group(span) : (struct template_span){0};
    put_fact(template, &where, with(name, prefix, "ratio"));
    const bool has_interval = value_of(template, &where, with(name, prefix, "low")) != NULL;
    template->muted += !has_interval;
    template_put(template, " [");
    put_fact(template, &where, name);
    template_put_word(template, &where, "betweennumbers");
    put_fact(template, &where, with(name, prefix, "high"));
    template_put(template, "]");
    template->muted -= !has_interval;
    const char *const marks = value_of(template, &where, with(name, prefix, "flagged"));
    const bool capped = marks && put_marks(template, marks);
    if (worded) {
        template_put(template, " ");
        template_put_text(template, words);
    }
    if (capped)
        expand_of_host(template, &where, value_of(template, &where, "host"), "bothcapped");
}

bool template_is_clear(const struct facts_table *table, const struct facts_row *row, const char *prefix)
{
    static const char *const facts[] = {"ratio", "low", "high"};
    double number[3];
    for (int i = 0; i < 3; i++) {
        char name[2 * TEMPLATE_NAME_SIZE];
        with(name, prefix, facts[i]);
        const char *const text = facts_value(table, row, name);
        if (!text || !number_read(text, strlen(text), &number[i]))
            return false;
    }
    return comparison_of(number[0], number[1], number[2]) != COMPARISON_UNDECIDED;
}

static void put_judged(struct template *template, struct template_span *span)
{
    char prefix[TEMPLATE_NAME_SIZE], name[2 * TEMPLATE_NAME_SIZE];
    const struct template_span where = *span;
    template_take_prefix(span, prefix);
    with(name, prefix, "verdict");
    if (is_word(template, &where, name, "same"))
        template_put_word(template, &where, template->stands_behind && prefix[0] == '\0' ? "equalratio" : "judgedsame");
    else if (is_word(template, &where, name, "undecided") && template_is_clear(template->table, template->row, prefix))
        template_put_word(template, &where,
                          tells_doubt(value_of(template, &where, with(name, prefix, "flagged"))) ? "judgeddoubt"
                                                                                                 : "judgedfew");
    else if (is_word(template, &where, name, "undecided"))
        template_put_word(template, &where, "judgedundecided");
    else if (is_word(template, &where, name, "single"))
        template_put_word(template, &where, "judgedsingle");
}

static void put_speed(struct template *template, struct template_span *span)
{
    char prefix[TEMPLATE_NAME_SIZE];
    const struct template_span where = *span;
    template_take_prefix(span, prefix);
    const bool same = is_word(template, &where, "verdict", "same");
    const bool slower = is_word(template, &where, "slower", "1");
    put_word_if(template, same, &where, "isequal");
    put_word_if(template, !same && slower, &where, "isslower");
    put_word_if(template, !same && !slower, &where, "isfaster");
    template->stands_behind = true;
}

void template_put_host(struct template *template, const struct template_span *where, const char *host, bool brief)
{
    const struct facts_row *const row = row_of_host(template, host);
    const char *const local = row ? facts_value(template->hosts, row, "local") : NULL;
    const bool is_local = local && strcmp(local, "1") == 0;
    if (!host || !row || (brief && !is_local)) {
        template_put_plain(template, host ? host : "", host ? strlen(host) : 0);
        return;
    }
    expand_of_host(template, where, host, is_local ? "thismachine" : "othermachine");
}

static void put_each(struct template *template, struct template_span *span)
{
    const struct template_span body = template_take_group(span);
    const struct facts_table *const table = template->table;
    const struct facts_row *const before = template->row;
    const size_t rows = template->muted == 0 && table ? table->rows : 0;
    for (size_t i = 0; i < rows && i < ROWS_MOST; i++) {
        template->row = &table->row[i];
        template->stands_behind = false;
        template_put_text(template, body);
    }
    template->row = before;
    if (rows == 0)
        put_text_if(template, false, body);
    if (rows > ROWS_MOST)
        template_put(template, template->markup->more);
}

static void put_any(struct template *template, struct template_span *span)
{
    char name[TEMPLATE_NAME_SIZE];
    const struct template_span where = template_take_name(span, name);
    bool any = value_of(template, &where, name) != NULL;
    for (size_t i = 0; template->table && i < template->table->rows; i++)
        any |= facts_value(template->table, &template->table->row[i], name) != NULL;
    put_text_if(template, any, template_take_group(span));
}

bool template_put_command(struct template *template, struct template_span *span, const char *command)
{
    static const struct {
        const char *name;
        void (*put)(struct template *template, struct template_span *span);
    } commands[] = {{"plural", put_plural}, {"forms", put_forms}, {"range", put_range}, {"ratio", put_ratio},
                    {"judged", put_judged}, {"speed", put_speed}, {"each", put_each},   {"anyfact", put_any}};
    char name[TEMPLATE_NAME_SIZE];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(command, commands[i].name) == 0) {
            commands[i].put(template, span);
            return true;
        }
    if (strcmp(command, "fact") == 0 || strcmp(command, "code") == 0) {
        const struct template_span where = template_take_name(span, name);
        template_put(template, *command == 'c' ? template->markup->code.open : "");
        put_fact(template, &where, name);
        template_put(template, *command == 'c' ? template->markup->code.close : "");
    } else if (strcmp(command, "iffact") == 0 || strcmp(command, "nofact") == 0) {
        put_whether(template, span, *command == 'i');
    } else if (strcmp(command, "when") == 0 || strcmp(command, "whennot") == 0) {
        put_when(template, span, command[4] == '\0');
    } else if (strcmp(command, "host") == 0 || strcmp(command, "hostbrief") == 0) {
        const struct template_span where = *span;
        template_take_prefix(span, name);
        template_put_host(template, &where, value_of(template, &where, "host"), command[4] != '\0');
    } else if (template->shared && texts_find(template->shared, command)) {
        const struct template_span where = *span;
        template_take_prefix(span, name);
        template_put_word(template, &where, command);
    } else {
        return false;
    }
    return true;
}
