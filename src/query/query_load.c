/* Loading of `tilelab query`: what the program knows, and the files of each data folder.
 * SPDX-License-Identifier: MIT */
#include "query_load.h"

#include "build_info.h"
#include "cell.h"
#include "query_csv.h"
#include "query_experiments.h"
#include "query_marks.h"
#include "query_record.h"
#include "query_schema.h"
#include "registry.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "results/agreement.h"
#include "results/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The part of a name before a suffix. False if the name has another suffix. */
static bool stem_of(const char *name, const char *suffix, char stem[128])
{
    if (name[0] == '.' || !text_ends(name, suffix) || strlen(name) - strlen(suffix) >= 128)
        return false;
    snprintf(stem, 128, "%.*s", (int)(strlen(name) - strlen(suffix)), name);
    return true;
}

enum pass { PASS_RECORDS, PASS_SAMPLES, PASS_CHANGES, PASS_PUBLISHED };

/* The CSV files of a host's folder, and the tables that they go into. Files of other names are left alone. */
static const struct {
    const char *suffix, *table;
    enum pass pass;
    bool of_experiment; /* the file's name, and not its rows, tells the experiment */
} csv_files[] = {{".samples.csv", "samples", PASS_SAMPLES, true},   {".history.csv", "history", PASS_RECORDS, true},
                 {".results.csv", "results", PASS_RECORDS, false},  {".archive.csv", "archive", PASS_RECORDS, false},
                 {".timeline.csv", "timeline", PASS_RECORDS, true}, {".counters.csv", "counters", PASS_RECORDS, false}};

/* Loads one file of a folder. Returns how many faults it has. */
static size_t load_file(struct query *query, const char *folder, const char *name, const char *host, enum pass pass,
                        FILE *diagnostics)
{
    char path[1024], stem[128];
    struct left_out left_out = {.db = query->db, .host = host, .path = path, .diagnostics = diagnostics};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (size_t i = 0; i < sizeof csv_files / sizeof *csv_files; i++)
        if (pass == csv_files[i].pass && stem_of(name, csv_files[i].suffix, stem))
            query_csv_load(query->db, csv_files[i].table, csv_files[i].of_experiment ? stem : NULL, &left_out);
    if (pass == PASS_PUBLISHED && stem_of(name, ".csv", stem))
        left_out.faults = query_csv_load_published(query->db, path, stem, diagnostics) != 0;
    else if (pass == PASS_RECORDS && strcmp(name, "calibration.csv") == 0)
        query_csv_load(query->db, "calibration", NULL, &left_out);
    else if (pass == PASS_RECORDS && strcmp(name, agreement_left_out) == 0)
        query_csv_load(query->db, "marked_out", NULL, &left_out);
    else if (pass == PASS_RECORDS && stem_of(name, ".run.json", stem))
        query_record_load(stem, &left_out);
    else if (pass == PASS_CHANGES && stem_of(name, ".run.json", stem))
        query_record_load_changes(folder, stem, &left_out);
    left_out_end(&left_out);
    return left_out.faults;
}

/* Whether a file is one of a study that is loaded, or tells of all studies what is left out of them. */
static bool is_asked(const struct query *query, const char *name)
{
    const size_t length = query->study ? strlen(query->study) : 0;
    return !query->study || strcmp(name, agreement_left_out) == 0 ||
           (strncmp(name, query->study, length) == 0 && name[length] == '.');
}

/* Loads the files of a folder. Returns how many faults they have. */
static size_t load_folder(struct query *query, const char *folder, const char *host, enum pass pass, FILE *diagnostics)
{
    struct dirent **entry = NULL;
    size_t faults = 0;
    const int count = scandir(folder, &entry, NULL, alphasort);
    if (count < 0 && errno != ENOENT) {
        struct left_out left_out = {.db = query->db, .host = host, .path = folder, .diagnostics = diagnostics};
        left_out_tell(&left_out, 0, "left out the folder: %s", strerror(errno));
        faults++;
    }
    for (int i = 0; i < count; i++) {
        if (is_asked(query, entry[i]->d_name))
            faults += load_file(query, folder, entry[i]->d_name, host, pass, diagnostics);
        free(entry[i]);
    }
    free(entry);
    return faults;
}

/* Loads the results of the journal of a study, unless there is a results.csv. */
static void load_journal(struct query *query, const char *folder, const char *study, const char *host,
                         FILE *diagnostics)
{
    char *path = memory_print("%s/%s.results.csv", folder, study);
    size_t size;
    char *text = access(path, F_OK) != 0 ? store_text(folder, study, &size) : NULL;
    FILE *file = text ? fmemopen(text, size, "r") : NULL;
    struct left_out left_out = {.db = query->db, .host = host, .path = path, .diagnostics = diagnostics};
    if (file)
        query_csv_load_stream(query->db, file, "results", NULL, &left_out);
    left_out_end(&left_out);
    free(text);
    free(path);
}

static void load_journals(struct query *query, const char *folder, const char *host, FILE *diagnostics)
{
    char *journals = store_journals(folder), study[128];
    struct dirent **entry = NULL;
    const int count = scandir(journals, &entry, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (is_asked(query, entry[i]->d_name) && stem_of(entry[i]->d_name, ".journal", study))
            load_journal(query, folder, study, host, diagnostics);
        free(entry[i]);
    }
    free(entry);
    free(journals);
}

/* Runs statements. False after a line on `diagnostics`. */
static bool execute(struct query *query, const char *sql, FILE *diagnostics)
{
    const bool done = sqlite3_exec(query->db, sql, NULL, NULL, NULL) == SQLITE_OK;
    if (!done)
        fprintf(diagnostics, "tilelab query: %s\n", sqlite3_errmsg(query->db));
    return done;
}

static bool load_hosts(struct query *query, enum pass pass, FILE *diagnostics)
{
    if (!execute(query, "BEGIN", diagnostics))
        return false;
    for (size_t i = 0; i < query->hosts.count; i++)
        load_folder(query, query->hosts.host[i].folder, query->hosts.host[i].name, pass, diagnostics);
    for (size_t i = 0; query->journals && pass == PASS_RECORDS && i < query->hosts.count; i++)
        load_journals(query, query->hosts.host[i].folder, query->hosts.host[i].name, diagnostics);
    return execute(query, "COMMIT", diagnostics);
}

static void insert_axes(struct query *query)
{
    for (int i = 0; i < AXES; i++) {
        char order[24];
        snprintf(order, sizeof order, "%d", i);
        const struct axis *axis = &cell_axes[i];
        const char *const row[] = {order,        axis->field,
                                   axis->key,    cell_role_names[axis->role],
                                   axis->label,  axis->unset[0] ? axis->unset : NULL,
                                   axis->meaning};
        query_record_insert(query->db, "INSERT INTO axes VALUES(?,?,?,?,?,?,?)", 7, row);
    }
}

/* Returns the version of the compiler that the variant's hash covers, and under which key a run record tells its own;
 * both are NULL if the hash covers none. */
static const char *hashed_compiler(const struct entry *entry, const char **key)
{
    const struct registry_backend *backend = &registry_backends[entry->backend];
    const bool by_nvcc = strcmp(backend->suffix, ".cu") == 0, by_cc = backend->made != MADE_DEVICE;
    *key = by_nvcc ? "compiler.nvcc" : by_cc ? "compiler.version" : NULL;
    return by_nvcc ? TILELAB_NVCC_VERSION : by_cc ? TILELAB_CC_VERSION : NULL;
}

/* Inserts what this program knows of variants, problems and backends. */
static void insert_known(struct query *query)
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        char style[24], products[24], source[HASH_SHORT_SIZE];
        snprintf(style, sizeof style, "%d", registry_style(&entry[i]));
        snprintf(products, sizeof products, "%d", entry[i].meta->products);
        snprintf(source, sizeof source, "%.16s", entry[i].source_hash);
        char *own = entry[i].objects ? memory_print("%s/%s", entry[i].objects, entry[i].file) : NULL;
        const char *compiler, *version = hashed_compiler(&entry[i], &compiler);
        const char *const row[] = {entry[i].name,
                                   entry[i].meta->summary,
                                   entry[i].meta->summary_ru,
                                   entry[i].meta->vendor ? "1" : "0",
                                   entry[i].meta->halved ? "1" : "0",
                                   registry_library(&entry[i]),
                                   style,
                                   source,
                                   own,
                                   entry[i].meta->parts ? entry[i].meta->parts : "",
                                   cell_precision_names[entry[i].meta->split],
                                   products,
                                   compiler,
                                   version};
        query_record_insert(query->db, "INSERT OR IGNORE INTO known VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", 14, row);
        free(own);
        if (i == 0 || entry[i].problem != entry[i - 1].problem) {
            const struct problem *const of = entry[i].problem;
            const char *const problem[] = {of->name,     of->probe ? "1" : "0", of->title,
                                           of->title_ru, of->computes,          of->computes_ru};
            query_record_insert(query->db, "INSERT INTO problems VALUES(?,?,?,?,?,?)", 6, problem);
        }
    }
    query_marks_insert(query->db);
    for (int i = 0; i < BACKENDS; i++) {
        const char *const row[] = {registry_backends[i].name, registry_kind_names[registry_backends[i].kind]};
        query_record_insert(query->db, "INSERT INTO backends VALUES(?,?)", 2, row);
    }
}

/* What this program knows of the variant of a row, if no run record of the row's study tells another version of the
 * compiler that the hash of the variant covers. */
#define KNOWN_HERE \
    " FROM known k WHERE k.name = variant AND (host, experiment, coalesce(k.compiler, '')) NOT IN" \
    " (SELECT m.host, m.experiment, m.key FROM machine m" \
    " JOIN (SELECT DISTINCT compiler, version FROM known) v ON m.key = v.compiler AND m.value <> v.version);"

/* Sets what the cells of a table ran on. It is the kind of the device that the row names: the record tells the devices
 * of the last run, which may number them otherwise. */
#define SET_SIDE(table) \
    "UPDATE " table " SET side = coalesce((SELECT max(d.kind) FROM devices d WHERE d.host = " table ".host" \
    " AND d.name = " table ".device AND " table ".device_id IS NOT NULL)," \
    " (SELECT d.kind FROM devices d WHERE d.host = " table ".host" \
    " AND d.experiment = " table ".experiment AND d.id = " table ".device_id)," \
    " (SELECT kind FROM backends b WHERE b.name = backend));"

/* Sets the columns that follow from others. A record of an older program lacks facts of its variants; this program's
 * registry gives these facts. The summary is a description and no measured fact, so the registry's summary replaces
 * the record's. A result is a probe if its problem is one and the study does not name the problem. It is stale if it
 * tells another source than this program has. By another compiler, or without one, the same source has another hash:
 * whether such a result is stale is not known. */
static bool derive(struct query *query, FILE *diagnostics)
{
    static const char sql[] =
        "UPDATE variants SET summary = k.summary, summary_ru = k.summary_ru,"
        " vendor = coalesce(variants.vendor, k.vendor),"
        " halved = coalesce(variants.halved, k.halved),"
        " library = coalesce(variants.library, k.library), style = coalesce(variants.style, k.style)"
        " FROM known k WHERE k.name = variants.name;"
        "UPDATE results SET"
        " probe = coalesce(problem IN (SELECT name FROM problems WHERE probe)"
        " AND NOT EXISTS (SELECT 1 FROM studied s WHERE s.host = results.host"
        " AND s.experiment = results.experiment AND s.problem = results.problem), 0),"
        " (vendor, halved) = (SELECT coalesce(max(v.vendor), k.vendor, 0), coalesce(max(v.halved), k.halved, 0)"
        " FROM (SELECT results.variant AS name) r LEFT JOIN known k ON k.name = r.name"
        " LEFT JOIN variants v ON v.host = results.host AND v.experiment = results.experiment AND v.name = r.name);"
        "UPDATE results SET stale = results.source_hash <> k.source_hash" KNOWN_HERE
        "UPDATE archive SET stale = archive.source_hash <> k.source_hash" KNOWN_HERE;
    return execute(query, SET_SIDE("results") SET_SIDE("archive"), diagnostics) && execute(query, sql, diagnostics);
}

/* Replaces the counts of operations and the rates that rows of older programs tell. */
static bool recount(struct query *query, FILE *diagnostics)
{
    static const char sql[] =
        "UPDATE results SET gflops = gflops * recount(problem, n, coalesce(k, n), flops) / flops,"
        " flops = recount(problem, n, coalesce(k, n), flops) WHERE recount(problem, n, coalesce(k, n), flops) < flops;"
        "UPDATE archive SET gflops = gflops * recount(problem, n, coalesce(k, n), flops) / flops,"
        " flops = recount(problem, n, coalesce(k, n), flops) WHERE recount(problem, n, coalesce(k, n), flops) < flops;";
    return execute(query, sql, diagnostics);
}

/* Counts the launches of rows of older programs, which do not tell them. */
static bool count_launches(struct query *query, FILE *diagnostics)
{
    static const char missing[] = "SELECT 1 FROM results WHERE status = 'ok' AND launches IS NULL LIMIT 1";
    static const char sql[] =
        "UPDATE results SET launches = nullif((SELECT count(DISTINCT launch) FROM samples s WHERE s.host = results.host"
        " AND s.experiment = results.experiment AND s.cell = results.cell AND s.kernel_s IS NOT NULL), 0)"
        " WHERE status = 'ok' AND launches IS NULL";
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(query->db, missing, -1, &statement, NULL) != SQLITE_OK)
        return false;
    const bool any = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return !any || execute(query, sql, diagnostics);
}

bool query_load(struct query *query, FILE *diagnostics)
{
    if (query->experiments)
        query_experiments_open(query);
    insert_axes(query);
    insert_known(query);
    for (size_t i = 0; i < query->hosts.count; i++) {
        char order[24];
        snprintf(order, sizeof order, "%zu", i);
        const char *const row[] = {order, query->hosts.host[i].name};
        query_record_insert(query->db, "INSERT INTO hosts VALUES(?,?)", 2, row);
    }
    if (!load_hosts(query, PASS_RECORDS, diagnostics))
        return false;
    if (query->experiments)
        query_experiments_load(query);
    if (!derive(query, diagnostics) || !recount(query, diagnostics) || !load_hosts(query, PASS_SAMPLES, diagnostics) ||
        query_schema_index(query->db, diagnostics) != 0 || !count_launches(query, diagnostics))
        return false;
    return !query->published || load_folder(query, query->published, NULL, PASS_PUBLISHED, diagnostics) == 0;
}

bool query_load_changes(struct query *query, FILE *diagnostics)
{
    if (query->changes_loaded)
        return true;
    query->changes_loaded = true;
    return load_hosts(query, PASS_CHANGES, diagnostics);
}
