/* Small text files of the kernel, below a root that tests can replace.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_PROCFS_H
#define TILELAB_MACHINE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define PROCFS_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PROCFS_PRINTF(text, first)
#endif

/* `root` followed by the formatted path, for reading; NULL where there is none. */
FILE *procfs_open(const char *root, const char *format, ...) PROCFS_PRINTF(2, 3);
/* First line of such a file without its newline; false, and text empty, where there is none. */
bool procfs_line(char *text, size_t size, const char *root, const char *format, ...) PROCFS_PRINTF(4, 5);
/* An integer alone in a file; `otherwise` where there is none. */
int64_t procfs_integer(int64_t otherwise, const char *root, const char *format, ...) PROCFS_PRINTF(3, 4);
/* A decimal number with a point, whatever the locale. */
double procfs_decimal(const char *text);

/* Sets of logical CPUs. */
enum { CPUS_MAX = 8192, CPUS_WORD = 8 * sizeof(unsigned long) };
struct cpus {
    unsigned long word[CPUS_MAX / CPUS_WORD];
};
static inline bool cpus_has(const struct cpus *set, int cpu)
{
    return (set->word[cpu / CPUS_WORD] >> (cpu % CPUS_WORD) & 1) != 0;
}
static inline void cpus_add(struct cpus *set, int cpu)
{
    set->word[cpu / CPUS_WORD] |= 1ul << (cpu % CPUS_WORD);
}
/* Adds what a list like "0-3,8" names; the number of its CPUs. */
int cpus_parse(struct cpus *set, const char *list);

#endif
