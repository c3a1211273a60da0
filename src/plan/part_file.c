/* The file <experiment>.part.json: which part of a measurement on several machines measures which cell.
 * SPDX-License-Identifier: MIT */
#include "part_file.h"

#include "base/memory.h"
#include "base/regular.h"
#include "base/rewrite.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* An item and the part that measures it. */
struct owned {
    const char *id;
    int of;
};

static int compare_owned(const void *a, const void *b)
{
    return strcmp(((const struct owned *)a)->id, ((const struct owned *)b)->id);
}

/* The items of a schedule by their cell. The caller frees them. */
static struct owned *owned_items(const struct schedule *schedule, const int *of)
{
    struct owned *owned = memory_allocate(schedule->count, sizeof *owned);
    size_t filled = 0;
    for (size_t p = 0; p < schedule->points; p++)
        for (size_t i = 0; i < schedule->point[p].count; i++)
            owned[filled++] = (struct owned){schedule->item[schedule->order[schedule->point[p].first + i]].id, of[p]};
    if (filled > 0)
        qsort(owned, filled, sizeof *owned, compare_owned);
    return owned;
}

int part_file_write(const char *folder, const struct schedule *schedule, const struct part_name *part, const int *of)
{
    struct owned *owned = owned_items(schedule, of);
    json_t *cells = json_array();
    for (size_t i = 0; i < schedule->listed.count; i++) {
        const struct owned key = {.id = schedule->listed_id[i]};
        const struct owned *found =
            schedule->count > 0 ? bsearch(&key, owned, schedule->count, sizeof *owned, compare_owned) : NULL;
        json_array_append_new(cells, json_pack("[s, i]", key.id, found ? found->of : 0));
    }
    free(owned);
    json_t *root = json_pack("{s:i, s:i, s:i, s:s, s:o}", "schema", 1, "part", part->number, "of", part->of, "profile",
                             schedule->shared.profile, "cells", cells);
    char *text = json_dumps(root, JSON_COMPACT), *name = memory_print("%s.part.json", schedule->experiment->name);
    bool changed = false;
    errno = ENOMEM;
    const int failed = !text || rewrite_bytes(folder, name, text, strlen(text), &changed) != 0 ? errno : 0;
    json_decref(root);
    free(text);
    free(name);
    return failed;
}

/* Takes a cell and its part from the list. */
static bool take_cell(struct part_file *file, json_t *cell)
{
    const char *id = json_string_value(json_array_get(cell, 0));
    const json_int_t of = json_integer_value(json_array_get(cell, 1));
    if (!id || !*id || strlen(id) >= CELL_ID_SIZE || of < 0 || of > file->part.of)
        return false;
    strcpy(file->id[file->count], id);
    file->of[file->count++] = (int)of;
    return true;
}

bool part_file_read(const char *folder, const char *study, struct part_file *file, char *why, size_t size)
{
    char *path = memory_print("%s/%s.part.json", folder, study);
    *file = (struct part_file){.count = 0};
    *why = '\0';
    FILE *stream = regular_open(path);
    if (!stream) {
        free(path);
        return false;
    }
    json_t *root = json_loadf(stream, 0, NULL);
    fclose(stream);
    const json_t *cells = json_object_get(root, "cells");
    const char *profile = json_string_value(json_object_get(root, "profile"));
    const json_int_t number = json_integer_value(json_object_get(root, "part")),
                     of = json_integer_value(json_object_get(root, "of"));
    bool fine = profile && json_is_array(cells) && number >= 1 && number <= of && of <= PART_MOST;
    if (fine) {
        const size_t count = json_array_size(cells);
        file->part = (struct part_name){(int)number, (int)of};
        snprintf(file->profile, sizeof file->profile, "%s", profile);
        file->id = memory_allocate(count, sizeof *file->id);
        file->of = memory_allocate(count, sizeof *file->of);
        for (size_t i = 0; i < count && fine; i++)
            fine = take_cell(file, json_array_get(cells, i));
    }
    if (!fine) {
        snprintf(why, size, "%s cannot be understood; run this part again, which writes it anew", path);
        part_file_free(file);
    }
    json_decref(root);
    free(path);
    return fine;
}

void part_file_free(struct part_file *file)
{
    free(file->id);
    free(file->of);
    *file = (struct part_file){.count = 0};
}

bool part_file_same_cells(const struct part_file *a, const struct part_file *b)
{
    return a->count == b->count && (a->count == 0 || memcmp(a->id, b->id, a->count * sizeof *a->id) == 0);
}

bool part_file_same(const struct part_file *a, const struct part_file *b)
{
    return a->part.of == b->part.of && strcmp(a->profile, b->profile) == 0 && part_file_same_cells(a, b) &&
           (a->count == 0 || memcmp(a->of, b->of, a->count * sizeof *a->of) == 0);
}
