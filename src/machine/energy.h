/* Counters of energy. Those of the processor's packages are read by powercap or the power events of perf, those of GPUs
 * by nvml.h.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_ENERGY_H
#define TILELAB_MACHINE_ENERGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a counter has counted since its first reading. */
struct energy_counter {
    double unit_j;  /* of the counter */
    uint64_t range; /* the counter begins at 0 again when it reaches this; 0: at 2^64 */
    bool is_read;   /* it was read before */
    uint64_t last;  /* what it told then */
    double joules;
};

/* Notes what a counter tells now. False if it cannot have counted so much since it was read: it began anew. */
bool energy_count(struct energy_counter *counter, uint64_t now);

/* How to measure the energy of a device. */
struct energy_meter {
    /* Joules since some moment, which stays the same; NAN, and in one sentence the reason with the remedy, if the
     * counter cannot be read. */
    double (*joules)(char *why, size_t size);
    /* Begins a stretch of time, and tells whether others used the device in it, so that its watts are not ours.
     * `idle`: this process has left the device idle. */
    void (*begin)(void);
    bool (*shared)(bool idle);
    const char *shared_by; /* that, in words */
    double heat_s;         /* a cold device takes less: so long it runs before the first number */
    bool spoils_times;     /* others who use the device may have slowed down the times that were taken just before */
};

/* The processor's packages, all of them together. */
extern const struct energy_meter energy_of_processor;

/* Chooses the root of the file system whose counters energy_of_processor reads, for tests; at first it is "". */
void energy_use_root(const char *path);

#endif
