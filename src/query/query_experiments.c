/* An experiment file may be newer than a run record: the file decides how the report shows the study.
 * SPDX-License-Identifier: MIT */
#include "query_experiments.h"

#include "base/memory.h"
#include "base/text.h"
#include "own/own.h"
#include "plan/study.h"

#include <dirent.h>
#include <stdlib.h>

/* Runs a statement with texts and a number in place of its parameters. NULL becomes SQL NULL. */
static void run(struct query *query, const char *sql, const char *const text[], int texts, int64_t number)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(query->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return;
    for (int i = 0; i < texts; i++)
        if (text[i])
            sqlite3_bind_text(statement, 1 + i, text[i], -1, SQLITE_STATIC);
    if (sqlite3_bind_parameter_count(statement) > texts)
        sqlite3_bind_int64(statement, 1 + texts, number);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
}

static void put_names(struct query *query, const char *experiment, char *const *name, size_t count, const char *clear,
                      const char *insert)
{
    run(query, clear, &experiment, 1, 0);
    for (size_t i = 0; i < count; i++) {
        const char *const text[] = {experiment, name[i]};
        run(query, insert, text, 2, (int64_t)i);
    }
}

static void put(struct query *query, const struct experiment *experiment)
{
    const char *const text[] = {experiment->name,   experiment->title_en, experiment->title_ru,
                                experiment->source, experiment->about_en, experiment->about_ru};
    run(query,
        "UPDATE experiments SET title = ?2, title_ru = ?3, source = ?4, about = ?5, about_ru = ?6 WHERE name = ?1",
        text, 6, 0);
    put_names(query, experiment->name, experiment->figure, experiment->figures,
              "DELETE FROM figures WHERE experiment = ?1",
              "INSERT INTO figures SELECT host, name, ?3, ?2 FROM experiments WHERE name = ?1");
    put_names(query, experiment->name, experiment->table, experiment->tables,
              "DELETE FROM tables WHERE experiment = ?1",
              "INSERT INTO tables SELECT host, name, ?3, ?2 FROM experiments WHERE name = ?1");
}

void query_experiments_open(struct query *query)
{
    struct dirent **entry = NULL;
    const int count = scandir(query->experiments, &entry, NULL, alphasort);
    query->opened = memory_allocate(count > 0 ? (size_t)count : 1, sizeof *query->opened);
    for (int i = 0; i < count; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", query->experiments, entry[i]->d_name);
        if (text_ends(entry[i]->d_name, ".yaml"))
            query->opened[query->opened_count++] = yaml_read(path);
        free(entry[i]);
    }
    free(entry);
    for (size_t i = 0; i < query->opened_count; i++)
        own_know_experiment(query->opened[i]);
}

void query_experiments_load(struct query *query)
{
    sqlite3_exec(query->db, "BEGIN", NULL, NULL, NULL);
    while (query->opened_count > 0) {
        struct study *study = study_read(query->opened[--query->opened_count], PROFILE_FULL, NULL, 0, NULL);
        if (study)
            put(query, study->asked);
        study_free(study);
    }
    sqlite3_exec(query->db, "COMMIT", NULL, NULL, NULL);
    free(query->opened);
}
