/* Changes to an experiment file that the command line asks for.
 * SPDX-License-Identifier: MIT */
#include "settings.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool settings_allow(const char *text)
{
    const size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return length > 0 && text[length] == '=' && text[length + 1] && !strpbrk(text, "\n\r");
}

/* Writes an element of a list at `to`, and returns its end. A plain text of YAML does not begin with a star. */
static char *put_element(char *to, const char *text, size_t length)
{
    const char *quote = *text == '*' ? "'" : "";
    return to + sprintf(to, "%s%.*s%s", quote, (int)length, text, quote);
}

/* Writes "n: [512,1024]" for "n=512,1024" at `to`, and returns its end. */
static char *put_setting(char *to, const char *setting)
{
    const char *value = strchr(setting, '=') + 1;
    const bool is_list = strchr(value, ',') && !strchr("[{'\"", *value);
    to += sprintf(to, "%.*s: %s", (int)(value - 1 - setting), setting, is_list ? "[" : "");
    while (*value) {
        const size_t length = is_list ? strcspn(value, ",") : strlen(value);
        to = put_element(to, value, length);
        value += length;
        if (*value)
            *to++ = *value++;
    }
    return to + sprintf(to, is_list ? "]\n" : "\n");
}

/* The most bytes that put_setting writes. */
static size_t room_of(const char *setting)
{
    return 3 * strlen(setting) + 8;
}

char *settings_line(const char *setting)
{
    char *line = memory_allocate(room_of(setting) + 1, 1);
    put_setting(line, setting);
    return line;
}

struct yaml *settings_read(const char *const settings[], size_t count)
{
    size_t room = 1;
    for (size_t i = 0; i < count; i++)
        room += room_of(settings[i]);
    char *text = memory_allocate(room, 1), *end = text;
    for (size_t i = 0; i < count; i++)
        end = put_setting(end, settings[i]);
    struct yaml *yaml = yaml_read_text("--set", text);
    free(text);
    return yaml;
}
