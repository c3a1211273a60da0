/* Prints timelines: as text, as rows of CSV, or as a trace that chrome://tracing and Perfetto show.
 * SPDX-License-Identifier: MIT */
#include "timeline_print.h"

#include "cell.h"
#include "registry.h"
#include "base/hash.h"
#include "results/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static bool is_on_gpu(const struct timeline *timeline)
{
    return registry_backends[timeline->cell.entry->backend].kind == KIND_GPU;
}

static bool is_shown(const struct timeline_work *work)
{
    return work->calls > 0 || work->busy_s > 0;
}

/* ---- Text ---- */

/* Each thread has a column, or of more threads the one with the least and the one with the most. */
enum { COLUMNS_MAX = 8, LABEL = 24 };

static double busy_of(const struct timeline *timeline, int thread, int work)
{
    const struct timeline_thread *const at = &timeline->thread[thread];
    double busy_s = 0;
    for (size_t p = 0; p < at->count; p++)
        busy_s += work < 0 || at->piece[p].work == work ? at->piece[p].end_s - at->piece[p].begin_s : 0;
    return work < 0 ? timeline->length_s - busy_s : busy_s;
}

/* The end of a line of the table: what threads spend on a work, or idle (-1). */
static void print_threads(const struct timeline *timeline, int work)
{
    double least_s = timeline->length_s, most_s = 0;
    for (int t = 0; t < timeline->threads; t++) {
        const double busy_s = busy_of(timeline, t, work);
        least_s = busy_s < least_s ? busy_s : least_s;
        most_s = busy_s > most_s ? busy_s : most_s;
        if (timeline->threads <= COLUMNS_MAX)
            printf("%8.1f %%", share(busy_s, timeline->length_s));
    }
    if (timeline->threads > COLUMNS_MAX)
        printf("%8.1f %%%8.1f %%", share(least_s, timeline->length_s), share(most_s, timeline->length_s));
    putchar('\n');
}

static void print_line(const struct timeline *timeline, const char *name, double busy_s, double path_s, double over_s)
{
    printf("%-*.*s%7.1f %%%7.1f %%", LABEL, LABEL, name, share(busy_s, timeline->threads * timeline->length_s),
           share(path_s, timeline->length_s));
    if (timeline->rival && timeline_gap_s(timeline) > 0)
        printf("%8.1f %%", share(over_s, timeline_gap_s(timeline)));
}

static void print_table(const struct timeline *timeline)
{
    bool done[TIMELINE_WORKS] = {false};
    const double idle_s = timeline_idle_s(timeline);
    printf("%-*s%9s%9s%s%9s", LABEL, "share of", "time", "path",
           timeline->rival && timeline_gap_s(timeline) > 0 ? "       gap" : "", "calls");
    for (int t = 0; t < timeline->threads && timeline->threads <= COLUMNS_MAX; t++)
        printf("  thread %d", t);
    puts(timeline->threads > COLUMNS_MAX ? "     least      most" : "");
    for (int printed = 0; printed < timeline->works; printed++) {
        int next = -1;
        for (int w = 0; w < timeline->works; w++)
            if (!done[w] && (next < 0 || timeline->work[w].busy_s > timeline->work[next].busy_s))
                next = w;
        const struct timeline_work *const work = &timeline->work[next];
        done[next] = true;
        if (!is_shown(work))
            continue;
        print_line(timeline, work->name, work->busy_s, work->path_s, work->busy_s - work->product_s);
        printf("%9zu", work->calls);
        print_threads(timeline, next);
    }
    print_line(timeline, "idle", idle_s, timeline->wait_s, idle_s);
    printf("%9s", "");
    print_threads(timeline, -1);
}

static void print_gap(const struct timeline *timeline)
{
    const double gap_s = timeline_gap_s(timeline), idle_s = timeline_idle_s(timeline);
    const struct timeline_work *const product = timeline->product < 0 ? NULL : &timeline->work[timeline->product];
    const double slower_s = product ? product->busy_s - product->product_s : 0;
    printf("It reaches %.3g GFLOP/s, and %s %.3g on the same %s.\n",
           1e-9 * cell_flops(&timeline->cell) / timeline->plain_s, timeline->rival, timeline->rival_gflops,
           is_on_gpu(timeline) ? "GPU" : "threads");
    if (gap_s <= 0) {
        puts("There is no gap to explain.");
        return;
    }
    printf("The trace explains %.0f %% of this gap: idle %s %.0f %%", share(timeline_explained_s(timeline), gap_s),
           is_on_gpu(timeline) ? "thread blocks" : "threads", share(idle_s, gap_s));
    if (product)
        printf(", %s, which is %s than the product, %.0f %%", product->name, slower_s < 0 ? "faster" : "slower",
               share(slower_s, gap_s));
    printf(", all other work %.0f %%.\n", share(timeline_explained_s(timeline) - idle_s - slower_s, gap_s));
}

void timeline_print_text(const struct timeline *timeline, int number)
{
    char key[512];
    const double longer = share(timeline->traced_s - timeline->plain_s, timeline->plain_s);
    cell_key(&timeline->cell, key, sizeof key);
    printf("%s%s\n", number > 0 ? "\n" : "", strchr(key, '=') + 1);
    printf("The fastest run takes %.4g s, and with the record of %.4g s, which is %+.1f %%%s.\n", timeline->plain_s,
           timeline->traced_s, longer, fabs(longer) > 5 ? ": too much to trust the shares of the gap" : "");
    if (timeline->noisy)
        puts("Other programs took time from the recorded run.");
    print_table(timeline);
    if (timeline->rival)
        print_gap(timeline);
}

/* ---- CSV ---- */

void timeline_print_head_csv(void)
{
    for (int c = 0; c < TIMELINE_COLUMNS; c++)
        printf("%s%s", c > 0 ? "," : "", columns_timeline[c].name);
    putchar('\n');
}

static void print_cell_csv(const struct timeline *timeline)
{
    const struct cell *const cell = &timeline->cell;
    char id[CELL_ID_SIZE], tile[NUMBER_SIZE];
    cell_id(cell, id);
    cell_axis_print(AXIS_tile, cell->tile, tile);
    printf("%s,%s,%s,%lld,%s,%d,%.*s,", id, cell->entry->name, cell_precision_names[cell->precision],
           (long long)cell->n, tile, timeline->threads, HASH_SHORT_SIZE - 1, cell->entry->source_hash);
}

/* A row of sums; where there is no product to compare with, the last field is empty. */
static void print_sum_csv(const struct timeline *timeline, const char *work, double busy_s, double path_s,
                          double product_s)
{
    print_cell_csv(timeline);
    printf("%s,,,,%.9f,%.9f,", work, busy_s, path_s);
    printf(timeline->rival ? "%.9f\n" : "\n", product_s);
}

/* The work, or -1 for idle, that takes most of a thread's time from begin_s to end_s. *at is the first piece that may
 * reach there. */
static int longest_work(const struct timeline_thread *thread, size_t *at, double begin_s, double end_s)
{
    double busy_s[TIMELINE_WORKS] = {0}, idle_s = end_s - begin_s;
    int longest = -1;
    while (*at < thread->count && thread->piece[*at].end_s <= begin_s)
        ++*at;
    for (size_t p = *at; p < thread->count && thread->piece[p].begin_s < end_s; p++) {
        const struct timeline_piece *const piece = &thread->piece[p];
        const double from_s = piece->begin_s > begin_s ? piece->begin_s : begin_s;
        const double part_s = (piece->end_s < end_s ? piece->end_s : end_s) - from_s;
        busy_s[piece->work] += part_s;
        idle_s -= part_s;
    }
    for (int w = 0; w < TIMELINE_WORKS; w++)
        if (busy_s[w] > (longest < 0 ? idle_s : busy_s[longest]))
            longest = w;
    return longest;
}

/* A picture does not show more than so many parts of a line, or less where it has many lines. Neighbours of one work are
 * one row. */
static void print_thread_csv(const struct timeline *timeline, const struct timeline_thread *thread, int number)
{
    enum { PARTS_MAX = 500, FEW_THREADS = 32 };
    const int parts = timeline->threads <= FEW_THREADS ? PARTS_MAX : PARTS_MAX * FEW_THREADS / timeline->threads + 1;
    const double part_s = timeline->length_s / parts;
    int before = -1, first = 0;
    size_t at = 0;
    for (int part = 0; part <= parts; part++) {
        const int work = part == parts ? -1 : longest_work(thread, &at, part * part_s, (part + 1) * part_s);
        if (part < parts && work == before)
            continue;
        if (before >= 0) {
            print_cell_csv(timeline);
            printf("%s,%d,%.9f,%.9f,,,\n", timeline->work[before].name, number, first * part_s, part * part_s);
        }
        before = work;
        first = part;
    }
}

void timeline_print_csv(const struct timeline *timeline, int number)
{
    const double flops = cell_flops(&timeline->cell);
    (void)number;
    print_sum_csv(timeline, "run", timeline->threads * timeline->plain_s, timeline->plain_s,
                  timeline->rival ? timeline->threads * 1e-9 * flops / timeline->rival_gflops : 0);
    print_sum_csv(timeline, "traced run", timeline->threads * timeline->traced_s, timeline->traced_s, 0);
    print_sum_csv(timeline, "idle", timeline_idle_s(timeline), timeline->wait_s, 0);
    for (int w = 0; w < timeline->works; w++)
        if (is_shown(&timeline->work[w]))
            print_sum_csv(timeline, timeline->work[w].name, timeline->work[w].busy_s, timeline->work[w].path_s,
                          timeline->work[w].product_s);
    for (int t = 0; t < timeline->threads; t++)
        print_thread_csv(timeline, &timeline->thread[t], t);
    print_thread_csv(timeline, &timeline->path, -1);
}

/* ---- JSON, as the Trace Event Format of Chrome has it ---- */

void timeline_print_head_json(void)
{
    fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [", stdout);
}

static void print_thread_json(const struct timeline *timeline, const struct timeline_thread *thread, int number,
                              int lane, const char *name)
{
    printf(",\n{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": %d, \"tid\": %d, \"args\": {\"name\": \"%s\"}}",
           number, lane, name);
    for (size_t p = 0; p < thread->count; p++) {
        const struct timeline_piece *const piece = &thread->piece[p];
        printf(",\n{\"name\": \"%s\", \"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f}",
               timeline->work[piece->work].name, number, lane, 1e6 * piece->begin_s,
               1e6 * (piece->end_s - piece->begin_s));
    }
}

void timeline_print_json(const struct timeline *timeline, int number)
{
    char key[512], name[32];
    cell_key(&timeline->cell, key, sizeof key);
    printf("%s\n{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %d, \"args\": {\"name\": \"%s\"}}",
           number > 0 ? "," : "", number, strchr(key, '=') + 1);
    for (int t = 0; t < timeline->threads; t++) {
        snprintf(name, sizeof name, "%s %d", is_on_gpu(timeline) ? "thread block" : "thread", t);
        print_thread_json(timeline, &timeline->thread[t], number, t, name);
    }
    print_thread_json(timeline, &timeline->path, number, timeline->threads, "critical path");
}

void timeline_print_end_json(void)
{
    puts("\n]}");
}
