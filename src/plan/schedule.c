/* What an experiment still has to measure, in which order, and how long that will take.
 * SPDX-License-Identifier: MIT */
#include "schedule.h"

#include "blas.h"
#include "probes.h"
#include "base/hash.h"
#include "machine/host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_LEAST = 3 };
static const double TYPICAL_GFLOPS = 1.0, TYPICAL_GBS = 5.0, TYPICAL_COPY_GBS = 8.0, MEMORY_SHARE = 0.8;

struct worker_kind cell_worker(const struct cell *cell)
{
    struct worker_kind kind = {.backend = cell->entry->backend};
    if (kind.backend != BACKEND_CUDA)
        kind.threads = cell->threads ? (int)cell->threads : 1;
    memcpy(kind.library, cell->entry->library, sizeof kind.library);
    return kind;
}

/* ---- what a result depends on ---- */

static void hash_settings(const struct measure *measure, char hex[17])
{
    char text[256];
    const int length = snprintf(text, sizeof text, "%d %d %d %.17g %.17g %.17g %.17g %llu", measure->rounds,
                                measure->launches, measure->min_samples, measure->ci, measure->max_time_s,
                                measure->min_time_s, measure->once_above_s, (unsigned long long)measure->seed);
    hash_hex(text, (size_t)length, hex, 16);
}

void schedule_provenance(const struct schedule *schedule, const struct cell *cell, char provenance[PROVENANCES][17])
{
    snprintf(provenance[BY_SOURCE], 17, "%.16s", cell->entry->source_hash);
    provenance[BY_LIBRARY][0] = '\0';
    if (cell->entry->backend == BACKEND_BLAS)
        blas_identity(cell->entry->library, provenance[BY_LIBRARY]);
    snprintf(provenance[BY_MACHINE], 17, "%s", schedule->machine);
    snprintf(provenance[BY_SETTINGS], 17, "%s", schedule->settings);
}

/* Why a finished result no longer holds, or NULL. */
static const char *stale(const struct schedule *schedule, const struct cell *cell, char then[PROVENANCES][17])
{
    static const char *const reasons[PROVENANCES] = {"source changed", "library changed", "machine changed",
                                                     "settings changed"};
    char now[PROVENANCES][17];
    schedule_provenance(schedule, cell, now);
    for (int i = 0; i < PROVENANCES; i++)
        if (strcmp(now[i], then[i]) != 0)
            return reasons[i];
    return NULL;
}

bool schedule_holds(const struct schedule *schedule, const struct cell *cell, char provenance[PROVENANCES][17])
{
    return !stale(schedule, cell, provenance);
}

/* ---- what does not suit ---- */

double schedule_memory_bytes(void)
{
    return MEMORY_SHARE * (double)host_get()->memory_available_bytes;
}

static const char *unsuitable(const struct cell *cell, int64_t *bytes)
{
    const struct entry *entry = cell->entry;
    const struct host *host = host_get();
    if (!(entry->meta->precisions & entry->problem->precisions & BIT(cell->precision)))
        return cell_reason("%s has no %s version", entry->name, precision_names[cell->precision]);
    if (cell->isa > host->isa_best)
        return cell_reason("this processor cannot run code for isa %s (its best is %s)", isa_names[cell->isa],
                           isa_names[host->isa_best]);
    if (!cell_variant(cell))
        return cell_reason("not built for isa %s on this architecture", isa_names[cell->isa]);
    const char *reason = entry->meta->reject ? entry->meta->reject(cell) : NULL;
    if (reason)
        return reason;
    if (cell->threads > host->cores)
        return host->quota_cores > 0 && host->quota_cores < (double)cell->threads
                   ? cell_reason("%lld threads over a CPU quota of %.3g cores", (long long)cell->threads,
                                 host->quota_cores)
                   : cell_reason("%lld threads on %d usable cores", (long long)cell->threads, host->cores);
    const struct backend *backend = backend_of(cell);
    if ((reason = backend->missing(cell)))
        return reason;
    *bytes = cell_bytes(cell);
    /* What a GPU reports is already without what the driver needs. */
    const int64_t device = backend->memory_bytes();
    const double have = device > 0 ? fmin((double)device, schedule_memory_bytes()) : schedule_memory_bytes();
    const char *what = device > 0 && have == (double)device ? "device memory" : "memory";
    if (*bytes == INT64_MAX)
        return cell_reason("operands of more bytes than 63 bits count; %.4g GB of %s can be used", 1e-9 * have, what);
    if ((double)*bytes > have)
        return cell_reason("operands of %.4g GB; %.4g GB of %s can be used", 1e-9 * (double)*bytes, 1e-9 * have, what);
    return NULL;
}

/* ---- prediction ---- */

static double work(const struct cell *cell)
{
    const double flops = cell_flops(cell);
    return flops > 0 ? flops : cell_traffic(cell);
}

static bool are_kin(const struct cell *a, const struct cell *b)
{
    return a->entry == b->entry && a->precision == b->precision && a->isa == b->isa && a->opt == b->opt &&
           a->threads == b->threads;
}

/* How well `other` foretells its kin `cell`, 0: not at all. The same tile before another, near sizes before far. */
static double kinship(const struct cell *other, const struct cell *cell)
{
    if (!(work(other) < work(cell)))
        return 0;
    const bool same_tile = other->tile == cell->tile && other->row_tile == cell->row_tile &&
                           other->padding == cell->padding && other->mc == cell->mc && other->nc == cell->nc &&
                           other->kc == cell->kc;
    return (same_tile ? 2.0 : 1.0) + 0.5 * work(other) / work(cell);
}

double schedule_predict(const struct schedule *schedule, const struct store *store, const struct task *task)
{
    enum { KIN_ASKED = 64 };
    const struct cell *cell = &task->cell;
    const struct result *nearest = NULL;
    double best = 0;
    size_t at = task->kin;
    for (int asked = 0; store && at && asked < KIN_ASKED; asked++) {
        const struct task *other = &schedule->task[at - 1];
        const double near = kinship(&other->cell, cell);
        const struct result *result = near > best ? store_find(store, other->id) : NULL;
        if (result && result->status == STATUS_OK && result->median_s > 0) {
            best = near;
            nearest = result;
        }
        at = other->kin;
    }
    if (nearest)
        return nearest->median_s * work(cell) / work(&nearest->cell);
    const struct variant *meta = cell->entry->meta;
    const double gflops = meta->typical_gflops > 0 ? meta->typical_gflops : TYPICAL_GFLOPS;
    const double threads = cell->threads ? (double)cell->threads : 1;
    const double flops = cell_flops(cell);
    return flops > 0 ? 1e-9 * flops / (gflops * threads) : 1e-9 * cell_traffic(cell) / TYPICAL_GBS;
}

int schedule_rounds(const struct measure *measure, double run_s)
{
    const double fit = floor(measure->max_time_s / fmax(run_s, 1e-9));
    const int least = measure->rounds < ROUNDS_LEAST ? measure->rounds : ROUNDS_LEAST;
    return fit >= measure->rounds ? measure->rounds : fit < least ? least : (int)fit;
}

double schedule_cost_s(const struct measure *measure, const struct cell *cell, double run_s)
{
    const bool gpu = cell->entry->backend == BACKEND_CUDA;
    const double copies_s = gpu ? 1e-9 * (double)cell_bytes(cell) / TYPICAL_COPY_GBS : 0;
    if (run_s > measure->once_above_s)
        return run_s + copies_s;
    /* As measure.c does it: runs of seconds are warmed by their check, and sampled without an untimed run. */
    const double warm_s = run_s > 2 ? 0 : fmax(gpu ? 0.2 : 0.1, run_s), untimed_s = run_s > 1 ? 0 : run_s;
    const double share_s = measure->max_time_s / measure->rounds;
    const double samples_s = fmax(measure->min_time_s, fmin(measure->min_samples * run_s, fmax(share_s, run_s)));
    /* End to end, a round times the GPU once more at least, up to its share of the time. */
    const double end_to_end_s = gpu ? fmax(run_s + copies_s, fmin(share_s, 3 * (run_s + copies_s))) : 0;
    return run_s + 2 * copies_s + measure->launches * (run_s + warm_s + 2 * copies_s) +
           schedule_rounds(measure, run_s) * (untimed_s + samples_s + end_to_end_s + copies_s);
}

/* ---- making it ---- */

/* Links each task to the nearest earlier one of its kind. False on lack of memory. */
static bool link_kin(struct schedule *schedule)
{
    size_t *latest = NULL, kinds = 0;
    for (size_t i = 0; i < schedule->count; i++) {
        size_t kind = 0;
        while (kind < kinds && !are_kin(&schedule->task[latest[kind]].cell, &schedule->task[i].cell))
            kind++;
        if (kind < kinds) {
            schedule->task[i].kin = latest[kind] + 1;
        } else {
            size_t *more = realloc(latest, ++kinds * sizeof *latest);
            if (!more) {
                free(latest);
                return false;
            }
            latest = more;
        }
        latest[kind] = i;
    }
    free(latest);
    return true;
}

static bool same_point(const struct cell *a, const struct cell *b)
{
    return a->entry->problem == b->entry->problem && a->precision == b->precision && a->m == b->m && a->n == b->n &&
           a->k == b->k;
}

/* Points in grid order; the probes of a precision join its last point, so that they run between its products. */
static bool make_points(struct schedule *schedule, size_t products)
{
    schedule->order = malloc((schedule->count + 1) * sizeof *schedule->order);
    schedule->point = malloc((schedule->count + 1) * sizeof *schedule->point);
    if (!schedule->order || !schedule->point)
        return false;
    size_t placed = 0;
    for (size_t i = 0; i < products;) {
        struct point *point = &schedule->point[schedule->points++];
        const struct cell *head = &schedule->task[i].cell;
        point->first = placed;
        for (; i < products && same_point(&schedule->task[i].cell, head); i++)
            schedule->order[placed++] = i;
        const bool last = i == products || schedule->task[i].cell.precision != head->precision ||
                          schedule->task[i].cell.entry->problem != head->entry->problem;
        for (size_t p = products; last && p < schedule->count; p++) {
            bool taken = schedule->task[p].cell.precision != head->precision;
            for (size_t q = 0; !taken && q < placed; q++)
                taken = schedule->order[q] == p;
            if (!taken)
                schedule->order[placed++] = p;
        }
        point->count = placed - point->first;
    }
    return true;
}

static void judge(struct schedule *schedule, const struct store *store, enum again again, struct task *task)
{
    int64_t bytes = 0;
    const char *skip = unsuitable(&task->cell, &bytes);
    if (skip) {
        task->skip = strdup(skip);
        return;
    }
    if (task->cell.entry->backend != BACKEND_CUDA && bytes > schedule->most_bytes)
        schedule->most_bytes = bytes;
    enum status status;
    char provenance[PROVENANCES][17];
    if (!store || !store_peek(store, task->id, &status, provenance) || status == STATUS_SKIPPED)
        task->why = "missing";
    else if (again == AGAIN_ALL || (again == AGAIN_FAILED && status != STATUS_OK))
        task->why = "asked for again";
    else
        task->why = stale(schedule, &task->cell, provenance);
    task->known = !task->why;
}

struct schedule *schedule_make(const struct experiment *experiment, const struct store *store, enum again again,
                               FILE *diagnostics)
{
    struct grid grid;
    const struct grid_limits limits = host_limits();
    if (grid_expand(experiment, &limits, &grid, diagnostics) != 0)
        return NULL;
    const size_t products = grid.count;
    struct schedule *schedule = calloc(1, sizeof *schedule);
    /* There is nothing to probe where no clock is read. */
    if (!schedule || (!measure_fake() && probes_append(&grid) != 0) ||
        !(schedule->task = calloc(grid.count, sizeof *schedule->task)))
        goto out_of_memory;
    schedule->experiment = experiment;
    host_fingerprint(schedule->machine);
    hash_settings(&experiment->measure, schedule->settings);
    schedule->count = grid.count;
    schedule->products = products;
    for (size_t i = 0; i < grid.count; i++) {
        schedule->task[i].cell = grid.cell[i];
        cell_id(&grid.cell[i], schedule->task[i].id);
        judge(schedule, store, again, &schedule->task[i]);
    }
    if (!link_kin(schedule) || !make_points(schedule, products))
        goto out_of_memory;
    grid_free(&grid);
    return schedule;

out_of_memory:
    fprintf(diagnostics, "tilelab: no memory for %zu cells\n", grid.count);
    grid_free(&grid);
    schedule_free(schedule);
    return NULL;
}

void schedule_free(struct schedule *schedule)
{
    if (!schedule)
        return;
    for (size_t i = 0; schedule->task && i < schedule->count; i++)
        free(schedule->task[i].skip);
    free(schedule->task);
    free(schedule->order);
    free(schedule->point);
    free(schedule);
}
