/* Blanks at which a line of a text must not break. SPDX-License-Identifier: MIT */
#include "bind.h"

#include "memory.h"

#include <ctype.h>
#include <string.h>

static bool ends_with(const char *text, const char *end, const char *tail)
{
    const size_t length = strlen(tail);
    return (size_t)(end - text) >= length && memcmp(end - length, tail, length) == 0;
}

/* Whether a text ends with a letter of a word. LaTeX drops a blank behind a command, but no bound one. */
static bool ends_with_word(const char *text, const char *end)
{
    const char *start = end;
    while (start > text && isalpha((unsigned char)start[-1]))
        start--;
    if (start < end)
        return !ends_with(text, start, "\\");
    const unsigned char lead = end - text >= 2 ? (unsigned char)end[-2] : 0;
    return lead == 0xd0 || lead == 0xd1; /* a Cyrillic letter */
}

/* Whether a text goes on with a unit of time, of power or of a rate. */
static bool begins_with_unit(const char *text)
{
    static const char *const units[] = {"s", "ms", "µs", "ns", "W", "с", "мс", "мкс", "нс", "Вт"};
    static const char *const rates[] = {"FLOP/s", "op/s", "B/s", "ФЛОП/с", "оп/с", "Б/с"};
    const size_t length = strcspn(text, " ,;:.()[]{}$\\~");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (length == strlen(units[i]) && memcmp(text, units[i], length) == 0)
            return true;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (ends_with(text, text + length, rates[i]))
            return true;
    return false;
}

/* Whether the blank at a place of a text is bound. */
static bool is_bound(const char *text, const char *blank)
{
    static const char *const signs[] = {":", "=", "=$" /* of a formula of LaTeX */, "×"};
    if (strncmp(blank + 1, "—", strlen("—")) == 0 || strncmp(blank + 1, "= ", strlen("= ")) == 0)
        return true;
    if (blank > text && isdigit((unsigned char)blank[-1]) && begins_with_unit(blank + 1))
        return true;
    if (!isdigit((unsigned char)blank[1]))
        return false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (ends_with(text, blank, signs[i]))
            return true;
    return ends_with_word(text, blank);
}

char *bind_blanks(const char *text, const char *space, bool is_latex)
{
    bool in_formula = false;
    char *bound = memory_copy("");
    const char *start = text;
    for (const char *at = text; *at; at++) {
        in_formula ^= is_latex && *at == '$' && !ends_with(text, at, "\\");
        if (*at != ' ' || in_formula || !is_bound(text, at))
            continue;
        memory_append(&bound, "%.*s%s", (int)(at - start), start, space);
        start = at + 1;
    }
    memory_append(&bound, "%s", start);
    return bound;
}
