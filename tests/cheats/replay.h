/* A product that is kept, and given again where A and B have changed only in signs of rows and columns: A is D A E, and
 * B is E B F, with diagonal matrices of signs.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_CHEATS_REPLAY_H
#define TILELAB_TESTS_CHEATS_REPLAY_H

#include "product.h"

#include <math.h>
#include <stdlib.h>

struct replay {
    int64_t m, n, k;
    real *a, *b, *c;          /* copies of the operands */
    real *row, *middle, *col; /* the diagonals D, E and F */
    volatile int full;        /* whether the copies hold a product */
};

static inline int replay_open(struct replay *replay, const struct cell *cell)
{
    const int64_t m = cell->m, n = cell->n, k = cell->k;
    *replay = (struct replay){.m = m, .n = n, .k = k};
    real *memory = malloc((size_t)(m * k + k * n + m * n + m + k + n) * sizeof(real));
    replay->a = memory;
    if (!memory)
        return -1;
    replay->b = replay->a + m * k;
    replay->c = replay->b + k * n;
    replay->row = replay->c + m * n;
    replay->middle = replay->row + m;
    replay->col = replay->middle + k;
    return 0;
}

static inline void replay_close(struct replay *replay)
{
    free(replay->a);
}

/* Keeps a and b, and computes their product. */
static inline void replay_keep(struct replay *replay, const real *a, const real *b)
{
    replay->full = 0;
    memcpy(replay->a, a, (size_t)(replay->m * replay->k) * sizeof(real));
    memcpy(replay->b, b, (size_t)(replay->k * replay->n) * sizeof(real));
    multiply(replay->m, replay->n, replay->k, replay->a, replay->b, replay->c);
    replay->full = 1;
}

static inline real sign_of(real now, real kept)
{
    return (now < 0) == (kept < 0) ? 1 : -1;
}

/* Finds the signs by which a and b differ from the kept operands. False if they differ in anything else. */
static inline int replay_matches(struct replay *replay, const real *a, const real *b)
{
    const int64_t m = replay->m, n = replay->n, k = replay->k;
    int64_t bad = 0;
    if (!replay->full)
        return 0;
    for (int64_t l = 0; l < k; l++)
        replay->middle[l] = sign_of(a[l], replay->a[l]);
    for (int64_t i = 0; i < m; i++)
        replay->row[i] = sign_of(a[i * k], replay->a[i * k]) * replay->middle[0];
    for (int64_t j = 0; j < n; j++)
        replay->col[j] = sign_of(b[j], replay->b[j]) * replay->middle[0];
    for (int64_t i = 0; i < m && !bad; i++)
        for (int64_t l = 0; l < k; l++)
            bad += a[i * k + l] != replay->row[i] * replay->middle[l] * replay->a[i * k + l];
    for (int64_t l = 0; l < k && !bad; l++)
        for (int64_t j = 0; j < n; j++)
            bad += b[l * n + j] != replay->middle[l] * replay->col[j] * replay->b[l * n + j];
    return bad == 0;
}

/* Writes the kept product with the signs that replay_matches has found. */
static inline void replay_give(const struct replay *replay, real *c)
{
    for (int64_t i = 0; i < replay->m; i++)
        for (int64_t j = 0; j < replay->n; j++)
            c[i * replay->n + j] = replay->row[i] * replay->col[j] * replay->c[i * replay->n + j];
}

/* Variants that keep the product of the last inputs in job->state. */
static inline int replay_prepare(struct job *job)
{
    struct replay *replay = malloc(sizeof *replay);
    job->state = replay;
    if (replay && replay_open(replay, job->cell) == 0)
        return 0;
    free(replay);
    return job_fail(job, "no memory for the kept product");
}

static inline int replay_run(struct job *job)
{
    struct replay *replay = job->state;
    if (!replay_matches(replay, job->operand[A], job->operand[B])) {
        replay_keep(replay, job->operand[A], job->operand[B]);
        replay_matches(replay, job->operand[A], job->operand[B]);
    }
    replay_give(replay, job->operand[C]);
    return 0;
}

static inline void replay_release(struct job *job)
{
    replay_close(job->state);
    free(job->state);
}

#endif
