/* What LaTeX itself gives a meaning, in other formats. SPDX-License-Identifier: MIT */
#include "template_parts.h"

#include <string.h>

static void put_wrapped(struct template *template, const struct markup_pair *pair, struct template_span inside)
{
    template_put(template, pair->open);
    template_put_text(template, inside);
    template_put(template, pair->close);
}

void template_put_foreign(struct template *template, struct template_span *span, const char *command)
{
    const struct markup *const markup = template->markup;
    const struct {
        const char *command;
        const struct markup_pair *pair;
    } wraps[] = {{"emph", &markup->emphasis}, {"textbf", &markup->strong}, {"texttt", &markup->code}};
    for (size_t i = 0; i < sizeof wraps / sizeof *wraps; i++)
        if (strcmp(command, wraps[i].command) == 0) {
            put_wrapped(template, wraps[i].pair, template_take_group(span));
            return;
        }
    const char *const symbol = markup_symbol(command);
    if (symbol)
        template_put_plain(template, symbol, strlen(symbol));
    else
        template_complain(template, span, "error", "no such command in this format:", command);
}

void template_put_control(struct template *template, char character)
{
    if (character == ',' || character == ';')
        template_put(template, template->markup->space);
    else if (character == '|')
        template_put_plain(template, "‖", strlen("‖"));
    else if (strchr(" \\\n", character))
        template_put(template, " ");
    else
        template_put_plain(template, &character, 1);
}

void template_put_special(struct template *template, struct template_span *span)
{
    const char character = *span->at++;
    if (character == '$') {
        template->in_formula = !template->in_formula;
    } else if (template->in_formula && (character == '^' || character == '_')) {
        put_wrapped(template, character == '^' ? &template->markup->raised : &template->markup->lowered,
                    template_take_group(span));
    } else if (character == '-') {
        size_t more = 0;
        for (; more < 2 && span->at < span->end && *span->at == '-'; span->at++)
            more++;
        template_put(template, more == 2 ? "—" : more == 1 ? "–" : template->in_formula ? "−" : "-");
    } else if (character == '~') {
        template_put(template, template->markup->space);
    } else if (character == '\'' || character == '`') {
        template_put(template, character == '`' ? "‘" : "’");
    } else if (character == '\n') {
        template_put(template, " ");
    } else if (!strchr("{}", character)) {
        template_put_plain(template, &character, 1);
    }
}
