/* What the headlines of a report use: the variants that the facts of its queries name.
 * SPDX-License-Identifier: MIT */
#include "headlines.h"

#include "facts_query.h"
#include "registry.h"
#include "base/folder.h"
#include "base/memory.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

static bool is_variant(const char *text)
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entry[i].name, text) == 0 || strcmp(entry[i].idea, text) == 0)
            return true;
    return false;
}

static void take_row(const struct facts_table *table, const struct facts_row *row, struct need_headlines *headlines)
{
    const char *points = facts_value(table, row, "points");
    for (size_t c = 0; c < table->columns; c++)
        if (row->value[c] && is_variant(row->value[c]))
            need_headlines_add(headlines, facts_value(table, row, "experiment"), row->value[c],
                               points && strcmp(points, "all") == 0);
}

static bool query_facts(const char *data, const char *published, const char *report, struct facts *facts)
{
    static const char *const files[] = {"headlines.sql", "findings/*.sql", NULL};
    struct query query = {.published = published};
    const char *slash = strrchr(published, '/');
    char *const folders = slash ? memory_print("%.*s/*/", (int)(slash - published), published) : memory_copy("*/");
    glob_t found;
    hosts_add(&query.hosts, data);
    const bool are_others = glob(folders, 0, NULL, &found) == 0;
    for (size_t i = 0; are_others && i < found.gl_pathc; i++)
        hosts_add(&query.hosts, found.gl_pathv[i]);
    const bool right = facts_query(facts, &query, report, files);
    query_close(&query);
    globfree(&found);
    free(folders);
    return right;
}

bool headlines_read(const char *data, const char *published, const char *report, struct need_headlines *headlines)
{
    struct facts facts = {0};
    const bool right = !folder_exists(report) || query_facts(data, published, report, &facts);
    for (size_t t = 0; t < facts.tables; t++)
        for (size_t r = 0; r < facts.table[t].rows; r++)
            take_row(&facts.table[t], &facts.table[t].row[r], headlines);
    facts_free(&facts);
    return right;
}
