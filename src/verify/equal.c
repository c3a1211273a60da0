/* Verification of a copy, by blocks on all cores.
 * SPDX-License-Identifier: MIT */
#include "equal.h"

#include "cell.h"
#include "parallel.h"

#include <string.h>

enum { BLOCK_BYTES = 1 << 18 };

struct comparison {
    const char *expected, *found;
    int64_t size_bytes;
    _Atomic bool differs;
};

static void compare_blocks(int64_t begin, int64_t end, void *context)
{
    struct comparison *comparison = context;
    const int64_t first = begin * BLOCK_BYTES;
    const int64_t last = end * BLOCK_BYTES < comparison->size_bytes ? end * BLOCK_BYTES : comparison->size_bytes;
    if (memcmp(comparison->expected + first, comparison->found + first, (size_t)(last - first)) != 0)
        comparison->differs = true;
}

void equal_verify(const void *expected, const void *found, int64_t count, int64_t precision, struct verdict *verdict)
{
    const int64_t element_bytes = (int64_t)cell_precision_size(precision);
    struct comparison comparison = {expected, found, count * element_bytes, false};
    *verdict = (struct verdict){.ok = true, .error = 0, .bound = 0, .norm2 = NAN};
    parallel_for((comparison.size_bytes + BLOCK_BYTES - 1) / BLOCK_BYTES, compare_blocks, &comparison);
    if (!comparison.differs)
        return;
    int64_t at = 0;
    while (comparison.expected[at] == comparison.found[at])
        at++;
    verdict_fail(verdict, "element %lld of the copy differs", (long long)(at / element_bytes));
}
