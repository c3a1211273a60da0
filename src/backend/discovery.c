/* Fields of a discovery as text.
 * SPDX-License-Identifier: MIT */
#include "discovery.h"

#include "base/process.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void discovery_write(const struct discovery_field *fields, size_t count, const void *from, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)from + fields[i].offset;
        fprintf(out, "%s=", fields[i].key);
        if (fields[i].kind == DISCOVERY_TEXT)
            for (; *at; at++)
                putc(*at == '\n' ? ' ' : *at, out);
        else if (fields[i].kind == DISCOVERY_INT)
            fprintf(out, "%d", *(const int *)at);
        else
            fprintf(out, "%lld", (long long)*(const int64_t *)at);
        putc('\n', out);
    }
}

bool discovery_read(const struct discovery_field *fields, size_t count, const char *key, const char *value, void *to)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(fields[i].key, key) != 0)
            continue;
        char *at = (char *)to + fields[i].offset;
        if (fields[i].kind == DISCOVERY_TEXT)
            snprintf(at, fields[i].size, "%s", value);
        else if (fields[i].kind == DISCOVERY_INT)
            *(int *)at = (int)strtol(value, NULL, 10);
        else
            *(int64_t *)at = strtoll(value, NULL, 10);
        return true;
    }
    return false;
}

bool discovery_next(char **text, char **key, char **value)
{
    char *line = strsep(text, "\n");
    *key = line ? line : "";
    *value = line ? strchr(line, '=') : NULL;
    if (!*value)
        return false;
    *(*value)++ = '\0';
    return true;
}

/* The variable is set in the child process. A process that has it starts no child of its own. */
#define DISCOVERING "TILELAB_DISCOVERING"

static int become_describer(const void *subcommand)
{
    const char *const arguments[] = {"tilelab", subcommand, NULL};
    setenv(DISCOVERING, "1", 1);
    return process_become(PROCESS_SELF, arguments);
}

bool discovery_ask(const char *subcommand, char *text, size_t size)
{
    /* A driver without its persistence mode takes seconds to wake a GPU. */
    enum { LIMIT_S = 60 };
    struct process child;
    return !getenv(DISCOVERING) &&
           process_start(&child, PROCESS_OUTPUT | PROCESS_QUIET, become_describer, subcommand) == 0 &&
           process_collect(&child, text, size, LIMIT_S);
}
