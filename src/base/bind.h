/* Blanks at which a line of a text must not break. SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_BIND_H
#define TILELAB_BASE_BIND_H

#include <stdbool.h>

/* A copy of a text in which no line breaks before a dash or an equals sign, between a word, a colon, an equals sign or
 * a cross and the number behind it, nor between a number and its unit. `space` is a blank that binds. Formulas of LaTeX
 * have blanks of their own. The caller frees the copy. */
char *bind_blanks(const char *text, const char *space, bool is_latex);

#endif
