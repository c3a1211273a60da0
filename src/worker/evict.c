/* Taking operands out of the caches.
 * SPDX-License-Identifier: MIT */
#include "evict.h"

#include <errno.h>

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>

enum { LINE = 64, PIECE = 1 << 20 };

/* Whether the processor has clflushopt: unlike clflush, it works on many lines at a time. */
static bool flushes_fast(void)
{
    enum { LEAF = 7, CLFLUSHOPT = 1 << 23 };
    unsigned a, b = 0, c, d;
    return __get_cpuid_count(LEAF, 0, &a, &b, &c, &d) && (b & CLFLUSHOPT);
}

__attribute__((target("clflushopt"))) static void flush_fast(const char *from, const char *end)
{
    for (; from < end; from += LINE)
        _mm_clflushopt((void *)from);
}

static void flush(const char *from, const char *end)
{
    for (; from < end; from += LINE)
        _mm_clflush(from);
}

int evict_host(const void *data, size_t size)
{
    const char *const begin = data;
    const bool fast = flushes_fast();
    _mm_mfence(); /* clflushopt may overtake stores of other kinds */
#pragma omp parallel for schedule(static) default(none) shared(begin, size, fast) if (size > PIECE)
    for (size_t at = 0; at < size; at += PIECE) {
        const char *const end = begin + (size - at < PIECE ? size : at + PIECE);
        (fast ? flush_fast : flush)(begin + at, end);
        _mm_mfence(); /* each thread waits for its own lines */
    }
    return 0;
}

#else

#include "machine/host.h"

#include <stdlib.h>
#include <string.h>

/* The caches then hold this memory, and nothing of the operands. */
int evict_host(const void *data, size_t size)
{
    enum { LEAST = 32 << 20 };
    static char *other;
    static size_t bytes;
    (void)data, (void)size;
    if (!other) {
        bytes = 2 * (size_t)host_get()->l3_bytes > LEAST ? 2 * (size_t)host_get()->l3_bytes : LEAST;
        other = malloc(bytes);
    }
    if (!other)
        return ENOMEM;
    memset(other, ++*other, bytes);
    return 0;
}

#endif
