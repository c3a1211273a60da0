/* Numbers as text, the same in every locale: '.' as radix, no digit lost.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_NUMBER_H
#define TILELAB_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_SIZE = 32 };

/* Fewest of 15, 16 or 17 digits that read back the same bits. NAN is the empty text, infinity
 * 1e999, which every reader (SQLite too, which takes "inf" for 0) turns back into infinity. Returns
 * the length. */
size_t number_print(double value, char text[NUMBER_SIZE]);
/* Reads the whole of text[length]; the empty text is NAN. False, and NAN, if it is no decimal
 * number. */
bool number_read(const char *text, size_t length, double *value);

/* Decimals that are counted in 1e-9, exact. Printed with the fewest digits, "0.5", "2"; read with up to 9 on either side
 * of the point, and digits on both where there is one: false if it is anything else. */
enum { DECIMAL_ONE = 1000000000, DECIMAL_DIGITS = 9 };
size_t number_print_decimal(int64_t value, char text[NUMBER_SIZE]);
bool number_read_decimal(const char *text, size_t length, int64_t *value);

/* Sizes on a command line. */
enum { NUMBER_LIST_MOST = 32 };
struct number_list {
    int64_t value[NUMBER_LIST_MOST];
    int count;
};
/* "1,33,64"; false if it is anything else. */
bool number_list_read(const char *text, struct number_list *list);

#endif
