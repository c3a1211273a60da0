/* Host memory for one operand, between words of a sentinel and guard pages.
 * SPDX-License-Identifier: MIT */
#include "guarded.h"

#include "verify/poison.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SENTINEL_MIN = 64 };

/* Functions of AddressSanitizer; NULL unless it is loaded. */
void __asan_poison_memory_region(const volatile void *at, size_t size) __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *at, size_t size) __attribute__((weak));

static bool team = true, sanitizer;

void guarded_use_sanitizer(void)
{
    sanitizer = __asan_poison_memory_region && __asan_unpoison_memory_region;
}

void guarded_use_team(bool use)
{
    team = use;
}

bool guarded_uses_team(void)
{
    return team;
}

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* The sentinels behind the data reach to the guard page. They are at least SENTINEL_MIN bytes. */
static size_t tail_size(const struct guarded *guarded)
{
    return guarded->mapped - 3 * page_size() - guarded->size;
}

static const uint32_t sentinel = POISON_GUARD;

/* The byte of the sentinel that belongs at an address. The words are aligned. */
static unsigned char sentinel_at(const unsigned char *address)
{
    return ((const unsigned char *)&sentinel)[(uintptr_t)address % sizeof sentinel];
}

static void fill(void *to, size_t size)
{
    unsigned char *at = to;
    unsigned char *const end = at + size;
    for (; at < end && (uintptr_t)at % sizeof sentinel != 0; at++)
        *at = sentinel_at(at);
    for (; at + sizeof sentinel <= end; at += sizeof sentinel)
        memcpy(at, &sentinel, sizeof sentinel);
    for (; at < end; at++)
        *at = sentinel_at(at);
}

/* Forbids, or allows, code that the sanitizer has compiled to access the sentinels. */
static void forbid(const struct guarded *guarded, bool forbidden)
{
    void (*const tell)(const volatile void *, size_t) =
        forbidden ? __asan_poison_memory_region : __asan_unpoison_memory_region;
    if (!sanitizer)
        return;
    tell(guarded->base + page_size(), page_size());
    tell((char *)guarded->data + guarded->size, tail_size(guarded));
}

static void plant(const struct guarded *guarded)
{
    fill(guarded->base + page_size(), page_size());
    fill((char *)guarded->data + guarded->size, tail_size(guarded));
}

int guarded_allocate(struct guarded *guarded, size_t size)
{
    const size_t page = page_size();
    const size_t body = (size + SENTINEL_MIN + page - 1) / page * page;
    const size_t mapped = body + 3 * page;
    if (body < size || mapped < body)
        return ENOMEM;
    char *base = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return ENOMEM;
    if (mprotect(base + page, page + body, PROT_READ | PROT_WRITE) != 0) {
        munmap(base, mapped);
        return ENOMEM;
    }
    *guarded = (struct guarded){.data = base + 2 * page, .size = size, .base = base, .mapped = mapped};
    plant(guarded);
    /* The team of OpenMP that touches the pages here is the team that will compute with them. What generate() leaves,
     * for instance the gaps between the copies of an operand, stays as the bytes around it are. */
    char *data = guarded->data;
#pragma omp parallel for schedule(static) default(none) shared(data, size, page)
    for (size_t at = 0; at < size; at += page)
        fill(data + at, size - at < page ? size - at : page);
    forbid(guarded, true);
    return 0;
}

void guarded_free(struct guarded *guarded)
{
    if (guarded->base) {
        forbid(guarded, false);
        munmap(guarded->base, guarded->mapped);
    }
    *guarded = (struct guarded){0};
}

void guarded_copy(void *to, const void *from, size_t size)
{
    const size_t page = page_size();
#pragma omp parallel for schedule(static) default(none) shared(to, from, size, page) if (team && size > 16 * page)
    for (size_t at = 0; at < size; at += page)
        memcpy((char *)to + at, (const char *)from + at, size - at < page ? size - at : page);
}

void guarded_poison(const struct guarded *guarded, int64_t precision)
{
    const size_t page = page_size(), size = guarded->size;
    char *const data = guarded->data;
#pragma omp parallel for schedule(static) default(none) \
    shared(data, size, page, precision) if (team && size > 16 * page)
    for (size_t at = 0; at < size; at += page)
        poison_fill(data + at, size - at < page ? size - at : page, precision);
}

int guarded_protect(const struct guarded *guarded, bool read_only)
{
    const size_t page = page_size();
    const int access = read_only ? PROT_READ : PROT_READ | PROT_WRITE;
    return mprotect(guarded->base + page, guarded->mapped - 2 * page, access) == 0 ? 0 : errno;
}

static bool all_sentinels(const unsigned char *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (at[i] != sentinel_at(&at[i]))
            return false;
    return true;
}

bool guarded_intact(const struct guarded *guarded)
{
    const unsigned char *head = (const unsigned char *)guarded->base + page_size();
    const unsigned char *tail = (const unsigned char *)guarded->data + guarded->size;
    forbid(guarded, false);
    const bool intact = all_sentinels(head, page_size()) && all_sentinels(tail, tail_size(guarded));
    if (!intact)
        plant(guarded);
    forbid(guarded, true);
    return intact;
}

bool guarded_blame(const struct guarded *guarded, const char *name, const void *address, char *text, size_t size)
{
    const char *const at = address, *const data = guarded->data;
    if (!guarded->base || at < guarded->base || at >= guarded->base + guarded->mapped)
        return false;
    if (at < data)
        snprintf(text, size, "accesses memory %zu bytes before operand %s", (size_t)(data - at), name);
    else if (at >= data + guarded->size)
        snprintf(text, size, "accesses memory %zu bytes behind the end of operand %s",
                 (size_t)(at - data) - guarded->size, name);
    else
        snprintf(text, size, "writes into operand %s, which is read-only", name);
    return true;
}

uint64_t guarded_digest(const void *contents, size_t size)
{
    /* Four independent chains keep the multiplier busy. The last bytes are taken one by one. */
    enum { CHAINS = 4 };
    uint64_t chain[CHAINS] = {0x9E3779B97F4A7C15u, 0xBF58476D1CE4E5B9u, 0x94D049BB133111EBu, 0x2545F4914F6CDD1Du};
    const char *data = contents;
    size_t at = 0;
    for (; at + sizeof chain <= size; at += sizeof chain)
        for (int i = 0; i < CHAINS; i++) {
            uint64_t word;
            memcpy(&word, data + at + (size_t)i * sizeof word, sizeof word);
            chain[i] = (chain[i] ^ word) * 0xD6E8FEB86659FD93u;
            chain[i] ^= chain[i] >> 32;
        }
    uint64_t digest = size;
    for (int i = 0; i < CHAINS; i++)
        digest = (digest ^ chain[i]) * 0x9E3779B97F4A7C15u;
    for (; at < size; at++)
        digest = (digest ^ (unsigned char)data[at]) * 0x100000001B3u;
    return digest;
}
