/* Fields of a discovery as text.
 * SPDX-License-Identifier: MIT */
#include "discovery.h"

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
