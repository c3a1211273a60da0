/* The formats that a template is expanded to. SPDX-License-Identifier: MIT */
#ifndef TILELAB_RENDER_MARKUP_H
#define TILELAB_RENDER_MARKUP_H

#include "base/escape.h"

#include <stdbool.h>

/* What stands before and behind a text. */
struct markup_pair {
    const char *open, *close;
};

struct markup {
    const char *name;
    escape_function *escape; /* makes the value of a fact, or plain text, harmless */
    bool is_latex;           /* what the template does not know goes to the output as it is */
    struct markup_pair code, emphasis, strong, raised, lowered;
    const char *space; /* a blank at which no line breaks */
    const char *dash;  /* between two numbers, and in the place of a fact without a value */
    const char *more;  /* stands for further rows */
};

extern const struct markup markup_latex, markup_html, markup_markdown, markup_text;

/* The character of a command of LaTeX, such as \omega, in the other formats, or NULL. */
const char *markup_symbol(const char *command);

#endif
