/* Numbers as text, the same in every locale: the radix is '.', and no digit is lost.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_NUMBER_H
#define TILELAB_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_SIZE = 32 };

/* Writes a number with the fewest of 15, 16 or 17 digits that read back as the same bits. NAN becomes the empty text.
 * Infinity becomes 1e999, which every reader turns back into infinity; SQLite would read "inf" as 0. Returns the
 * length. */
size_t number_print(double value, char text[NUMBER_SIZE]);
/* Reads all of text[length]; the empty text is NAN. Returns false, and sets NAN, if the text is no decimal number. */
bool number_read(const char *text, size_t length, double *value);

/* Reads all of text[length] as digits, at most 18; the empty text is 0. Returns false for any other text. */
bool number_read_count(const char *text, size_t length, int64_t *value);

/* Exact decimals, counted in 1e-9. They are printed with the fewest digits, as "0.5" and "2". They are read with up to
 * 9 digits on each side of the point; a point needs digits on both sides. Reading returns false for any other text. */
enum { DECIMAL_ONE = 1000000000, DECIMAL_DIGITS = 9 };
size_t number_print_decimal(int64_t value, char text[NUMBER_SIZE]);
bool number_read_decimal(const char *text, size_t length, int64_t *value);

/* A list of positive integers, as sizes are given on a command line. */
enum { NUMBER_LIST_MOST = 32 };
struct number_list {
    int64_t value[NUMBER_LIST_MOST];
    int count;
};
/* Reads a list such as "1,33,64". Returns false for any other text, and for more than NUMBER_LIST_MOST numbers. */
bool number_list_read(const char *text, struct number_list *list);

#endif
