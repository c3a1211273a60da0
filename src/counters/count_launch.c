/* `tilelab count-launch`: launches each cell once, between two marks, while the profiler watches.
 * SPDX-License-Identifier: MIT */
#include "count_launch.h"

#include "cell.h"
#include "counters.h"
#include "base/exit.h"
#include "worker/measure.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads "3 aat/cuda-b 1 0 0 ...": the number of a cell, its variant and its axes. */
static bool read_cell(char *line, size_t *number, struct cell *cell)
{
    char *rest = line, *word = strsep(&rest, " \n");
    *number = strtoul(word, NULL, 10);
    word = strsep(&rest, " \n");
    *cell = (struct cell){.entry = word ? registry_find(word) : NULL};
    for (int i = 0; i < AXES && cell->entry; i++) {
        if (!(word = strsep(&rest, " \n")))
            return false;
        *cell_axis(cell, i) = strtoll(word, NULL, 10);
    }
    return cell->entry && backend_can_mark(cell->entry->backend);
}

static bool same_shape(const struct cell *a, const struct cell *b)
{
    return a->entry && a->entry->problem == b->entry->problem && a->precision == b->precision && a->m == b->m &&
           a->n == b->n && a->k == b->k;
}

/* Writes a line to the report in one call, so that the reader of the report sees the whole line or nothing. */
static void report(int fd, const char *format, ...) TILELAB_PRINTF(2, 3);
static void report(int fd, const char *format, ...)
{
    char line[400];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(line, sizeof line - 1, format, args);
    va_end(args);
    const size_t used = length < (int)sizeof line - 1 ? (size_t)length : sizeof line - 2;
    for (size_t i = 0; i < used; i++)
        if (line[i] == '\n')
            line[i] = ' ';
    line[used] = '\n';
    if (write(fd, line, used + 1) < 0)
        _exit(1);
}

static void launch_all(FILE *cells, int fd, uint64_t seed, struct outcome *outcome)
{
    char line[512];
    struct cell cell, last = {0};
    size_t number;
    while (fgets(line, sizeof line, cells)) {
        if (!read_cell(line, &number, &cell))
            continue;
        if (!same_shape(&last, &cell))
            measure_close();
        last = cell;
        report(fd, "begin %zu", number);
        measure_marked(&cell, seed, MARK_FIRST + (int)number, MARK_END, outcome);
        report(fd, "end %zu %s %s", number, status_names[outcome->status],
               outcome->status == STATUS_OK ? "" : outcome->reason);
        if (outcome->status != STATUS_OK && measure_poisoned())
            break;
    }
}

/* The backend whose kernels the profiler knows. */
static enum backend_id profiled_backend(void)
{
    enum backend_id id = 0;
    while (!backend_can_mark(id))
        id++;
    return id;
}

int count_launch_main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("tilelab: only `tilelab count` starts count-launch\n", stderr);
        return EXIT_USAGE;
    }
    FILE *cells = fopen(argv[1], "re");
    const int fd = open(argv[2], O_WRONLY | O_APPEND | O_CLOEXEC);
    unsigned long long seed;
    char why[300];
    struct outcome *outcome = calloc(1, sizeof *outcome);
    if (!cells || fd < 0 || !outcome || fscanf(cells, "seed %llu\n", &seed) != 1)
        return EXIT_USAGE;
    report(fd, "pid %d", (int)getpid());
    const struct backend_setup setup = {.backend = profiled_backend()};
    if (measure_open(&setup, false, why, sizeof why) == 0)
        launch_all(cells, fd, seed, outcome);
    else
        report(fd, "open %s", why);
    /* A faulty cell is no fault of the process. A normal exit lets the exit handlers of the driver run; after them ncu
     * writes its log. */
    return EXIT_OK;
}
