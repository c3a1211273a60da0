/* Checks what is said of the places of wrong elements.
 * SPDX-License-Identifier: MIT */
#include "verify/wrong_map.h"
#include "test.h"

typedef bool pattern(int64_t i, int64_t j);

static bool nothing(int64_t i, int64_t j)
{
    return i < 0 && j < 0;
}
static bool everything(int64_t i, int64_t j)
{
    return i >= 0 && j >= 0;
}
static bool most(int64_t i, int64_t j)
{
    return i != 5 || j != 5;
}
static bool last_columns(int64_t i, int64_t j)
{
    return i >= 0 && j >= 32;
}
static bool last_rows(int64_t i, int64_t j)
{
    return i >= 32 && j >= 0;
}
static bool edges(int64_t i, int64_t j)
{
    return i >= 32 || j >= 32;
}
static bool block(int64_t i, int64_t j)
{
    return i < 8 && j >= 8 && j < 16;
}
static bool column(int64_t i, int64_t j)
{
    return i >= 0 && j == 3;
}
static bool every_eighth(int64_t i, int64_t j)
{
    return i % 8 == 3 && j >= 0;
}
static bool some_rows(int64_t i, int64_t j)
{
    return (i == 1 || i == 2 || i == 7) && j >= 0;
}
static bool upper(int64_t i, int64_t j)
{
    return j > i;
}
static bool diagonal(int64_t i, int64_t j)
{
    return j == i;
}
static bool tiles(int64_t i, int64_t j)
{
    return (i / 8 + j / 8) % 2 == 1;
}
static bool spots(int64_t i, int64_t j)
{
    return (i * 37 + j) % 101 == 0;
}

static const struct {
    pattern *is_wrong;
    int64_t rows, cols;
    const char *words;
} cases[] = {
    {nothing, 4, 4, ""},
    {everything, 4, 4, "all elements are wrong"},
    {most, 33, 33, "1088 of 1089 elements are wrong: nearly everywhere"},
    {last_columns, 33, 33, "33 of 1089 elements are wrong: the last column, all rows"},
    {last_columns, 20, 40, "160 of 800 elements are wrong: columns from 32 on, all rows"},
    {last_rows, 40, 20, "160 of 800 elements are wrong: rows from 32 on, all columns"},
    {last_rows, 40, 1, "8 of 40 elements are wrong: rows from 32 on"},
    {edges, 33, 33, "65 of 1089 elements are wrong: the last row and the last column"},
    {edges, 40, 40, "576 of 1600 elements are wrong: rows from 32 on and columns from 32 on"},
    {block, 40, 40, "64 of 1600 elements are wrong: rows 0 to 7, columns 8 to 15"},
    {column, 40, 40, "40 of 1600 elements are wrong: column 3, all rows"},
    {every_eighth, 40, 4, "20 of 160 elements are wrong: one row in 8, from 3 on, all columns"},
    {some_rows, 40, 4, "12 of 160 elements are wrong: 3 of 40 rows, all columns"},
    {upper, 40, 40, "780 of 1600 elements are wrong: above the diagonal"},
    {diagonal, 40, 40, "40 of 1600 elements are wrong: the diagonal"},
    {tiles, 40, 36, "704 of 1440 elements are wrong: every second 8 x 8 tile"},
    {spots, 40, 40, "16 of 1600 elements are wrong: scattered"},
};

static struct wrong_map make(pattern *is_wrong, int64_t rows, int64_t cols)
{
    struct wrong_map map = {.name = "C", .rows = rows, .cols = cols, .wrong = calloc((size_t)(rows * cols), 1)};
    assert_non_null(map.wrong);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            map.wrong[i * cols + j] = is_wrong(i, j);
    return map;
}

TEST(words_name_the_pattern)
{
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct wrong_map map = make(cases[c].is_wrong, cases[c].rows, cases[c].cols);
        char text[200];
        wrong_map_words(&map, text, sizeof text);
        assert_string_equal(text, cases[c].words);
        free(map.wrong);
    }
}

TEST(a_sign_stands_for_a_block)
{
    struct wrong_map map = make(last_columns, 20, 40);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    wrong_map_print(&map, out);
    fclose(out);
    assert_non_null(strstr(text, "  C, 20 x 40; a sign is 2 x 2: "));
    assert_non_null(strstr(text, "\n      18 ................####\n"));
    free(text);
    free(map.wrong);
}
