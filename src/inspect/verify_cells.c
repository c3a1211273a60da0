/* What `verify` runs: the cells of each variant that is asked for, each with its line.
 * SPDX-License-Identifier: MIT */
#include "verify_cells.h"

#include "cell.h"
#include "verify_sanitize.h"
#include "backend/backend.h"
#include "base/exit.h"
#include "base/memory.h"
#include "base/timer.h"
#include "machine/host.h"
#include "own/own.h"
#include "plan/selection.h"
#include "plan/variants.h"
#include "worker/measure.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Whether the status is a fault of the program. A solver that diverges shows a property of its method. */
static bool is_bad(enum status status)
{
    return status != STATUS_OK && status != STATUS_SKIPPED && !status_blames_method(status);
}

/* How far this call is, and the outcomes of its cells for the last line. */
static struct verify_watch *watch;
/* The cells of the entry at hand: how many were met, and how many of these an earlier process has begun. */
static size_t met, begun_before;

static void print_summary(void)
{
    size_t all = 0;
    for (int status = 0; status < STATUSES; status++)
        all += watch->seen[status];
    fprintf(stderr, "tilelab: %zu cells", all);
    for (int status = 0; status < STATUSES; status++)
        if (watch->seen[status] > 0)
            fprintf(stderr, ", %zu %s", watch->seen[status], status_names[status]);
    fputc('\n', stderr);
}

/* How long a cell may take, with the generation of its inputs and its check. */
static double limit_s(const struct verify_asked *asked, const struct cell *cell)
{
    static const double LEAST_S = 60, SLOW_FLOPS = 1e8;
    const double flops = cell ? cell_executed_flops(cell) : 0;
    return isnan(asked->timeout_s) ? timer_limit_s(LEAST_S) + flops / SLOW_FLOPS : asked->timeout_s;
}

/* Why a cell does not run here; NULL: it runs. */
static const char *why_skipped(const struct cell *cell)
{
    const struct variant *meta = cell->entry->meta;
    const char *reason = NULL;
    if (!cell_is_built(cell))
        reason = "not built for this precision or instruction set";
    else if (meta->reject)
        reason = meta->reject(cell);
    /* Threads that take turns on a core compute the same, so more of them than cores are verified too. */
    struct cell possible = *cell;
    possible.threads = possible.threads < host_get()->cores ? possible.threads : host_get()->cores;
    return reason ? reason : backend_of(cell)->missing(&possible);
}

/* Prints the line of a cell; below it, what further runs tell, and once a variant the map of what is wrong. */
static void print_found(const char *key, const struct verify_found *found)
{
    const struct outcome *outcome = &found->outcome;
    const char *const parts[] = {outcome->status == STATUS_OK ? "" : outcome->reason, found->where, found->remark};
    const char *mark = ": ";
    verify_watch_clear(watch);
    printf("%s %s", status_names[outcome->status], key);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i][0] == '\0')
            continue;
        printf("%s%s", mark, parts[i]);
        mark = "; ";
    }
    putchar('\n');
    if (found->when[0] != '\0')
        printf("  %s\n", found->when);
    /* The words say it all where every element is wrong. */
    if (strchr(found->where, ':') && watch->mapped != watch->entry + 1) {
        watch->mapped = watch->entry + 1;
        wrong_map_print(&found->map, stdout);
    }
    fflush(stdout);
}

/* Verifies one cell and prints its line. */
static void verify_cell(const struct cell *cell, const struct verify_asked *asked)
{
    char key[512];
    if (!selection_has(asked->only, asked->onlys, cell))
        return;
    if (asked->builds) {
        own_build(cell);
        return;
    }
    cell_key(cell, key, sizeof key);
    if (asked->dry_run) {
        watch->chosen++;
        if (!asked->silent)
            puts(key);
        return;
    }
    if (met++ < begun_before)
        return;
    watch->chosen++;
    watch->cells = met;
    struct verify_found *found = memory_allocate(1, sizeof *found);
    const char *reason = why_skipped(cell);
    if (reason) {
        outcome_fail(&found->outcome, STATUS_SKIPPED, "%s", reason);
    } else {
        verify_watch_begin(watch, key, false, limit_s(asked, cell));
        verify_check(cell, &asked->how, watch, found);
    }
    watch->seen[found->outcome.status]++;
    watch->bad += is_bad(found->outcome.status);
    print_found(key, found);
    verify_found_free(found);
}

/* Verifies two cells of order n. The first is rectangular; for a solver it runs 5 sweeps. The second is square; for a
 * solver it runs with omega = 2/3 until it converges, which takes few sweeps even in f32. A problem that has square
 * operands alone has the second cell alone. */
static void verify_size(struct cell cell, int64_t n, const struct verify_asked *asked)
{
    const unsigned supported = registry_axes(cell.entry);
    cell.n = n;
    cell.m = supported & HONOURS(m) ? n : 0;
    cell.k = supported & HONOURS(k) ? n : 0;
    cell.omega = supported & HONOURS(omega) ? 2 * DECIMAL_ONE / 3 : 0;
    cell.sweeps = 0;

    struct cell rectangular = cell;
    rectangular.m = supported & HONOURS(m) ? n + n / 3 : 0;
    rectangular.k = supported & HONOURS(k) ? 2 * n - 1 : 0;
    rectangular.omega = 0;
    rectangular.sweeps = supported & HONOURS(sweeps) ? 5 : 0;
    if (!asked->square && cell_compare(&rectangular, &cell) != 0)
        verify_cell(&rectangular, asked);
    verify_cell(&cell, asked);
}

/* The same in each kind of memory, where the entry knows several. */
static void verify_memories(struct cell cell, int64_t n, const struct verify_asked *asked)
{
    if (!(registry_axes(cell.entry) & HONOURS(memory))) {
        verify_size(cell, n, asked);
        return;
    }
    for (cell.memory = MEMORY_USM; cell.memory <= MEMORIES; cell.memory++)
        verify_size(cell, n, asked);
}

/* Sets the number of ranks, or GPUs, of a team. */
static void set_team_size(struct cell *cell, const struct verify_asked *asked)
{
    const unsigned supported = registry_axes(cell->entry);
    const int64_t size = asked->team_size;
    if (supported & HONOURS(ranks))
        cell->ranks = size ? size : cell_default(cell->entry, AXIS_ranks);
    if (supported & HONOURS(gpus))
        cell->gpus = size ? size : cell_default(cell->entry, AXIS_gpus);
}

/* Verifies an entry in each of its precisions and kinds of memory, with each size and, where the entry has one, each
 * tile. */
static void verify_entry(const struct entry *entry, int64_t device_id, const struct verify_asked *asked)
{
    const unsigned supported = registry_axes(entry), precisions = entry->meta->precisions & entry->problem->precisions;
    const int tiles = supported & HONOURS(tile) ? asked->tiles.count : 1;
    struct cell cell = {.entry = entry};
    for (int axis = 0; axis < AXES; axis++)
        if (supported & BIT(axis))
            *cell_axis(&cell, axis) = cell_default(entry, axis);
    cell.device_id = device_id;
    set_team_size(&cell, asked);
    cell.isa = supported & HONOURS(isa) ? host_get()->isa_best : 0;
    cell.opt = supported & HONOURS(opt) ? OPT_O3 : 0;
    cell.threads = supported & HONOURS(threads) ? asked->how.threads : 0;
    for (int precision = F32; precision <= PRECISIONS; precision++) {
        cell.precision = precision;
        for (int s = 0; precisions & BIT(precision) && s < asked->sizes.count; s++)
            for (int t = 0; t < tiles; t++) {
                cell.tile = supported & HONOURS(tile) ? asked->tiles.value[t] : 0;
                verify_memories(cell, asked->sizes.value[s], asked);
            }
    }
}

void verify_cells_build(const struct verify_asked *asked)
{
    size_t count;
    const struct entry *entries = registry(&count);
    struct verify_asked building = *asked;
    building.builds = true;
    for (size_t i = 0; i < count; i++) {
        struct cell cell = {.entry = &entries[i]};
        if (!variants_match(asked->pattern, &entries[i]))
            continue;
        if (registry_backends[entries[i].backend].made == MADE_BUILDS)
            verify_entry(&entries[i], 0, &building);
        /* The code for a device is one build, and verified by others that a precision asks for. */
        else
            for (cell.precision = F32; cell.precision <= PRECISIONS; cell.precision++)
                if (entries[i].meta->precisions & entries[i].problem->precisions & BIT(cell.precision))
                    own_build(&cell);
    }
}

/* Whether the command line asks for a cell of the entry. */
static bool is_chosen(const struct entry *entry, int64_t device_id, const struct verify_asked *asked)
{
    struct verify_asked counting = *asked;
    const size_t before = watch->chosen;
    counting.dry_run = counting.silent = true;
    verify_entry(entry, device_id, &counting);
    const bool any = watch->chosen > before;
    watch->chosen = before;
    return any;
}

/* Opens the device of the entry's backend and verifies the entry there, if it runs here. `device_id`: a value of that
 * axis, or 0. */
static void open_and_verify(const struct entry *entry, int64_t device_id, const struct verify_asked *asked)
{
    struct cell cell = {.entry = entry, .precision = F32, .device_id = device_id};
    if (asked->dry_run) {
        verify_entry(entry, device_id, asked);
        return;
    }
    if (asked->onlys > 0 && !is_chosen(entry, device_id, asked))
        return;
    set_team_size(&cell, asked);
    const char *unseen = verify_sanitize_skips(entry), *missing = unseen ? unseen : backend_of(&cell)->missing(&cell);
    struct backend_setup setup = backend_setup(&cell);
    setup.threads = asked->how.threads < host_get()->cores ? asked->how.threads : host_get()->cores;
    char why[256];
    if (missing) {
        watch->seen[STATUS_SKIPPED]++;
        watch->chosen++;
        verify_watch_clear(watch);
        printf("skipped %s: %s\n", entry->name, missing);
        return;
    }
    verify_watch_begin(watch, entry->name, true, limit_s(asked, NULL));
    if (measure_open(&setup, false, why, sizeof why) != 0) {
        watch->seen[STATUS_FAILED]++;
        verify_watch_clear(watch);
        printf("failed %s: %s\n", entry->name, why);
        watch->bad++;
        return;
    }
    verify_entry(entry, device_id, asked);
}

/* Verifies all entries that the command line asks for, from watch->entry on. Returns the exit code. */
static int verify_all(const void *context)
{
    const struct verify_asked *asked = context;
    size_t count;
    const struct entry *entries = registry(&count);
    begun_before = watch->cells;
    for (size_t i = watch->entry; i < count; i++) {
        watch->entry = i;
        watch->cells = begun_before;
        met = 0;
        if (variants_match(asked->pattern, &entries[i])) {
            const int64_t first = cell_default(&entries[i], AXIS_device_id);
            open_and_verify(&entries[i], first > 0 ? first + asked->device : 0, asked);
        }
        begun_before = 0;
    }
    watch->finished = true;
    return watch->bad ? EXIT_CELLS : EXIT_OK;
}

int verify_cells(const struct verify_asked *asked)
{
    watch = verify_watch_open();
    if (!watch) {
        fprintf(stderr, "tilelab: no memory to verify: %s\n", strerror(errno));
        return EXIT_CELLS;
    }
    const bool here = asked->dry_run || asked->timeout_s == 0;
    if (here && !asked->dry_run)
        verify_watch_here(watch);
    const int code = here ? verify_all(asked) : verify_watch_run(watch, verify_all, asked);
    if (asked->onlys > 0 && watch->chosen == 0) {
        fputs("tilelab: no cell matches --only; --dry-run lists the cells\n", stderr);
        return EXIT_USAGE;
    }
    if (asked->dry_run)
        fprintf(stderr, "tilelab: %zu cells\n", watch->chosen);
    else
        print_summary();
    if (verify_sanitize_is_on() && watch->bad == 0 && watch->seen[STATUS_OK] == 0) {
        fputs("tilelab: no cell ran under the sanitizer\n", stderr);
        return EXIT_CELLS;
    }
    return code;
}
