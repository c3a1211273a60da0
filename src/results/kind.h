/* What tells two kinds of machines apart whose processors have one name, as many hypervisors call theirs.
 * SPDX-License-Identifier: MIT
 *
 * The hash of a machine (provenance BY_MACHINE) covers the name, which is "AMD EPYC" for a processor of 2017 and for
 * one of 2021. A run record also tells caches, instructions and the nominal clock. */
#ifndef TILELAB_RESULTS_KIND_H
#define TILELAB_RESULTS_KIND_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* This machine's facts, which stand in the member `machine` of a run record. The caller releases them. */
json_t *kind_facts(void);

/* Whether a fact that both objects tell differs. `difference` is then its key and both values, the first one first:
 * "l3_bytes is 33554432, not 8388608". */
bool kind_differs(const json_t *machine, const json_t *other, char *difference, size_t size);

#endif
