/* Fuzz target: escaping. No byte of a foreign text comes out with a meaning.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "base/escape.h"

#include <stdlib.h>
#include <string.h>

/* Whether the text is UTF-8 without control characters. */
static bool is_harmless(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        const int more = *at < 0x80 ? 0 : *at >= 0xc2 && *at < 0xe0 ? 1 : *at >= 0xe0 && *at < 0xf0 ? 2 : 3;
        if (*at < 0x20 || *at == 0x7f || (*at >= 0x80 && *at < 0xc2) || *at > 0xf4 || (*at == 0xc2 && at[1] < 0xa0))
            return false;
        at++;
        for (int i = 0; i < more; i++)
            if ((*at++ & 0xc0) != 0x80)
                return false;
    }
    return true;
}

/* Each brace and sign of LaTeX is behind a backslash, or belongs to a command of the table. */
static void need_latex(const char *text)
{
    int depth = 0;
    for (const char *at = text; *at; at++) {
        if (*at == '\\' && strchr("{}$&#_%", at[1]) && at[1]) {
            at++;
            continue;
        }
        if (*at == '\\')
            FUZZ_NEED(strncmp(at, "\\text", 5) == 0 || strncmp(at, "\\char34{}", 9) == 0);
        FUZZ_NEED(!strchr("$&#_%~^`<>|\"", *at));
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        FUZZ_NEED(depth == 0 || depth == 1);
    }
    FUZZ_NEED(depth == 0);
}

/* A string of gnuplot in single quotes ends at its last byte only. */
static void need_gnuplot(const char *text)
{
    const size_t length = strlen(text);
    FUZZ_NEED(length >= 2 && text[0] == '\'' && text[length - 1] == '\'');
    for (size_t i = 1; i + 1 < length; i++)
        if (text[i] == '\'')
            FUZZ_NEED(i + 2 < length && text[++i] == '\'');
}

/* What a shell makes of the word; the caller frees it. */
static char *shell_reads(const char *word)
{
    char *text = malloc(strlen(word) + 1), *to = text;
    FUZZ_NEED(text);
    if (strncmp(word, "$'", 2) == 0) {
        for (word += 2; *word != '\''; word++) {
            FUZZ_NEED(*word);
            if (*word == '\\' && word[1] >= '0' && word[1] <= '3') {
                *to++ = (char)strtol((char[]){word[1], word[2], word[3], 0}, NULL, 8);
                word += 3;
            } else {
                *to++ = *word == '\\' ? *++word : *word;
            }
        }
        FUZZ_NEED(word[1] == '\0');
    } else {
        for (bool quoted = false; *word; word++)
            if (*word == '\'')
                quoted = !quoted;
            else if (*word == '\\' && !quoted)
                *to++ = *++word;
            else
                *to++ = *word;
    }
    *to = '\0';
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    char *latex = escape_latex(text), *html = escape_html(text), *gnuplot = escape_gnuplot(text),
         *terminal = escape_terminal(text), *shell = escape_shell(text), *read = shell_reads(shell);
    FUZZ_NEED(is_harmless(latex) && is_harmless(html) && is_harmless(gnuplot) && is_harmless(terminal));
    need_latex(latex);
    need_gnuplot(gnuplot);
    FUZZ_NEED(strcspn(html, "<>\"'") == strlen(html));
    FUZZ_NEED(strcmp(read, text) == 0);
    free(latex);
    free(html);
    free(gnuplot);
    free(terminal);
    free(shell);
    free(read);
    escape_put(fuzz_nowhere(), escape_terminal, text);
    FUZZ_NEED(escape_width(text) <= strlen(text));
    free(text);
    return 0;
}
