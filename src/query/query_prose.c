/* Paragraphs of experiment files as LaTeX. A formula may only hold what can print something: no command that reads,
 * writes or defines.
 * SPDX-License-Identifier: MIT */
#include "query_prose.h"

#include "base/bind.h"
#include "base/escape.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_command(const char *name, size_t length)
{
    static const char *const known[] = {"omega", "lambda", "varepsilon", "gamma", "pi",    "le",   "ge",   "ne",
                                        "times", "cdot",   "sqrt",       "frac",  "log",   "min",  "max",  "sum",
                                        "infty", "ldots",  "approx",     "left",  "right", "quad", "dots", "mathrm"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == length && memcmp(known[i], name, length) == 0)
            return true;
    return false;
}

/* Whether the formula of `length` characters holds letters, digits, signs and known commands only, with all braces
 * closed. TeX reads ^^5c as a backslash, so ^^ is no formula. */
static bool is_formula(const char *text, size_t length)
{
    int depth = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\') {
            size_t end = i + 1;
            while (end < length && isalpha((unsigned char)text[end]))
                end++;
            if (end == i + 1 && end < length && strchr(",;|", text[end]))
                end++;
            else if (!is_command(text + i + 1, end - i - 1))
                return false;
            i = end - 1;
        } else if (text[i] == '^' && i + 1 < length && text[i + 1] == '^') {
            return false;
        } else if (!isalnum((unsigned char)text[i]) && !strchr(" ^_+-=<>()[]/.,*'|{}:", text[i])) {
            return false;
        }
        depth += (text[i] == '{') - (text[i] == '}');
        if (depth < 0)
            return false;
    }
    return depth == 0 && length > 0;
}

static void put_escaped(sqlite3_str *out, const char *text, size_t length)
{
    char *part = sqlite3_mprintf("%.*s", (int)length, text);
    char *escaped = part ? escape_latex(part) : NULL;
    if (escaped)
        sqlite3_str_appendall(out, escaped);
    free(escaped);
    sqlite3_free(part);
}

static void prose(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(argument[0]);
    if (!text)
        return;
    sqlite3_str *out = sqlite3_str_new(NULL);
    while (*text) {
        const size_t plain = strcspn(text, "$`");
        put_escaped(out, text, plain);
        text += plain;
        const char *end = *text ? strchr(text + 1, *text) : NULL;
        const size_t inside = end ? (size_t)(end - text - 1) : 0;
        if (end && *text == '$' && is_formula(text + 1, inside)) {
            sqlite3_str_append(out, text, (int)inside + 2);
        } else if (end && *text == '`') {
            sqlite3_str_appendall(out, "\\texttt{");
            put_escaped(out, text + 1, inside);
            sqlite3_str_appendall(out, "}");
        } else if (*text) {
            put_escaped(out, text, 1);
            text++;
            continue;
        }
        text = end ? end + 1 : text;
    }
    char *result = sqlite3_str_finish(out);
    sqlite3_result_text(context, bind_blanks(result ? result : "", "~", true), -1, free);
    sqlite3_free(result);
}

int query_prose_add(sqlite3 *db)
{
    return sqlite3_create_function(db, "prose", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, prose, NULL, NULL);
}
