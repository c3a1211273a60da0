/* SQL function model(variant, precision, m, n, k, tile, padding): the bank model of a cell as JSON.
 * SPDX-License-Identifier: MIT */
#include "query_model.h"

#include "cell.h"
#include "counters/banks.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 8 };

static const int argument_axis[] = {-1, AXIS_precision, AXIS_m, AXIS_n, AXIS_k, AXIS_tile, AXIS_padding};

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

/* A query asks several times for the same cell: one call a column. */
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

/* The value of an axis; NULL is 0, which says that it does not apply. False if it is none. */
static bool read_axis(int axis, sqlite3_value *argument, int64_t *value)
{
    *value = 0;
    if (sqlite3_value_type(argument) == SQLITE_NULL)
        return true;
    if (cell_axes[axis].kind == NAME) {
        const char *name = (const char *)sqlite3_value_text(argument);
        for (int64_t i = cell_axes[axis].lowest; i <= cell_axes[axis].highest; i++)
            if (name && strcmp(name, cell_axes[axis].names[i]) == 0)
                *value = i;
        return *value != 0;
    }
    *value = sqlite3_value_int64(argument);
    return sqlite3_value_type(argument) == SQLITE_INTEGER && *value >= cell_axes[axis].lowest &&
           *value <= cell_axes[axis].highest;
}

static void model(sqlite3_context *context, int count, sqlite3_value **argument)
{
    char fault[160];
    const char *name = (const char *)sqlite3_value_text(argument[0]);
    if (!name)
        return;
    struct cell cell = {.entry = registry_find(name)};
    if (!cell.entry) {
        snprintf(fault, sizeof fault, "model(variant, ...): no variant '%.64s'", name);
        sqlite3_result_error(context, fault, -1);
        return;
    }
    for (int i = 1; i < count; i++) {
        const int axis = argument_axis[i];
        if (read_axis(axis, argument[i], cell_axis(&cell, axis)))
            continue;
        const char *text = (const char *)sqlite3_value_text(argument[i]);
        snprintf(fault, sizeof fault, "model(...): '%.64s' is no %s", text ? text : "", cell_axes[axis].key);
        sqlite3_result_error(context, fault, -1);
        return;
    }
    const char *text = kept_text(&cell);
    if (text)
        sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

int query_model_add(sqlite3 *db)
{
    return sqlite3_create_function(db, "model", sizeof argument_axis / sizeof *argument_axis,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, model, NULL, NULL);
}
