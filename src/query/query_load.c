/* Loading of `tilelab query`: run records, and the files of each data folder.
 * SPDX-License-Identifier: MIT */
#include "query_load.h"

#include "cell.h"
#include "query_csv.h"
#include "query_experiments.h"
#include "registry.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Runs an INSERT with text values. NULL becomes SQL NULL. */
static void insert_texts(struct query *query, const char *sql, size_t count, const char *const value[])
{
    sqlite3_stmt *insert = NULL;
    if (sqlite3_prepare_v2(query->db, sql, -1, &insert, NULL) != SQLITE_OK)
        return;
    for (size_t i = 0; i < count; i++)
        if (value[i])
            sqlite3_bind_text(insert, 1 + (int)i, value[i], -1, SQLITE_STATIC);
    sqlite3_step(insert);
    sqlite3_finalize(insert);
}

/* A JSON scalar as text, in `buffer` or in place. NULL for null, for no value, and for arrays and objects. */
static const char *scalar_text(const json_t *value, char buffer[40])
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_boolean(value))
        return json_is_true(value) ? "1" : "0";
    if (json_is_integer(value))
        snprintf(buffer, 40, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        sqlite3_snprintf(40, buffer, "%.15g", json_real_value(value));
    else
        return NULL;
    return buffer;
}

/* Inserts every scalar of a JSON value into `machine`; its key is the path to it, as "gpu.name". */
static void flatten(struct query *query, const char *host, const char *experiment, const char *key, const json_t *value)
{
    char inner[512], buffer[40];
    const char *name;
    json_t *member;
    size_t index;
    if (json_is_object(value)) {
        json_object_foreach((json_t *)value, name, member)
        {
            snprintf(inner, sizeof inner, "%s%s%s", key, *key ? "." : "", name);
            flatten(query, host, experiment, inner, member);
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, index, member)
        {
            snprintf(inner, sizeof inner, "%s.%zu", key, index);
            flatten(query, host, experiment, inner, member);
        }
    } else {
        const char *const row[] = {host, experiment, key, scalar_text(value, buffer)};
        insert_texts(query, "INSERT INTO machine VALUES(?,?,?,?)", 4, row);
    }
}

/* Inserts one row for each object of an array. `keys` names the members, in the order of the columns. */
static void insert_objects(struct query *query, const char *sql, const char *host, const char *experiment,
                           const json_t *array, size_t count, const char *const keys[])
{
    size_t index;
    json_t *object;
    json_array_foreach(array, index, object)
    {
        const char *row[18] = {host, experiment};
        char buffer[16][40];
        for (size_t i = 0; i < count; i++)
            row[2 + i] = scalar_text(json_object_get(object, keys[i]), buffer[i]);
        insert_texts(query, sql, 2 + count, row);
    }
}

static void insert_names(struct query *query, const char *sql, const char *host, const char *experiment,
                         const json_t *array)
{
    size_t index;
    json_t *name;
    json_array_foreach(array, index, name)
    {
        char order[24];
        snprintf(order, sizeof order, "%zu", index);
        const char *const row[] = {host, experiment, order, json_string_value(name)};
        insert_texts(query, sql, 4, row);
    }
}

static int load_record(struct query *query, const char *path, const char *host, const char *experiment,
                       FILE *diagnostics)
{
    json_error_t error;
    json_t *record = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!record) {
        fprintf(diagnostics, "%s:%d:%d: error: %s\n", path, error.line, error.column, error.text);
        return -1;
    }
    const json_t *about = json_object_get(record, "experiment");
    char buffer[12][40];
    const char *const row[] = {
        host,
        experiment,
        scalar_text(json_object_get(about, "title_en"), buffer[0]),
        scalar_text(json_object_get(about, "title_ru"), buffer[1]),
        scalar_text(json_object_get(about, "source"), buffer[2]),
        scalar_text(json_object_get(about, "baseline"), buffer[3]),
        scalar_text(json_object_get(about, "profile"), buffer[4]),
        scalar_text(json_object_get(record, "measured_at"), buffer[5]),
        scalar_text(json_object_get(record, "commit"), buffer[6]),
        scalar_text(json_object_get(record, "dirty"), buffer[7]),
        scalar_text(json_object_get(about, "about_en"), buffer[8]),
        scalar_text(json_object_get(about, "about_ru"), buffer[9]),
    };
    insert_texts(query, "INSERT INTO experiments VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", 12, row);
    static const char *const variant_keys[] = {
        "name",     "backend", "order",       "summary",      "source", "file",   "unit",    "tensor",
        "pivoting", "chaotic", "source_hash", "compile_line", "vendor", "halved", "library", "style"};
    insert_objects(query, "INSERT INTO variants VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", host, experiment,
                   json_object_get(record, "variants"), 16, variant_keys);
    static const char *const build_keys[] = {"name", "source_hash", "compile_line"};
    insert_objects(query, "INSERT INTO builds VALUES(?,?,?,?,?)", host, experiment,
                   json_object_get(record, "earlier_builds"), 3, build_keys);
    static const char *const library_keys[] = {"name",   "path",    "hash",   "config", "threads",
                                               "kernel", "setting", "choice", "remark"};
    insert_objects(query, "INSERT INTO libraries VALUES(?,?,?,?,?,?,?,?,?,?,?)", host, experiment,
                   json_object_get(record, "libraries"), 9, library_keys);
    static const char *const device_keys[] = {"id",           "name",        "kind",          "platform",
                                              "version",      "driver",      "compute_units", "clock_mhz",
                                              "memory_bytes", "local_bytes", "group_items",   "fp64"};
    for (int id = 0; id < BACKENDS; id++)
        if (registry_backends[id].devices > 0)
            insert_objects(query, "INSERT INTO devices VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", host, experiment,
                           json_object_get(record, registry_backends[id].name), 12, device_keys);
    insert_names(query, "INSERT INTO figures VALUES(?,?,?,?)", host, experiment, json_object_get(about, "figures"));
    insert_names(query, "INSERT INTO tables VALUES(?,?,?,?)", host, experiment, json_object_get(about, "tables"));
    insert_names(query, "INSERT INTO studied VALUES(?,?,?,?)", host, experiment, json_object_get(about, "problems"));
    static const char *const flattened[] = {"machine", "gpu", "compiler", "environment", "overhead", "counts"};
    for (size_t i = 0; i < sizeof flattened / sizeof *flattened; i++)
        if (json_object_get(record, flattened[i]))
            flatten(query, host, experiment, flattened[i], json_object_get(record, flattened[i]));
    json_decref(record);
    return 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The part of a name before a suffix. False if the name has another suffix. */
static bool stem_of(const char *name, const char *suffix, char stem[128])
{
    const size_t length = strlen(name), end = strlen(suffix);
    if (length <= end || length - end >= 128 || name[0] == '.' || strcmp(name + length - end, suffix) != 0)
        return false;
    snprintf(stem, 128, "%.*s", (int)(length - end), name);
    return true;
}

enum pass { PASS_RECORDS, PASS_SAMPLES, PASS_PUBLISHED };

static int load_folder(struct query *query, const char *folder, const char *host, enum pass pass, FILE *diagnostics)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, NULL, by_name);
    if (count < 0 && errno != ENOENT)
        fprintf(diagnostics, "%s: error: %s\n", folder, strerror(errno));
    int failed = count < 0 && errno != ENOENT;
    for (int i = 0; i < count; i++) {
        char path[1024], stem[128];
        const char *name = entry[i]->d_name;
        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (failed)
            ;
        else if (pass == PASS_PUBLISHED && stem_of(name, ".csv", stem))
            failed = query_csv_load_published(query->db, path, stem, diagnostics);
        else if (pass == PASS_SAMPLES && stem_of(name, ".samples.csv", stem))
            failed = query_csv_load(query->db, path, "samples", host, stem, diagnostics);
        else if (pass == PASS_RECORDS && stem_of(name, ".history.csv", stem))
            failed = query_csv_load(query->db, path, "history", host, stem, diagnostics);
        else if (pass == PASS_RECORDS && stem_of(name, ".results.csv", stem))
            failed = query_csv_load(query->db, path, "results", host, NULL, diagnostics);
        else if (pass == PASS_RECORDS && stem_of(name, ".archive.csv", stem))
            failed = query_csv_load(query->db, path, "archive", host, NULL, diagnostics);
        else if (pass == PASS_RECORDS && stem_of(name, ".counters.csv", stem))
            failed = query_csv_load(query->db, path, "counters", host, NULL, diagnostics);
        else if (pass == PASS_RECORDS && strcmp(name, "calibration.csv") == 0)
            failed = query_csv_load(query->db, path, "calibration", host, NULL, diagnostics);
        else if (pass == PASS_RECORDS && stem_of(name, ".run.json", stem))
            failed = load_record(query, path, host, stem, diagnostics);
        free(entry[i]);
    }
    free(entry);
    return failed ? -1 : 0;
}

static int load_hosts(struct query *query, enum pass pass, FILE *diagnostics)
{
    int failed = sqlite3_exec(query->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK;
    for (size_t i = 0; i < query->hosts.count && !failed; i++)
        failed = load_folder(query, query->hosts.host[i].folder, query->hosts.host[i].name, pass, diagnostics);
    sqlite3_exec(query->db, failed ? "ROLLBACK" : "COMMIT", NULL, NULL, NULL);
    return failed ? -1 : 0;
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
        insert_texts(query, "INSERT INTO axes VALUES(?,?,?,?,?,?,?)", 7, row);
    }
}

/* Inserts what this program knows of variants, problems and backends. */
static void insert_known(struct query *query)
{
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        char style[24], source[17];
        snprintf(style, sizeof style, "%d", registry_style(&entry[i]));
        snprintf(source, sizeof source, "%.16s", entry[i].source_hash);
        const char *const row[] = {entry[i].name,
                                   entry[i].meta->summary,
                                   entry[i].meta->vendor ? "1" : "0",
                                   entry[i].meta->halved ? "1" : "0",
                                   registry_library(&entry[i]),
                                   style,
                                   source};
        insert_texts(query, "INSERT OR IGNORE INTO known VALUES(?,?,?,?,?,?,?)", 7, row);
        if (i == 0 || entry[i].problem != entry[i - 1].problem) {
            const char *const problem[] = {entry[i].problem->name, entry[i].problem->probe ? "1" : "0"};
            insert_texts(query, "INSERT INTO problems VALUES(?,?)", 2, problem);
        }
    }
    for (int i = 0; i < BACKENDS; i++) {
        const char *const row[] = {registry_backends[i].name, registry_kind_names[registry_backends[i].kind]};
        insert_texts(query, "INSERT INTO backends VALUES(?,?)", 2, row);
    }
}

/* Sets the columns that follow from others. A record of an older program lacks facts of its variants; this program's
 * registry gives these facts. The summary is a description and no measured fact, so the registry's summary replaces
 * the record's. A result is a probe if its problem is one and the study does not name the problem. It is stale if it
 * tells another source than this program has. */
static int derive(struct query *query)
{
    static const char sql[] =
        "UPDATE variants SET summary = k.summary, vendor = coalesce(variants.vendor, k.vendor),"
        " halved = coalesce(variants.halved, k.halved),"
        " library = coalesce(variants.library, k.library), style = coalesce(variants.style, k.style)"
        " FROM known k WHERE k.name = variants.name;"
        "UPDATE results SET"
        " probe = coalesce(problem IN (SELECT name FROM problems WHERE probe)"
        " AND NOT EXISTS (SELECT 1 FROM studied s WHERE s.host = results.host"
        " AND s.experiment = results.experiment AND s.problem = results.problem), 0),"
        " side = coalesce((SELECT d.kind FROM devices d WHERE d.host = results.host"
        " AND d.experiment = results.experiment AND d.id = results.device_id),"
        " (SELECT kind FROM backends b WHERE b.name = backend)),"
        " (vendor, halved) = (SELECT coalesce(max(v.vendor), k.vendor, 0), coalesce(max(v.halved), k.halved, 0)"
        " FROM (SELECT results.variant AS name) r LEFT JOIN known k ON k.name = r.name"
        " LEFT JOIN variants v ON v.host = results.host AND v.experiment = results.experiment AND v.name = r.name);"
        "UPDATE results SET stale = results.source_hash <> k.source_hash FROM known k WHERE k.name = variant;"
        "UPDATE archive SET stale = archive.source_hash <> k.source_hash FROM known k WHERE k.name = variant;";
    return sqlite3_exec(query->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : -1;
}

int query_load(struct query *query, FILE *diagnostics)
{
    insert_axes(query);
    insert_known(query);
    for (size_t i = 0; i < query->hosts.count; i++) {
        char order[24];
        snprintf(order, sizeof order, "%zu", i);
        const char *const row[] = {order, query->hosts.host[i].name};
        insert_texts(query, "INSERT INTO hosts VALUES(?,?)", 2, row);
    }
    if (load_hosts(query, PASS_RECORDS, diagnostics) != 0)
        return -1;
    if (query->experiments)
        query_experiments_load(query);
    if (derive(query) != 0)
        return -1;
    return query->published ? load_folder(query, query->published, NULL, PASS_PUBLISHED, diagnostics) : 0;
}

int query_load_samples(struct query *query, FILE *diagnostics)
{
    query->samples_loaded = true;
    return load_hosts(query, PASS_SAMPLES, diagnostics);
}
