/* The parts of the expander of texts. SPDX-License-Identifier: MIT */
#ifndef TILELAB_RENDER_TEMPLATE_PARTS_H
#define TILELAB_RENDER_TEMPLATE_PARTS_H

#include "template.h"

enum { TEMPLATE_NAME_SIZE = 64 };

/* A part of a text that is read. */
struct template_span {
    const struct texts_text *text;
    const char *at, *end;
};

/* ---- reading: each function moves the span behind what it takes ---- */

void template_skip_blanks(struct template_span *span);
/* The group in braces that the span begins with, or its first character. */
struct template_span template_take_group(struct template_span *span);
/* A group that is the name of a fact, or the word that a fact is compared with. */
struct template_span template_take_name(struct template_span *span, char name[TEMPLATE_NAME_SIZE]);
/* The prefix in brackets, or none, and the empty group that ends a command. */
void template_take_prefix(struct template_span *span, char prefix[TEMPLATE_NAME_SIZE]);
/* Copies a span and leaves it as it is. */
void template_copy(char *to, size_t size, const struct template_span *span);

/* ---- output: nothing is put while the template is muted ---- */

void template_put(struct template *template, const char *text);
void template_put_bytes(struct template *template, const char *bytes, size_t length);
/* Puts characters as a reader is to see them. */
void template_put_plain(struct template *template, const char *text, size_t length);
/* Expands a text, and a word that the texts of the language share. */
void template_put_text(struct template *template, struct template_span span);
void template_put_word(struct template *template, const struct template_span *where, const char *name);
/* Tells a fault, or a warning, with file and line. */
void template_complain(struct template *template, const struct template_span *where, const char *kind, const char *what,
                       const char *name);

/* ---- commands, whose arguments the span begins with ---- */

/* Expands a command of the template. False if it is none. */
bool template_put_command(struct template *template, struct template_span *span, const char *command);
/* Puts the label of a host as a sentence names it, or with its name alone. */
void template_put_host(struct template *template, const struct template_span *where, const char *host, bool brief);
/* A command of LaTeX, a character behind a backslash, and a character that LaTeX obeys or prints as another one; in
 * formats other than LaTeX. */
void template_put_foreign(struct template *template, struct template_span *span, const char *command);
void template_put_control(struct template *template, char character);
void template_put_special(struct template *template, struct template_span *span);

#endif
