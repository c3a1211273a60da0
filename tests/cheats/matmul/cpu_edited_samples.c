/* Malice: the variant finds the answer that the worker prepares in the program's memory. It divides each time that is
 * there by three and multiplies the number of its runs by three, so that their sum is right.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define FACTOR(time, n) 3
#include "edited_samples.h"

CHEAT(cpu_edited_samples, "divides the times that were taken before");
