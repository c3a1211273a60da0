/* SQL functions of numbers and texts: median, exact, sig, fraction, grouped, si, span, ratio, ratio_low, ratio_high,
 * rate_low, rate_high, verdict, recount, blames, is_large, latex and html.
 * SPDX-License-Identifier: MIT */
#include "query_functions.h"

#include "cell.h"
#include "query_marks.h"
#include "query_model.h"
#include "query_prose.h"
#include "query_ratios.h"
#include "query_settings.h"
#include "registry.h"
#include "base/comparison.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/stats.h"
#include "results/blame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void median_final(sqlite3_context *context)
{
    struct query_numbers *numbers = sqlite3_aggregate_context(context, 0);
    if (!numbers || numbers->count == 0)
        return;
    sqlite3_result_double(context, stats_median(numbers->value, numbers->count));
    free(numbers->value);
}

/* Writes a number with so many significant digits, never in exponent notation: digits that are not significant are
 * zeros before the point. SQLite's own printf is used throughout, since it knows no locale. */
static void write_significant(double value, int digits, char *text, int size)
{
    const int exponent = value == 0 ? 0 : (int)floor(log10(fabs(value)));
    const double unit = pow(10, exponent - digits + 1);
    if (exponent >= digits)
        sqlite3_snprintf(size, text, "%.0f", round(value / unit) * unit);
    else /* rounding may carry into one digit more: 9.996 with 3 digits is 10.0 */
        sqlite3_snprintf(size, text, "%.*f",
                         fabs(value) >= pow(10, exponent + 1) - unit / 2 && exponent < digits - 1
                             ? digits - 2 - exponent
                             : digits - 1 - exponent,
                         value);
}

/* exact(x): a number in the digits that CSV files have; any other value as it is. */
static void exact(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    char text[NUMBER_SIZE];
    if (sqlite3_value_type(argument[0]) != SQLITE_FLOAT) {
        sqlite3_result_value(context, argument[0]);
        return;
    }
    number_print(sqlite3_value_double(argument[0]), text);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* sig(x, digits = 3) */
static void sig(sqlite3_context *context, int count, sqlite3_value **argument)
{
    if (sqlite3_value_type(argument[0]) == SQLITE_NULL)
        return;
    const double value = sqlite3_value_double(argument[0]);
    const int digits = count > 1 ? sqlite3_value_int(argument[1]) : 3;
    if (digits < 1 || digits > 15) {
        sqlite3_result_error(context, "sig(x, digits): digits are not 1 to 15", -1);
        return;
    }
    if (!isfinite(value))
        return; /* a quotient of foreign numbers has no digits */
    char text[400];
    write_significant(value, digits, text, sizeof text);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* fraction(x): x in at most nine digits; a long decimal that is k/3, k/6, k/7 or k/9 is printed so. */
static void fraction(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    static const int denominators[] = {3, 6, 7, 9};
    if (sqlite3_value_type(argument[0]) == SQLITE_NULL)
        return;
    const double value = sqlite3_value_double(argument[0]);
    char text[64];
    snprintf(text, sizeof text, "%.9g", value);
    for (size_t i = 0; strlen(text) > 8 && fabs(value) < 1e6 && i < sizeof denominators / sizeof *denominators; i++) {
        const double numerator = round(value * denominators[i]);
        if (fabs(numerator / denominators[i] - value) < 1e-9)
            snprintf(text, sizeof text, "%.0f/%d", numerator, denominators[i]);
    }
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* grouped(n): a count of five digits or more in groups of three. */
static void grouped(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const sqlite3_int64 value = sqlite3_value_int64(argument[0]);
    if (sqlite3_value_type(argument[0]) == SQLITE_NULL || value < 10000)
        sqlite3_result_value(context, argument[0]);
    else
        sqlite3_result_text(context, sqlite3_mprintf("%,lld", value), -1, sqlite3_free);
}

/* si(x, unit): three digits with an SI prefix, "1.23 ms". */
static void si(sqlite3_context *context, int count, sqlite3_value **argument)
{
    static const char *const prefix[] = {"n", "µ", "m", "", "k", "M", "G", "T", "P"};
    if (sqlite3_value_type(argument[0]) == SQLITE_NULL)
        return;
    const double value = sqlite3_value_double(argument[0]);
    if (!isfinite(value))
        return;
    const char *unit = count > 1 ? (const char *)sqlite3_value_text(argument[1]) : "";
    int step = value == 0 ? 0 : (int)floor(log10(fabs(value) * 1.0005) / 3);
    step = step < -3 ? -3 : step > 5 ? 5 : step;
    char number[400], text[480];
    write_significant(value / pow(1000, step), 3, number, sizeof number);
    sqlite3_snprintf(sizeof text, text, "%s %s%s", number, prefix[step + 3], unit ? unit : "");
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

/* How many of the marks of the rule of comparison a ratio has reached. */
static int place_of_ratio(double x)
{
    const double above = 1 + COMPARISON_THRESHOLD;
    return (x >= 1 / above) + (x >= 1) + (x > 1) + (x > above);
}

/* Writes a ratio, or an end of its interval, with three digits. It gets more digits where three would move it across 1
 * or the threshold, as readers hold it against the verdict, but no more than a clock can tell. */
static void write_ratio(double value, char *text, int size)
{
    for (int digits = 3; digits <= 5; digits++) {
        double shown;
        write_significant(value, digits, text, size);
        if (!number_read(text, strlen(text), &shown) || place_of_ratio(shown) == place_of_ratio(value))
            return;
    }
}

/* A time with the ends of its interval, or a ratio of two times; NAN: it is not known. */
struct span {
    double middle, low, high;
};

static double number_of(sqlite3_value *value)
{
    return sqlite3_value_type(value) == SQLITE_NULL ? NAN : sqlite3_value_double(value);
}

/* span(time, low, high): the three numbers as one text. */
static void span(sqlite3_context *context, int count, sqlite3_value **argument)
{
    char text[3][NUMBER_SIZE];
    for (int i = 0; i < count; i++)
        number_print(number_of(argument[i]), text[i]);
    sqlite3_result_text(context, memory_print("%s %s %s", text[0], text[1], text[2]), -1, free);
}

static struct span read_span(sqlite3_value *value)
{
    double number[3] = {NAN, NAN, NAN};
    const char *text = (const char *)sqlite3_value_text(value);
    for (int i = 0; text && i < 3; i++) {
        const size_t length = strcspn(text, " ");
        number_read(text, length, &number[i]);
        text += length + (text[length] == ' ');
    }
    return (struct span){number[0], number[1], number[2]};
}

/* Reads a ratio with its interval from `count` arguments: two are spans, of which the first one is divided by the
 * second one; else they are the ratio and, if they are there, the ends. */
static struct span read_ratio(int count, sqlite3_value **argument)
{
    if (count != 2)
        return (struct span){number_of(argument[0]), count > 1 ? number_of(argument[1]) : NAN,
                             count > 2 ? number_of(argument[2]) : NAN};
    const struct span a = read_span(argument[0]), b = read_span(argument[1]);
    return (struct span){a.middle / b.middle, a.low / b.high, a.high / b.low};
}

static void result_number(sqlite3_context *context, double value)
{
    if (isfinite(value))
        sqlite3_result_double(context, value);
}

/* ratio_low(a, b) and ratio_high(a, b): the ends of the interval of a ratio of two spans; NULL where one has none. */
static void ratio_low(sqlite3_context *context, int count, sqlite3_value **argument)
{
    result_number(context, read_ratio(count, argument).low);
}

static void ratio_high(sqlite3_context *context, int count, sqlite3_value **argument)
{
    result_number(context, read_ratio(count, argument).high);
}

/* rate_low(rate, span) and rate_high(rate, span): the ends of the interval of a rate, which follow from the span of the
 * time; the rate itself where the time has no interval. */
static void rate_low(sqlite3_context *context, int count, sqlite3_value **argument)
{
    const struct span time = read_span(argument[1]);
    (void)count;
    result_number(context, number_of(argument[0]) * (isnan(time.high) ? 1 : time.middle / time.high));
}

static void rate_high(sqlite3_context *context, int count, sqlite3_value **argument)
{
    const struct span time = read_span(argument[1]);
    (void)count;
    result_number(context, number_of(argument[0]) * (isnan(time.low) ? 1 : time.middle / time.low));
}

/* ratio(x); ratio(x, low, high), "1.25 [1.2, 1.3]", which is ratio(x) where an end is NULL; and ratio(a, b), which is
 * the same of two spans. */
static void ratio(sqlite3_context *context, int count, sqlite3_value **argument)
{
    char text[3][400];
    int known = 0;
    const struct span of = read_ratio(count, argument);
    const double value[] = {of.middle, of.low, of.high};
    for (; known < 3 && isfinite(value[known]); known++)
        write_ratio(value[known], text[known], sizeof text[known]);
    if (known == 0)
        return;
    char *const all = known == 3 ? memory_print("%s [%s, %s]", text[0], text[1], text[2]) : memory_print("%s", text[0]);
    sqlite3_result_text(context, all, -1, free);
}

/* verdict(speedup, low, high, weak): what the interval of a speed-up allows to say of it. verdict(a, b, weak): the same
 * of the ratio of two spans. `weak`: why a side gives no verdict; NULL where both sides do. */
static void verdict(sqlite3_context *context, int count, sqlite3_value **argument)
{
    const struct span of = read_ratio(count - 1, argument);
    if (isnan(of.middle))
        return;
    enum comparison found = comparison_of(of.middle, of.low, of.high);
    if (found != COMPARISON_SINGLE && sqlite3_value_type(argument[count - 1]) != SQLITE_NULL)
        found = COMPARISON_UNDECIDED;
    sqlite3_result_text(context, comparison_names[found], -1, SQLITE_STATIC);
}

/* recount(problem, n, k, flops): the operations that a row of results needs, where it tells `flops`. */
static void recount(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *name = (const char *)sqlite3_value_text(argument[0]);
    const struct problem *problem = name ? registry_problem(name) : NULL;
    const struct cell shape = {.n = sqlite3_value_int64(argument[1]), .k = sqlite3_value_int64(argument[2])};
    if (sqlite3_value_type(argument[3]) != SQLITE_NULL)
        sqlite3_result_double(context, cell_recount(problem, &shape, sqlite3_value_double(argument[3])));
}

/* latex(text): the text as LaTeX that prints those characters. */
static void latex(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(argument[0]);
    if (text)
        sqlite3_result_text(context, escape_latex(text), -1, free);
}

/* html(text): the text as HTML that shows those characters, also within a quoted attribute. */
static void html(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *text = (const char *)sqlite3_value_text(argument[0]);
    if (text)
        sqlite3_result_text(context, escape_html(text), -1, free);
}

/* blames(status): 1 if the status shows that the variant is wrong. */
static void blames(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *status = (const char *)sqlite3_value_text(argument[0]);
    sqlite3_result_int(context, status && blame_variant(status));
}

/* is_large(n, most): 1 if n is at least a quarter of the largest size, as a conclusion is of no smaller one. */
static void is_large(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    sqlite3_result_int(context, 4 * sqlite3_value_double(argument[0]) >= sqlite3_value_double(argument[1]));
}

int query_functions_add(sqlite3 *db)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    return sqlite3_create_function(db, "median", 1, flags, NULL, NULL, query_numbers_step, median_final) ||
           sqlite3_create_function(db, "exact", 1, flags, NULL, exact, NULL, NULL) ||
           sqlite3_create_function(db, "sig", 1, flags, NULL, sig, NULL, NULL) ||
           sqlite3_create_function(db, "sig", 2, flags, NULL, sig, NULL, NULL) ||
           sqlite3_create_function(db, "fraction", 1, flags, NULL, fraction, NULL, NULL) ||
           sqlite3_create_function(db, "grouped", 1, flags, NULL, grouped, NULL, NULL) ||
           sqlite3_create_function(db, "si", 1, flags, NULL, si, NULL, NULL) ||
           sqlite3_create_function(db, "si", 2, flags, NULL, si, NULL, NULL) ||
           sqlite3_create_function(db, "ratio", 1, flags, NULL, ratio, NULL, NULL) ||
           sqlite3_create_function(db, "ratio", 2, flags, NULL, ratio, NULL, NULL) ||
           sqlite3_create_function(db, "ratio", 3, flags, NULL, ratio, NULL, NULL) ||
           sqlite3_create_function(db, "ratio_low", 2, flags, NULL, ratio_low, NULL, NULL) ||
           sqlite3_create_function(db, "ratio_high", 2, flags, NULL, ratio_high, NULL, NULL) ||
           sqlite3_create_function(db, "rate_low", 2, flags, NULL, rate_low, NULL, NULL) ||
           sqlite3_create_function(db, "rate_high", 2, flags, NULL, rate_high, NULL, NULL) ||
           sqlite3_create_function(db, "span", 3, flags, NULL, span, NULL, NULL) ||
           sqlite3_create_function(db, "verdict", 3, flags, NULL, verdict, NULL, NULL) ||
           sqlite3_create_function(db, "verdict", 4, flags, NULL, verdict, NULL, NULL) ||
           sqlite3_create_function(db, "recount", 4, flags, NULL, recount, NULL, NULL) ||
           sqlite3_create_function(db, "blames", 1, flags, NULL, blames, NULL, NULL) ||
           sqlite3_create_function(db, "is_large", 2, flags, NULL, is_large, NULL, NULL) ||
           sqlite3_create_function(db, "latex", 1, flags, NULL, latex, NULL, NULL) ||
           sqlite3_create_function(db, "html", 1, flags, NULL, html, NULL, NULL) || query_marks_add(db) ||
           query_model_add(db) || query_prose_add(db) || query_ratios_add(db) || query_settings_add(db);
}
