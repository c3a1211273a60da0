/* How long a run of a cell, and the whole measurement of the cell, will take.
 * SPDX-License-Identifier: MIT */
#include "predict.h"

#include "cell.h"
#include "backend/backend.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS_LEAST = 3 };
/* The rates assumed of a variant without results, where the variant names no typical rate. */
static const double TYPICAL_GFLOPS = 1.0, TYPICAL_GBS = 5.0, TYPICAL_COPY_GBS = 8.0;

static double work(const struct cell *cell)
{
    const double flops = cell_flops(cell);
    return flops > 0 ? flops : cell_traffic(cell);
}

/* Whether two cells are equal in all axes of a role. */
static bool equal_in(enum axis_role role, const struct cell *a, const struct cell *b)
{
    for (int axis = 0; axis < AXES; axis++)
        if (cell_axes[axis].role == role && cell_value(a, axis) != cell_value(b, axis))
            return false;
    return true;
}

static bool are_relatives(const struct cell *a, const struct cell *b)
{
    return a->entry == b->entry && a->precision == b->precision && equal_in(ROLE_BUILD, a, b) &&
           equal_in(ROLE_PLACE, a, b);
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

/* How well the relative `other` foretells `cell`; 0: not at all. The same tuning comes before another tuning, and a
 * near size before a far size. */
static double closeness(const struct cell *other, const struct cell *cell)
{
    if (!(work(other) < work(cell)))
        return 0;
    return (equal_in(ROLE_TUNING, other, cell) ? 2.0 : 1.0) + 0.5 * work(other) / work(cell);
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
    /* measure.c does the same: the check warms a run of seconds, and its sampling needs no untimed run. */
    const double warm_s = run_s > 2 ? 0 : fmax(backend->warm_s, run_s), untimed_s = run_s > 1 ? 0 : run_s;
    const double share_s = measure->max_time_s / measure->rounds;
    const double samples_s = fmax(measure->min_time_s, fmin(measure->min_samples * run_s, fmax(share_s, run_s)));
    /* Where operands are copied, a round times runs with their copies too: one at least, then up to its share of
     * time. */
    const double end_to_end_s = copied ? fmax(run_s + copies_s, fmin(share_s, 3 * (run_s + copies_s))) : 0;
    return run_s + 2 * copies_s + measure->launches * (run_s + warm_s + 2 * copies_s) +
           predict_rounds(measure, run_s) * (untimed_s + samples_s + end_to_end_s + copies_s);
}
