/* The formats that a template is expanded to. SPDX-License-Identifier: MIT */
#include "markup.h"

#include <stddef.h>
#include <string.h>

const struct markup markup_latex = {.name = "latex",
                                    .escape = escape_latex,
                                    .is_latex = true,
                                    .code = {"\\texttt{", "}"},
                                    .emphasis = {"\\emph{", "}"},
                                    .strong = {"\\textbf{", "}"},
                                    .space = "~",
                                    .dash = "--",
                                    .more = "\\ \\ldots{}"};

const struct markup markup_html = {.name = "html",
                                   .escape = escape_html,
                                   .code = {"<code>", "</code>"},
                                   .emphasis = {"<em>", "</em>"},
                                   .strong = {"<strong>", "</strong>"},
                                   .raised = {"<sup>", "</sup>"},
                                   .lowered = {"<sub>", "</sub>"},
                                   .space = "\u00a0",
                                   .dash = "–",
                                   .more = " …"};

const struct markup markup_markdown = {.name = "markdown",
                                       .escape = escape_markdown,
                                       .code = {"<code>", "</code>"},
                                       .emphasis = {"*", "*"},
                                       .strong = {"**", "**"},
                                       .raised = {"<sup>", "</sup>"},
                                       .lowered = {"<sub>", "</sub>"},
                                       .space = "\u00a0",
                                       .dash = "–",
                                       .more = " …"};

const struct markup markup_text = {.name = "text",
                                   .escape = escape_terminal,
                                   .code = {"", ""},
                                   .emphasis = {"", ""},
                                   .strong = {"", ""},
                                   .raised = {"^", ""},
                                   .lowered = {"_", ""},
                                   .space = " ",
                                   .dash = "–",
                                   .more = " …"};

const char *markup_symbol(const char *command)
{
    static const struct {
        const char *command, *character;
    } table[] = {{"omega", "ω"},
                 {"times", "×"},
                 {"pm", "±"},
                 {"dots", "…"},
                 {"ldots", "…"},
                 {"le", "≤"},
                 {"ge", "≥"},
                 {"cdot", "·"},
                 {"quad", "  "},
                 {"textbackslash", "\\"},
                 {"textasciitilde", "~"},
                 {"sqrt", "√"},
                 {"lambda", "λ"},
                 {"varepsilon", "ε"},
                 {"gamma", "γ"},
                 {"pi", "π"},
                 {"ne", "≠"},
                 {"sum", "∑"},
                 {"infty", "∞"},
                 {"approx", "≈"},
                 {"log", "log"},
                 {"min", "min"},
                 {"max", "max"},
                 {"left", ""},
                 {"right", ""},
                 {"frac", ""},
                 {"mbox", ""},
                 {"mathrm", ""},
                 {"modelled", ""},
                 {"protect", ""},
                 {"par", ""},
                 {"textasciicircum", "^"},
                 {"textless", "<"},
                 {"textgreater", ">"},
                 {"textbar", "|"},
                 {"textasciigrave", "`"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].command, command) == 0)
            return table[i].character;
    return NULL;
}
