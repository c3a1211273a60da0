/* The judgement of what a probe of the cores has measured.
 * SPDX-License-Identifier: MIT */
#include "cores.h"

#include <stdio.h>
#include <string.h>

/* Two threads of one core together have 1 to 1.3 times the rate of one thread, as the loop keeps its units busy. Two
 * cores have twice that rate. The share is of the rate of two cores. */
static const double SHARED_BELOW = 0.75, PARTED_FROM = 0.85;
enum { LOOKS_LEAST = 3 };
/* As many of the cores that the system reports must gain, or a warning is due. */
static const double GAIN_LEAST = 0.75;

/* Whether the rates of a pair say that its CPUs share a core. Noise slows two CPUs as it slows one, so this needs
 * several looks. */
static bool shares(const struct cores_pair *pair)
{
    return pair->looks >= LOOKS_LEAST && pair->both > 0 && pair->both < SHARED_BELOW * pair->alone;
}

bool cores_pair_parts(const struct cores_pair *pair)
{
    return pair->alone > 0 && pair->both >= PARTED_FROM * pair->alone;
}

/* Joins the cores of two CPUs: the lower place names the core. */
static void join(struct cores *cores, int first, int second)
{
    const int one = cores->core[first], other = cores->core[second];
    const int low = one < other ? one : other, high = one < other ? other : one;
    cores->separate -= low != high;
    for (int i = 0; i < cores->cpus; i++)
        if (cores->core[i] == high)
            cores->core[i] = low;
}

static void part_all(struct cores *cores)
{
    cores->separate = cores->cpus;
    for (int i = 0; i < cores->cpus; i++)
        cores->core[i] = i;
}

static double gain(const double rate[CORES_LOADS], enum cores_load load)
{
    return rate[CORES_ONE] > 0 ? rate[load] / rate[CORES_ONE] : 0;
}

/* How many threads gain, from 1 to `threads`. */
static double bounded(double gained, int threads)
{
    return gained < 1 ? 1 : gained > threads ? threads : gained;
}

bool cores_judge(const struct cores_rates *rates, struct cores *cores)
{
    memset(cores, 0, sizeof *cores);
    cores->cpus = rates->cpus < CORES_MOST ? rates->cpus : CORES_MOST;
    cores->threads = rates->threads;
    part_all(cores);
    const double all = gain(rates->fma, CORES_ALL);
    if (!(all > 0) || rates->threads < 1)
        return false;
    cores->effective = bounded(all, rates->threads);
    const double best = bounded(gain(rates->fma_best, CORES_ALL), rates->threads);
    cores->best = best > cores->effective ? best : cores->effective;
    cores->rate_best = rates->fma_best[CORES_ALL];
    cores->fma_half = gain(rates->fma, CORES_HALF);
    cores->read_half = gain(rates->read, CORES_HALF);
    cores->read_all = gain(rates->read, CORES_ALL);
    for (int i = 0; i < rates->pairs; i++) {
        const struct cores_pair *pair = &rates->pair[i];
        if (shares(pair) && pair->first < cores->cpus && pair->second < cores->cpus)
            join(cores, pair->first, pair->second);
    }
    /* So few cores could not reach this rate: noise has slowed the pairs. */
    if (cores->best > 2 * SHARED_BELOW * cores->separate)
        part_all(cores);
    return true;
}

void cores_order(const struct cores *cores, const int *cpu, int *ordered)
{
    int turn[CORES_MOST] = {0}; /* of each core: how many of its threads came before */
    int mine[CORES_MOST];       /* of each CPU: its turn on its core */
    int placed = 0;
    for (int i = 0; i < cores->cpus; i++)
        mine[i] = turn[cores->core[i]]++;
    for (int now = 0; placed < cores->cpus; now++)
        for (int i = 0; i < cores->cpus; i++)
            if (mine[i] == now)
                ordered[placed++] = cpu[i];
}

const char *cores_shared_text(const struct cores *cores, const int *cpu, char *text, size_t size)
{
    static const char more[] = "...";
    size_t length = 0;
    text[0] = '\0';
    for (int core = 0; core < cores->cpus; core++) {
        char group[160];
        size_t used = 0;
        int members = 0;
        for (int i = core; i < cores->cpus && used + 16 < sizeof group; i++)
            if (cores->core[i] == core)
                used += (size_t)sprintf(group + used, "%s%d", members++ > 0 ? "," : length > 0 ? " " : "", cpu[i]);
        if (members < 2)
            continue;
        if (length + used + sizeof more > size) {
            snprintf(text + length, size - length, "%s", more);
            break;
        }
        memcpy(text + length, group, used + 1);
        length += used;
    }
    return text;
}

const char *cores_warning(const struct cores *cores, char *text, size_t size)
{
    if (cores->effective >= GAIN_LEAST * cores->threads)
        return NULL;
    snprintf(text, size,
             "%d threads gain like %.1f cores: CPUs share cores or differ, or other guests or programs take time",
             cores->threads, cores->effective);
    return text;
}
