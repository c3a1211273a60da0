/* Malice: as cpu-edited-samples, but it divides by so much that no kernel of this machine is so fast, though a faster
 * processor of the kind might be.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
enum { FACTOR = 15 };
#include "edited_samples.h"

CHEAT(cpu_greedy_samples, "divides the times that were taken before by too much");
