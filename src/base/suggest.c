/* The known name that a mistyped word probably means.
 * SPDX-License-Identifier: MIT */
#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters are alike in either case: who types LU means lu. */
static bool alike(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* How many insertions, deletions, replacements and swaps of neighbours turn one word into the other. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    enum { LONGEST = 96 };
    size_t row[3][LONGEST + 1];

    if (a_length > LONGEST || b_length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_length; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *const now = row[i % 3];
        const size_t *const last = row[(i - 1) % 3], *const last_but_one = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + !alike(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && alike(a[i - 1], b[j - 2]) && alike(a[i - 2], b[j - 1]))
                now[j] = least(now[j], last_but_one[j - 2] + 1);
        }
    }
    return row[a_length % 3][b_length];
}

/* Whether the word is a part of the name between its ends, '-' and '/': "shared" of "cuda-shared". */
static bool is_part(const char *word, size_t length, const char *name)
{
    for (const char *at = name; strlen(at) >= length; at++) {
        const bool begins = at == name || strchr("-/", at[-1]), ends = strchr("-/", at[length]); /* or the name ends */
        size_t i = 0;
        while (begins && ends && i < length && alike(at[i], word[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

const char *suggest_name(const char *word, const char *const *names, size_t count)
{
    enum { PART_LEAST = 3 };
    const size_t length = strlen(word);
    const char *nearest = NULL;
    size_t distance = length / 3 + 2; /* one more than the largest distance that is still close */

    for (size_t i = 0; i < count; i++) {
        const size_t name_length = strlen(names[i]);
        if (name_length + distance <= length || length + distance <= name_length)
            continue; /* it takes so many edits only to make the lengths equal */
        const size_t edits = edit_distance(word, length, names[i], name_length);
        /* A word that keeps no letter is not a misspelling of the name. */
        if (edits < distance && edits < least(length, name_length)) {
            distance = edits;
            nearest = names[i];
        }
    }
    for (size_t i = 0; !nearest && length >= PART_LEAST && i < count; i++)
        if (is_part(word, length, names[i]))
            nearest = names[i];
    return nearest;
}

const char *suggest_words(const char *near)
{
    static char words[320];
    words[0] = '\0';
    if (near)
        snprintf(words, sizeof words, "; did you mean '%s'?", near);
    return words;
}
