/* The judge: a process that has never run a variant verifies what the variants have written.
 * SPDX-License-Identifier: MIT
 *
 * It makes the inputs from the seed by itself, and draws the vectors and rows of the verification by itself. So nothing
 * that a variant does in its own process can change a verdict but the output, which comes through the window. */
#ifndef TILELAB_WORKER_JUDGE_H
#define TILELAB_WORKER_JUDGE_H

#include "protocol/outcome.h"

/* Judges the output in the window, of a run on the inputs of `seed` with `signs`. Undoes the signs, and computes
 * outcome->digest. An output with the digest `known_digest` was verified before on inputs of the same seed: it is not
 * verified again. 0: there is none. The outcome has the verdict. */
void judge_verify(const struct cell *cell, enum inputs inputs, uint64_t seed, const struct signs *signs,
                  uint64_t known_digest, struct outcome *outcome);
/* Frees all inputs and references. */
void judge_close(void);

#endif
