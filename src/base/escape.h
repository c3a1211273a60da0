/* Makes text of others harmless. There is one function for each place that text is written to.
 * SPDX-License-Identifier: MIT
 *
 * Each function returns new text, which the caller frees. Bytes that are not UTF-8 never come out as they are. */
#ifndef TILELAB_BASE_ESCAPE_H
#define TILELAB_BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

typedef char *escape_function(const char *text);

/* Running text of pdflatex in T1, with T2A for Russian letters. It prints as the same characters, without ligatures of
 * dashes and quotes. A character without a glyph becomes its number, as [U+1F600]. */
escape_function escape_latex;
/* Text or a quoted attribute of HTML, and of SVG. It shows as the same characters. */
escape_function escape_html;
/* Running text of Markdown. A character that Markdown or HTML would obey stands behind a backslash. */
escape_function escape_markdown;
/* A whole single-quoted string of gnuplot, with its quotes, that prints as the same characters in enhanced mode. Text
 * of others must never be put into double quotes: gnuplot runs `commands` in them. */
escape_function escape_gnuplot;
/* One line of a terminal. Control characters, escape sequences and overrides of direction become visible text, as \n,
 * \x1b and \u202e. */
escape_function escape_terminal;
/* One word of a command line that a person pastes into a shell. It is quoted only where it has to be. */
escape_function escape_shell;

/* Writes the escaped text to a stream. */
void escape_put(FILE *out, escape_function *escape, const char *text);
/* Prints a line to standard error in the manner of printf. The texts in it are escaped as for a terminal. */
void escape_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* How many columns UTF-8 text takes on a terminal, if each character takes one. */
size_t escape_width(const char *text);

#endif
