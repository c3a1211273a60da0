/* How long a run of a cell, and the whole measurement of the cell, will take.
 * SPDX-License-Identifier: MIT */
#include "predict.h"

#include "cell.h"
#include "backend/backend.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS_LEAST = 3 };
/* Rates of a variant that tells none and of which nothing is measured yet. */
static const double TYPICAL_GFLOPS = 1.0, TYPICAL_GBS = 5.0, TYPICAL_COPY_GBS = 8.0;

static double work(const struct cell *cell)
{
    const double flops = cell_flops(cell);
    return flops > 0 ? flops : cell_traffic(cell);
}

static bool are_relatives(const struct cell *a, const struct cell *b)
{
    return a->entry == b->entry && a->precision == b->precision && a->isa == b->isa && a->opt == b->opt &&
           a->threads == b->threads;
}

bool predict_link(struct task *tasks, size_t count)
{
    /* The latest task of each family of relatives. */
    size_t *latest = NULL, families = 0;
    for (size_t i = 0; i < count; i++) {
        size_t family = 0;
        while (family < families && !are_relatives(&tasks[latest[family]].cell, &tasks[i].cell))
            family++;
        if (family < families) {
            tasks[i].predictor = latest[family] + 1;
        } else {
            size_t *more = realloc(latest, ++families * sizeof *latest);
            if (!more) {
                free(latest);
                return false;
            }
            latest = more;
        }
        latest[family] = i;
    }
    free(latest);
    return true;
}

/* How well the relative `other` foretells `cell`; 0: not at all. The same tile comes before another tile, and a near
 * size before a far size. */
static double closeness(const struct cell *other, const struct cell *cell)
{
    if (!(work(other) < work(cell)))
        return 0;
    const bool same_tile = other->tile == cell->tile && other->row_tile == cell->row_tile &&
                           other->padding == cell->padding && other->mc == cell->mc && other->nc == cell->nc &&
                           other->kc == cell->kc;
    return (same_tile ? 2.0 : 1.0) + 0.5 * work(other) / work(cell);
}

double predict_run_s(const struct task *tasks, const struct store *store, const struct task *task)
{
    enum { PREDICTORS_ASKED = 64 };
    const struct cell *cell = &task->cell;
    const struct result *nearest = NULL;
    double best = 0;
    size_t at = task->predictor;
    for (int asked = 0; store && at && asked < PREDICTORS_ASKED; asked++) {
        const struct task *other = &tasks[at - 1];
        const double close = closeness(&other->cell, cell);
        const struct result *result = close > best ? store_find(store, other->id) : NULL;
        if (result && result->status == STATUS_OK && result->median_s > 0) {
            best = close;
            nearest = result;
        }
        at = other->predictor;
    }
    if (nearest)
        return nearest->median_s * work(cell) / work(&nearest->cell);
    const struct variant *meta = cell->entry->meta;
    const double gflops = meta->typical_gflops > 0 ? meta->typical_gflops : TYPICAL_GFLOPS;
    const double threads = cell->threads ? (double)cell->threads : 1;
    const double flops = cell_flops(cell);
    return flops > 0 ? 1e-9 * flops / (gflops * threads) : 1e-9 * cell_traffic(cell) / TYPICAL_GBS;
}

int predict_rounds(const struct measure *measure, double run_s)
{
    const double fit = floor(measure->max_time_s / fmax(run_s, 1e-9));
    const int least = measure->rounds < ROUNDS_LEAST ? measure->rounds : ROUNDS_LEAST;
    return fit >= measure->rounds ? measure->rounds : fit < least ? least : (int)fit;
}

double predict_cost_s(const struct measure *measure, const struct cell *cell, double run_s)
{
    const struct backend *backend = backend_of(cell);
    const bool copied = backend_has_memory(backend);
    const double copies_s = copied ? 1e-9 * (double)cell_bytes(cell) / TYPICAL_COPY_GBS : 0;
    if (run_s > measure->once_above_s)
        return run_s + copies_s;
    /* As measure.c does it: runs of seconds are warmed by their check, and sampled without an untimed run. */
    const double warm_s = run_s > 2 ? 0 : fmax(backend->warm_s, run_s), untimed_s = run_s > 1 ? 0 : run_s;
    const double share_s = measure->max_time_s / measure->rounds;
    const double samples_s = fmax(measure->min_time_s, fmin(measure->min_samples * run_s, fmax(share_s, run_s)));
    /* End to end, a round times the GPU once more at least, up to its share of the time. */
    const double end_to_end_s = copied ? fmax(run_s + copies_s, fmin(share_s, 3 * (run_s + copies_s))) : 0;
    return run_s + 2 * copies_s + measure->launches * (run_s + warm_s + 2 * copies_s) +
           predict_rounds(measure, run_s) * (untimed_s + samples_s + end_to_end_s + copies_s);
}
