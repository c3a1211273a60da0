/* Blanks at which a line of a text must not break. SPDX-License-Identifier: MIT */
#ifndef TILELAB_RENDER_BIND_H
#define TILELAB_RENDER_BIND_H

#include "markup.h"

/* A copy of a text in which no line breaks before a dash, nor between a word, a colon, an equals sign or a cross and
 * the number behind it. The caller frees it. */
char *bind_blanks(const char *text, const struct markup *markup);

#endif
