/* SQL functions model(variant, settings), the bank model of a cell as JSON, and known_model(variant, settings), which
 * is NULL where this program does not know the variant or a value.
 * SPDX-License-Identifier: MIT */
#include "query_model.h"

#include "cell.h"
#include "counters/banks.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 512 };

static json_t *sum_json(enum space space, const struct banks_sum *sum)
{
    if (space == SPACE_GLOBAL)
        return json_pack("{s:I, s:I}", "instructions", (json_int_t)sum->instructions, "sectors",
                         (json_int_t)sum->sectors);
    return json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)sum->instructions, "wavefronts",
                     (json_int_t)sum->wavefronts, "conflicts", (json_int_t)sum->conflicts);
}

static json_t *site_json(const struct cell *cell, int index, const struct banks_sum *sum)
{
    const struct access *site = &cell->entry->meta->accesses->site[index];
    int64_t offset[WARP_LANES];
    banks_offsets(cell, index, 0, offset);
    json_t *const offsets = json_array();
    for (int lane = 0; lane < WARP_LANES; lane++)
        json_array_append_new(offsets, offset[lane] == INACTIVE ? json_null() : json_integer(offset[lane]));
    json_t *const object = json_pack("{s:s, s:s, s:s, s:i}", "name", site->name, "space",
                                     site->space == SPACE_SHARED ? "shared" : "global", "direction",
                                     site->direction == DIRECTION_LOAD ? "load" : "store", "width", site->width(cell));
    json_object_update_new(object, sum_json(site->space, sum));
    json_object_set_new(object, "offset", offsets);
    return object;
}

/* Text for free(), or NULL if the cell has no model. */
static char *model_text(const struct cell *cell)
{
    static const char *const sum_names[2][2] = {
        [SPACE_SHARED] = {[DIRECTION_LOAD] = "shared_load", [DIRECTION_STORE] = "shared_store"},
        [SPACE_GLOBAL] = {[DIRECTION_LOAD] = "global_load", [DIRECTION_STORE] = "global_store"}};
    struct banks banks;
    char why[256];
    if (!banks_model(cell, &banks, why, sizeof why))
        return NULL;
    json_t *const model = json_pack("{s:I}", "shared_bytes", (json_int_t)banks.shared_bytes);
    for (int space = 0; space < 2; space++)
        for (int direction = 0; direction < 2; direction++)
            json_object_set_new(model, sum_names[space][direction],
                                sum_json((enum space)space, &banks.sum[space][direction]));
    json_t *const sites = json_array();
    for (int i = 0; i < banks.sites; i++)
        json_array_append_new(sites, site_json(cell, i, &banks.site[i]));
    json_object_set_new(model, "sites", sites);
    char *const text = json_dumps(model, JSON_COMPACT);
    json_decref(model);
    return text;
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    for (int axis = 0; axis < AXES; axis++)
        if (cell_value(a, axis) != cell_value(b, axis))
            return false;
    return a->entry == b->entry;
}

/* A query asks several times for the same cell: one call a column, and again where a view is read twice. */
static const char *kept_text(const struct cell *cell)
{
    static struct {
        struct cell cell;
        char *text;
    } kept[KEPT];
    static size_t next;
    for (size_t i = 0; i < KEPT; i++)
        if (same_cell(&kept[i].cell, cell))
            return kept[i].text;
    const size_t at = next++ % KEPT;
    free(kept[at].text);
    kept[at].cell = *cell;
    kept[at].text = model_text(cell);
    return kept[at].text;
}

/* Reads one word, such as "tile=32", into a cell. Returns false, with the fault, for an unknown axis or a bad value. */
static bool read_setting(const char *word, size_t length, struct cell *cell, char *fault, size_t size)
{
    const char *const sign = memchr(word, '=', length);
    const size_t key = sign ? (size_t)(sign - word) : length;
    const int axis = cell_axis_find(word, key);
    if (axis < 0 || !sign) {
        snprintf(fault, size, axis < 0 ? "model(...): no axis '%.*s'" : "model(...): axis '%.*s' has no value",
                 (int)(key < 64 ? key : 64), word);
        return false;
    }
    const size_t digits = length - key - 1;
    int64_t *const value = cell_axis(cell, axis);
    if (cell_axis_read(axis, sign + 1, digits, value) && cell_axis_allows(axis, *value))
        return true;
    snprintf(fault, size, "model(...): '%.*s' is no %s", (int)(digits < 64 ? digits : 64), sign + 1,
             cell_axes[axis].key);
    return false;
}

static bool read_settings(const char *text, struct cell *cell, char *fault, size_t size)
{
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        if (!read_setting(text, length, cell, fault, size))
            return false;
        text += length;
    }
    return true;
}

/* Ends with an error; the lenient function then has no value. */
static void refuse(sqlite3_context *context, const char *fault)
{
    if (!sqlite3_user_data(context))
        sqlite3_result_error(context, fault, -1);
}

static void model(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    char fault[160];
    const char *const name = (const char *)sqlite3_value_text(argument[0]);
    if (!name)
        return;
    const struct entry *const entry = registry_find(name);
    if (!entry) {
        snprintf(fault, sizeof fault, "model(variant, ...): no variant '%.64s'", name);
        refuse(context, fault);
        return;
    }
    struct cell given = {0};
    const char *const settings = (const char *)sqlite3_value_text(argument[1]);
    if (!read_settings(settings ? settings : "", &given, fault, sizeof fault)) {
        refuse(context, fault);
        return;
    }
    const struct cell cell = banks_cell(entry, &given);
    const char *const text = kept_text(&cell);
    if (text)
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

int query_model_add(sqlite3 *db)
{
    static int lenient;
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    return sqlite3_create_function(db, "model", 2, flags, NULL, model, NULL, NULL) ||
           sqlite3_create_function(db, "known_model", 2, flags, &lenient, model, NULL, NULL);
}
