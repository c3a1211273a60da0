/* The machine to which a folder of results belongs.
 * SPDX-License-Identifier: MIT
 *
 * A folder data/<host> holds the results of one machine, so that no run on another machine mixes with a record. Only a
 * folder named `local` may hold the results of several machines, because whoever works on it may move. */
#ifndef TILELAB_RESULTS_OWNER_H
#define TILELAB_RESULTS_OWNER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the machine with this hash (provenance BY_MACHINE) may add results to the folder. `machine` tells it in
 * words. If not, `why` is one line that names both machines and the remedy. A folder that does not exist may be
 * used. */
bool owner_allows(const char *folder, const char *hash, const char *machine, char *why, size_t size);

#endif
