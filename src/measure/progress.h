/* What a person sees during a run: a bar with the time left on a terminal, plain lines elsewhere.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_PROGRESS_H
#define TILELAB_MEASURE_PROGRESS_H

#include "results/result.h"

/* A run begins that will measure so many cells and is expected to take `expected_s`. */
void progress_begin(const char *experiment, size_t cells, double expected_s);
/* Shows which cell the run works on, and what it does with the cell ("checking"). */
void progress_now(const struct cell *cell, const char *phase);
/* The run works on a round, from 0, of so many; -1: on none. */
void progress_round(int round, int rounds);
/* Prints a finished cell. It was expected to take `expected_s`. */
void progress_done(const struct result *result, double expected_s);
/* Draws the bar again. This is cheap. */
void progress_tick(void);
/* Takes the bar away. */
void progress_end(void);

/* "1.23 ms", "4 min 05 s". */
void progress_duration(double seconds, char *text, size_t size);

#endif
