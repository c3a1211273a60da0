/* Traces a CUDA kernel: compiles it so that its thread blocks tell their work, and reads what they told.
 * SPDX-License-Identifier: MIT */
#include "trace_cuda.h"

#include "trace_variant.h"
#include "backend/object.h"
#include "base/memory.h"
#include "base/tool.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a record of lanes, works stand where a CPU kernel has the addresses of functions. */
enum { FIRST = RECORDER_TASKS };

static const char *const names[] = {
    [TRACE_WAIT] = "wait",     [TRACE_UPDATE] = "update", [TRACE_SOLVE] = "solve",
    [TRACE_FACTOR] = "factor", [TRACE_COPY] = "copy",
};

const char *trace_cuda_name(uintptr_t work)
{
    const uintptr_t at = work - FIRST;
    return at < sizeof names / sizeof *names ? names[at] : "?";
}

/* ---- The build ---- */

bool trace_cuda_compile(const struct entry *entry, const char *root, const char *folder, char *why, size_t size)
{
    enum { WORDS_MAX = 64, OWN_MAX = 16 };
    const char *words[WORDS_MAX];
    char nvcc[PATH_MAX], *rest = NULL;
    if (!tool_find("nvcc", true, nvcc, sizeof nvcc)) {
        snprintf(why, size, "a trace of a CUDA kernel needs nvcc, which is part of the CUDA Toolkit");
        return false;
    }
    char *const line = memory_copy(entry->compile_line), *const file = memory_print("%s/device.so", folder);
    char *const own[] = {memory_print("-I%s/src", root), memory_print("-I%s/kernels", root),
                         memory_print("%s/%s", root, entry->file),
                         memory_print("%s/src/backend/cuda/cuda_error.cu", root)};
    size_t count = 0;
    words[count++] = nvcc;
    strtok_r(line, " ", &rest);
    for (char *word; (word = strtok_r(NULL, " ", &rest)) && count < WORDS_MAX - OWN_MAX;) {
        const bool replaced = strncmp(word, "-I", 2) == 0 || strcmp(word, "-c") == 0 || strcmp(word, entry->file) == 0;
        if (!replaced)
            words[count++] = strncmp(word, "-arch=all", 9) == 0 ? "-arch=native" : word;
    }
    const char *const more[] = {"-DTILELAB_TRACE", "-w", "-shared", "-cudart", "static", "-o", file};
    memcpy(words + count, more, sizeof more);
    count += sizeof more / sizeof *more;
    memcpy(words + count, own, sizeof own);
    count += sizeof own / sizeof *own;
    words[count] = NULL;
    char *const said = tool_run(words);
    if (!said)
        snprintf(why, size, "%s cannot compile %s so that it tells its works", nvcc, entry->file);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    const bool made = said != NULL;
    free(said);
    free(file);
    free(line);
    return made;
}

/* ---- The record ---- */

/* Two events a piece, as a CPU thread has: its begin, and its end, which is the next one's begin. */
static struct recorder_lane read_lane(const struct trace_event *told, int count)
{
    struct recorder_lane lane = {memory_allocate(2 * (size_t)count + 1, sizeof *lane.event), 0, false};
    for (int i = 0; i + 1 < count; i++) {
        const uintptr_t what = told[i].work == TRACE_WAIT ? RECORDER_WAIT : FIRST + (uintptr_t)told[i].work;
        lane.event[lane.count++] = (struct recorder_event){told[i].ns, 2 * what};
        lane.event[lane.count++] = (struct recorder_event){told[i + 1].ns, 2 * what + 1};
    }
    return lane;
}

bool trace_cuda_take(const struct cell *cell, struct trace_cuda *record, char *why, size_t size)
{
    int (*take)(struct trace_facts *, struct trace_event(*)[TRACE_EVENTS]);
    *record = (struct trace_cuda){.whole = false};
    void *const object = object_own(cell, why, size);
    if (!object)
        return false;
    *(void **)&take = dlsym(object, "trace_take");
    struct trace_facts *const facts = memory_allocate(1, sizeof *facts);
    struct trace_event(*const events)[TRACE_EVENTS] = memory_allocate(TRACE_BLOCKS, sizeof *events);
    const bool taken = take && take(facts, events) == 0 && facts->blocks > 0;
    if (taken) {
        record->side = facts->side;
        record->whole = facts->blocks <= TRACE_BLOCKS;
        record->lanes = record->whole ? facts->blocks : TRACE_BLOCKS;
        record->lane = memory_allocate((size_t)record->lanes, sizeof *record->lane);
        for (int b = 0; b < record->lanes; b++) {
            const bool all = facts->count[b] <= TRACE_EVENTS;
            record->whole = record->whole && all;
            record->lane[b] = read_lane(events[b], all ? facts->count[b] : TRACE_EVENTS);
        }
    } else {
        snprintf(why, size, "%s tells nothing of its works; src/trace_variant.cuh says how a kernel does",
                 cell->entry->file);
    }
    free(events);
    free(facts);
    return taken;
}

void trace_cuda_free(struct trace_cuda *record)
{
    for (int i = 0; i < record->lanes; i++)
        free(record->lane[i].event);
    free(record->lane);
    *record = (struct trace_cuda){.whole = false};
}
