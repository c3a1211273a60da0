/* The kinds of figures and tables, from the names and heads of their files.
 * SPDX-License-Identifier: MIT */
#include "kinds.h"

#include "base/folder.h"
#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the comments at the head of an SQL file say behind a key, such as "-- problems: ". The caller frees the text. */
static char *said_of(const char *path, const char *key)
{
    char *line = NULL, *said = NULL;
    const size_t length = strlen(key);
    size_t room = 0;
    FILE *file = fopen(path, "re");
    while (file && !said && getline(&line, &room, file) > 0 && strncmp(line, "--", 2) == 0)
        if (strncmp(line, key, length) == 0)
            said = memory_print("%.*s", (int)strcspn(line + length, "\n"), line + length);
    if (file)
        fclose(file);
    free(line);
    return said ? said : memory_copy("");
}

/* Adds the kind of a file, if it is one: a figure needs a script of gnuplot too. */
static void add(struct kinds *kinds, const char *folder, const char *file, bool is_figure)
{
    if (!text_ends(file, ".sql"))
        return;
    char *name = memory_print("%.*s", (int)(strlen(file) - strlen(".sql")), file);
    char *path = memory_print("%s/%s", folder, file), *script = memory_print("%s/%s.gp", folder, name);
    if (!is_figure || access(script, F_OK) == 0) {
        kinds->kind = memory_grow(kinds->kind, kinds->count + 1, sizeof *kinds->kind);
        kinds->kind[kinds->count++] =
            (struct kind){memory_copy(name), said_of(path, "-- problems: "), said_of(path, "-- takes: ")};
    }
    free(name);
    free(path);
    free(script);
}

static void read_kinds(struct kinds *kinds, const char *folder, bool is_figure)
{
    char *installed = folder_installed(folder);
    const char *from = installed ? installed : folder;
    struct dirent **entry = NULL;
    const int count = scandir(from, &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        add(kinds, from, entry[i]->d_name, is_figure);
        free(entry[i]);
    }
    free(entry);
    free(installed);
}

const struct kinds *kinds_of_figures(void)
{
    static struct kinds figures;
    if (!figures.kind)
        read_kinds(&figures, "figures", true);
    return &figures;
}

const struct kinds *kinds_of_tables(void)
{
    static struct kinds tables;
    if (!tables.kind)
        read_kinds(&tables, "report/tables", false);
    return &tables;
}
