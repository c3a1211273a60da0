/* Facts of the data: runs the files of SQL that have them.
 * SPDX-License-Identifier: MIT */
#include "facts_query.h"

#include "base/escape.h"
#include "base/memory.h"
#include "query/query_sources.h"
#include "query/words.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* Adds the files of SQL that a pattern of names matches. */
static bool add_files(struct query_sources *sources, const char *folder, const char *pattern)
{
    glob_t found;
    bool right = true;
    char *const path = memory_print("%s/%s", folder, pattern);
    if (glob(path, 0, NULL, &found) != 0) {
        escape_tell("tilelab: there is no %s; --report names the folder report/ of tilelab", path);
        right = false;
    }
    for (size_t i = 0; right && i < found.gl_pathc; i++)
        right = query_sources_add(sources, found.gl_pathv[i]);
    globfree(&found);
    free(path);
    return right;
}

/* Runs a file. Its facts go where the query prints facts. */
static bool run(struct query *query, const struct query_source *source)
{
    struct rows rows = {0};
    query->facts_told = false;
    const bool ran = query_run(query, source->name, source->text, &rows);
    rows_free(&rows);
    query_close_facts(query, source->name);
    return ran;
}

bool facts_query(struct facts *facts, struct query *query, const char *folder, const char *const files[])
{
    char *bytes = NULL;
    size_t size = 0;
    query->facts = open_memstream(&bytes, &size);
    query_set(query, "studies", "");
    query_set(query, "hosts", "all");
    query->many = files[0] && files[1];
    struct query_sources sources = {NULL, 0};
    /* Findings and notes select from the first file. */
    bool ran = query->facts && add_files(&sources, folder, "chosen-cells.sql");
    for (size_t i = 0; files[i] && ran; i++)
        ran = add_files(&sources, folder, files[i]);
    ran = ran && query_open(query);
    for (size_t i = 0; i < sources.count && ran; i++)
        ran = run(query, &sources.source[i]);
    query_sources_free(&sources);
    if (query->facts)
        fclose(query->facts);
    FILE *const file = ran && size > 0 ? fmemopen(bytes, size, "r") : NULL;
    ran = file && facts_take(facts, file, "facts");
    if (file)
        fclose(file);
    free(bytes);
    return ran;
}

bool facts_query_language(struct query *query, const char *folder, const char *language, struct texts *shared)
{
    char *const path = memory_print("%s/findings/%s.tex", folder, language);
    char *const words = memory_print("%s/words.csv", folder);
    bool right = texts_read_words(shared, path);
    if (right && strcmp(language, "en") != 0) {
        query->language = language;
        query->words = words_read(words, language, stderr);
        right = query->words != NULL;
    }
    free(words);
    free(path);
    return right;
}
