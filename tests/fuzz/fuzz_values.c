/* Fuzz target: the values of columns, numbers and settings. What is read and printed reads back as the same.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "base/number.h"
#include "results/criterion.h"
#include "results/columns.h"

#include <stdlib.h>
#include <string.h>

static void try_numbers(const char *text, size_t length)
{
    char printed[NUMBER_SIZE];
    double value, again;
    int64_t count;
    if (number_read(text, length, &value)) {
        FUZZ_NEED(number_read(printed, number_print(value, printed), &again));
        FUZZ_NEED(value == again ? memcmp(&value, &again, sizeof value) == 0 : value != value && again != again);
    }
    if (number_read_count(text, length, &count))
        FUZZ_NEED(count >= 0);
    if (number_read_decimal(text, length, &count)) {
        const int64_t decimal = count;
        FUZZ_NEED(number_read_decimal(printed, number_print_decimal(decimal, printed), &count) && count == decimal);
    }
}

static void try_criterion(const char *text, size_t length)
{
    char first[CRITERION_SIZE], second[CRITERION_SIZE];
    struct criterion criterion, again;
    if (!criterion_read(text, length, &criterion))
        return;
    FUZZ_NEED(criterion_read(first, criterion_print(&criterion, first), &again));
    criterion_print(&again, second);
    FUZZ_NEED(strcmp(first, second) == 0);
    criterion_satisfies(&criterion, false, &again);
}

/* Reads a value into a row, prints it, reads that and prints it again. */
static void try_column(const struct column *column, void *row, const char *text, size_t length)
{
    char first[COLUMN_TEXT_SIZE], second[COLUMN_TEXT_SIZE];
    if (!columns_read(column, row, text, length))
        return;
    FUZZ_NEED(columns_print(column, row, first) < COLUMN_TEXT_SIZE);
    const size_t printed = strlen(first);
    FUZZ_NEED(columns_read(column, row, first, printed));
    FUZZ_NEED(columns_print(column, row, second) == printed && strcmp(first, second) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct result result;
    static struct sample sample;
    if (size == 0)
        return 0;
    const size_t length = size - 1, at = data[0] % (RESULT_COLUMNS + SAMPLE_COLUMNS);
    /* No NUL behind the text: the functions get its length. */
    char *text = malloc(size);
    FUZZ_NEED(text);
    memcpy(text, data + 1, length);
    char *exact = length > 0 ? realloc(text, length) : text;
    FUZZ_NEED(exact);
    if (at < RESULT_COLUMNS)
        try_column(&columns_result[at], &result, exact, length);
    else
        try_column(&columns_sample[at - RESULT_COLUMNS], &sample, exact, length);
    try_numbers(exact, length);
    try_criterion(exact, length);
    free(exact);

    struct number_list list;
    char *whole = fuzz_text(data + 1, length);
    if (number_list_read(whole, &list))
        FUZZ_NEED(list.count > 0 && list.count <= NUMBER_LIST_MOST);
    free(whole);
    return 0;
}
