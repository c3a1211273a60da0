/* Axes to cells: the product of each variant's values, sorted, without duplicates.
 * SPDX-License-Identifier: MIT */
#include "grid.h"

#include "cell.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* One value of an axis for one variant. */
struct value {
    int64_t number;
    bool per_thread;
};

/* The values of all axes for one variant. An axis that the variant does not support has the single value 0. */
struct range {
    const struct entry *entry;
    struct value *value[AXES];
    size_t count[AXES];
};

struct expansion {
    const struct experiment *experiment;
    const struct grid_limits *limits;
    struct range *range;
    size_t ranges;
    size_t room; /* cells that the grid's memory holds */
    FILE *diagnostics;
};

static void complain(const struct expansion *expansion, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(const struct expansion *expansion, const char *format, ...)
{
    const struct experiment *experiment = expansion->experiment;
    va_list args;
    if (!expansion->diagnostics)
        return;
    va_start(args, format);
    fprintf(expansion->diagnostics, "%s: error: ", experiment->where ? experiment->where : experiment->name);
    vfprintf(expansion->diagnostics, format, args);
    putc('\n', expansion->diagnostics);
    va_end(args);
}

/* ---- values of one variant */

static int64_t resolve(int64_t value, const struct entry *entry, const struct grid_limits *limits)
{
    switch (value) {
    case VALUE_ALL:
        return limits->threads_all;
    case VALUE_HALF:
        return limits->threads_all > 1 ? limits->threads_all / 2 : 1;
    case VALUE_CORES:
        return limits->cores ? limits->cores() : limits->threads_all;
    case VALUE_BEST:
        return limits->isa_best;
    case VALUE_FULL:
        return limits->sums[entry->backend];
    case VALUE_CHOSEN:
        return 0;
    default:
        return value;
    }
}

/* Adds the devices that a value means for a variant: one, all of its backend, or none if they are another backend's.
 * Returns how many. */
static size_t add_devices(const struct expansion *expansion, const struct entry *entry, int64_t value, struct value *to)
{
    const struct grid_limits *limits = expansion->limits;
    const int64_t first = registry_device(entry->backend, 0);
    size_t count = 0;
    if (value == VALUE_DEVICES - (int)entry->backend)
        for (int i = 0; i < (limits->devices ? limits->devices(entry->backend) : 1); i++)
            to[count++] = (struct value){first + i, false};
    else if (value >= first && value < first + registry_backends[entry->backend].devices)
        to[count++] = (struct value){value, false};
    return count;
}

static unsigned lowest_bit(unsigned bits)
{
    return bits ? (unsigned)__builtin_ctz(bits) : 0;
}

/* The value of an axis that the experiment does not name. For m and k 0 stands for the value of n. */
static int64_t default_value(const struct expansion *expansion, const struct entry *entry, int axis)
{
    const unsigned precisions = entry->problem->precisions, common = precisions & entry->meta->precisions;
    const int64_t own = cell_default(entry, axis);
    switch (axis) {
    case AXIS_precision:
        return lowest_bit(common ? common : precisions);
    case AXIS_isa:
        return expansion->limits->isa_best;
    case AXIS_opt:
        return own ? own : OPT_O3;
    case AXIS_threads:
        return own ? own : expansion->limits->threads_all;
    case AXIS_omega:
        return own ? own : DECIMAL_ONE;
    default:
        return own || cell_axes[axis].role != ROLE_CONDITION ? own : cell_axes[axis].lowest;
    }
}

static int by_number(const void *a, const void *b)
{
    const struct value *x = a, *y = b;
    if (x->per_thread != y->per_thread)
        return x->per_thread - y->per_thread;
    return (x->number > y->number) - (x->number < y->number);
}

static size_t merge_values(struct value *value, size_t count)
{
    if (!count)
        return 0;
    qsort(value, count, sizeof *value, by_number);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (by_number(&value[kept - 1], &value[i]))
            value[kept++] = value[i];
    return kept;
}

/* Drops the precisions that the variant cannot compute, unless the experiment names the variant in full: its cells then
 * become skipped rows. */
static size_t drop_precisions(struct value *value, size_t count, const struct entry *entry, bool literally)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (literally || BIT(value[i].number) & entry->problem->precisions & entry->meta->precisions)
            value[kept++] = value[i];
    return kept;
}

/* Adds what a list of values means for a variant, and returns how many values these are. */
static size_t add_values(const struct expansion *expansion, const struct entry *entry, const struct values *list,
                         struct value *to)
{
    size_t count = 0;
    for (size_t j = 0; j < list->count; j++)
        if (list->axis == AXIS_device_id)
            count += add_devices(expansion, entry, list->value[j], to + count);
        else
            to[count++] = (struct value){resolve(list->value[j], entry, expansion->limits), list->per_thread};
    return count;
}

static bool gather(const struct expansion *expansion, struct range *range, int axis)
{
    const struct experiment *experiment = expansion->experiment;
    const struct entry *entry = range->entry;
    const bool supported = registry_axes(entry) & BIT(axis);
    size_t count = 0;
    for (size_t i = 0; supported && i < experiment->value_lists; i++)
        if ((int)experiment->values[i].axis == axis && experiment_applies(&experiment->values[i], entry))
            count += experiment->values[i].count;

    const size_t most = axis == AXIS_device_id ? count * CELL_DEVICES : count;
    struct value *value = range->value[axis] = memory_grow(NULL, most ? most : 1, sizeof *value);
    if (!count) {
        *value = (struct value){supported ? default_value(expansion, entry, axis) : 0, false};
        range->count[axis] = 1;
        if (supported && axis == AXIS_n && !value->number) {
            complain(expansion, "variant '%s' has no value of 'n'", entry->name);
            return false;
        }
        return true;
    }
    size_t filled = 0;
    for (size_t i = 0; i < experiment->value_lists; i++) {
        const struct values *list = &experiment->values[i];
        if ((int)list->axis == axis && experiment_applies(list, entry))
            filled += add_values(expansion, entry, list, value + filled);
    }
    range->count[axis] = merge_values(value, filled);
    return true;
}

static bool gather_all(struct expansion *expansion)
{
    size_t count;
    const struct entry *entry = registry(&count);
    expansion->range = memory_allocate(count, sizeof *expansion->range);
    for (size_t i = 0; i < count; i++) {
        bool literally;
        if (!experiment_selects(expansion->experiment, &entry[i], &literally))
            continue;
        struct range *range = &expansion->range[expansion->ranges++];
        range->entry = &entry[i];
        for (int axis = 0; axis < AXES; axis++)
            if (!gather(expansion, range, axis))
                return false;
        range->count[AXIS_precision] =
            drop_precisions(range->value[AXIS_precision], range->count[AXIS_precision], range->entry, literally);
    }
    return true;
}

/* Counts the cells of all variants before exclusions. False where there are too many. */
static bool count_cells(const struct expansion *expansion, size_t *count)
{
    int64_t total = 0;
    for (size_t i = 0; i < expansion->ranges; i++) {
        int64_t cells = 1;
        bool fits = true;
        for (int axis = 0; axis < AXES; axis++)
            fits &= !__builtin_mul_overflow(cells, (int64_t)expansion->range[i].count[axis], &cells);
        if (!fits || __builtin_add_overflow(total, cells, &total)) {
            complain(expansion, "the grid has more than 2^63 cells; at most %d are allowed", GRID_MAX);
            return false;
        }
    }
    *count = (size_t)total;
    if (total > GRID_MAX)
        complain(expansion, "the grid has %lld cells; at most %d are allowed", (long long)total, GRID_MAX);
    return total <= GRID_MAX;
}

/* ---- cells */

static bool excluded(const struct experiment *experiment, const struct cell *cell)
{
    for (size_t i = 0; i < experiment->exclusions; i++) {
        const struct exclusion *exclusion = &experiment->exclusion[i];
        bool all = true;
        for (size_t j = 0; all && j < exclusion->count; j++) {
            const struct condition *condition = &exclusion->condition[j];
            if (condition->axis < 0) {
                all = registry_matches(cell->entry, condition->pattern);
            } else {
                const int64_t value = cell_value(cell, condition->axis);
                all = value >= condition->low && value <= condition->high;
            }
        }
        if (all)
            return true;
    }
    return false;
}

/* Makes the cell at one position of each axis. False, with a diagnostic, where a value per thread grows too large. */
static bool make_cell(const struct expansion *expansion, const struct range *range, const size_t at[AXES],
                      struct cell *cell)
{
    const unsigned supported = registry_axes(range->entry);
    cell->entry = range->entry;
    for (int axis = 0; axis < AXES; axis++)
        *cell_axis(cell, axis) = range->value[axis][at[axis]].number;
    for (int axis = 0; axis < AXES; axis++)
        if (range->value[axis][at[axis]].per_thread) {
            const int64_t threads = cell->threads ? cell->threads : 1;
            int64_t *value = cell_axis(cell, axis);
            *value *= threads; /* at most 2^31 times 2^12 */
            if (*value > cell_axes[axis].highest) {
                complain(expansion, "'%s' per thread is %lld at %lld threads; it is at most %lld", cell_axes[axis].key,
                         (long long)*value, (long long)threads, (long long)cell_axes[axis].highest);
                return false;
            }
        }
    if (supported & HONOURS(m) && !cell->m)
        cell->m = cell->n;
    if (supported & HONOURS(k) && !cell->k)
        cell->k = cell->n;
    return true;
}

/* A cell of the usual conditions has no value of their axes, as in results from before there were such axes. */
static void leave_out_usual(struct cell *cell)
{
    for (int axis = 0; axis < AXES; axis++)
        if (cell_axes[axis].role == ROLE_CONDITION && cell_value(cell, axis) == cell_axes[axis].lowest)
            *cell_axis(cell, axis) = 0;
}

/* Adds a cell. False where an exclusion names the cell. */
static bool add_cell(struct expansion *expansion, struct grid *grid, struct cell cell)
{
    if (excluded(expansion->experiment, &cell))
        return false;
    leave_out_usual(&cell);
    if (grid->count == expansion->room) {
        expansion->room = 2 * expansion->room + 64;
        grid->cell = memory_grow(grid->cell, expansion->room, sizeof *grid->cell);
    }
    grid->cell[grid->count++] = cell;
    return true;
}

/* The most threads of this machine that the experiment gives a variant; 1 where it has one thread, or none. */
static int64_t most_threads(const struct expansion *expansion, const struct range *range)
{
    int64_t most = 1;
    for (size_t i = 0; i < range->count[AXIS_threads]; i++) {
        const int64_t threads = range->value[AXIS_threads][i].number;
        if (threads > most && threads <= expansion->limits->threads_all)
            most = threads;
    }
    return most;
}

/* Adds the cells that show a library at its best. A library may be faster on fewer threads, and own variants are held
 * against its fastest time. So each of its points on several threads is also measured on 1, half and all of the threads
 * that the experiment gives the library. Exclusions hold for these cells too. */
static void add_library_threads(struct expansion *expansion, const struct range *range, struct grid *grid,
                                struct cell cell)
{
    const int64_t most = most_threads(expansion, range);
    const int64_t threads[] = {1, most / 2, most};
    if (range->entry->backend != BACKEND_BLAS || cell.threads < 2 || most < 2)
        return;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        cell.threads = threads[i];
        add_cell(expansion, grid, cell);
    }
}

static bool fill(struct expansion *expansion, const struct range *range, struct grid *grid)
{
    size_t at[AXES] = {0};
    for (int axis = 0; axis < AXES; axis++)
        if (!range->count[axis])
            return true;
    for (int axis = 0; axis < AXES;) {
        struct cell cell = {0};
        if (!make_cell(expansion, range, at, &cell))
            return false;
        if (add_cell(expansion, grid, cell))
            add_library_threads(expansion, range, grid, cell);
        for (axis = 0; axis < AXES && ++at[axis] == range->count[axis]; axis++)
            at[axis] = 0;
    }
    return true;
}

static void sort_cells(struct grid *grid)
{
    qsort(grid->cell, grid->count, sizeof *grid->cell, cell_compare);
    size_t kept = grid->count > 0;
    for (size_t i = 1; i < grid->count; i++)
        if (cell_compare(&grid->cell[kept - 1], &grid->cell[i]))
            grid->cell[kept++] = grid->cell[i];
    grid->count = kept;
}

static bool expand(struct expansion *expansion, struct grid *grid)
{
    size_t count;
    if (!gather_all(expansion) || !count_cells(expansion, &count))
        return false;
    for (size_t i = 0; i < expansion->ranges; i++)
        if (!fill(expansion, &expansion->range[i], grid))
            return false;
    if (!grid->count && count)
        complain(expansion, "the grid is empty: every cell is excluded by 'exclude' in line %d",
                 expansion->experiment->excluded_in);
    else if (!grid->count)
        complain(expansion, "the grid is empty: no variant that compiles has the precision asked for");
    if (!grid->count)
        return false;
    sort_cells(grid);
    if (grid->count > GRID_MAX)
        complain(expansion, "the grid has %zu cells; at most %d are allowed", grid->count, GRID_MAX);
    return grid->count <= GRID_MAX;
}

int grid_expand(const struct experiment *experiment, const struct grid_limits *limits, struct grid *grid,
                FILE *diagnostics)
{
    struct expansion expansion = {.experiment = experiment, .limits = limits, .diagnostics = diagnostics};
    *grid = (struct grid){NULL, 0};
    const bool expanded = expand(&expansion, grid);
    for (size_t i = 0; i < expansion.ranges; i++)
        for (int axis = 0; axis < AXES; axis++)
            free(expansion.range[i].value[axis]);
    free(expansion.range);
    if (!expanded)
        grid_free(grid);
    return expanded ? 0 : 2;
}

void grid_merge(struct grid *grid, const struct grid *from)
{
    grid->cell = memory_grow(grid->cell, grid->count + from->count, sizeof *grid->cell);
    if (from->count > 0)
        memcpy(grid->cell + grid->count, from->cell, from->count * sizeof *grid->cell);
    grid->count += from->count;
    sort_cells(grid);
}

void grid_free(struct grid *grid)
{
    free(grid->cell);
    *grid = (struct grid){NULL, 0};
}
