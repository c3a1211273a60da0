/* Expands the texts of findings, notes and captions. SPDX-License-Identifier: MIT */
#include "template_parts.h"

#include "base/bind.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Words that mean each other would never end. */
enum { DEPTH_MOST = 16 };

/* ---- output and faults ---- */

void template_put_bytes(struct template *template, const char *bytes, size_t length)
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

void template_put(struct template *template, const char *text)
{
    template_put_bytes(template, text, strlen(text));
}

void template_put_plain(struct template *template, const char *text, size_t length)
{
    char *const piece = memory_print("%.*s", (int)length, text), *const escaped = template->markup->escape(piece);
    template_put(template, escaped);
    free(escaped);
    free(piece);
}

void template_complain(struct template *template, const struct template_span *where, const char *kind, const char *what,
                       const char *name)
{
    int line = where->text->line;
    for (const char *at = where->text->text; at < where->at; at++)
        line += *at == '\n';
    escape_tell("%s:%d: %s: %s \"%s\"", where->text->path, line, kind, what, name);
    template->faults += strcmp(kind, "error") == 0;
}

/* ---- texts and words ---- */

void template_put_text(struct template *template, struct template_span span)
{
    static const char special[] = "\\{}$~`'^_-#\n";
    const bool latex = template->markup->is_latex;
    while (span.at < span.end) {
        const char *const start = span.at;
        while (span.at < span.end && !strchr(special, *span.at))
            span.at++;
        if (latex)
            template_put_bytes(template, start, (size_t)(span.at - start));
        else
            template_put_plain(template, start, (size_t)(span.at - start));
        if (span.at == span.end)
            return;
        if (*span.at == '\\') {
            char command[TEMPLATE_NAME_SIZE];
            struct template_span name = {span.text, span.at + 1, span.at + 1};
            while (name.end < span.end && isalpha((unsigned char)*name.end))
                name.end++;
            template_copy(command, sizeof command, &name);
            const char *const backslash = span.at;
            span.at = name.end;
            if (name.end == name.at) {
                span.at += span.at < span.end;
                if (latex)
                    template_put_bytes(template, backslash, (size_t)(span.at - backslash));
                else
                    template_put_control(template, span.at[-1]);
                continue;
            }
            template_skip_blanks(&span);
            if (template_put_command(template, &span, command))
                continue;
            if (latex) {
                template_put_bytes(template, backslash, (size_t)(name.end - backslash));
                span.at = name.end;
            } else {
                template_put_foreign(template, &span, command);
            }
        } else if (*span.at == '#' && template->argument && span.at + 1 < span.end && span.at[1] == '1') {
            template_put_plain(template, template->argument, strlen(template->argument));
            span.at += 2;
        } else if (latex) {
            template_put_bytes(template, *span.at == '\n' ? " " : span.at, 1);
            span.at++;
        } else {
            template_put_special(template, &span);
        }
    }
}

static struct template_span span_of(const struct texts_text *text)
{
    return (struct template_span){text, text->text, text->text + strlen(text->text)};
}

void template_put_word(struct template *template, const struct template_span *where, const char *name)
{
    const struct texts_text *const word = template->shared ? texts_find(template->shared, name) : NULL;
    if (!word || template->depth == DEPTH_MOST) {
        template_complain(template, where, "error", word ? "words mean each other:" : "the language lacks the word",
                          name);
        return;
    }
    template->depth++;
    template_put_text(template, span_of(word));
    template->depth--;
}

/* ---- what callers see ---- */

static void begin(struct template *template)
{
    template->out = NULL;
    template->length = template->room = 0;
    template->stands_behind = template->in_formula = false;
    template_put(template, "");
}

char *template_expand(struct template *template, const struct texts_text *text)
{
    begin(template);
    if (strcmp(text->key, "shows") == 0)
        template_put_plain(template, text->text, strlen(text->text));
    else
        template_put_text(template, span_of(text));
    char *const bound = bind_blanks(template->out, template->markup->space, template->markup->is_latex);
    free(template->out);
    template->out = NULL;
    return bound;
}

char *template_word(struct template *template, const char *name, const char *argument)
{
    const struct texts_text nowhere = {template->shared->path, 1, "", ""};
    const struct template_span where = span_of(&nowhere);
    begin(template);
    template->argument = argument;
    template_put_word(template, &where, name);
    template->argument = NULL;
    return template->out;
}

char *template_host(struct template *template, const char *host)
{
    const struct texts_text nowhere = {template->shared->path, 1, "", ""};
    const struct template_span where = span_of(&nowhere);
    begin(template);
    template_put_host(template, &where, host, false);
    return template->out;
}
