/* Where the numbers of `tilelab show` come from: profile, generation, source and clock of each row.
 * SPDX-License-Identifier: MIT */
#include "show_origin.h"

#include "base/escape.h"

#include <string.h>

const char *const show_origin_names[ORIGINS] = {"profile", "generation", "source", "clock"};

void show_origin_print(const struct show_rows *rows, size_t row, enum show_origin origin, const char *profile,
                       char text[ORIGIN_SIZE])
{
    static const char *const sources[] = {"unknown", "current", "changed since"};
    const char *own = show_rows_field(rows, row, RESULT_AT_profile);
    text[0] = '\0';
    if (show_rows_has_status(rows, row, STATUS_SKIPPED))
        return;
    if (origin == ORIGIN_PROFILE)
        snprintf(text, ORIGIN_SIZE, "%s", *own ? own : profile);
    else if (origin == ORIGIN_GENERATION)
        snprintf(text, ORIGIN_SIZE, "%d", show_rows_generation(rows, row));
    else if (origin == ORIGIN_SOURCE)
        snprintf(text, ORIGIN_SIZE, "%s", sources[show_rows_source(rows, row)]);
    else
        snprintf(text, ORIGIN_SIZE, "%s", show_rows_has_flag(rows, row, FLAG_PRETENDED) ? "pretended" : "real");
}

/* Whether the rows that are not skipped share an origin, which is then in `text`. */
static bool is_shared(const struct show_rows *rows, enum show_origin origin, const char *profile,
                      char text[ORIGIN_SIZE])
{
    bool first = true;
    text[0] = '\0';
    for (size_t r = 0; r < rows->count; r++) {
        char other[ORIGIN_SIZE];
        if (show_rows_has_status(rows, r, STATUS_SKIPPED))
            continue;
        show_origin_print(rows, r, origin, profile, other);
        if (!first && strcmp(text, other) != 0)
            return false;
        memcpy(text, other, sizeof other);
        first = false;
    }
    return true;
}

unsigned show_origin_print_shared(const struct show_rows *rows, const char *profile)
{
    unsigned varied = 0;
    bool any = false;
    for (int origin = 0; origin < ORIGINS; origin++) {
        char text[ORIGIN_SIZE];
        if (!is_shared(rows, (enum show_origin)origin, profile, text)) {
            varied |= 1u << origin;
        } else if (*text) {
            fputs(any ? ", " : "", stdout);
            if (origin != ORIGIN_CLOCK)
                printf("%s ", show_origin_names[origin]);
            escape_put(stdout, escape_terminal, text);
            if (origin == ORIGIN_CLOCK)
                printf(" %s", show_origin_names[origin]);
            any = true;
        }
    }
    if (any)
        putchar('\n');
    return varied;
}
