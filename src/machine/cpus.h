/* Sets of logical CPUs.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_CPUS_H
#define TILELAB_MACHINE_CPUS_H

#include <stdbool.h>

enum { CPUS_MAX = 8192, CPUS_WORD = 8 * sizeof(unsigned long) };
struct cpus {
    unsigned long word[CPUS_MAX / CPUS_WORD]; /* a bit for each CPU, as the kernel's affinity masks have it */
};
static inline bool cpus_has(const struct cpus *set, int cpu)
{
    return (set->word[cpu / CPUS_WORD] >> (cpu % CPUS_WORD) & 1) != 0;
}
static inline void cpus_add(struct cpus *set, int cpu)
{
    set->word[cpu / CPUS_WORD] |= 1ul << (cpu % CPUS_WORD);
}
/* Adds the CPUs of a list like "0-3,8" to the set. Returns how many CPUs the list has. */
int cpus_parse(struct cpus *set, const char *list);

#endif
