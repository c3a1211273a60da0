/* The words of tables and figures in another language than English.
 * SPDX-License-Identifier: MIT */
#include "words.h"

#include "query_marks.h"

#include "base/csv.h"
#include "base/escape.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 8 };

struct words {
    struct entry {
        char *from, *to;
        bool is_pattern;
    } * entry;
    size_t count;
    const char *decimal, *separator, *until; /* texts of entries */
};

static const char *exact(const struct words *words, const char *text)
{
    for (size_t i = 0; i < words->count; i++)
        if (!words->entry[i].is_pattern && strcmp(words->entry[i].from, text) == 0)
            return words->entry[i].to;
    return NULL;
}

struct words *words_read(const char *path, const char *language, FILE *diagnostics)
{
    struct csv csv;
    if (!csv_open(&csv, path)) {
        fprintf(diagnostics, "%s: error: %s\n", path, strerror(errno));
        return NULL;
    }
    struct words *words = memory_allocate(1, sizeof *words);
    int got = csv_read(&csv);
    const int from = got > 0 ? csv_find(&csv, "en") : -1, to = got > 0 ? csv_find(&csv, language) : -1;
    if (from < 0 || to < 0) {
        fprintf(diagnostics, "%s:1: error: there is no column '%s'\n", path, from < 0 ? "en" : language);
        got = -1;
    }
    while (got > 0 && (got = csv_read(&csv)) > 0) {
        const char *english = csv_field(&csv, from), *text = csv_field(&csv, to);
        if (!english || !text || exact(words, english)) {
            fprintf(diagnostics, "%s:%d: error: a text %s\n", path, csv.line,
                    english && text ? "stands here for the second time" : "is empty");
            got = -1;
            break;
        }
        words->entry = memory_grow(words->entry, words->count + 1, sizeof *words->entry);
        words->entry[words->count++] =
            (struct entry){memory_copy(english), memory_copy(text), strchr(english, '{') != NULL};
    }
    csv_close(&csv);
    if (got != 0) {
        words_free(words);
        return NULL;
    }
    words->decimal = exact(words, ".");
    words->separator = exact(words, ",");
    words->until = exact(words, "..");
    return words;
}

void words_free(struct words *words)
{
    for (size_t i = 0; words && i < words->count; i++) {
        free(words->entry[i].from);
        free(words->entry[i].to);
    }
    if (words)
        free(words->entry);
    free(words);
}

/* ---- numbers ---- */

/* The bytes of a number at the start of a text: "1.25", "1,234,567", "3e-05". A dot that ends a sentence or that
 * stands twice, as in a version, is no decimal point. */
static size_t number_length(const char *text)
{
    size_t at = strspn(text, "0123456789");
    if (at == 0)
        return 0;
    while (text[at] == ',' && strspn(text + at + 1, "0123456789") == 3)
        at += 4;
    if (text[at] == '.' && isdigit((unsigned char)text[at + 1])) {
        at += 1 + strspn(text + at + 1, "0123456789");
        if (text[at] == '.' && isdigit((unsigned char)text[at + 1]))
            return 0;
    }
    if (text[at] == 'e' && (text[at + 1] == '-' || text[at + 1] == '+') && isdigit((unsigned char)text[at + 2]))
        at += 2 + strspn(text + at + 2, "0123456789");
    return at;
}

/* The bytes of a sign that may stand between numbers. */
static size_t sign_length(const char *text)
{
    static const char *const signs[] = {"±", "×", "–", "≤", "≥", "≈", "·"};
    if (strchr(" []()+-/%<>=;:,", *text))
        return 1;
    if (text[0] == '.' && text[1] == '.')
        return 2;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i], strlen(signs[i])) == 0)
            return strlen(signs[i]);
    return query_marks_begin(text);
}

static void put_number(const struct words *words, sqlite3_str *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '.')
            sqlite3_str_appendall(out, words->decimal ? words->decimal : ".");
        else if (text[i] == ',')
            sqlite3_str_appendall(out, "\u00a0");
        else
            sqlite3_str_append(out, text + i, 1);
}

/* The unit that a text begins with, as the language writes it, and its bytes. NULL if there is none. */
static const char *unit_at(const struct words *words, const char *text, size_t *length)
{
    char unit[32];
    for (*length = 0; text[*length] && !strchr(" ,;()[]", text[*length]) && !query_marks_begin(text + *length);)
        ++*length;
    snprintf(unit, sizeof unit, " %.*s", (int)*length, text);
    const char *as = *length == 0 || *length > sizeof unit - 2 ? NULL : exact(words, unit);
    return as ? as + 1 : NULL;
}

/* A sign between numbers, as the language writes it. No line ends between a number and its unit. */
static void put_sign(const struct words *words, sqlite3_str *out, const char *text, size_t length, bool is_first)
{
    size_t unit;
    if (*text == ',' && words->separator)
        sqlite3_str_appendall(out, words->separator);
    else if (length == 2 && text[0] == '.' && words->until)
        sqlite3_str_appendall(out, words->until);
    else if (*text == '-' && is_first && isdigit((unsigned char)text[1]))
        sqlite3_str_appendall(out, "\u2212");
    else if (*text == ' ' && !is_first && unit_at(words, text + 1, &unit))
        sqlite3_str_appendall(out, "\u00a0");
    else
        sqlite3_str_append(out, text, (int)length);
}

/* A text of numbers, units and signs, and of at least one number, as the language writes it. NULL if the text holds
 * anything else. */
static char *numbers(const struct words *words, const char *text)
{
    sqlite3_str *out = sqlite3_str_new(NULL);
    size_t found = 0;
    while (*text) {
        size_t length = number_length(text);
        if (length && !isalpha((unsigned char)text[length])) {
            put_number(words, out, text, length);
            found++;
        } else if ((length = sign_length(text)) > 0) {
            put_sign(words, out, text, length, found == 0);
        } else {
            const char *as = unit_at(words, text, &length);
            if (!as || !found) {
                sqlite3_free(sqlite3_str_finish(out));
                return NULL;
            }
            sqlite3_str_appendall(out, as);
        }
        text += length;
    }
    char *made = sqlite3_str_finish(out);
    char *copy = found ? memory_copy(made) : NULL;
    sqlite3_free(made);
    return copy;
}

/* ---- patterns and parts ---- */

struct place {
    const char *text;
    size_t length;
};

static char *part_of(const struct place *place)
{
    return memory_print("%.*s", (int)place->length, place->text);
}

static bool is_numeric(const struct words *words, const struct place *place)
{
    char *part = part_of(place), *as = numbers(words, part);
    free(part);
    free(as);
    return as != NULL;
}

/* Whether a text matches a pattern; the parts at its places are then in `place`. */
static bool matches(const struct words *words, const char *pattern, const char *text, struct place place[PLACES_MAX],
                    size_t *places)
{
    *places = 0;
    for (;;) {
        const size_t plain = strcspn(pattern, "{");
        if (strncmp(pattern, text, plain) != 0)
            return false;
        pattern += plain;
        text += plain;
        if (!*pattern)
            return !*text;
        const bool of_numbers = pattern[1] == '#';
        pattern += of_numbers ? 3 : 2;
        const size_t next = strcspn(pattern, "{");
        char literal[128];
        snprintf(literal, sizeof literal, "%.*s", (int)next, pattern);
        const char *end = next ? strstr(text + (*text != '\0'), literal) : text + strlen(text);
        while (end && next && !pattern[next] && end[next]) /* the last piece ends the text */
            end = strstr(end + 1, literal);
        if (!end || end == text || *places == PLACES_MAX)
            return false;
        place[*places] = (struct place){text, (size_t)(end - text)};
        if (of_numbers && !is_numeric(words, &place[*places]))
            return false;
        ++*places;
        text = end;
    }
}

static void put_place(const struct words *words, sqlite3_str *out, const struct place *place)
{
    char *part = part_of(place), *as = words_translate(words, part);
    sqlite3_str_appendall(out, as);
    free(as);
    free(part);
}

static char *finish(sqlite3_str *out)
{
    char *made = sqlite3_str_finish(out), *copy = memory_copy(made ? made : "");
    sqlite3_free(made);
    return copy;
}

static char *fill(const struct words *words, const char *pattern, const struct place *place, size_t places)
{
    sqlite3_str *out = sqlite3_str_new(NULL);
    for (size_t i = 0; *pattern;) {
        const size_t plain = strcspn(pattern, "{"), close = strcspn(pattern + plain, "}");
        sqlite3_str_append(out, pattern, (int)plain);
        pattern += plain;
        if (!*pattern || !pattern[close])
            break;
        const size_t index = isdigit((unsigned char)pattern[1]) ? (size_t)(pattern[1] - '1') : i++;
        if (index < places)
            put_place(words, out, &place[index]);
        pattern += close + 1;
    }
    return finish(out);
}

static char *by_pattern(const struct words *words, const char *text)
{
    for (size_t i = 0; i < words->count; i++) {
        struct place place[PLACES_MAX];
        size_t places;
        if (words->entry[i].is_pattern && matches(words, words->entry[i].from, text, place, &places))
            return fill(words, words->entry[i].to, place, places);
    }
    return NULL;
}

/* The first ", " or "; " of a text that stands outside of brackets, or NULL. */
static const char *split(const char *text)
{
    int depth = 0;
    for (; *text; text++) {
        depth += (*text == '(' || *text == '[') - (*text == ')' || *text == ']');
        if (depth == 0 && (*text == ',' || *text == ';') && text[1] == ' ')
            return text;
    }
    return NULL;
}

/* Whether a part between commas is of numbers, one of them with a decimal sign: the sign may be a comma too. */
static bool has_fraction(const struct words *words, const char *text)
{
    for (;;) {
        const char *comma = split(text);
        const size_t length = comma ? (size_t)(comma - text) : strlen(text);
        if (memchr(text, '.', length) && is_numeric(words, &(struct place){text, length}))
            return true;
        if (!comma)
            return false;
        text = comma + 2;
    }
}

/* A text without marks at its end. */
static char *translate_plain(const struct words *words, const char *text)
{
    const char *whole = words ? exact(words, text) : text;
    if (whole)
        return memory_copy(whole);
    char *as = numbers(words, text);
    if (!as)
        as = by_pattern(words, text);
    const char *comma = as ? NULL : split(text);
    if (!comma)
        return as ? as : memory_copy(text);
    sqlite3_str *out = sqlite3_str_new(NULL);
    const bool unclear = words->separator && has_fraction(words, text);
    for (; comma; comma = split(text)) {
        put_place(words, out, &(struct place){text, (size_t)(comma - text)});
        sqlite3_str_appendall(out, *comma == ',' && unclear ? words->separator : *comma == ',' ? "," : ";");
        sqlite3_str_appendall(out, " ");
        text = comma + 2;
    }
    put_place(words, out, &(struct place){text, strlen(text)});
    return finish(out);
}

char *words_translate(const struct words *words, const char *text)
{
    const size_t marks = query_marks_length(text), plain = strlen(text) - marks;
    if (marks == 0 || plain == 0)
        return translate_plain(words, text);
    char *part = memory_print("%.*s", (int)plain, text), *as = translate_plain(words, part);
    char *all = memory_print("%s%s", as, text + plain);
    free(as);
    free(part);
    return all;
}

/* ---- rows, SQL, gnuplot ---- */

static void replace(char **text, char *as)
{
    if (as) {
        free(*text);
        *text = as;
    }
}

/* A column of addresses bears the name of the column that shows their links. */
static const char address[] = "href ";

static bool is_address(const char *name)
{
    return strncmp(name, address, strlen(address)) == 0;
}

void words_translate_rows(const struct words *words, enum words_use use, struct rows *rows)
{
    if (!words || use == WORDS_NONE)
        return;
    for (size_t i = 0; i < rows->columns && use == WORDS_EVERYTHING; i++) {
        const size_t plain = is_address(rows->name[i]) ? strlen(address) : 0;
        char *as = words_translate(words, rows->name[i] + plain);
        replace(&rows->name[i], memory_print("%.*s%s", (int)plain, rows->name[i], as));
        free(as);
    }
    for (size_t b = 0; b < rows->blocks && use == WORDS_EVERYTHING; b++)
        replace(&rows->block[b].label, words_translate(words, rows->block[b].label));
    for (size_t v = 0; v < rows->count * rows->columns; v++) {
        char *const text = rows->value[v];
        const bool is_number_list = text && text[strspn(text, "0123456789.-+e ")] == '\0';
        if (!text || (use == WORDS_EVERYTHING && is_address(rows->name[v % rows->columns])) ||
            (use == WORDS_VALUES && (rows->numeric[v % rows->columns] || is_number_list)))
            continue;
        replace(&rows->value[v], use == WORDS_NUMBERS ? numbers(words, text) : words_translate(words, text));
    }
}

static void translated(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(argument[0]);
    if (text)
        sqlite3_result_text(context, words_translate(sqlite3_user_data(context), text), -1, free);
}

int words_add(sqlite3 *db, const struct words *words)
{
    return sqlite3_create_function(db, "translated", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, (void *)words, translated,
                                   NULL, NULL);
}

bool words_choose_columns(sqlite3 *db, const char *language, FILE *diagnostics)
{
    static const char find[] =
        "SELECT group_concat(printf('UPDATE \"%w\" SET \"%w\" = coalesce(\"%w\", \"%w\");', t.name, c.name,"
        " o.name, c.name), '') FROM sqlite_schema t JOIN pragma_table_info(t.name) c"
        " JOIN pragma_table_info(t.name) o ON o.name = c.name || '_' || ?1 WHERE t.type = 'table'";
    sqlite3_stmt *statement = NULL;
    bool done = sqlite3_prepare_v2(db, find, -1, &statement, NULL) == SQLITE_OK;
    if (done) {
        sqlite3_bind_text(statement, 1, language, -1, SQLITE_STATIC);
        done = sqlite3_step(statement) == SQLITE_ROW;
        const char *updates = done ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        done = done && (!updates || sqlite3_exec(db, updates, NULL, NULL, NULL) == SQLITE_OK);
    }
    sqlite3_finalize(statement);
    if (!done)
        fprintf(diagnostics, "tilelab query: %s\n", sqlite3_errmsg(db));
    return done;
}

/* Prints an array of the rows that are no patterns. Returns how many there are. */
static size_t print_array(const struct words *words, const char *name, bool of_english, FILE *out)
{
    size_t count = 0;
    for (size_t i = 0; i < words->count; i++)
        count += !words->entry[i].is_pattern;
    fprintf(out, "array %s[%zu] = [", name, count);
    const char *comma = "";
    for (size_t i = 0; i < words->count; i++) {
        if (words->entry[i].is_pattern)
            continue;
        fputs(comma, out);
        comma = ", ";
        escape_put(out, escape_gnuplot, of_english ? words->entry[i].from : words->entry[i].to);
    }
    fputs("]\n", out);
    return count;
}

void words_print_gnuplot(const struct words *words, FILE *out)
{
    if (!words || words->count == 0)
        return;
    print_array(words, "say_from", true, out);
    const size_t count = print_array(words, "say_to", false, out);
    fprintf(out,
            "say_index(text) = sum [i = 1:%zu] (say_from[i] eq text ? i : 0)\n"
            "say(text) = say_index(text) > 0 ? say_to[say_index(text)] : text\n",
            count);
    if (words->decimal) {
        fputs("decimal_sign = ", out);
        escape_put(out, escape_gnuplot, words->decimal);
        putc('\n', out);
    }
}
