/* What a person sees during a run: a bar with the time left on a terminal, plain lines elsewhere.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RUN_PROGRESS_H
#define TILELAB_RUN_PROGRESS_H

#include "estimate.h"
#include "results/result.h"

/* A run begins that will measure so many cells. The estimate of how long it takes is valid until progress_end. */
void progress_begin(const char *experiment, size_t cells, struct estimate *estimate);
/* Shows which cell the run works on, and what it does with the cell ("checking"). */
void progress_now(const struct cell *cell, const char *phase);
/* The run works on a round, from 0, of so many; -1: on none. */
void progress_round(int round, int rounds);
/* One cell less is to be measured: it was skipped. */
void progress_skip(void);
/* So many finished cells are measured again. */
void progress_again(size_t cells);
/* Prints a finished cell. */
void progress_done(const struct result *result);
/* Draws the bar again, or prints a line if none was printed for a while. This is cheap. */
void progress_tick(void);
/* Takes the bar away. */
void progress_end(void);

/* "1.23 ms", "4 min 05 s". */
void progress_duration(double seconds, char *text, size_t size);

#endif
