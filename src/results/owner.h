/* The machine to which a folder of results belongs.
 * SPDX-License-Identifier: MIT
 *
 * A folder data/<host> holds the results of one kind of machine, so that no run on another kind mixes with a record.
 * Only a folder named `local` may hold the results of several kinds, because whoever works on it may move. Machines of
 * a kind have the same processor, cores, memory, GPU and driver; kind.h tells processors of one name apart. The rows
 * tell the physical machines of one kind apart by a number and a mark. */
#ifndef TILELAB_RESULTS_OWNER_H
#define TILELAB_RESULTS_OWNER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the machine with this hash (provenance BY_MACHINE) may add results to the folder. `machine` tells it in
 * words. If not, `why` is one line that names both machines and the remedy. A folder that does not exist may be
 * used. */
bool owner_allows(const char *folder, const char *hash, const char *machine, char *why, size_t size);

/* Whether a run record of the folder has this hash and tells the facts of this machine (see kind.h). */
bool owner_has(const char *folder, const char *hash);

/* The number of the physical machine with this mark in the folder, from 1. A machine whose mark no row of the CSV files
 * has gets the next number. 0: the mark is empty. */
int owner_number(const char *folder, const char *mark);

#endif
