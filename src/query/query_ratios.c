/* SQL functions of comparisons of times: log_error, ratio_p, error_rate, min_launches, called_p,
 * launch_ratio and mean_ratio.
 * SPDX-License-Identifier: MIT */
#include "query_ratios.h"

#include "base/comparison.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

void query_numbers_step(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    struct query_numbers *numbers = sqlite3_aggregate_context(context, sizeof *numbers);
    if (!numbers || sqlite3_value_type(argument[0]) == SQLITE_NULL)
        return;
    if (numbers->count == numbers->room) {
        numbers->room = numbers->room ? 2 * numbers->room : 16;
        numbers->value = memory_grow(numbers->value, numbers->room, sizeof *numbers->value);
    }
    numbers->value[numbers->count++] = sqlite3_value_double(argument[0]);
}

static bool all_known(int count, sqlite3_value **argument)
{
    for (int i = 0; i < count; i++)
        if (sqlite3_value_type(argument[i]) == SQLITE_NULL)
            return false;
    return true;
}

/* NAN becomes NULL. */
static void log_error(sqlite3_context *context, int count, sqlite3_value **argument)
{
    if (all_known(count, argument))
        sqlite3_result_double(context,
                              comparison_error(sqlite3_value_double(argument[0]), sqlite3_value_double(argument[1]),
                                               sqlite3_value_int(argument[2])));
}

static void ratio_p(sqlite3_context *context, int count, sqlite3_value **argument)
{
    if (all_known(count, argument))
        sqlite3_result_double(context, comparison_p(sqlite3_value_double(argument[0]),
                                                    sqlite3_value_double(argument[1]), sqlite3_value_int(argument[2])));
}

static void error_rate(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    (void)argument;
    sqlite3_result_double(context, COMPARISON_ERROR_RATE);
}

static void min_launches(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    (void)argument;
    sqlite3_result_int(context, COMPARISON_LAUNCHES);
}

static void put(char **json, const char *name, double value)
{
    char text[NUMBER_SIZE];
    number_print(value, text);
    memory_append(json, "%c\"%s\":%s", *json ? ',' : '{', name, isfinite(value) ? text : "null");
}

static void result_ratio(sqlite3_context *context, double trim)
{
    struct query_numbers *numbers = sqlite3_aggregate_context(context, 0);
    if (!numbers || numbers->count == 0)
        return;
    const struct stats_ratio of = stats_ratio(numbers->value, numbers->count, trim);
    free(numbers->value);
    char *json = NULL;
    put(&json, "ratio", of.ratio);
    put(&json, "low", of.low);
    put(&json, "high", of.high);
    put(&json, "p", of.p);
    memory_append(&json, "}");
    sqlite3_result_text(context, json, -1, free);
}

static void launch_ratio(sqlite3_context *context)
{
    result_ratio(context, COMPARISON_TRIM);
}

static void mean_ratio(sqlite3_context *context)
{
    result_ratio(context, 0);
}

/* called_p(p): the greatest p-value whose difference is called among all of them. */
static void called_p(sqlite3_context *context)
{
    struct query_numbers *numbers = sqlite3_aggregate_context(context, 0);
    if (!numbers)
        return;
    const double most = stats_called(numbers->value, numbers->count, COMPARISON_ERROR_RATE);
    free(numbers->value);
    if (!isnan(most))
        sqlite3_result_double(context, most);
}

int query_ratios_add(sqlite3 *db)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    return sqlite3_create_function(db, "log_error", 3, flags, NULL, log_error, NULL, NULL) ||
           sqlite3_create_function(db, "ratio_p", 3, flags, NULL, ratio_p, NULL, NULL) ||
           sqlite3_create_function(db, "error_rate", 0, flags, NULL, error_rate, NULL, NULL) ||
           sqlite3_create_function(db, "min_launches", 0, flags, NULL, min_launches, NULL, NULL) ||
           sqlite3_create_function(db, "called_p", 1, flags, NULL, NULL, query_numbers_step, called_p) ||
           sqlite3_create_function(db, "launch_ratio", 1, flags, NULL, NULL, query_numbers_step, launch_ratio) ||
           sqlite3_create_function(db, "mean_ratio", 1, flags, NULL, NULL, query_numbers_step, mean_ratio);
}
