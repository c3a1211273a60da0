/* Which elements of an output are wrong: as a sentence, and as a small map.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_WRONG_MAP_H
#define TILELAB_VERIFY_WRONG_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct wrong_map {
    const char *name; /* of the operand */
    int64_t rows, cols;
    unsigned char *wrong; /* rows x cols, row by row: 1 where the element is wrong, else 0 */
};

/* Says how many elements are wrong and where they lie: "33 of 1089 elements are wrong: the last column, all rows". The
 * text is empty if no element is wrong, or if memory is short. */
void wrong_map_words(const struct wrong_map *map, char *text, size_t size);
/* Prints at most 16 lines of 32 signs, each of which stands for one element or for a block of elements. */
void wrong_map_print(const struct wrong_map *map, FILE *out);

#endif
