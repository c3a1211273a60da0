/* How carefully a result was measured.
 * SPDX-License-Identifier: MIT */
#include "criterion.h"

#include "base/number.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The fields in the order of the text. */
static const struct field {
    const char *key;
    enum { INTEGER, REAL, SEED } kind;
    size_t offset;
} fields[] = {
    {"rounds", INTEGER, offsetof(struct criterion, rounds)},
    {"launches", INTEGER, offsetof(struct criterion, launches)},
    {"samples", INTEGER, offsetof(struct criterion, samples)},
    {"ci", REAL, offsetof(struct criterion, ci)},
    {"max-time", REAL, offsetof(struct criterion, max_time_s)},
    {"min-time", REAL, offsetof(struct criterion, min_time_s)},
    {"once-above", REAL, offsetof(struct criterion, once_above_s)},
    {"seed", SEED, offsetof(struct criterion, seed)},
};
enum { FIELDS = sizeof fields / sizeof *fields };
static const char given_word[] = " seed-given=yes", energy_word[] = " energy=yes", clock_word[] = " clock=simulated";

size_t criterion_print(const struct criterion *criterion, char text[CRITERION_SIZE])
{
    size_t used = 0;
    for (int i = 0; i < FIELDS; i++) {
        const void *value = (const char *)criterion + fields[i].offset;
        char number[NUMBER_SIZE];
        if (fields[i].kind == INTEGER)
            snprintf(number, sizeof number, "%d", *(const int *)value);
        else if (fields[i].kind == SEED)
            snprintf(number, sizeof number, "%llu", (unsigned long long)*(const uint64_t *)value);
        else
            number_print(*(const double *)value, number);
        used +=
            (size_t)snprintf(text + used, CRITERION_SIZE - used, "%s%s=%s", i > 0 ? " " : "", fields[i].key, number);
    }
    if (criterion->seed_given)
        used += (size_t)snprintf(text + used, CRITERION_SIZE - used, "%s", given_word);
    if (criterion->energy)
        used += (size_t)snprintf(text + used, CRITERION_SIZE - used, "%s", energy_word);
    if (criterion->simulated)
        used += (size_t)snprintf(text + used, CRITERION_SIZE - used, "%s", clock_word);
    return used;
}

static bool read_value(const struct field *field, const char *text, size_t length, struct criterion *criterion)
{
    void *value = (char *)criterion + field->offset;
    int64_t count;
    if (length == 0)
        return false;
    if (field->kind == REAL)
        return number_read(text, length, value);
    if (!number_read_count(text, length, &count))
        return false;
    if (field->kind == SEED)
        *(uint64_t *)value = (uint64_t)count;
    else if (count > INT32_MAX)
        return false;
    else
        *(int *)value = (int)count;
    return true;
}

/* Takes a word at the start of a text, if it is there. */
static bool take_word(const char **text, const char *end, const char *word)
{
    const size_t length = strlen(word);
    const bool is_there = (size_t)(end - *text) >= length && memcmp(*text, word, length) == 0;
    *text += is_there ? length : 0;
    return is_there;
}

bool criterion_read(const char *text, size_t length, struct criterion *criterion)
{
    const char *end = text + length;
    *criterion = (struct criterion){.rounds = 0};
    for (int i = 0; i < FIELDS; i++) {
        const size_t key = strlen(fields[i].key);
        if (i > 0 && (text == end || *text++ != ' '))
            return false;
        if ((size_t)(end - text) <= key || memcmp(text, fields[i].key, key) != 0 || text[key] != '=')
            return false;
        text += key + 1;
        const char *space = memchr(text, ' ', (size_t)(end - text));
        const size_t digits = (size_t)((space ? space : end) - text);
        if (!read_value(&fields[i], text, digits, criterion))
            return false;
        text += digits;
    }
    criterion->seed_given = take_word(&text, end, given_word);
    criterion->energy = take_word(&text, end, energy_word);
    criterion->simulated = take_word(&text, end, clock_word);
    return text == end;
}

bool criterion_satisfies(const struct criterion *have, bool once, const struct criterion *asked)
{
    /* The least time of a round is not compared: it follows from max-time and rounds. A run that takes longer than
     * once-above has no rounds. With a higher limit it would have had rounds. */
    return have->simulated == asked->simulated && have->energy >= asked->energy && have->rounds >= asked->rounds &&
           have->launches >= asked->launches && have->samples >= asked->samples && have->ci <= asked->ci &&
           have->max_time_s >= asked->max_time_s && (!once || have->once_above_s >= asked->once_above_s);
}
