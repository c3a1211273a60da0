/* The texts at the heads of SQL files, and the words that these texts share.
 * SPDX-License-Identifier: MIT */
#include "texts.h"

#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct texts_text *add(struct texts *texts, int line, const char *key, size_t key_length, const char *text,
                              size_t length)
{
    texts->text = memory_grow(texts->text, texts->count + 1, sizeof *texts->text);
    struct texts_text *added = &texts->text[texts->count++];
    *added = (struct texts_text){texts->path, line, memory_print("%.*s", (int)key_length, key),
                                 memory_print("%.*s", (int)length, text)};
    return added;
}

/* The first line without the signs of a comment, the licence and the end of the sentence. */
static void add_first(struct texts *texts, const char *line)
{
    line += strspn(line, "-");
    line += strspn(line, " ");
    size_t shown = strcspn(line, "\n");
    const char *licence = strstr(line, "SPDX-License-Identifier:");
    if (licence && licence < line + shown)
        shown = (size_t)(licence - line);
    while (shown > 0 && line[shown - 1] == ' ')
        shown--;
    if (shown > 0 && strchr(".?", line[shown - 1]))
        shown--;
    add(texts, 1, "shows", 5, line, shown);
}

/* How many bytes the key of a line "-- KEY: TEXT" has; 0: the line has none. */
static size_t key_length(const char *line)
{
    const size_t length = strspn(line + 3, "abcdefghijklmnopqrstuvwxyz.");
    return length > 0 && strncmp(line + 3 + length, ": ", 2) == 0 ? length : 0;
}

static char *read_file(struct texts *texts, const char *path)
{
    char *const bytes = file_read(path, NULL);
    *texts = (struct texts){.path = memory_copy(path)};
    if (!bytes)
        escape_tell("%s: error: %s", path, strerror(errno));
    return bytes;
}

bool texts_read_head(struct texts *texts, const char *path)
{
    char *const bytes = read_file(texts, path);
    if (!bytes)
        return false;
    struct texts_text *last = NULL;
    int number = 1;
    for (const char *line = bytes; strncmp(line, "--", 2) == 0; number++) {
        const size_t length = strcspn(line, "\n");
        if (number == 1) {
            add_first(texts, line);
        } else if (last && strncmp(line, "--   ", 5) == 0) {
            memory_append(&last->text, "\n%.*s", (int)length - 5, line + 5);
        } else {
            const size_t key = strncmp(line, "-- ", 3) == 0 ? key_length(line) : 0;
            last = key > 0 ? add(texts, number, line + 3, key, line + key + 5, length - key - 5) : NULL;
        }
        line += length;
        line += *line == '\n';
    }
    free(bytes);
    return true;
}

bool texts_read_words(struct texts *texts, const char *path)
{
    static const char start[] = "\\newcommand{\\";
    char *const bytes = read_file(texts, path);
    if (!bytes)
        return false;
    int number = 1;
    bool right = true;
    for (const char *line = bytes; *line && right; number++) {
        const size_t length = strcspn(line, "\n");
        if (*line != '%' && length > 0) {
            const char *const name = line + sizeof start - 1;
            const char *const end = strchr(line, '}');
            const char *const brace = end ? strchr(end, '{') : NULL;
            right = strncmp(line, start, sizeof start - 1) == 0 && brace && line[length - 1] == '}' &&
                    brace < line + length;
            if (right)
                add(texts, number, name, (size_t)(end - name), brace + 1, (size_t)(line + length - 1 - brace - 1));
            else
                escape_tell("%s:%d: error: this line is no \\newcommand{\\NAME}{TEXT}", path, number);
        }
        line += length;
        line += *line == '\n';
    }
    free(bytes);
    return right;
}

void texts_free(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        free(texts->text[i].key);
        free(texts->text[i].text);
    }
    free(texts->text);
    free(texts->path);
    *texts = (struct texts){0};
}

const struct texts_text *texts_find(const struct texts *texts, const char *key)
{
    for (size_t i = 0; i < texts->count; i++)
        if (strcmp(texts->text[i].key, key) == 0)
            return &texts->text[i];
    return NULL;
}

const struct texts_text *texts_find_in(const struct texts *texts, const char *key, const char *language)
{
    const struct texts_text *const english = texts_find(texts, key);
    if (strcmp(language, "en") == 0)
        return english;
    char *const own_key = memory_print("%s.%s", key, language);
    const struct texts_text *const own = texts_find(texts, own_key);
    if (!own)
        escape_tell("%s: warning: there is no text %s; the English text is used", texts->path, own_key);
    free(own_key);
    return own ? own : english;
}
