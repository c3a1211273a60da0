/* The environment variables that change what a library computes, or how fast.
 * SPDX-License-Identifier: MIT
 *
 * environment.c holds one table. A variable is kept away from workers, or it decides results: then the run record tells
 * the variable, and results are measured again under another value. All other variables change no result. */
#ifndef TILELAB_MACHINE_ENVIRONMENT_H
#define TILELAB_MACHINE_ENVIRONMENT_H

#include "base/hash.h"

#include <stdbool.h>

/* Whose results a variable decides: those of all kernels, of those that call a library on the CPU, or of a device. */
enum environment_reach { ENVIRONMENT_OF_ALL, ENVIRONMENT_OF_LIBRARIES, ENVIRONMENT_OF_DEVICES, ENVIRONMENT_REACHES };

/* Unsets the variables that workers must not have. Under TILELAB_TEST, LD_PRELOAD and LD_AUDIT stay. */
void environment_clean(void);

/* Whether the run record tells the variable of this name, with its value. */
bool environment_is_told(const char *name);

/* The hash of all variables that decide the results of such kernels, with their values. Empty: none is set. */
void environment_hash(enum environment_reach reach, char hex[HASH_SHORT_SIZE]);

#endif
