/* Which elements of an output are wrong: as a sentence, and as a small map.
 * SPDX-License-Identifier: MIT */
#include "wrong_map.h"

#include <stdlib.h>
#include <string.h>

/* Where a fault makes a pattern, some of its elements are right by accident. */
static const double FILLED = 0.75;
enum { SIGNS_DOWN = 16, SIGNS_ACROSS = 32, TILE_MOST = 128 };

static bool is_filled(int64_t wrong, int64_t all)
{
    return all > 0 && (double)wrong >= FILLED * (double)all;
}

/* ---- Sets of rows and of columns ---- */

/* Indices from 0 to count - 1, of which `members` belong to the set. */
struct set {
    const char *one, *many; /* "row", "rows" */
    int64_t count, members, first, last;
    int64_t stride; /* the distance of all neighbours in the set; 0: they have no common one */
};

/* The indices that have at least `least` wrong elements. */
static struct set set_of(const int64_t *wrong, int64_t count, int64_t least, const char *one, const char *many)
{
    struct set set = {.one = one, .many = many, .count = count, .last = -1};
    for (int64_t i = 0; i < count; i++) {
        if (wrong[i] < least)
            continue;
        if (set.members == 0)
            set.first = i;
        else if (set.members == 1)
            set.stride = i - set.last;
        else if (set.stride != i - set.last)
            set.stride = 0;
        set.last = i;
        set.members++;
    }
    return set;
}

static bool is_all(const struct set *set)
{
    return set->members == set->count;
}

static void name_set(const struct set *set, char *text, size_t size)
{
    const long long first = set->first, last = set->last;
    const bool to_end = last + (set->stride > 0 ? set->stride : 1) >= set->count;
    if (is_all(set))
        snprintf(text, size, "all %s", set->many);
    else if (set->members == 1 && last == set->count - 1)
        snprintf(text, size, "the last %s", set->one);
    else if (set->members == 1)
        snprintf(text, size, "%s %lld", set->one, first);
    else if (set->stride == 1 && to_end)
        snprintf(text, size, "%s from %lld on", set->many, first);
    else if (set->stride == 1)
        snprintf(text, size, "%s %lld to %lld", set->many, first, last);
    else if (set->stride > 0 && set->members > 2 && to_end)
        snprintf(text, size, "one %s in %lld, from %lld on", set->one, (long long)set->stride, first);
    else
        snprintf(text, size, "%lld of %lld %s", (long long)set->members, (long long)set->count, set->many);
}

/* ---- Patterns ---- */

struct found {
    const struct wrong_map *map;
    int64_t *by_row, *by_col; /* how many elements are wrong in each row, and in each column */
    int64_t wrong;
};

static bool count_wrong(const struct wrong_map *map, struct found *found)
{
    *found = (struct found){.map = map};
    found->by_row = calloc((size_t)map->rows + 1, sizeof *found->by_row);
    found->by_col = calloc((size_t)map->cols + 1, sizeof *found->by_col);
    if (!found->by_row || !found->by_col)
        return false;
    for (int64_t i = 0; i < map->rows; i++)
        for (int64_t j = 0; j < map->cols; j++) {
            const int wrong = map->wrong[i * map->cols + j];
            found->by_row[i] += wrong;
            found->by_col[j] += wrong;
            found->wrong += wrong;
        }
    return true;
}

/* Some rows, some columns, or a block of both. */
static bool is_block(const struct found *found, char *text, size_t size)
{
    const struct wrong_map *map = found->map;
    const struct set rows = set_of(found->by_row, map->rows, 1, "row", "rows");
    const struct set cols = set_of(found->by_col, map->cols, 1, "column", "columns");
    char of_rows[80], of_cols[80];
    if (!is_filled(found->wrong, rows.members * cols.members))
        return false;
    name_set(&rows, of_rows, sizeof of_rows);
    name_set(&cols, of_cols, sizeof of_cols);
    if (is_all(&rows) && is_all(&cols))
        snprintf(text, size, "nearly everywhere");
    else if (map->cols == 1)
        snprintf(text, size, "%s", of_rows);
    else if (is_all(&rows))
        snprintf(text, size, "%s, %s", of_cols, of_rows);
    else
        snprintf(text, size, "%s, %s", of_rows, of_cols);
    return true;
}

/* Some whole rows and some whole columns, as at the edge of the last tiles. */
static bool is_cross(const struct found *found, char *text, size_t size)
{
    const struct wrong_map *map = found->map;
    const int64_t of_row = (int64_t)(FILLED * (double)map->cols) + 1;
    const int64_t of_col = (int64_t)(FILLED * (double)map->rows) + 1;
    const struct set rows = set_of(found->by_row, map->rows, of_row, "row", "rows");
    const struct set cols = set_of(found->by_col, map->cols, of_col, "column", "columns");
    int64_t inside = 0;
    for (int64_t i = 0; i < map->rows; i++)
        for (int64_t j = 0; j < map->cols; j++)
            if (found->by_row[i] >= of_row || found->by_col[j] >= of_col)
                inside += map->wrong[i * map->cols + j];
    if (inside < found->wrong || rows.members == 0 || cols.members == 0)
        return false;
    char of_rows[80], of_cols[80];
    name_set(&rows, of_rows, sizeof of_rows);
    name_set(&cols, of_cols, sizeof of_cols);
    snprintf(text, size, "%s and %s", of_rows, of_cols);
    return true;
}

/* Whether element (i, j) belongs to a region of the matrix; `number` is a size, where the region has one. */
typedef bool region(int64_t i, int64_t j, int64_t number);
static bool above(int64_t i, int64_t j, int64_t number)
{
    return (void)number, j > i;
}
static bool below(int64_t i, int64_t j, int64_t number)
{
    return (void)number, j < i;
}
static bool diagonal(int64_t i, int64_t j, int64_t number)
{
    return (void)number, j == i;
}
static bool even_tiles(int64_t i, int64_t j, int64_t number)
{
    return ((i / number + j / number) & 1) == 0;
}
static bool odd_tiles(int64_t i, int64_t j, int64_t number)
{
    return !even_tiles(i, j, number);
}

/* Whether the wrong elements are those of the region. */
static bool is_region(const struct found *found, region *has, int64_t number)
{
    const struct wrong_map *map = found->map;
    int64_t all = 0;
    for (int64_t i = 0; i < map->rows; i++)
        for (int64_t j = 0; j < map->cols; j++) {
            const bool in = has(i, j, number);
            if (!in && map->wrong[i * map->cols + j])
                return false;
            all += in;
        }
    return is_filled(found->wrong, all);
}

static bool is_known_region(const struct found *found, char *text, size_t size)
{
    static const struct {
        region *has;
        const char *words;
    } regions[] = {{above, "above the diagonal"}, {below, "below the diagonal"}, {diagonal, "the diagonal"}};
    for (size_t r = 0; r < sizeof regions / sizeof *regions; r++)
        if (is_region(found, regions[r].has, 0)) {
            snprintf(text, size, "%s", regions[r].words);
            return true;
        }
    for (long long tile = TILE_MOST; tile >= 1; tile /= 2)
        if (is_region(found, even_tiles, tile) || is_region(found, odd_tiles, tile)) {
            if (tile > 1)
                snprintf(text, size, "every second %lld x %lld tile", tile, tile);
            else
                snprintf(text, size, "every second element");
            return true;
        }
    return false;
}

void wrong_map_words(const struct wrong_map *map, char *text, size_t size)
{
    const long long all = map->rows * map->cols;
    struct found found;
    char where[200];
    text[0] = '\0';
    const bool counted = count_wrong(map, &found);
    if (counted && found.wrong == all && all > 0)
        snprintf(text, size, "all elements are wrong");
    else if (counted && found.wrong > 0) {
        if (!is_block(&found, where, sizeof where) && !is_cross(&found, where, sizeof where) &&
            !is_known_region(&found, where, sizeof where))
            snprintf(where, sizeof where, "scattered");
        snprintf(text, size, "%lld of %lld elements %s wrong: %s", (long long)found.wrong, all,
                 found.wrong == 1 ? "is" : "are", where);
    }
    free(found.by_row);
    free(found.by_col);
}

/* ---- The map ---- */

/* Blocks begin at multiples of a power of two, as most tiles do. */
static int64_t block_of(int64_t count, int64_t most)
{
    int64_t block = 1;
    while ((count + block - 1) / block > most)
        block *= 2;
    return block;
}

static char sign_of(const struct wrong_map *map, int64_t row, int64_t col, int64_t down, int64_t across)
{
    int64_t wrong = 0, all = 0;
    for (int64_t i = row; i < map->rows && i < row + down; i++)
        for (int64_t j = col; j < map->cols && j < col + across; j++, all++)
            wrong += map->wrong[i * map->cols + j];
    return wrong == 0 ? '.' : wrong == all ? '#' : '+';
}

void wrong_map_print(const struct wrong_map *map, FILE *out)
{
    const int64_t down = block_of(map->rows, SIGNS_DOWN), across = block_of(map->cols, SIGNS_ACROSS);
    fprintf(out, "  %s, %lld x %lld; a sign is %lld x %lld: . right, # wrong, + partly wrong\n", map->name,
            (long long)map->rows, (long long)map->cols, (long long)down, (long long)across);
    for (int64_t row = 0; row < map->rows; row += down) {
        fprintf(out, "  %6lld ", (long long)row);
        for (int64_t col = 0; col < map->cols; col += across)
            fputc(sign_of(map, row, col, down, across), out);
        fputc('\n', out);
    }
}
