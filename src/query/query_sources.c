/* The SQL that a query runs: files, each behind those that it needs, and statements of the command line.
 * SPDX-License-Identifier: MIT */
#include "query_sources.h"

#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 8 };

static bool add(struct query_sources *sources, const char *path, int depth);

static bool has(const struct query_sources *sources, const struct stat *file)
{
    for (size_t i = 0; i < sources->count; i++)
        if (sources->source[i].inode == file->st_ino && sources->source[i].device == file->st_dev)
            return true;
    return false;
}

static void append(struct query_sources *sources, const char *name, char *text, const struct stat *file)
{
    sources->source = memory_grow(sources->source, sources->count + 1, sizeof *sources->source);
    sources->source[sources->count++] =
        (struct query_source){memory_copy(name), text, file ? file->st_dev : 0, file ? file->st_ino : 0};
}

/* The path of a file that another one names: "a/b/c.sql" names a/d.sql "../d.sql". The caller frees it. */
static char *path_beside(const char *path, const char *name)
{
    const char *end = strrchr(path, '/');
    for (; end && strncmp(name, "../", 3) == 0; name += 3) {
        const char *before = end;
        while (before > path && before[-1] != '/')
            before--;
        if (before == path || strncmp(before, "..", 2) == 0)
            break;
        end = before - 1;
    }
    return end ? memory_print("%.*s/%s", (int)(end - path), path, name) : memory_copy(name);
}

/* Adds what the head of a file names. What a pipe names is relative to the current folder. */
static bool add_needed(struct query_sources *sources, const char *path, const char *text, int depth)
{
    static const char begin[] = "-- needs: ";
    bool right = true;
    for (; strncmp(text, "--", 2) == 0 && right; text += strcspn(text, "\n"), text += *text == '\n') {
        if (strncmp(text, begin, sizeof begin - 1) != 0)
            continue;
        char *line = memory_print("%.*s", (int)strcspn(text, "\n"), text), *rest = line + sizeof begin - 1;
        for (char *name; right && (name = strsep(&rest, " "));) {
            char *needed = path_beside(path, name);
            right = !*name || add(sources, needed, depth + 1);
            free(needed);
        }
        free(line);
    }
    return right;
}

static bool add(struct query_sources *sources, const char *path, int depth)
{
    struct stat file;
    size_t length = 0;
    const bool is_regular = stat(path, &file) == 0 && S_ISREG(file.st_mode);
    if (is_regular && has(sources, &file))
        return true;
    char *text = depth < DEPTH_MAX ? file_read(path, &length) : NULL;
    if (!text || strlen(text) != length) {
        escape_tell("%s: error: %s", path,
                    text                 ? strerror(EINVAL)
                    : depth == DEPTH_MAX ? "the file needs itself"
                                         : strerror(errno));
        free(text);
        return false;
    }
    if (!add_needed(sources, is_regular ? path : "", text, depth)) {
        free(text);
        return false;
    }
    append(sources, path, text, &file);
    return true;
}

bool query_sources_add(struct query_sources *sources, const char *path)
{
    return add(sources, path, 0);
}

bool query_sources_add_word(struct query_sources *sources, const char *word)
{
    const bool is_input = strcmp(word, "-") == 0;
    if (!is_input && word[strcspn(word, " \t\n")] && access(word, F_OK) != 0) {
        append(sources, "SQL", memory_copy(word), NULL);
        return true;
    }
    return query_sources_add(sources, is_input ? "/dev/stdin" : word);
}

void query_sources_free(struct query_sources *sources)
{
    while (sources->count > 0) {
        free(sources->source[--sources->count].name);
        free(sources->source[sources->count].text);
    }
    free(sources->source);
    *sources = (struct query_sources){NULL, 0};
}
