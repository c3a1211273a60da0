/* Facts of the data: runs the files of SQL that have them.
 * SPDX-License-Identifier: MIT */
#include "facts_query.h"

#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* Runs the files of SQL that a pattern of names matches. Their facts go where the query prints facts. */
static bool run_files(struct query *query, const char *folder, const char *pattern)
{
    glob_t found;
    bool ran = true;
    char *const path = memory_print("%s/%s", folder, pattern);
    if (glob(path, 0, NULL, &found) != 0) {
        escape_tell("tilelab: there is no %s; --report names the folder report/ of tilelab", path);
        ran = false;
    }
    for (size_t i = 0; ran && i < found.gl_pathc; i++) {
        char *const sql = file_read(found.gl_pathv[i], NULL);
        struct rows rows = {0};
        query->facts_told = false;
        ran = sql && query_run(query, found.gl_pathv[i], sql, &rows);
        rows_free(&rows);
        query_close_facts(query, found.gl_pathv[i]);
        if (!sql)
            escape_tell("%s: error: %s", found.gl_pathv[i], strerror(errno));
        free(sql);
    }
    globfree(&found);
    free(path);
    return ran;
}

/* The files that those with facts need. */
static const char *const needed[] = {"chosen.sql", "hostnames.sql", "chosen-cells.sql", "calibration-summary.sql"};
enum { NEEDED = sizeof needed / sizeof *needed };

bool facts_query(struct facts *facts, struct query *query, const char *folder, const char *const files[])
{
    char *bytes = NULL;
    size_t size = 0;
    query->facts = open_memstream(&bytes, &size);
    query_set(query, "studies", "");
    query_set(query, "hosts", "all");
    bool ran = query->facts && query_open(query);
    for (size_t i = 0; i < NEEDED && ran; i++)
        ran = run_files(query, folder, needed[i]);
    for (size_t i = 0; files[i] && ran; i++)
        ran = run_files(query, folder, files[i]);
    if (query->facts)
        fclose(query->facts);
    FILE *const file = ran && size > 0 ? fmemopen(bytes, size, "r") : NULL;
    ran = file && facts_take(facts, file, "facts");
    if (file)
        fclose(file);
    free(bytes);
    return ran;
}
