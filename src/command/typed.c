/* The command that the user typed.
 * SPDX-License-Identifier: MIT */
#include "typed.h"

#include "base/escape.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char **words;
static size_t count;

void typed_note(int argc, char **argv)
{
    count = (size_t)argc;
    words = memory_allocate(count + 1, sizeof *words);
    memcpy(words, argv, count * sizeof *words);
}

/* How many words the option at `word` takes if it is the option `name`: 0, 1 or 2. The parser takes every beginning of a
 * long option that names one option alone, from `least` characters on. */
static size_t takes(const char *const *word, const char *name, size_t least, char letter, bool has_value)
{
    const size_t length = strcspn(word[0], "=");
    const bool is_long = length >= least && strncmp(word[0], name, length) == 0;
    const bool is_short = letter && word[0][0] == '-' && word[0][1] == letter;
    if (!is_long && !is_short)
        return 0;
    const bool joined = is_long ? word[0][length] == '=' : word[0][2] != '\0';
    return has_value && !joined && word[1] ? 2 : 1;
}

/* Takes --again out of the word ARGS="..." of a call of make. */
static void remove_again(char *word)
{
    static const char again[] = "--again";
    char *at = strncmp(word, "ARGS=", 5) == 0 ? strstr(word, again) : NULL;
    if (!at)
        return;
    char *rest = at + sizeof again - 1;
    if (at[-1] == ' ')
        at--;
    else if (*rest == ' ')
        rest++;
    memmove(at, rest, strlen(rest) + 1);
}

static void print_word(FILE *out, const char *word)
{
    fputc(' ', out);
    escape_put(out, escape_shell, word);
}

/* Prints the words of TILELAB_TYPED. */
static void print_caller(FILE *out, const char *text, bool with_budget)
{
    char *word = memory_allocate(strlen(text) + 1, 1);
    while (*(text += strspn(text, " \t"))) {
        size_t length = 0;
        for (; *text && !isblank((unsigned char)*text); text++) {
            if (*text == '\\' && text[1])
                text++;
            word[length++] = *text;
        }
        word[length] = '\0';
        remove_again(word);
        if (strcmp(word, "ARGS=") != 0 && (with_budget || strncmp(word, "BUDGET=", 7) != 0))
            print_word(out, word);
    }
    free(word);
}

void typed_print(FILE *out, bool with_budget)
{
    const char *caller = getenv("TILELAB_TYPED");
    fputc(' ', out);
    if (caller && *caller)
        print_caller(out, caller, with_budget);
    for (size_t i = 0; !(caller && *caller) && i < count;) {
        const char *const *word = (const char *const *)&words[i];
        size_t left_out = takes(word, "--again", sizeof "--a" - 1, '\0', false);
        if (!with_budget && !left_out)
            left_out = takes(word, "--budget", sizeof "--b" - 1, 'b', true);
        if (left_out == 0)
            print_word(out, words[i++]);
        i += left_out;
    }
    fputc('\n', out);
}
