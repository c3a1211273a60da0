/* Random inputs from a counter: element i depends only on seed, stream and i. So any number of threads makes the same
 * inputs.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_INPUTS_H
#define TILELAB_VERIFY_INPUTS_H

#include "problem.h"

/* 64 random bits from (seed, stream, counter). Each matrix or vector of a problem is a stream. */
uint64_t inputs_bits(uint64_t seed, uint32_t stream, uint64_t counter);
/* The key of a stream, for base/random.h. */
uint64_t inputs_key(uint64_t seed, uint32_t stream);
/* A random number, uniform in [-1, 1) and a multiple of 2^-52. */
double inputs_uniform(uint64_t seed, uint32_t stream, uint64_t counter);
/* A random integer, uniform in [low, high], which has fewer than 2^64 values. */
int64_t inputs_integer(uint64_t seed, uint32_t stream, uint64_t counter, int64_t low, int64_t high);

/* These functions fill `count` elements of a precision, on all cores: uniform in [-1, 1), uniform in [0, below), or
 * integers. An f32 element is the f64 element, rounded. */
void inputs_fill_uniform(void *to, int64_t count, int64_t precision, uint64_t seed, uint32_t stream);
void inputs_fill_positive(void *to, int64_t count, int64_t precision, double below, uint64_t seed, uint32_t stream);
void inputs_fill_integers(void *to, int64_t count, int64_t precision, uint64_t seed, uint32_t stream, int64_t low,
                          int64_t high);

/* SMALL inputs are the usual ones times this power of two, so that they have the same significant bits. */
#define INPUTS_SMALL_SCALE 0x1p-20

/* Fills an n x n matrix. A general matrix is uniform in [-1, 1). A dominant matrix is strictly diagonally dominant by
 * rows: a_ij is uniform in [0, 50), and a_ii is the sum of the row's other elements plus 1. Both storage orders give
 * the same matrix. Other kinds of inputs change the elements beside the diagonal of a dominant matrix, and all of a
 * general one. NORMAL ones have the standard deviation 25 / 8 or 1 / 8. EXACT ones are integers from 0 to 50, or from
 * -1000 to 1000. With ZEROS both are the identity, since no method here solves a singular system. */
enum family { FAMILY_GENERAL, FAMILY_DOMINANT };
void inputs_fill_matrix(void *to, int64_t n, int64_t precision, enum family family, enum inputs inputs,
                        bool column_major, uint64_t seed, uint32_t stream);

/* Fills a factor of a product whose entries are sums of k terms. With INPUTS_EXACT, the elements are integers so small
 * that every partial sum is exact; such integers exist only if inputs_factor_has_exact() says so. NORMAL elements have
 * the standard deviation 1/8, so that none exceeds 1. Otherwise the elements are uniform in [-1, 1); i32 elements are
 * integers from -50 to 50. */
void inputs_fill_factor(void *to, int64_t count, int64_t precision, int64_t k, enum inputs inputs, uint64_t seed,
                        uint32_t stream);
/* The largest integer with which every partial sum is an integer that the precision holds. */
int64_t inputs_exact_magnitude(int64_t precision, int64_t k);
bool inputs_factor_has_exact(int64_t precision, int64_t k);

#endif
