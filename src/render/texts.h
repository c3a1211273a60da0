/* The texts at the heads of SQL files, and the words that these texts share.
 * SPDX-License-Identifier: MIT
 *
 * The first line of an SQL file says what the file shows, or asks a question; its key is "shows". The comments below it
 * are texts, "-- KEY: TEXT". Lines that begin with "--" and three blanks continue a text. */
#ifndef TILELAB_RENDER_TEXTS_H
#define TILELAB_RENDER_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

struct texts_text {
    const char *path; /* for messages; the path of the file that was read */
    int line;         /* where the text starts; each line break in it is one of the file */
    char *key;        /* as says.ru; for a word its name */
    char *text;
};

struct texts {
    char *path;
    struct texts_text *text;
    size_t count;
};

/* Reads the head of an SQL file. False after a message. The caller frees the texts with texts_free. */
bool texts_read_head(struct texts *texts, const char *path);
/* Reads the words of a language: lines \newcommand{\NAME}{TEXT} of LaTeX, and comments. False after a message. */
bool texts_read_words(struct texts *texts, const char *path);
void texts_free(struct texts *texts);

/* The text of a key, or NULL. */
const struct texts_text *texts_find(const struct texts *texts, const char *key);
/* The text of a key in a language, such as says.ru. Where the language lacks it, the English text, after a warning.
 * NULL: there is none. */
const struct texts_text *texts_find_in(const struct texts *texts, const char *key, const char *language);

#endif
