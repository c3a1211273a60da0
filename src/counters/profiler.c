/* Counting cells with Nsight Compute: its process and its files.
 * SPDX-License-Identifier: MIT
 *
 * ncu runs `tilelab count-launch CELLS REPORT`. CELLS and REPORT are files in a temporary folder. CELLS says what to
 * launch; REPORT grows by a line whenever a cell begins or ends. ncu writes the counts into its log when it ends. */
#include "profiler_parts.h"

#include "cell.h"
#include "base/folder.h"
#include "base/timer.h"
#include "base/tool.h"
#include "run/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLICE_MS = 100, EARLY_ENDS_MOST = 5 };
static const double SILENCE_LIMIT_S = 300;

bool profiler_find(char *path, size_t path_size, char *version, size_t version_size)
{
    if (!tool_find("ncu", true, path, path_size))
        return false;
    tool_version(path, version, version_size);
    return true;
}

/* ---- Files ---- */

static void remove_files(const struct turn *turn)
{
    static const char *const names[] = {"cells", "report", "log", "output"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX + 16];
        snprintf(path, sizeof path, "%s/%s", turn->folder, names[i]);
        unlink(path);
    }
}

static bool write_cells(const struct turn *turn, uint64_t seed)
{
    FILE *out = profiler_open(turn, "cells", "we");
    if (!out)
        return false;
    fprintf(out, "seed %llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < turn->count; i++) {
        if (turn->cells[i].decided)
            continue;
        fprintf(out, "%zu %s", i, turn->cells[i].cell.entry->name);
        for (int axis = 0; axis < AXES; axis++)
            fprintf(out, " %lld", (long long)cell_value(&turn->cells[i].cell, axis));
        fputc('\n', out);
    }
    return fclose(out) == 0;
}

/* ---- What the launched process reports ---- */

static void hear(struct turn *turn, char *line)
{
    char subcommand[16] = "", status[16] = "";
    size_t cell = NONE;
    int text = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "pid %d", &turn->launcher) == 1)
        return;
    if (strncmp(line, "open ", 5) == 0) {
        snprintf(turn->why, sizeof turn->why, "%.400s", line + 5);
        return;
    }
    if (sscanf(line, "%15s %zu %15s %n", subcommand, &cell, status, &text) < 2 || cell >= turn->count)
        return;
    struct counted *of = &turn->cells[cell];
    const bool begins = strcmp(subcommand, "begin") == 0;
    turn->running = begins ? cell : NONE;
    if (begins && turn->tell)
        turn->tell(&of->cell);
    if (begins)
        return;
    const bool plain = strcmp(status, status_names[STATUS_FAILED]) == 0;
    of->ended = true;
    of->status = strcmp(status, status_names[STATUS_OK]) == 0 ? STATUS_OK : STATUS_FAILED;
    snprintf(of->reason, sizeof of->reason, "%s%s%.400s", plain ? "" : status, plain ? "" : ": ",
             text ? line + text : "");
}

/* Reads the new lines of the report. True if there were any. */
static bool listen(struct turn *turn)
{
    char line[LINE_SIZE];
    bool any = false;
    clearerr(turn->report);
    for (long from = ftell(turn->report); fgets(line, sizeof line, turn->report); from = ftell(turn->report)) {
        if (!strchr(line, '\n') && strlen(line) + 1 < sizeof line) {
            fseek(turn->report, from, SEEK_SET); /* the rest of this line is still to be written */
            break;
        }
        hear(turn, line);
        any = true;
    }
    return any;
}

/* ---- The process ---- */

/* What a new ncu is told. */
struct start {
    const struct turn *turn;
    const char *ncu;
    uint64_t wanted;
};

/* In the child. */
static int become_ncu(const void *context)
{
    const struct start *start = context;
    const char *folder = start->turn->folder;
    char program[PATH_MAX], log[PATH_MAX + 16], cells[PATH_MAX + 16], report[PATH_MAX + 16], output[PATH_MAX + 16],
        metrics[COUNTERS * 80] = "";
    const ssize_t got = readlink(PROCESS_SELF, program, sizeof program - 1);
    if (got <= 0)
        return 127;
    program[got] = '\0';
    snprintf(log, sizeof log, "%s/log", folder);
    snprintf(cells, sizeof cells, "%s/cells", folder);
    snprintf(report, sizeof report, "%s/report", folder);
    snprintf(output, sizeof output, "%s/output", folder);
    for (int i = 0; i < COUNTERS; i++)
        if (start->wanted & COUNTER_BIT(i)) {
            strcat(metrics, *metrics ? "," : "");
            strcat(metrics, counters[i].metric);
        }
    const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setenv("LC_ALL", "C", 1); /* decides how the log writes numbers */
    const char *const arguments[] = {start->ncu,
                                     "--csv",
                                     "--page",
                                     "raw",
                                     "--print-units",
                                     "base",
                                     "--clock-control",
                                     "none",
                                     "--target-processes",
                                     "all",
                                     "--log-file",
                                     log,
                                     "--metrics",
                                     metrics,
                                     program,
                                     "count-launch",
                                     cells,
                                     report,
                                     NULL};
    const int code = process_become(start->ncu, arguments);
    fprintf(stderr, "%s: %s\n", start->ncu, strerror(errno));
    return code;
}

/* Ends the process that ncu launched, which may lead a group of its own. Its arguments tell whether its id is still its
 * own. */
static void end_launcher(const struct turn *turn)
{
    char path[64], line[PATH_MAX * 3];
    if (turn->launcher <= 0)
        return;
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)turn->launcher);
    FILE *file = fopen(path, "re");
    const size_t got = file ? fread(line, 1, sizeof line, file) : 0;
    if (file)
        fclose(file);
    if (memmem(line, got, turn->folder, strlen(turn->folder)))
        kill(turn->launcher, SIGKILL);
}

/* Waits until ncu ends, or until the launched process has reported nothing for too long. False: interrupted. */
static bool await(struct turn *turn)
{
    const double limit_s = timer_limit_s(SILENCE_LIMIT_S);
    double heard_s = timer_now_s();
    while (!process_await(&turn->ncu, 0)) {
        poll(NULL, 0, SLICE_MS);
        if (listen(turn))
            heard_s = timer_now_s();
        turn->hung = timer_now_s() - heard_s > limit_s;
        if (pool_interrupted || turn->hung) {
            process_end(&turn->ncu);
            break;
        }
    }
    const int status = turn->ncu.status;
    end_launcher(turn);
    listen(turn);
    if (turn->hung)
        snprintf(turn->why, sizeof turn->why, "no answer in %.3g s under Nsight Compute", limit_s);
    else if (!turn->why[0] && WIFSIGNALED(status))
        snprintf(turn->why, sizeof turn->why, "Nsight Compute was ended by SIG%s", sigabbrev_np(WTERMSIG(status)));
    else if (!turn->why[0] && (WEXITSTATUS(status) != 0 || turn->running != NONE))
        snprintf(turn->why, sizeof turn->why, "Nsight Compute ended with exit code %d", WEXITSTATUS(status));
    return !pool_interrupted;
}

static bool start_ncu(struct turn *turn, const char *ncu, uint64_t wanted, uint64_t seed)
{
    remove_files(turn);
    turn->running = NONE;
    turn->launcher = 0;
    turn->hung = false;
    turn->why[0] = '\0';
    if (!write_cells(turn, seed) || !(turn->report = profiler_open(turn, "report", "w+e")))
        return false;
    const struct start start = {turn, ncu, wanted};
    const int failed = process_start(&turn->ncu, PROCESS_GROUP | PROCESS_QUIET, become_ncu, &start);
    if (failed) {
        fclose(turn->report);
        errno = failed;
    }
    return !failed;
}

bool profiler_count(const char *ncu, struct counted *cells, size_t count, uint64_t seed,
                    void (*tell)(const struct cell *cell))
{
    struct turn turn = {.cells = cells, .count = count, .tell = tell};
    uint64_t wanted = COUNTER_BIT(COUNTERS) - 1;
    if (!folder_temporary("tilelab-count", turn.folder, sizeof turn.folder)) {
        char why[PATH_MAX + 64];
        snprintf(why, sizeof why, "no folder for the profiler's log: %.300s: %s", turn.folder, strerror(errno));
        profiler_decide_rest(&turn, STATUS_FAILED, why);
        return true;
    }
    bool go_on = true, whole = true;
    for (int early = 0; go_on && whole && profiler_undecided(&turn) > 0;) {
        if (early == EARLY_ENDS_MOST) {
            profiler_decide_rest(&turn, STATUS_FAILED, "not counted: the profiler ended too early too often");
            break;
        }
        if (!start_ncu(&turn, ncu, wanted, seed)) {
            char why[256];
            snprintf(why, sizeof why, "the profiler cannot be started: %s", strerror(errno));
            profiler_decide_rest(&turn, STATUS_FAILED, why);
            break;
        }
        const uint64_t asked = wanted;
        whole = await(&turn);
        fclose(turn.report);
        go_on = whole && profiler_judge(&turn, &wanted);
        early += wanted == asked;
    }
    remove_files(&turn);
    rmdir(turn.folder);
    return whole;
}
