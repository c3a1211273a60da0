/* Traces a kernel: runs it as it is and compiled to record its works, by turns. Of a CPU kernel these are its functions,
 * and of a CUDA kernel what it tells itself.
 * SPDX-License-Identifier: MIT */
#include "trace.h"

#include "assembly_symbols.h"
#include "cell.h"
#include "rebuild.h"
#include "trace_cuda.h"
#include "recorder.h"
#include "backend/backend.h"
#include "backend/object.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/timer.h"
#include "base/tool.h"
#include "own/own.h"
#include "worker/measure.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES_MAX = 8, TURNS_LEAST = 5, SMALL_N = 512 };
static const uint64_t SEED = 1;
/* An entry and an exit take about 0.1 us. */
static const double LEAST_CALL_S = 5e-6, LEAST_SMALL_CALL_S = 5e-7, TURNS_S = 2;

struct tracer {
    struct cell cell;
    char *root, *excluded; /* functions that are not recorded, with commas between */
    char folder[PATH_MAX], gcc[PATH_MAX];
    const struct variant *plain, *traced;
    struct entry entry;              /* of the CUDA build that records */
    struct cell told;                /* the cell, with that entry; none: a CPU kernel */
    struct assembly_symbols symbols; /* of the build that records */
    uintptr_t base;                  /* where it is loaded */
    uint64_t digest;                 /* of the verified output */
    bool noisy;                      /* of the latest run */
    char *why;
    size_t size;
};

/* ---- The build that records ---- */

static const struct tracer *naming;

/* The function's name in the source. The compiler names copies of it "name.part.0". */
static const char *name_of(uintptr_t function)
{
    static char name[TIMELINE_NAME];
    const struct assembly_symbols *const symbols = &naming->symbols;
    const char *found = "?";
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->symbol[i].st_value == function - naming->base && (symbols->symbol[i].st_info & 15) == STT_FUNC)
            found = assembly_symbols_name(symbols, i);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(found, "."), found);
    return name;
}

/* Loads the build that was compiled into `file`. */
static bool load(struct tracer *tracer, const char *file)
{
    Dl_info info;
    char build[CELL_OBJECT_SIZE];
    cell_object_name(&tracer->cell, build);
    void *const object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    tracer->traced = object ? object_entry(object, &tracer->cell, build) : NULL;
    const bool loaded =
        tracer->traced && dladdr(tracer->traced, &info) != 0 && assembly_symbols_open(&tracer->symbols, file);
    if (loaded)
        tracer->base = (uintptr_t)info.dli_fbase;
    else
        snprintf(tracer->why, tracer->size, "the build that records cannot be loaded: %.200s",
                 object ? "it lacks the kernel" : dlerror());
    return loaded;
}

static bool compile(struct tracer *tracer, int pass)
{
    static const char *const march[] = {[ISA_BASE] = "-march=x86-64", "-march=x86-64-v3", "-march=x86-64-v4"};
    const struct cell *const cell = &tracer->cell;
    const char *flags[24] = {cell->opt == OPT_O2 ? "-O2" : "-O3", "-g1", "-finstrument-functions",
                             "-finstrument-functions-exclude-file-list=/usr/,kernels/common/", tracer->excluded};
    size_t count = 5;
#if defined(__x86_64__)
    flags[count++] = march[cell->isa];
#else
    (void)march;
#endif
    for (const char *const *flag = recorder_link_flags; *flag; flag++)
        flags[count++] = *flag;
    char *const file = memory_print("%s/%d.so", tracer->folder, pass);
    const struct rebuild rebuild = {cell, tracer->root, file, flags};
    const bool made = rebuild_compile(tracer->gcc, &rebuild);
    if (!made)
        snprintf(tracer->why, tracer->size, "gcc cannot compile %s to record its functions", cell->entry->file);
    const bool loaded = made && load(tracer, file);
    free(file);
    return loaded;
}

/* ---- Runs ---- */

/* One run of a cell, verified; its time, or NAN with `why`. *digest: of the output that was verified; 0: none was. */
static double run_cell(struct tracer *tracer, const struct cell *cell, uint64_t *digest)
{
    struct outcome *const outcome = memory_allocate(1, sizeof *outcome);
    measure_check(cell, cell_inputs(cell), SEED, *digest, outcome);
    const double run_s = outcome->status == STATUS_OK ? outcome->run_s : NAN;
    if (isnan(run_s))
        snprintf(tracer->why, tracer->size, "a run is %s: %.180s", status_names[outcome->status], outcome->reason);
    *digest = outcome->digest;
    tracer->noisy = outcome->flags & FLAG_NOISY;
    free(outcome);
    return run_s;
}

/* One run of the build as it is, or of the one that records. */
static double run(struct tracer *tracer, bool traced)
{
    if (tracer->told.entry)
        return run_cell(tracer, traced ? &tracer->told : &tracer->cell, &tracer->digest);
    registry_replace(&tracer->cell, traced ? tracer->traced : tracer->plain);
    return run_cell(tracer, &tracer->cell, &tracer->digest);
}

/* One run of a CPU kernel that records. `whole`: whether there was room for all events. */
static double run_functions(struct tracer *tracer, struct timeline *timeline, bool *whole)
{
    int count;
    recorder_begin();
    const double run_s = run(tracer, true);
    *whole = recorder_end();
    naming = tracer;
    const struct recorder_lane *const lanes = recorder_lanes(&count);
    if (!timeline_read(timeline, &tracer->cell, lanes, count, name_of) && !isnan(run_s)) {
        snprintf(tracer->why, tracer->size, "the run has recorded nothing");
        return NAN;
    }
    return run_s;
}

/* The same of a CUDA kernel. */
static double run_blocks(struct tracer *tracer, struct timeline *timeline, bool *whole)
{
    struct trace_cuda record;
    const double run_s = run(tracer, true);
    const bool taken = !isnan(run_s) && trace_cuda_take(&tracer->told, &record, tracer->why, tracer->size);
    if (!taken)
        return NAN;
    *whole = record.whole;
    timeline_read(timeline, &tracer->cell, record.lane, record.lanes, trace_cuda_name);
    timeline->tile = record.side;
    trace_cuda_free(&record);
    return run_s;
}

static double run_traced(struct tracer *tracer, struct timeline *timeline, bool *whole)
{
    const double run_s = (tracer->told.entry ? run_blocks : run_functions)(tracer, timeline, whole);
    timeline->noisy = tracer->noisy;
    return run_s;
}

/* Excludes the functions whose calls took less than `least_s`. gcc also excludes a function whose name has an excluded
 * one in it. False: there are none. */
static bool exclude_short(struct tracer *tracer, const struct timeline *timeline, double least_s)
{
    bool any = false;
    for (int w = TIMELINE_OTHER + 1; w < timeline->works; w++) {
        const struct timeline_work *const work = &timeline->work[w];
        if (work->calls == 0 || work->inside_s / (double)work->calls >= least_s || strcmp(work->name, "run") == 0)
            continue;
        memory_append(&tracer->excluded, ",%s", work->name);
        any = true;
    }
    return any;
}

/* Compiles a build that records, and runs it once. *done becomes true if no function was too short and all events had
 * room. False with `why`. */
static bool try_build(struct tracer *tracer, int pass, double least_s, bool *done)
{
    struct timeline timeline;
    bool whole;
    if (pass > 0)
        assembly_symbols_close(&tracer->symbols);
    if (!compile(tracer, pass))
        return false;
    const bool ran = !isnan(run_traced(tracer, &timeline, &whole));
    *done = ran && !exclude_short(tracer, &timeline, least_s) && whole;
    timeline_free(&timeline);
    return ran;
}

/* Compiles a CPU kernel until all functions that are recorded last long enough. The shortest ones are found on small
 * operands, as a run that records them takes long. */
static bool prepare_functions(struct tracer *tracer)
{
    const struct cell whole = tracer->cell;
    bool done = false;
    tracer->cell.n = whole.n < SMALL_N ? whole.n : SMALL_N;
    tracer->cell.m = whole.m < SMALL_N ? whole.m : SMALL_N;
    tracer->cell.k = whole.k < SMALL_N ? whole.k : SMALL_N;
    const bool ran = try_build(tracer, 0, LEAST_SMALL_CALL_S, &done);
    measure_close();
    tracer->cell = whole;
    tracer->digest = 0;
    done = false;
    for (int pass = 1; ran && !done && pass < PASSES_MAX; pass++)
        if (!try_build(tracer, pass, LEAST_CALL_S, &done))
            return false;
    if (ran && !done)
        snprintf(tracer->why, tracer->size, "the run has too many calls to record; try a smaller n");
    return done;
}

static bool prepare_blocks(struct tracer *tracer)
{
    tracer->entry = *tracer->cell.entry;
    tracer->entry.objects = tracer->folder;
    tracer->told = tracer->cell;
    tracer->told.entry = &tracer->entry;
    return trace_cuda_compile(tracer->cell.entry, tracer->root, tracer->folder, tracer->why, tracer->size);
}

/* The product that a factorisation is compared with, which takes its numbers apart as the factorisation does. */
static const char *rival_of(const struct cell *cell)
{
    return cell->entry->backend != BACKEND_CUDA ? "matmul/omp-packed"
           : cell->precision == F64             ? "matmul/cuda-dmma"
                                                : "matmul/cuda-3xtf32";
}

/* The cell of this product. False: there is none. */
static bool make_rival(const struct cell *like, struct cell *cell)
{
    const bool on_gpu = like->entry->backend == BACKEND_CUDA;
    *cell = *like;
    cell->entry = registry_find(rival_of(like));
    cell->m = cell->k = cell->n;
    cell->threads = on_gpu ? 0 : like->threads > 0 ? like->threads : 1;
    cell->tile = cell->entry ? cell_default(cell->entry, AXIS_tile) : 0;
    return strcmp(like->entry->problem->name, "lu") == 0 && cell->entry && (on_gpu || cell_is_built(cell));
}

/* The build as it is, the one that records, and the product run by turns, so that what slows the machine down slows all
 * of them down. */
static bool run_by_turns(struct tracer *tracer, struct timeline *timeline)
{
    double plain_s = INFINITY, traced_s = INFINITY, rival_s = INFINITY;
    timeline->length_s = INFINITY;
    struct cell rival; /* the product */
    uint64_t digest = 0;
    const bool compares = make_rival(&tracer->cell, &rival);
    const double begin_s = timer_now_s();
    for (int turn = 0; turn < TURNS_LEAST || (timer_now_s() - begin_s < TURNS_S && !timer_is_fake()); turn++) {
        struct timeline latest = {0};
        bool whole = false;
        const double run_s = run(tracer, false);
        const double latest_s = isnan(run_s) ? NAN : run_traced(tracer, &latest, &whole);
        if (isnan(latest_s)) {
            timeline_free(&latest);
            return false;
        }
        /* A run whose events did not fit is not shown. */
        struct timeline *const worse = whole && latest.length_s < timeline->length_s ? timeline : &latest;
        timeline_free(worse);
        if (worse == timeline)
            *timeline = latest;
        plain_s = fmin(plain_s, run_s);
        traced_s = fmin(traced_s, latest_s);
        rival_s = compares ? fmin(rival_s, run_cell(tracer, &rival, &digest)) : INFINITY; /* fmin ignores NAN */
    }
    if (!timeline->thread) {
        snprintf(tracer->why, tracer->size, "no run had room for all of its events; try a smaller n");
        return false;
    }
    timeline->plain_s = plain_s;
    timeline->traced_s = traced_s;
    timeline_follow(timeline);
    if (!isinf(rival_s))
        timeline_compare(timeline, rival_of(&tracer->cell), 1e-9 * cell_flops(&rival) / rival_s);
    return true;
}

/* ---- A cell ---- */

static bool find_tools(struct tracer *tracer)
{
    const struct entry *const entry = tracer->cell.entry;
    const bool on_gpu = entry->backend == BACKEND_CUDA && !entry->meta->vendor && !entry->objects;
    if (registry_backends[entry->backend].made != MADE_BUILDS && !on_gpu) {
        snprintf(tracer->why, tracer->size,
                 "only kernels of the CPU and of CUDA that this program compiles can be traced");
        return false;
    }
    char compiler[64];
    snprintf(compiler, sizeof compiler, "%.*s", (int)strcspn(entry->compile_line, " "), entry->compile_line);
    if (!on_gpu && (strncmp(compiler, "gcc", 3) != 0 || !tool_find(compiler, false, tracer->gcc, sizeof tracer->gcc))) {
        snprintf(tracer->why, tracer->size, "a trace needs gcc, and a program that gcc has compiled");
        return false;
    }
    tracer->root = rebuild_root(entry);
    if (!tracer->root)
        snprintf(tracer->why, tracer->size, "%s is not here", entry->file);
    return tracer->root != NULL;
}

static bool trace(struct tracer *tracer, struct timeline *timeline)
{
    const struct cell *const cell = &tracer->cell;
    struct backend_setup setup = backend_setup(cell);
    if (!find_tools(tracer) || !own_build(cell))
        return false;
    const char *const missing = backend_of(cell)->missing(cell);
    if (missing) {
        snprintf(tracer->why, tracer->size, "%s", missing);
        return false;
    }
    if (measure_open(&setup, false, tracer->why, tracer->size) != 0)
        return false;
    const bool on_gpu = cell->entry->backend == BACKEND_CUDA;
    tracer->plain = on_gpu ? NULL : object_build(cell, tracer->why, tracer->size);
    if (!on_gpu && !tracer->plain)
        return false;
    if (!folder_temporary("tilelab-trace", tracer->folder, sizeof tracer->folder)) {
        snprintf(tracer->why, tracer->size, "no folder for the builds: %s", strerror(errno));
        return false;
    }
    const bool done = (on_gpu ? prepare_blocks : prepare_functions)(tracer) && run_by_turns(tracer, timeline);
    if (!on_gpu)
        registry_replace(cell, tracer->plain);
    measure_close();
    folder_remove(tracer->folder);
    return done;
}

bool trace_cell(const struct cell *cell, struct timeline *timeline, char *why, size_t size)
{
    struct tracer tracer = {.cell = *cell, .why = why, .size = size};
    tracer.excluded = memory_copy("-finstrument-functions-exclude-function-list=tilelab_none");
    *timeline = (struct timeline){.cell = *cell};
    const bool done = trace(&tracer, timeline);
    free(tracer.excluded);
    free(tracer.root);
    return done;
}
