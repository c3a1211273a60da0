/* What the threads of a run did when, made from a record of the entries and exits of functions.
 * SPDX-License-Identifier: MIT */
#include "timeline.h"

#include "cell.h"
#include "recorder.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDLE = -1, DEPTH_MAX = 256 };
/* A thread that goes on so soon was not idle before. */
static const double AT_ONCE_S = 5e-6;

/* ---- From events to pieces ---- */

/* The works by the addresses of functions. Copies of a function that the compiler has made are one work. */
struct names {
    const char *(*name)(uintptr_t function);
    int count, work[TIMELINE_WORKS];
    uintptr_t function[TIMELINE_WORKS];
};

static int find_named(struct timeline *timeline, const char *name)
{
    int i = TIMELINE_OTHER + 1;
    while (i < timeline->works && strcmp(timeline->work[i].name, name) != 0)
        i++;
    if (i == TIMELINE_WORKS)
        return TIMELINE_OTHER;
    if (i == timeline->works)
        snprintf(timeline->work[timeline->works++].name, TIMELINE_NAME, "%s", name);
    return i;
}

static int find_work(struct timeline *timeline, struct names *names, uintptr_t what)
{
    int i = 0;
    if (what == RECORDER_WAIT || what == RECORDER_TASKS)
        return what == RECORDER_WAIT ? IDLE : TIMELINE_TASKS;
    while (i < names->count && names->function[i] != what)
        i++;
    if (i == TIMELINE_WORKS)
        return TIMELINE_OTHER;
    if (i == names->count) {
        names->work[i] = find_named(timeline, names->name(what));
        names->function[names->count++] = what;
    }
    return names->work[i];
}

static void add_piece(struct timeline_thread *thread, double begin_s, double end_s, int work)
{
    struct timeline_piece *const last = thread->count > 0 ? &thread->piece[thread->count - 1] : NULL;
    if (work == IDLE || end_s <= begin_s)
        return;
    if (last && last->work == work && last->end_s == begin_s) {
        last->end_s = end_s;
        return;
    }
    if ((thread->count & (thread->count - 1)) == 0)
        thread->piece = memory_grow(thread->piece, thread->count > 0 ? 2 * thread->count : 1, sizeof *thread->piece);
    thread->piece[thread->count++] = (struct timeline_piece){begin_s, end_s, work};
}

/* A function that a thread is in. `nested`: it has called another one; a call that makes tasks then runs them. */
struct frame {
    int work;
    bool nested;
    double begin_s;
};

static void read_thread(struct timeline *timeline, struct names *names, struct timeline_thread *thread,
                        const struct recorder_lane *lane, int64_t begin_ns)
{
    struct frame stack[DEPTH_MAX], outside = {.work = IDLE};
    int depth = 0;
    double before_s = 0;
    for (size_t i = 0; i < lane->count; i++) {
        const struct recorder_event *const event = &lane->event[i];
        const double now_s = 1e-9 * (double)(event->ns - begin_ns);
        struct frame *const top = depth == 0 ? &outside : &stack[depth < DEPTH_MAX ? depth - 1 : DEPTH_MAX - 1];
        add_piece(thread, before_s, now_s, top->work == TIMELINE_TASKS && top->nested ? IDLE : top->work);
        before_s = now_s;
        if (event->what % 2 == 0) {
            top->nested = true;
            if (depth < DEPTH_MAX)
                stack[depth] = (struct frame){find_work(timeline, names, event->what / 2), false, now_s};
            depth++;
        } else if (depth > 0) {
            depth--;
            if (depth < DEPTH_MAX && stack[depth].work != IDLE) {
                timeline->work[stack[depth].work].calls++;
                timeline->work[stack[depth].work].inside_s += now_s - stack[depth].begin_s;
            }
        }
    }
}

bool timeline_read(struct timeline *timeline, const struct cell *cell, const struct recorder_lane *lanes, int count,
                   const char *(*name)(uintptr_t function))
{
    struct names names = {.name = name};
    int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
    *timeline = (struct timeline){.cell = *cell, .tile = cell->tile, .works = TIMELINE_OTHER + 1, .product = -1};
    snprintf(timeline->work[TIMELINE_TASKS].name, TIMELINE_NAME, "making tasks");
    snprintf(timeline->work[TIMELINE_OTHER].name, TIMELINE_NAME, "other");
    timeline->thread = memory_allocate((size_t)count + (size_t)cell->threads + 1, sizeof *timeline->thread);
    for (int i = 0; i < count; i++)
        if (lanes[i].count > 0) {
            const int64_t first_ns = lanes[i].event[0].ns, last_ns = lanes[i].event[lanes[i].count - 1].ns;
            begin_ns = first_ns < begin_ns ? first_ns : begin_ns;
            end_ns = last_ns > end_ns ? last_ns : end_ns;
        }
    if (end_ns <= begin_ns)
        return false;
    timeline->length_s = 1e-9 * (double)(end_ns - begin_ns);
    for (int i = 0; i < count; i++)
        if (lanes[i].count > 0)
            read_thread(timeline, &names, &timeline->thread[timeline->threads++], &lanes[i], begin_ns);
    if (timeline->threads < cell->threads)
        timeline->threads = (int)cell->threads; /* the others did nothing */
    for (int t = 0; t < timeline->threads; t++)
        for (size_t p = 0; p < timeline->thread[t].count; p++) {
            const struct timeline_piece *piece = &timeline->thread[t].piece[p];
            timeline->work[piece->work].busy_s += piece->end_s - piece->begin_s;
        }
    return true;
}

void timeline_free(struct timeline *timeline)
{
    for (int t = 0; t < timeline->threads; t++)
        free(timeline->thread[t].piece);
    free(timeline->thread);
    free(timeline->path.piece);
    timeline->thread = NULL;
    timeline->threads = 0;
}

double timeline_idle_s(const struct timeline *timeline)
{
    double idle_s = timeline->threads * timeline->length_s;
    for (int w = 0; w < timeline->works; w++)
        idle_s -= timeline->work[w].busy_s;
    return idle_s;
}

/* ---- The critical path ---- */

/* The thread whose work at left[thread] - 1 ended last, among those that had ended at `until_s`; `own`, if it was not
 * idle. -1: there is none. */
static int find_before(const struct timeline *timeline, size_t *left, double until_s, int own)
{
    int found = -1;
    double end_s = -1;
    for (int t = 0; t < timeline->threads; t++) {
        const struct timeline_piece *const piece = timeline->thread[t].piece;
        while (left[t] > 0 && piece[left[t] - 1].end_s > until_s)
            left[t]--;
        if (left[t] > 0 && piece[left[t] - 1].end_s > end_s) {
            end_s = piece[left[t] - 1].end_s;
            found = t;
        }
    }
    if (own >= 0 && left[own] > 0 && until_s - timeline->thread[own].piece[left[own] - 1].end_s < AT_ONCE_S)
        return own;
    return found;
}

void timeline_follow(struct timeline *timeline)
{
    size_t *const left = memory_allocate((size_t)timeline->threads + 1, sizeof *left), all = 0;
    struct timeline_thread *const path = &timeline->path;
    double until_s = timeline->length_s;
    for (int t = 0; t < timeline->threads; t++)
        all += left[t] = timeline->thread[t].count;
    path->piece = memory_allocate(all + 1, sizeof *path->piece);
    for (int at = find_before(timeline, left, until_s, -1); at >= 0; at = find_before(timeline, left, until_s, at)) {
        const struct timeline_piece *const piece = &timeline->thread[at].piece[--left[at]];
        timeline->wait_s += until_s - piece->end_s;
        timeline->work[piece->work].path_s += piece->end_s - piece->begin_s;
        until_s = piece->begin_s;
        path->piece[path->count++] = *piece;
    }
    timeline->wait_s += until_s;
    for (size_t i = 0; i < path->count / 2; i++) {
        const struct timeline_piece last = path->piece[path->count - 1 - i];
        path->piece[path->count - 1 - i] = path->piece[i];
        path->piece[i] = last;
    }
    free(left);
}

/* ---- Works ---- */

static void add_work(struct timeline_work *to, const struct timeline_work *work)
{
    to->calls += work->calls;
    to->inside_s += work->inside_s;
    to->busy_s += work->busy_s;
    to->product_s += work->product_s;
    to->path_s += work->path_s;
}

void timeline_gather(struct timeline *timeline)
{
    static const double LEAST = 0.005;
    int place[TIMELINE_WORKS] = {TIMELINE_TASKS, TIMELINE_OTHER}, kept = TIMELINE_OTHER + 1;
    for (int w = kept; w < timeline->works; w++) {
        const struct timeline_work work = timeline->work[w];
        const bool small = work.busy_s < LEAST * timeline->threads * timeline->length_s &&
                           work.path_s < LEAST * timeline->length_s && w != timeline->product;
        place[w] = small ? TIMELINE_OTHER : kept++;
        if (small)
            add_work(&timeline->work[TIMELINE_OTHER], &work);
        else
            timeline->work[place[w]] = work;
    }
    timeline->works = kept;
    if (timeline->product >= 0)
        timeline->product = place[timeline->product];
    for (int t = 0; t < timeline->threads; t++)
        for (size_t p = 0; p < timeline->thread[t].count; p++)
            timeline->thread[t].piece[p].work = place[timeline->thread[t].piece[p].work];
    for (size_t p = 0; p < timeline->path.count; p++)
        timeline->path.piece[p].work = place[timeline->path.piece[p].work];
}

/* ---- The product's rate ---- */

/* The operations of the updates in tiles: each subtracts the product of a block column and a block row. */
static double update_flops(const struct timeline *timeline)
{
    const int64_t n = timeline->cell.n, tile = timeline->tile;
    double flops = 0;
    for (int64_t k = 0; k < n; k += tile) {
        const double size = (double)(tile < n - k ? tile : n - k);
        const double rest = (double)(n - k) - size;
        flops += 2 * size * rest * rest;
    }
    return flops;
}

void timeline_compare(struct timeline *timeline, const char *rival, double gflops)
{
    const double all = cell_flops(&timeline->cell), per_s = 1e9 * gflops / timeline->threads;
    double rest_s = 0;
    timeline->rival = rival;
    timeline->rival_gflops = gflops;
    for (int w = TIMELINE_OTHER + 1; w < timeline->works; w++) {
        const struct timeline_work *const work = &timeline->work[w];
        if (timeline->tile > 0 && strstr(work->name, "update") &&
            (timeline->product < 0 || work->busy_s > timeline->work[timeline->product].busy_s))
            timeline->product = w;
    }
    const double updates = timeline->product < 0 ? 0 : fmin(update_flops(timeline), all);
    for (int w = TIMELINE_OTHER; w < timeline->works; w++)
        rest_s += w == timeline->product ? 0 : timeline->work[w].busy_s;
    for (int w = TIMELINE_OTHER; w < timeline->works; w++)
        timeline->work[w].product_s = w == timeline->product ? updates / per_s
                                      : rest_s > 0 ? (all - updates) / per_s * timeline->work[w].busy_s / rest_s
                                                   : 0;
}

double timeline_gap_s(const struct timeline *timeline)
{
    return timeline->threads * (timeline->plain_s - 1e-9 * cell_flops(&timeline->cell) / timeline->rival_gflops);
}

double timeline_explained_s(const struct timeline *timeline)
{
    double explained_s = timeline_idle_s(timeline);
    for (int w = 0; w < timeline->works; w++)
        if (w != TIMELINE_OTHER)
            explained_s += timeline->work[w].busy_s - timeline->work[w].product_s;
    return explained_s;
}
