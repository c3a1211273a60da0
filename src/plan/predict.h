/* How long a run of a cell, and the whole measurement of the cell, will take.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_PREDICT_H
#define TILELAB_PLAN_PREDICT_H

#include "item.h"
#include "backend/backend.h"
#include "base/comparison.h"
#include "results/store.h"

/* Links each item to its predictor: the nearest earlier relative. Relatives are items of the same variant, precision,
 * isa, opt and threads; their times foretell each other. */
void predict_link(struct item *items, size_t count);

/* Predicted seconds of one run: the time that the cell had before, else from finished results of smaller relatives,
 * else from the variant's typical rate. `item` is one of `items`, which predict_link has linked; `store` may be
 * NULL. */
double predict_run_s(const struct item *items, const struct store *store, const struct item *item);

/* Rounds of a cell whose run takes run_s: as asked, or fewer where all would exceed max-time, but not fewer than a
 * verdict needs (base/comparison.h). */
int predict_rounds(const struct measure *measure, double run_s);

/* The times of a GPU hardly differ from round to round. So a cell of a GPU needs no more rounds than these in all its
 * launches, if its interval is as narrow as `ci` asks for. */
enum { PREDICT_CONVERGED_ROUNDS = COMPARISON_ROUNDS };
/* Whether this rule is for the cell. */
bool predict_may_converge(const struct cell *cell);
/* Of the rounds of a cell, those that it is predicted to need. */
int predict_needed_rounds(const struct cell *cell, int rounds);

/* A longer run is not repeated to warm it up: its check has done so. */
#define PREDICT_WARM_MOST_S 2.0
/* A round has a single sample of a longer run. */
#define PREDICT_SINGLE_ABOVE_S 1.0
/* The least lengths of a continuous run, which tells the energy, and of the runs before it, which raise the power. A
 * GPU at its power limit keeps the mean of the last second there, so that its power swings with a period of 1.05 s. The
 * run holds two periods: over one and a half, power and energy were found to differ by 6 % and 4 %, over two by 1.5 %.
 * For PREDICT_IDLE_S a worker leaves its device idle: before its first continuous run, and again after each
 * PREDICT_IDLE_EVERY_S. The first worker of a run also heats the device up, for the heat_s of its meter
 * (machine/energy.h). This time is not that of a cell, and no prediction has it. */
#define PREDICT_CONTINUOUS_S 2.1
#define PREDICT_LEAD_S 0.3
#define PREDICT_IDLE_S 1.5
#define PREDICT_IDLE_EVERY_S 60.0
/* Whether other cells can have slowed down the next run of a cell, so that a round begins with an untimed run. Before a
 * run that is long came its check or its last sample. */
bool predict_feels_cold(const struct cell *cell, double run_s);

/* Predicted seconds of the run that verifies all variants of a point, where a variant does so (verify/against.h);
 * else 0. The first cell of a point waits for it, or a later one if that cell fails. */
double predict_reference_s(const struct cell *cell);

/* The workers that the cells of a point need. Start with {0}, and call predict_next_point for each further point of
 * one run: its workers live on until the next launch. */
enum { PREDICT_WORKERS = 64 };
struct predict_workers {
    struct backend_setup setup[PREDICT_WORKERS];
    int count; /* at this point */
    struct backend_setup seen[PREDICT_WORKERS];
    int seen_count; /* at earlier points */
};
void predict_next_point(struct predict_workers *workers);

/* Whether a cell is the first one of its worker at its point. Such a cell generates the inputs. */
enum predict_start {
    PREDICT_GOES_ON = 0, /* it is not */
    PREDICT_STARTS,      /* it starts the worker in each launch */
    PREDICT_STARTS_AGAIN /* its worker lives since an earlier point; only the further launches start a worker */
};
/* Notes the worker of the cell. */
enum predict_start predict_starts_worker(struct predict_workers *workers, const struct cell *cell);

/* The wall time that the parts of measuring a cell take. */
struct cost {
    double start_s;         /* of each start of a worker */
    double check_s, warm_s; /* once a launch: the check on the timed inputs without its verification, the warm-up */
    double verify_s;        /* once: that verification; further launches give the same result, bit for bit */
    double raise_s;         /* together: raising the clock */
    double exact_s;         /* once: the check on exact inputs */
    double round_s;         /* of each round, with its continuous run */
    double energy_s;        /* together: of all these times, what is spent for the energy */
    int starts, launches, rounds;
};
/* Predicts the parts for a cell whose run takes run_s. */
struct cost predict_cost(const struct measure *measure, const struct cell *cell, double run_s,
                         enum predict_start start);
double predict_total_s(const struct cost *cost);

#endif
