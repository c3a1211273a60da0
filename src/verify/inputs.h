/* Counter-based random inputs: element i depends on seed, stream and i alone.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_INPUTS_H
#define TILELAB_VERIFY_INPUTS_H

#include "problem.h"

/* 64 random bits of (seed, stream, counter); a stream is a matrix or vector of a problem. */
uint64_t inputs_bits(uint64_t seed, uint32_t stream, uint64_t counter);
/* Uniform in [-1, 1), a multiple of 2^-52. */
double inputs_uniform(uint64_t seed, uint32_t stream, uint64_t counter);
/* Uniform integer in [low, high], fewer than 2^64 values. */
int64_t inputs_integer(uint64_t seed, uint32_t stream, uint64_t counter, int64_t low, int64_t high);

/* Fill count elements of a precision with all cores: uniform (an f32 element is the f64 one rounded), the same in
 * [0, below), or integers. */
void inputs_fill_uniform(void *to, int64_t count, int64_t precision, uint64_t seed, uint32_t stream);
void inputs_fill_positive(void *to, int64_t count, int64_t precision, double below, uint64_t seed, uint32_t stream);
void inputs_fill_integers(void *to, int64_t count, int64_t precision, uint64_t seed, uint32_t stream, int64_t low,
                          int64_t high);

/* An n x n matrix, uniform in [-1, 1) or strictly diagonally dominant by rows: a_ij uniform in [0, 50), a_ii = sum of
 * the others' magnitudes + 1. The same matrix in either storage order. */
enum family { FAMILY_GENERAL, FAMILY_DOMINANT };
void inputs_fill_matrix(void *to, int64_t n, int64_t precision, enum family family, bool column_major, uint64_t seed,
                        uint32_t stream);

/* A factor of a product whose entries are sums of k terms. INPUTS_EXACT: integers so small that every partial sum is
 * exact, which there are only where the second function says so; else uniform, i32 integers from -50 to 50. */
void inputs_fill_factor(void *to, int64_t count, int64_t precision, int64_t k, enum inputs inputs, uint64_t seed,
                        uint32_t stream);
bool inputs_factor_has_exact(int64_t precision, int64_t k);

#endif
