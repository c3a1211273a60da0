/* Numbers as text, the same in every locale.
 * SPDX-License-Identifier: MIT */
#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale "C". It is made once and kept for the life of the process. */
static locale_t c_locale(void)
{
    static locale_t locale;
    if (!locale) {
        locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (!locale) {
            perror("newlocale");
            abort();
        }
    }
    return locale;
}

size_t number_print(double value, char text[NUMBER_SIZE])
{
    text[0] = '\0';
    if (isnan(value))
        return 0;
    if (isinf(value))
        return (size_t)snprintf(text, NUMBER_SIZE, "%s", value < 0 ? "-1e999" : "1e999");

    const locale_t before = uselocale(c_locale());
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
        const double back = strtod(text, NULL);
        if (memcmp(&back, &value, sizeof value) == 0)
            break;
    }
    uselocale(before);
    return (size_t)length;
}

/* Reads a number without an exponent that has few digits. Up to 15 digits, and a power of ten up to 10^22, are exact in
 * a double; so the only rounding is that of the division. */
static bool read_short(const char *text, size_t length, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t mantissa = 0;
    size_t digits = 0, fraction = 0;
    bool point = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && !point) {
            point = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            mantissa = 10 * mantissa + (uint64_t)(text[i] - '0');
            fraction += point;
            if (++digits > 18)
                return false;
        } else {
            return false;
        }
    }
    if (digits == 0 || mantissa >= UINT64_C(1000000000000000))
        return false;
    *value = (double)mantissa / power[fraction];
    return true;
}

bool number_read(const char *text, size_t length, double *value)
{
    char copy[64];
    *value = NAN;
    if (length == 0)
        return true;
    if (read_short(text, length, value))
        return true;
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    /* strtod would also take hexadecimal numbers, "nan" and leading spaces. */
    if (strspn(copy, "+-.0123456789eE") != length)
        return false;
    char *end;
    const double read = strtod_l(copy, &end, c_locale());
    if (end != copy + length)
        return false;
    *value = read;
    return true;
}

bool number_read_count(const char *text, size_t length, int64_t *value)
{
    *value = 0;
    if (length > 18)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *value = 10 * *value + (text[i] - '0');
    }
    return true;
}

size_t number_print_decimal(int64_t value, char text[NUMBER_SIZE])
{
    int length =
        snprintf(text, NUMBER_SIZE, "%lld.%09lld", (long long)(value / DECIMAL_ONE), (long long)(value % DECIMAL_ONE));
    while (text[length - 1] == '0')
        length--;
    if (text[length - 1] == '.')
        length--;
    text[length] = '\0';
    return (size_t)length;
}

bool number_read_decimal(const char *text, size_t length, int64_t *value)
{
    size_t whole = 0, decimals = 0;
    int64_t sum = 0;
    for (; whole < length && text[whole] >= '0' && text[whole] <= '9'; whole++)
        sum = whole < DECIMAL_DIGITS ? 10 * sum + (text[whole] - '0') : sum;
    const bool point = whole < length && text[whole] == '.';
    for (size_t i = whole + 1; point && i < length && text[i] >= '0' && text[i] <= '9'; i++)
        if (decimals++ < DECIMAL_DIGITS)
            sum = 10 * sum + (text[i] - '0');
    *value = 0;
    if (whole == 0 || whole > DECIMAL_DIGITS || decimals > DECIMAL_DIGITS || (point && !decimals) ||
        whole + point + decimals != length)
        return false;
    for (; decimals < DECIMAL_DIGITS; decimals++)
        sum *= 10;
    *value = sum;
    return true;
}

bool number_list_read(const char *text, struct number_list *list)
{
    list->count = 0;
    for (const char *at = text; list->count < NUMBER_LIST_MOST; at++) {
        const size_t length = strcspn(at, ",");
        int64_t *const value = &list->value[list->count++];
        if (!number_read_count(at, length, value) || *value < 1)
            return false;
        at += length;
        if (*at == '\0')
            return true;
    }
    return false;
}
