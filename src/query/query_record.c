/* Loading of run records.
 * SPDX-License-Identifier: MIT */
#include "query_record.h"

#include "registry.h"
#include "base/record.h"
#include "base/regular.h"
#include "results/outputs.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

/* A record that is being loaded. */
struct record {
    struct left_out *left_out;
    const char *experiment;
    sqlite3_stmt *machine; /* inserts one row */
    bool cut;              /* a text was too long */
    bool refused;          /* a value had another type than its column */
};

static bool insert_row(sqlite3_stmt *insert, size_t count, const char *const value[])
{
    for (size_t i = 0; i < count; i++)
        sqlite3_bind_text(insert, 1 + (int)i, value[i], -1, SQLITE_STATIC);
    const bool done = sqlite3_step(insert) == SQLITE_DONE;
    sqlite3_reset(insert);
    return done;
}

bool query_record_insert(sqlite3 *db, const char *sql, size_t count, const char *const value[])
{
    sqlite3_stmt *insert = NULL;
    const bool done = sqlite3_prepare_v2(db, sql, -1, &insert, NULL) == SQLITE_OK && insert_row(insert, count, value);
    sqlite3_finalize(insert);
    return done;
}

static void insert_texts(struct record *record, const char *sql, size_t count, const char *const value[])
{
    record->refused |= !query_record_insert(record->left_out->db, sql, count, value);
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

/* Cuts every text that no page could hold. */
static void shorten(struct record *record, json_t *value, const char *key)
{
    enum { TITLE = 400, TEXT = 4096 };
    const char *name;
    json_t *member;
    size_t index;
    if (json_is_object(value)) {
        json_object_foreach(value, name, member) shorten(record, member, name);
    } else if (json_is_array(value)) {
        json_array_foreach(value, index, member) shorten(record, member, "");
    } else if (json_is_string(value)) {
        size_t length = strncmp(key, "title", 5) == 0 ? TITLE : TEXT;
        const char *text = json_string_value(value);
        if (json_string_length(value) <= length)
            return;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--;
        char kept[TEXT + 8];
        snprintf(kept, sizeof kept, "%.*s...", (int)length, text);
        json_string_set(value, kept);
        record->cut = true;
    }
}

/* Inserts every scalar of a JSON value into `machine`; its key is the path to it, as "gpu.name". */
static void flatten(struct record *record, const char *key, const json_t *value)
{
    char inner[512], buffer[40];
    const char *name;
    json_t *member;
    size_t index;
    if (json_is_object(value)) {
        json_object_foreach((json_t *)value, name, member)
        {
            snprintf(inner, sizeof inner, "%s%s%s", key, *key ? "." : "", name);
            flatten(record, inner, member);
        }
    } else if (json_is_array(value)) {
        json_array_foreach(value, index, member)
        {
            snprintf(inner, sizeof inner, "%s.%zu", key, index);
            flatten(record, inner, member);
        }
    } else {
        const char *const row[] = {record->left_out->host, record->experiment, key, scalar_text(value, buffer)};
        record->refused |= !insert_row(record->machine, 4, row);
    }
}

/* Inserts one row for each object of an array. `keys` names the members, in the order of the columns. */
static void insert_objects(struct record *record, const char *sql, const json_t *array, size_t count,
                           const char *const keys[])
{
    enum { KEYS_MOST = 24 };
    size_t index;
    json_t *object;
    assert(count <= KEYS_MOST);
    json_array_foreach(array, index, object)
    {
        const char *row[2 + KEYS_MOST] = {record->left_out->host, record->experiment};
        char buffer[KEYS_MOST][40];
        for (size_t i = 0; i < count; i++)
            row[2 + i] = scalar_text(json_object_get(object, keys[i]), buffer[i]);
        insert_texts(record, sql, 2 + count, row);
    }
}

static void insert_names(struct record *record, const char *sql, const json_t *array)
{
    size_t index;
    json_t *name;
    json_array_foreach(array, index, name)
    {
        char order[24];
        snprintf(order, sizeof order, "%zu", index);
        const char *const row[] = {record->left_out->host, record->experiment, order, json_string_value(name)};
        insert_texts(record, sql, 4, row);
    }
}

/* The time of the measurement. A number that is no time of this era would be no date either. */
static const char *time_text(const json_t *value, char buffer[40])
{
    return json_is_integer(value) && record_is_time(json_integer_value(value)) ? scalar_text(value, buffer) : NULL;
}

static void insert_experiment(struct record *record, const json_t *json)
{
    const json_t *about = json_object_get(json, "experiment"), *measured_at = json_object_get(json, "measured_at");
    char buffer[12][40];
    const char *const row[] = {
        record->left_out->host,
        record->experiment,
        scalar_text(json_object_get(about, "title_en"), buffer[0]),
        scalar_text(json_object_get(about, "title_ru"), buffer[1]),
        scalar_text(json_object_get(about, "source"), buffer[2]),
        scalar_text(json_object_get(about, "baseline"), buffer[3]),
        scalar_text(json_object_get(about, "profile"), buffer[4]),
        time_text(measured_at, buffer[5]),
        scalar_text(json_object_get(json, "commit"), buffer[6]),
        scalar_text(json_object_get(json, "dirty"), buffer[7]),
        scalar_text(json_object_get(about, "about_en"), buffer[8]),
        scalar_text(json_object_get(about, "about_ru"), buffer[9]),
    };
    if (measured_at && !row[7])
        left_out_tell(record->left_out, 0, "left out the time of the measurement, which is no date");
    insert_texts(record, "INSERT INTO experiments VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", 12, row);
    insert_names(record, "INSERT INTO figures VALUES(?,?,?,?)", json_object_get(about, "figures"));
    insert_names(record, "INSERT INTO tables VALUES(?,?,?,?)", json_object_get(about, "tables"));
    insert_names(record, "INSERT INTO studied VALUES(?,?,?,?)", json_object_get(about, "problems"));
}

static void insert_lists(struct record *record, const json_t *json)
{
    static const char *const variant_keys[] = {"name",        "backend",        "order",  "summary",  "source",
                                               "file",        "unit",           "tensor", "pivoting", "chaotic",
                                               "source_hash", "compile_line",   "vendor", "halved",   "library",
                                               "style",       "input_roundoff", "parts",  "split",    "products"};
    insert_objects(record, "INSERT INTO variants VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,NULL)",
                   json_object_get(json, "variants"), 20, variant_keys);
    static const char *const build_keys[] = {"name", "source_hash", "compile_line"};
    insert_objects(record, "INSERT INTO builds VALUES(?,?,?,?,?)", json_object_get(json, "earlier_builds"), 3,
                   build_keys);
    static const char *const library_keys[] = {"name",   "path",    "hash",   "config", "threads",
                                               "kernel", "setting", "choice", "remark"};
    insert_objects(record, "INSERT INTO libraries VALUES(?,?,?,?,?,?,?,?,?,?,?)", json_object_get(json, "libraries"), 9,
                   library_keys);
    static const char *const device_keys[] = {"id",           "name",        "kind",          "platform",
                                              "version",      "driver",      "compute_units", "clock_mhz",
                                              "memory_bytes", "local_bytes", "group_items",   "fp64"};
    for (int id = 0; id < BACKENDS; id++)
        if (registry_backends[id].devices > 0)
            insert_objects(record, "INSERT INTO devices VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                           json_object_get(json, registry_backends[id].name), 12, device_keys);
}

/* Reads the file. NULL after a fault was told. */
static json_t *read_json(struct left_out *left_out)
{
    enum { MOST_BYTES = 1 << 26 };
    json_error_t error;
    struct stat state;
    FILE *file = regular_open(left_out->path);
    if (!file) {
        left_out_tell(left_out, 0, "left out the run record: %s", regular_why(errno));
        return NULL;
    }
    json_t *json = NULL;
    if (fstat(fileno(file), &state) == 0 && state.st_size > MOST_BYTES)
        left_out_tell(left_out, 0, "left out the run record: it is larger than %d MiB", MOST_BYTES >> 20);
    else if (!(json = json_loadf(file, JSON_REJECT_DUPLICATES, &error)))
        left_out_tell(left_out, error.line, "left out the run record: %s", error.text);
    else if (!json_is_object(json))
        left_out_tell(left_out, 1, "left out the run record: it is no JSON object");
    fclose(file);
    if (json_is_object(json))
        return json;
    json_decref(json);
    return NULL;
}

void query_record_load(const char *experiment, struct left_out *left_out)
{
    struct record record = {.left_out = left_out, .experiment = experiment};
    json_t *json = read_json(left_out);
    if (!json)
        return;
    shorten(&record, json, "");
    insert_experiment(&record, json);
    insert_lists(&record, json);
    static const char *const flattened[] = {"machine", "gpu", "compiler", "environment", "overhead", "counts"};
    record.refused |=
        sqlite3_prepare_v2(left_out->db, "INSERT INTO machine VALUES(?,?,?,?)", -1, &record.machine, NULL) != SQLITE_OK;
    for (size_t i = 0; record.machine && i < sizeof flattened / sizeof *flattened; i++)
        if (json_object_get(json, flattened[i]))
            flatten(&record, flattened[i], json_object_get(json, flattened[i]));
    sqlite3_finalize(record.machine);
    json_decref(json);
    if (record.cut)
        left_out_tell(left_out, 0, "cut a text of the run record that is too long for a page");
    if (record.refused)
        left_out_tell(left_out, 0, "left out a part of the run record whose values have the wrong type");
}

void query_record_load_changes(const char *folder, const char *experiment, struct left_out *left_out)
{
    json_t *json = record_read(folder, experiment);
    const unsigned changed = outputs_changed(json, folder, experiment);
    char name[256];
    json_decref(json);
    for (int i = 0; i < OUTPUTS; i++) {
        if (!(changed & BIT(i)))
            continue;
        snprintf(name, sizeof name, "%s.%s", experiment, outputs_endings[i]);
        const char *const row[] = {left_out->host, experiment, name};
        query_record_insert(left_out->db, "INSERT INTO changed_files VALUES(?,?,?)", 3, row);
    }
}
