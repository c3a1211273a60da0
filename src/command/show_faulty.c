/* The variants of an experiment that are wrong in some cell, of which no time counts.
 * SPDX-License-Identifier: MIT */
#include "show_faulty.h"

#include "base/escape.h"
#include "base/memory.h"
#include "results/blame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool shows_fault(const struct show_rows *rows, size_t row)
{
    return blame_variant(show_rows_field(rows, row, RESULT_AT_status));
}

/* Whether two rows are of one build of a variant. */
static bool same_build(const struct show_rows *rows, size_t a, size_t b)
{
    static const size_t columns[] = {RESULT_AT_variant, RESULT_AT_source_hash, RESULT_AT_library_hash};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(show_rows_field(rows, a, columns[i]), show_rows_field(rows, b, columns[i])) != 0)
            return false;
    return true;
}

size_t *show_faulty_find(const struct show_rows *rows)
{
    size_t *const faulty = memory_allocate(rows->count + 1, sizeof *faulty);
    size_t *const first = memory_allocate(rows->count + 1, sizeof *first); /* of each build with a fault */
    size_t builds = 0;
    for (size_t r = 0; r < rows->count; r++) {
        size_t build = 0;
        while (build < builds && !same_build(rows, first[build], r))
            build++;
        if (build == builds && shows_fault(rows, r))
            first[builds++] = r;
    }
    for (size_t r = 0; r < rows->count; r++) {
        faulty[r] = SHOW_FAULTY_NONE;
        for (size_t build = 0; build < builds && faulty[r] == SHOW_FAULTY_NONE; build++)
            if (same_build(rows, first[build], r))
                faulty[r] = first[build];
    }
    free(first);
    return faulty;
}

void show_faulty_print(const struct show_rows *rows, const size_t *faulty)
{
    for (size_t r = 0; r < rows->count; r++) {
        size_t cells = 0, faults = 0;
        if (faulty[r] != r)
            continue;
        for (size_t other = 0; other < rows->count; other++)
            if (faulty[other] == r && !show_rows_has_status(rows, other, STATUS_SKIPPED)) {
                cells++;
                faults += shows_fault(rows, other);
            }
        fputs(show_rows_field(rows, r, RESULT_AT_status), stdout);
        fputs(": ", stdout);
        escape_put(stdout, escape_terminal, show_rows_field(rows, r, RESULT_AT_variant));
        printf(" (%zu of %zu cells): none of its times counts; n = ", faults, cells);
        escape_put(stdout, escape_terminal, show_rows_field(rows, r, RESULT_AT_AXIS_n));
        fputs(": ", stdout);
        escape_put(stdout, escape_terminal, show_rows_field(rows, r, RESULT_AT_reason));
        putchar('\n');
    }
}
