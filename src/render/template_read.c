/* Reads the commands and groups of a text. SPDX-License-Identifier: MIT */
#include "template_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void template_skip_blanks(struct template_span *span)
{
    while (span->at < span->end && isspace((unsigned char)*span->at))
        span->at++;
}

struct template_span template_take_group(struct template_span *span)
{
    template_skip_blanks(span);
    struct template_span group = *span;
    if (span->at == span->end || *span->at != '{') {
        group.end = span->at == span->end ? span->end : span->at + 1;
        span->at = group.end;
        return group;
    }
    int depth = 0;
    for (; span->at < span->end; span->at++) {
        if (*span->at == '\\' && span->at + 1 < span->end) {
            span->at++;
            continue;
        }
        depth += (*span->at == '{') - (*span->at == '}');
        if (depth == 0)
            break;
    }
    group.at++;
    group.end = span->at;
    span->at += span->at < span->end;
    return group;
}

void template_copy(char *to, size_t size, const struct template_span *span)
{
    snprintf(to, size, "%.*s", (int)(span->end - span->at), span->at);
}

struct template_span template_take_name(struct template_span *span, char name[TEMPLATE_NAME_SIZE])
{
    const struct template_span group = template_take_group(span);
    template_copy(name, TEMPLATE_NAME_SIZE, &group);
    return group;
}

void template_take_prefix(struct template_span *span, char prefix[TEMPLATE_NAME_SIZE])
{
    prefix[0] = '\0';
    const char *end;
    if (span->at < span->end && *span->at == '[' && (end = memchr(span->at, ']', (size_t)(span->end - span->at)))) {
        const struct template_span inside = {span->text, span->at + 1, end};
        template_copy(prefix, TEMPLATE_NAME_SIZE, &inside);
        span->at = end + 1;
    }
    if (span->end - span->at >= 2 && span->at[0] == '{' && span->at[1] == '}')
        span->at += 2;
}
