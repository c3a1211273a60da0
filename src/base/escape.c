/* Makes text of others harmless for LaTeX, HTML, Markdown, gnuplot, the terminal and the shell.
 * SPDX-License-Identifier: MIT */
#include "escape.h"

#include "memory.h"
#include "raised.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct output {
    char *text;
    size_t length, room;
};

static void put(struct output *output, const char *piece, size_t length)
{
    if (output->length + length >= output->room) {
        output->room = 2 * (output->length + length) + 16;
        output->text = memory_grow(output->text, output->room, 1);
    }
    memcpy(output->text + output->length, piece, length);
    output->length += length;
    output->text[output->length] = '\0';
}

static void put_string(struct output *output, const char *piece)
{
    put(output, piece, strlen(piece));
}

enum { INVALID = -1 };

/* Decodes one character of UTF-8. *length tells how many bytes it takes; it is 1 for INVALID. */
static int32_t decode(const char *text, size_t *length)
{
    const unsigned char *byte = (const unsigned char *)text;
    static const struct {
        unsigned char mask, lead;
        int32_t lowest;
    } form[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};

    *length = 1;
    for (size_t more = 0; more < 4; more++) {
        if ((byte[0] & form[more].mask) != form[more].lead)
            continue;
        int32_t code = byte[0] & (unsigned char)~form[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((byte[i] & 0xc0) != 0x80)
                return INVALID;
            code = code << 6 | (byte[i] & 0x3f);
        }
        if (code < form[more].lowest || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
            return INVALID;
        *length = more + 1;
        return code;
    }
    return INVALID;
}

static bool is_control(int32_t code)
{
    return (code >= 0 && code < 0x20) || (code >= 0x7f && code < 0xa0);
}

/* Whether LaTeX can set a character that is not ASCII, with utf8 input, T1, TS1, and T2A for Russian letters. The file
 * report.tex defines the raised T of a transpose, the omega of a weight and signs of sizes. */
static bool latex_has(int32_t code)
{
    static const struct {
        int32_t first, last;
    } range[] = {{0xa0, 0x125},    {0x128, 0x137},   {0x139, 0x13e},   {0x141, 0x148},   {0x14a, 0x165},
                 {0x168, 0x17e},   {0x3c9, 0x3c9},   {0x1d40, 0x1d40}, {0x401, 0x401},   {0x410, 0x44f},
                 {0x451, 0x451},   {0x2013, 0x2014}, {0x2018, 0x201a}, {0x201c, 0x201e}, {0x2020, 0x2022},
                 {0x2026, 0x2026}, {0x2030, 0x2030}, {0x2039, 0x203a}, {0x20ac, 0x20ac}, {0x2116, 0x2116},
                 {0x2122, 0x2122}, {0x2212, 0x2212}, {0x2248, 0x2248}, {0x2264, 0x2264}};
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (code >= range[i].first && code <= range[i].last)
            return true;
    return false;
}

static const char *latex_ascii(char c)
{
    static const struct {
        char c;
        const char *as;
    } table[] = {{'\\', "\\textbackslash{}"},
                 {'{', "\\{"},
                 {'}', "\\}"},
                 {'$', "\\$"},
                 {'&', "\\&"},
                 {'#', "\\#"},
                 {'_', "\\_"},
                 {'%', "\\%"},
                 {'~', "\\textasciitilde{}"},
                 {'^', "\\textasciicircum{}"},
                 {'`', "\\textasciigrave{}"},
                 {'<', "\\textless{}"},
                 {'>', "\\textgreater{}"},
                 {'|', "\\textbar{}"},
                 {'"', "\\char34{}"}, /* active in Russian and German babel */
                 {'\t', " "},
                 {'\n', " "},
                 {'\r', " "}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].c == c)
            return table[i].as;
    return NULL;
}

char *escape_latex(const char *text)
{
    struct output output = {0};
    put(&output, "", 0);
    for (size_t length; *text; text += length) {
        const int32_t code = decode(text, &length);
        const char *as = code >= 0 && code < 0x80 ? latex_ascii(*text) : NULL;
        char number[24];
        if (as) {
            put_string(&output, as);
        } else if (raised_letter(code)) {
            snprintf(number, sizeof number, "$^{\\mathrm{%c}}$", raised_letter(code));
            put_string(&output, number);
        } else if (code == INVALID || is_control(code) || (code >= 0x80 && !latex_has(code))) {
            snprintf(number, sizeof number, code == INVALID ? "[0x%02X]" : "[U+%04X]",
                     code == INVALID ? (unsigned)(unsigned char)*text : (unsigned)code);
            put_string(&output, number);
        } else if (strchr("-',", *text) && text[1] == *text) {
            number[0] = *text; /* LaTeX would make one glyph of --, '' and ,, */
            memcpy(number + 1, "{}", 2);
            put(&output, number, 3);
        } else {
            put(&output, text, length);
        }
    }
    return output.text;
}

/* Puts a character that a terminal would obey, or an invalid byte, as visible text. */
static void put_visible(struct output *output, int32_t code, const char *text)
{
    char number[16];
    if (code == '\n' || code == '\t' || code == '\r')
        snprintf(number, sizeof number, "\\%c", code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
    else if (code == INVALID || code < 0x80)
        snprintf(number, sizeof number, "\\x%02x", (unsigned)(unsigned char)*text);
    else
        snprintf(number, sizeof number, "\\u%04x", (unsigned)code);
    put_string(output, number);
}

/* Whether a terminal may obey the character instead of showing it: controls, and marks of direction. */
static bool is_obeyed(int32_t code)
{
    return code == INVALID || is_control(code) || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f || code == 0x2028 || code == 0x2029;
}

/* How many bytes of printable ASCII the text begins with. */
static size_t plain_length(const char *text)
{
    size_t length = 0;
    while (text[length] >= ' ' && text[length] <= '~')
        length++;
    return length;
}

char *escape_terminal(const char *text)
{
    struct output output = {0};
    put(&output, "", 0);
    for (size_t length; *text; text += length) {
        length = plain_length(text);
        if (length > 0) {
            put(&output, text, length);
            continue;
        }
        const int32_t code = decode(text, &length);
        if (is_obeyed(code))
            put_visible(&output, code, text);
        else
            put(&output, text, length);
    }
    return output.text;
}

char *escape_shell(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./=,:+-@%^";
    struct output output = {0};
    bool obeyed = false;
    for (size_t at = 0, length; text[at]; at += length)
        obeyed |= is_obeyed(decode(text + at, &length));
    if (*text && text[strspn(text, plain)] == '\0') {
        put_string(&output, text);
        return output.text;
    }
    put_string(&output, obeyed ? "$'" : "'");
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        const char octal[] = {'\\', (char)('0' + byte / 64), (char)('0' + byte / 8 % 8), (char)('0' + byte % 8)};
        if (obeyed ? strchr(plain, *text) != NULL : byte != '\'')
            put(&output, text, 1);
        else if (obeyed)
            put(&output, octal, sizeof octal);
        else
            put_string(&output, "'\\''");
    }
    put_string(&output, "'");
    return output.text;
}

char *escape_gnuplot(const char *text)
{
    struct output output = {0};
    put(&output, "'", 1);
    for (size_t length; *text; text += length) {
        const int32_t code = decode(text, &length);
        if (*text == '\'') {
            put(&output, "''", 2);
        } else if (strchr("\\{}^_@&~", *text)) {
            const char piece[2] = {'\\', *text};
            put(&output, piece, 2);
        } else if (is_obeyed(code)) {
            put(&output, length == 1 && code != INVALID && code <= ' ' ? " " : "?", 1);
        } else {
            put(&output, text, length);
        }
    }
    put(&output, "'", 1);
    return output.text;
}

char *escape_html(const char *text)
{
    struct output output = {0};
    put(&output, "", 0);
    for (size_t length; *text; text += length) {
        const int32_t code = decode(text, &length);
        char number[24];
        if (*text == '\n' || *text == '\t' || *text == '\r') {
            put(&output, " ", 1);
        } else if (is_obeyed(code)) {
            snprintf(number, sizeof number, code == INVALID ? "[0x%02X]" : "[U+%04X]",
                     code == INVALID ? (unsigned)(unsigned char)*text : (unsigned)code);
            put_string(&output, number);
        } else if (strchr("&<>\"'", *text)) {
            snprintf(number, sizeof number, "&#%d;", *text);
            put_string(&output, number);
        } else {
            put(&output, text, length);
        }
    }
    return output.text;
}

char *escape_markdown(const char *text)
{
    struct output output = {0};
    char *const visible = escape_terminal(text);
    put(&output, "", 0);
    for (const char *at = visible; *at; at++) {
        put(&output, "\\", strchr("\\`*_{}[]<>#|~&", *at) != NULL);
        put(&output, at, 1);
    }
    free(visible);
    return output.text;
}

void escape_put(FILE *out, escape_function *escape, const char *text)
{
    char *escaped = escape(text);
    fputs(escaped, out);
    free(escaped);
}

void escape_tell(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    if (text)
        escape_put(stderr, escape_terminal, text);
    fputc('\n', stderr);
    free(text);
}

size_t escape_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}
