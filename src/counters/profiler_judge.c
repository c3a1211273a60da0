/* What a turn of Nsight Compute resulted in: the counts of its cells, or why there are none.
 * SPDX-License-Identifier: MIT */
#include "profiler_parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

FILE *profiler_open(const struct turn *turn, const char *name, const char *mode)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/%s", turn->folder, name);
    return fopen(path, mode);
}

static void decide(struct counted *cell, enum status status, const char *format, ...) TILELAB_PRINTF(3, 4);
static void decide(struct counted *cell, enum status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(cell->reason, sizeof cell->reason, format, args);
    va_end(args);
    cell->status = status;
    cell->decided = true;
}

size_t profiler_undecided(const struct turn *turn)
{
    size_t left = 0;
    for (size_t i = 0; i < turn->count; i++)
        left += !turn->cells[i].decided;
    return left;
}

void profiler_decide_rest(struct turn *turn, enum status status, const char *why)
{
    for (size_t i = 0; i < turn->count; i++)
        if (!turn->cells[i].decided)
            decide(&turn->cells[i], status, "%s", why);
}

static const char error_prefix[] = "==ERROR==";

/* Why nothing can be counted on this machine. ncu tells the cause only in the words of its message. */
static const struct {
    const char *said, *why;
} faults[] = {
    {"ERR_NVGPUCTRPERM", COUNTERS_REFUSED ": " COUNTERS_REFUSED_REMEDY},
    {"LibraryNotLoaded", "Nsight Compute could not load the driver's profiling library (LibraryNotLoaded): install a "
                         "driver and a Nsight Compute that fit together; in Docker, set "
                         "NVIDIA_DRIVER_CAPABILITIES=compute,utility"},
    {"driver resource was unavailable",
     "another program holds the GPU's counters: end it (for DCGM: dcgmi profiling --pause)"},
    {"not supported", "Nsight Compute does not support this GPU or driver: install the version of "
                      "the driver's CUDA, or a newer driver"},
    {"not compatible", "driver and Nsight Compute do not fit together: install the version of the "
                       "driver's CUDA"},
    {"Insufficient driver", "the driver is too old for this Nsight Compute: install a newer driver, "
                            "or an older Nsight Compute"},
};

/* Whether a message names a metric. ncu may write the dots of the name as a regular expression. */
static bool names_metric(const char *message, const char *metric)
{
    const size_t length = strcspn(metric, ".");
    char stem[80];
    snprintf(stem, sizeof stem, "%.*s", (int)length, metric);
    for (const char *at = message; (at = strstr(at, stem)); at += length)
        if (!strchr("_abcdefghijklmnopqrstuvwxyz0123456789", at[length]) || !at[length])
            return true;
    return false;
}

/* The metrics that ncu does not know, by its own words. */
static uint64_t unknown_metrics(FILE *log)
{
    char line[4096];
    uint64_t unknown = 0;
    rewind(log);
    while (fgets(line, sizeof line, log))
        if (strncmp(line, "==", 2) == 0 && strcasestr(line, "metric") &&
            (strcasestr(line, "failed to find") || strcasestr(line, "unknown")))
            for (int i = 0; i < COUNTERS; i++)
                if (names_metric(line, counters[i].metric))
                    unknown |= COUNTER_BIT(i);
    return unknown;
}

/* The first error of the log, without its prefix. If the log has none, the last line that ncu wrote elsewhere. */
static void first_error(const struct turn *turn, FILE *log, char *text, size_t size)
{
    const size_t prefix = strlen(error_prefix);
    char line[LINE_SIZE];
    text[0] = '\0';
    if (log)
        rewind(log);
    while (log && !*text && fgets(line, sizeof line, log))
        if (strncmp(line, error_prefix, prefix) == 0)
            snprintf(text, size, "%s", line + prefix + strspn(line + prefix, " "));
    FILE *output = *text ? NULL : profiler_open(turn, "output", "re");
    while (output && fgets(line, sizeof line, output))
        if (strspn(line, " \n") != strlen(line))
            snprintf(text, size, "%s", line);
    if (output)
        fclose(output);
    text[strcspn(text, "\r\n")] = '\0';
}

static const char *known_fault(const struct turn *turn)
{
    static const char *const places[] = {"log", "output"};
    const char *why = NULL;
    char line[LINE_SIZE];
    for (size_t p = 0; !why && p < sizeof places / sizeof *places; p++) {
        FILE *from = profiler_open(turn, places[p], "re");
        while (from && !why && fgets(line, sizeof line, from))
            for (size_t i = 0; !why && i < sizeof faults / sizeof *faults; i++)
                if (strncmp(line, error_prefix, strlen(error_prefix)) == 0 && strcasestr(line, faults[i].said))
                    why = faults[i].why;
        if (from)
            fclose(from);
    }
    return why;
}

/* Takes the counts of a cell whose result was right. */
static void accept(struct counted *cell, const struct counts *counts)
{
    int known = 0;
    size_t length = 0;
    cell->counts = *counts;
    cell->reason[0] = '\0';
    for (int i = 0; i < COUNTERS; i++) {
        known += counts->value[i] >= 0;
        if (counts->value[i] < 0 && length < sizeof cell->reason)
            length += (size_t)snprintf(cell->reason + length, sizeof cell->reason - length, "%s%s",
                                       length ? ", " : "this Nsight Compute does not tell ", counters[i].metric);
    }
    cell->status = STATUS_OK;
    cell->decided = true;
    if (counts->kernels == 0)
        decide(cell, STATUS_FAILED, "Nsight Compute saw no kernel of this launch");
    else if (known == 0)
        decide(cell, STATUS_FAILED, "Nsight Compute told no count of this launch");
}

/* Decides the cells whose launch ended with this status. Failed launches are judged last, because a fault of the
 * machine may be their cause. */
static void judge_ended(struct turn *turn, FILE *log, enum status status)
{
    struct counts *counts = memory_allocate(turn->count, sizeof *counts);
    if (log) {
        rewind(log);
        counters_read_log(log, counts, turn->count);
    }
    for (size_t i = 0; i < turn->count; i++) {
        struct counted *cell = &turn->cells[i];
        if (cell->decided || !cell->ended || cell->status != status)
            continue;
        if (status != STATUS_OK)
            cell->decided = true;
        else if (counts[i].closed)
            accept(cell, &counts[i]);
    }
    free(counts);
}

bool profiler_judge(struct turn *turn, uint64_t *wanted)
{
    char error[LINE_SIZE], why[2 * LINE_SIZE + 64];
    const size_t before = profiler_undecided(turn);
    FILE *log = profiler_open(turn, "log", "re");
    judge_ended(turn, log, STATUS_OK);
    const char *fault = known_fault(turn);
    const uint64_t unknown = log ? unknown_metrics(log) & *wanted : 0;
    if (!fault && !unknown)
        judge_ended(turn, log, STATUS_FAILED);
    for (size_t i = 0; i < turn->count; i++)
        turn->cells[i].ended = false;
    first_error(turn, log, error, sizeof error);
    if (log)
        fclose(log);
    if (fault) {
        profiler_decide_rest(turn, STATUS_SKIPPED, fault);
        return false;
    }
    *wanted &= ~unknown;
    if (unknown && *wanted)
        return true;
    snprintf(why, sizeof why, "%s%s%s", turn->why[0] ? turn->why : "Nsight Compute ended without counts",
             *error ? "; it said: " : "", error);
    if (turn->running != NONE && !turn->cells[turn->running].decided)
        decide(&turn->cells[turn->running], STATUS_FAILED, "%s", why);
    if (profiler_undecided(turn) < before)
        return true;
    profiler_decide_rest(turn, STATUS_FAILED, why);
    return false;
}
