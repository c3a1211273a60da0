/* Cores that behave like cores: how many threads gain, and which CPUs share a core.
 * SPDX-License-Identifier: MIT
 *
 * A virtual machine may hide that two of its CPUs are threads of one core, or that it has less than its CPUs promise.
 * The probe of cores_probe.h measures rates; the functions here judge them, and know nothing of this machine. */
#ifndef TILELAB_MACHINE_CORES_H
#define TILELAB_MACHINE_CORES_H

#include <stdbool.h>
#include <stddef.h>

enum { CORES_MOST = 1024, CORES_PAIRS_MOST = 2048 };

/* How many threads work at once: one, half of the usable cores, all of them. */
enum cores_load { CORES_ONE, CORES_HALF, CORES_ALL, CORES_LOADS };

/* Two CPUs, by their places in the list of CPUs. */
struct cores_pair {
    int first, second;
    double alone; /* the sum of their rates, each measured while the other one rests */
    double both;  /* the sum of their rates while both work */
    int looks;    /* how often this was measured; the rates are the best ones */
};

/* What a probe has measured. Rates have any unit; 0 is a rate that was not measured. */
struct cores_rates {
    int cpus;                                   /* in the list, each of which the system calls a core */
    int threads;                                /* of them that may work at once, at most `cpus`; fewer under a quota */
    double fma[CORES_LOADS], read[CORES_LOADS]; /* the rate of all threads together: the median of the looks */
    double fma_best[CORES_LOADS];               /* in the best look, which other guests have disturbed least */
    int pairs;
    struct cores_pair pair[CORES_PAIRS_MOST];
};

struct cores {
    int threads;
    double effective; /* how many threads gain: rate of all / rate of one, of fma; from 1 to `threads` */
    double best;      /* the same in the best look, at least `effective`: what the cores could do */
    double rate_best; /* of all threads together in the best look of fma, in the unit of the probe */
    double fma_half;  /* rate of half / rate of one; 0: not known, as those below */
    double read_half; /* the same of reading */
    double read_all;
    int cpus;             /* in the list */
    int separate;         /* cores that these CPUs are, as far as the pairs tell */
    int core[CORES_MOST]; /* of each CPU: the first place in the list whose CPU is on the same core */
};

/* Whether one look at a pair suffices to say that its CPUs are separate cores. */
bool cores_pair_parts(const struct cores_pair *pair);

/* Judges the rates. Pairs that the rate of all threads contradicts are not believed. False, with no core found, if
 * the rates of one or of all threads are not known. */
bool cores_judge(const struct cores_rates *rates, struct cores *cores);

/* Orders the CPUs of the list so that separate cores come before a second thread of any core; else the order stays. */
void cores_order(const struct cores *cores, const int *cpu, int *ordered);

/* Writes which CPUs share a core, "0,1 2,3", or "" if none do. Returns `text`. What does not fit ends in "...". */
const char *cores_shared_text(const struct cores *cores, const int *cpu, char *text, size_t size);

/* Writes a warning if fewer threads gain than three quarters of the cores that the system reports. Returns `text`;
 * NULL: no warning is due. */
const char *cores_warning(const struct cores *cores, char *text, size_t size);

#endif
