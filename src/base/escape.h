/* Text of others made harmless: one function for each place that text is written to.
 * SPDX-License-Identifier: MIT
 *
 * Each returns new text, to be freed; without memory the program ends. Bytes that are no UTF-8
 * never come out as they are, save in CSV. */
#ifndef TILELAB_BASE_ESCAPE_H
#define TILELAB_BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

typedef char *escape_function(const char *text);

/* Running text of pdflatex in T1, with T2A for Russian letters: prints as the same characters, no
 * ligature of dashes or quotes. Characters that it has no glyph for become [U+1F600]. */
escape_function escape_latex;
/* A whole single-quoted gnuplot string, with its quotes, that prints as the same characters in
 * enhanced mode. Never use double quotes for text of others: gnuplot runs `commands` in them. */
escape_function escape_gnuplot;
/* One line of a terminal: control characters, escape sequences and overrides of direction become
 * \n, \x1b, \u202e. */
escape_function escape_terminal;

/* Writes the escaped text to a stream. */
void escape_put(FILE *out, escape_function *escape, const char *text);
/* Columns that UTF-8 text takes on a terminal, as far as one a character is true. */
size_t escape_width(const char *text);

#endif
