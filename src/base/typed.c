/* The command that the user typed.
 * SPDX-License-Identifier: MIT */
#include "typed.h"

#include "escape.h"
#include "memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *program = "tilelab";
static char **words;
static size_t count;

/* How many words the option at `word` takes if it is the option `name`: 0, 1 or 2. The parser takes every beginning of
 * a long option that names one option alone, from `least` characters on. */
static size_t takes(char *const *word, const char *name, size_t least, char letter, bool has_value)
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

/* Notes the words of TILELAB_TYPED in place of those of this program. They stay until the program ends. */
static void note_caller(const char *text)
{
    words = memory_allocate(strlen(text) + 2, sizeof *words);
    char *word = memory_allocate(strlen(text) + 1, 1);
    for (count = 0; *(text += strspn(text, " \t")); word++) {
        words[count++] = word;
        for (; *text && !isblank((unsigned char)*text); text++) {
            if (*text == '\\' && text[1])
                text++;
            *word++ = *text;
        }
        remove_again(words[count - 1]);
    }
}

void typed_note(int argc, char **argv)
{
    const char *caller = getenv("TILELAB_TYPED");
    program = argv[0];
    if (caller && caller[strspn(caller, " \t")]) {
        note_caller(caller);
        return;
    }
    count = (size_t)argc;
    words = memory_allocate(count + 1, sizeof *words);
    memcpy(words, argv, count * sizeof *words);
}

char *typed_program(void)
{
    return escape_shell(program);
}

static bool is_make(void)
{
    return count > 0 && strcmp(words[0], "make") == 0;
}

static bool is_report(void)
{
    return count > 1 && !is_make() && strcmp(words[1], "report") == 0;
}

const char *typed_again(void)
{
    return is_make() ? "ARGS=--again" : is_report() ? "`tilelab run --again`" : "--again";
}

const char *typed_retry(void)
{
    return is_make() ? "ARGS=--retry" : is_report() ? "`tilelab run --retry`" : "--retry";
}

const char *typed_profile(void)
{
    return is_make() ? "PROFILE=" : "--profile ";
}

/* How many words at the i-th are left out: an option, or a variable of make. */
static size_t left_out(size_t i, bool with_budget)
{
    const size_t again = takes(&words[i], "--again", sizeof "--a" - 1, '\0', false);
    if (again || strcmp(words[i], "ARGS=") == 0)
        return 1;
    if (with_budget)
        return 0;
    return strncmp(words[i], "BUDGET=", 7) == 0 ? 1 : takes(&words[i], "--budget", sizeof "--b" - 1, 'b', true);
}

void typed_print(FILE *out, bool with_budget)
{
    fputc(' ', out);
    for (size_t i = 0; i < count;) {
        const size_t without = left_out(i, with_budget);
        if (without == 0) {
            fputc(' ', out);
            escape_put(out, escape_shell, words[i]);
        }
        i += without ? without : 1;
    }
    fputc('\n', out);
}
