/* What a result depends on besides its cell: source, library, machine and settings. A result whose provenance differs
 * from today's is stale and is measured again.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_PROVENANCE_H
#define TILELAB_PLAN_PROVENANCE_H

#include "experiment.h"
#include "machine/environment.h"
#include "results/store.h"

/* What all cells of an experiment share. */
struct provenance_shared {
    char machine[HASH_SHORT_SIZE], settings[HASH_SHORT_SIZE]; /* hex digits */
    char environment[ENVIRONMENT_REACHES][HASH_SHORT_SIZE];   /* of the variables that decide results; empty: none */
    char mark[9];                                             /* of the physical machine */
    int number; /* of the physical machine in the folder of the results; 0: not known */
    struct criterion criterion;
    const char *profile;
};

/* Fills *shared for this machine, the settings of the experiment and the clock. `folder` is that of the results; NULL:
 * there is none. */
void provenance_share(const struct experiment *experiment, const char *folder, struct provenance_shared *shared);

/* The settings of the experiment, and their hash (BY_SETTINGS), for the real clock or a simulated one. */
void provenance_settings(const struct experiment *experiment, bool simulated, struct criterion *criterion,
                         char hex[HASH_SHORT_SIZE]);

/* Begins a result of the cell: clears it, and sets its identity, its provenance and its settings. */
void provenance_begin(const struct provenance_shared *shared, const struct cell *cell, const char *id,
                      struct result *result);

/* The provenance that a result of the cell would have if it were measured now. */
void provenance_now(const struct provenance_shared *shared, const struct cell *cell,
                    char now[PROVENANCES][HASH_SHORT_SIZE]);

/* The first part (enum provenance) in which the provenance `then` differs from today's, or PROVENANCES where a result
 * with this provenance still holds. */
int provenance_change(const struct provenance_shared *shared, const struct cell *cell,
                      char then[PROVENANCES][HASH_SHORT_SIZE]);

/* First 16 hex digits of the hash of what a result depends on: CPU model, cores, quota, memory, name and driver of the
 * GPU. The name of the machine is never a part of the hash. Where a hypervisor masks the model, its family and number,
 * its instructions and its caches belong to the hash. They once did not: a folder (NULL: none) whose run records have
 * that hash, and the facts of this machine, goes on with it. */
void provenance_machine(const char *folder, char hex[HASH_SHORT_SIZE]);
/* Tells this physical machine from others of its kind by 8 hex digits of a salted hash. The hash is of the serial
 * number of the GPU, else of the machine (serial_read). From so few digits nobody can find the serial number. Empty:
 * there is no such number. */
void provenance_mark(char mark[9]);
/* The machine in words: CPU, number of cores, GPU. */
void provenance_machine_words(char *text, size_t size);

#endif
