/* The words of tables and figures in another language than English, from a CSV file.
 * SPDX-License-Identifier: MIT
 *
 * The file has a column for each language; its first column, `en`, is what a query prints. `{}` in a text stands for
 * any text, `{#}` for numbers. What stands there is translated too. The translation may have its places in another
 * order: `{1}` is the first of them. The row `.` gives the decimal sign, and the row `,` the sign between numbers.
 * A row that begins with a blank is a unit behind a number.
 *
 * A text is translated as a whole, else by the first row whose pattern it matches. Else its parts between commas are
 * translated one by one. Text that has no row stays as it is, such as the name of a variant.
 */
#ifndef TILELAB_QUERY_WORDS_H
#define TILELAB_QUERY_WORDS_H

#include "rows.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

struct words;

/* What a format translates of its rows. */
enum words_use {
    WORDS_NONE,
    WORDS_NUMBERS,   /* numbers and their units; words stay, as programs compare them */
    WORDS_VALUES,    /* texts that are not numbers: numbers are for a program */
    WORDS_EVERYTHING /* headings too */
};

/* Reads the words of a language. Returns NULL after a diagnostic; the caller frees the result with words_free. */
struct words *words_read(const char *path, const char *language, FILE *diagnostics);
void words_free(struct words *words);

/* A text in the language, which the caller frees. Without words (NULL), a copy. */
char *words_translate(const struct words *words, const char *text);

/* Replaces the texts of rows by those of the language. */
void words_translate_rows(const struct words *words, enum words_use use, struct rows *rows);

/* Adds the SQL function translated(text). */
int words_add(sqlite3 *db, const struct words *words);

/* Where a table has columns NAME and NAME_LANGUAGE, replaces NAME by what the latter holds, if it holds anything.
 * Returns false after a diagnostic. */
bool words_choose_columns(sqlite3 *db, const char *language, FILE *diagnostics);

/* Prints the function say(text) and the variable decimal_sign for scripts of gnuplot. */
void words_print_gnuplot(const struct words *words, FILE *out);

#endif
