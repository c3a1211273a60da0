/* Expands the texts of findings, notes and captions. SPDX-License-Identifier: MIT
 *
 * A text is LaTeX, with these commands. A word is a value as its query gives it; a text is the value in the language.
 *   \fact{f}                   the fact
 *   \code{f}                   the fact as a name of the program
 *   \iffact{f}{text}           the text if the fact has a value
 *   \nofact{f}{text}           the text if it has none
 *   \when{f}{word}{text}       the text if the fact is the word
 *   \whennot{f}{word}{text}    the text if it is not
 *   \plural{f}{one}{other}     the form that English has beside the number
 *   \forms{f}{1}{2}{5}         the form that Russian has beside the number; a fraction takes that of 2
 *   \range{least}{most}        two facts, or one if they are equal
 *   \ratio[p_]                 the fact p_ratio, its interval from p_low to p_high if it has one, and the marks
 *                              p_flagged; \bothcapped stands for that of the power limit
 *   \ratio[p_]{text}           the same with a text behind the interval, before \bothcapped
 *   \judged[p_]                what the verdict p_verdict takes away from a ratio, as a half-sentence, and why
 *   \speed                     what the ratio says of the cell against its base. The command stands between their
 *                              names, and \judged behind them, where it prints the ratio of two cells that are equally
 *                              fast
 *   \host                      the host of the facts
 *   \hostbrief{}               the host of the facts as a caption names it, whose panels and rows have the whole label
 *   \each{text}                the text for each row of a caption
 *   \anyfact{f}{text}          the text, once, if a row of a caption has the fact
 *   \NAME                      a word that the texts of the language share
 * A fact that the query lacks, and a command that is not known, is an error with file and line, also in a text that is
 * not chosen. No line breaks before a dash, nor between a number and its word or unit (bind_blanks). In LaTeX
 * all other commands go to the output; other formats know a few of them (markup_symbol). */
#ifndef TILELAB_RENDER_TEMPLATE_H
#define TILELAB_RENDER_TEMPLATE_H

#include "facts.h"
#include "markup.h"
#include "texts.h"
#include "query/words.h"

#include <stdbool.h>
#include <stddef.h>

/* What texts are expanded with. The caller sets the first part; the rest starts at zero. */
struct template
{
    const struct markup *markup;
    const struct texts *shared;      /* the words that the texts share */
    const struct words *words;       /* translates facts; NULL: English */
    const struct facts_table *hosts; /* a row for each host: host, local, device, limit; NULL: none is known */
    const struct facts_table *table; /* the facts that the text may use; NULL: any, and none has a value */
    const struct facts_row *row;     /* their values; NULL: none */

    /* While a text is expanded: */
    const char *argument; /* of a shared word: #1 */
    char *out;
    size_t length, room;
    int muted; /* texts that are not chosen */
    int depth; /* words within words */
    bool stands_behind, in_formula;
    size_t faults; /* of all texts so far */
};

/* Expands a text. The caller frees the result. Faults are told on standard error and counted. */
char *template_expand(struct template *template, const struct texts_text *text);
/* Whether the interval of a ratio, the facts ratio, low and high behind the prefix, allows a verdict. If the row has
 * none all the same, a time is in doubt, or of too few rounds or launches. */
bool template_is_clear(const struct facts_table *table, const struct facts_row *row, const char *prefix);
/* The same for a shared word, with its argument, which may be NULL. */
char *template_word(struct template *template, const char *name, const char *argument);
/* The label of a host. */
char *template_host(struct template *template, const char *host);

#endif
