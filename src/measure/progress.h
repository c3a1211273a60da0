/* What a person sees while a run goes on: a bar with the time left on a terminal, plain lines elsewhere.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MEASURE_PROGRESS_H
#define TILELAB_MEASURE_PROGRESS_H

#include "results/result.h"

/* `cells` to measure, expected to take `expected_s` in all. */
void progress_begin(const char *experiment, size_t cells, double expected_s);
/* What is being measured now. */
void progress_now(const struct cell *cell, const char *phase);
/* A finished cell, which had been expected to take `expected_s`. */
void progress_done(const struct result *result, double expected_s);
/* Redraws the bar; cheap. */
void progress_tick(void);
void progress_end(void);

/* "1.23 ms", "4 min 05 s". */
void progress_duration(double seconds, char *text, size_t size);

#endif
