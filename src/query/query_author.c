/* Who hands the report in: a YAML file with the keys of the title page.
 * SPDX-License-Identifier: MIT */
#include "query_author.h"

#include "base/suggest.h"
#include "base/yaml.h"

#include <string.h>

static const char *const keys[] = {"title",  "task",       "name", "group", "institution",
                                   "course", "supervisor", "city", "year",  "repository"};
enum { KEYS = sizeof keys / sizeof *keys };

static bool insert(sqlite3 *db, const char *key, const char *value)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, "INSERT INTO author VALUES(?, ?)", -1, &statement, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
    const bool done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    return done;
}

static bool is_empty(const struct yaml_node *node)
{
    return node->kind == YAML_SCALAR && (!*node->text || (!node->quoted && strcmp(node->text, "~") == 0));
}

/* Reads a key and the value behind it. */
static void read_pair(sqlite3 *db, struct yaml *yaml, const struct yaml_node *key, bool seen[KEYS])
{
    size_t i = 0;
    while (i < KEYS && strcmp(keys[i], key->text) != 0)
        i++;
    if (i == KEYS) {
        yaml_fault(yaml, key, suggest_name(key->text, keys, KEYS), "unknown key '%s'", key->text);
        return;
    }
    if (seen[i])
        yaml_fault(yaml, key, NULL, "'%s' is given twice", key->text);
    seen[i] = true;
    const char *value = NULL;
    if (is_empty(key->next) || !yaml_text(yaml, key->next, key->text, &value))
        return;
    /* A name with a command was written for LaTeX by mistake: the report would print the command's letters. */
    if (strpbrk(value, "\\{}$"))
        yaml_fault(yaml, key->next, NULL, "'%s' holds LaTeX (one of \\ { } $): write plain text", key->text);
    else if (!insert(db, key->text, value))
        yaml_fault(yaml, key, NULL, "%s", sqlite3_errmsg(db));
}

bool query_author_load(sqlite3 *db, const char *path, FILE *diagnostics)
{
    if (sqlite3_exec(db, "CREATE TABLE author(key TEXT, value TEXT) STRICT", NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(diagnostics, "tilelab query: %s\n", sqlite3_errmsg(db));
        return false;
    }
    if (!path)
        return true;
    struct yaml *yaml = yaml_read(path);
    const struct yaml_node *root = yaml_root(yaml);
    bool seen[KEYS] = {false};
    if (root && root->kind != YAML_MAP)
        yaml_fault(yaml, root, NULL, "a file about the author is a map of keys and values");
    else if (root)
        for (const struct yaml_node *key = root->child; key; key = key->next->next)
            read_pair(db, yaml, key, seen);
    const bool good = yaml_faults(yaml) == 0;
    if (!good)
        yaml_report(yaml, diagnostics);
    yaml_free(yaml);
    return good;
}
