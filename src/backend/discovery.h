/* Discovers devices in a child process: what it has found travels as text, a line "key=value" for each field.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_DISCOVERY_H
#define TILELAB_BACKEND_DISCOVERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* One field of a struct. */
struct discovery_field {
    const char *key;
    enum { DISCOVERY_TEXT, DISCOVERY_INT, DISCOVERY_INT64 } kind;
    size_t offset, size;
};
#define DISCOVERY_FIELD(kind, type, member) \
    { \
#member, kind, offsetof(struct type, member), sizeof(((struct type *)0)->member) \
    }

void discovery_write(const struct discovery_field *fields, size_t count, const void *from, FILE *out);
/* Cuts the next line off a text and parts it into key and value. False at a line without "=", which becomes the key. */
bool discovery_next(char **text, char **key, char **value);
/* Sets the field with this key; false if there is none. */
bool discovery_read(const struct discovery_field *fields, size_t count, const char *key, const char *value, void *to);

/* Lets a child process run a subcommand of this program, "describe-cuda", and reads what it prints. False if the child
 * gives no answer, or if this process is such a child. */
bool discovery_ask(const char *subcommand, char *text, size_t size);

#endif
