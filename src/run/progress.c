/* What a person sees during a run.
 * SPDX-License-Identifier: MIT */
#include "progress.h"

#include "cell.h"
#include "registry.h"
#include "base/escape.h"
#include "base/timer.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A line is due a little before 15 s are over, as a worker is looked at about twice a second. */
static const double LINE_EVERY_S = 14;

static struct {
    char experiment[64], now[160];
    size_t cells, done;
    int round, rounds;
    struct estimate *estimate;
    double start_s, line_s; /* when the run began, and when the latest line without a terminal was printed */
    bool bar;
} state;

void progress_duration(double seconds, char *text, size_t size)
{
    if (!isfinite(seconds))
        snprintf(text, size, "-");
    else if (seconds < 1e-3)
        snprintf(text, size, "%.4g us", seconds * 1e6);
    else if (seconds < 1)
        snprintf(text, size, "%.4g ms", seconds * 1e3);
    else if (seconds < 100)
        snprintf(text, size, "%.4g s", seconds);
    else if (seconds < 6000)
        snprintf(text, size, "%.0f min %02d s", floor(seconds / 60), (int)fmod(seconds, 60));
    else
        snprintf(text, size, "%.0f h %02d min", floor(seconds / 3600), (int)fmod(seconds / 60, 60));
}

/* "matmul/omp-tiled f32 n=512 tile=64 threads=2". A square shape shows n alone. */
static void describe(const struct cell *cell, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "%s %s", cell->entry->name, cell_precision_names[cell->precision]);
    for (int i = 0; i < AXES && at < size; i++) {
        const int64_t value = cell_value(cell, i);
        const bool square = (i == AXIS_m && cell->m == cell->n) || (i == AXIS_k && cell->k == cell->n);
        const bool named = cell_axes[i].kind == NAME && (i == AXIS_precision || cell_axes[i].role == ROLE_BUILD);
        if (named || !value || square)
            continue;
        char number[NUMBER_SIZE];
        cell_axis_print(i, value, number);
        at += (size_t)snprintf(text + at, size - at, " %s=%s", cell_axes[i].key, number);
    }
}

static void clear_line(void)
{
    if (state.bar)
        fputs("\r\033[K", stderr);
}

/* A time to come, in words that do not claim more than is known: "about 5 min left". */
static void say_left(double left_s, char *text, size_t size)
{
    const double minutes = round(left_s / 60);
    if (left_s < 10)
        snprintf(text, size, "a few seconds left");
    else if (left_s < 90)
        snprintf(text, size, "about %.0f s left", 5 * round(left_s / 5));
    else if (minutes < 90)
        snprintf(text, size, "about %.0f min left", minutes);
    else
        snprintf(text, size, "about %.0f h %02.0f min left", floor(minutes / 60), fmod(minutes, 60));
}

/* Writes "0/72 cells, round 3 of 8, about 5 min left". */
static void summarise(char *text, size_t size)
{
    char round[48] = "", left[48];
    if (state.rounds > 0)
        snprintf(round, sizeof round, "round %d of %d, ", state.round + 1, state.rounds);
    say_left(estimate_left_s(state.estimate, timer_now_s()), left, sizeof left);
    snprintf(text, size, "%zu/%zu cells, %s%s", state.done, state.cells, round, left);
}

static void draw_bar(void)
{
    enum { WIDTH = 24 };
    struct winsize window = {.ws_col = 80};
    ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
    const double now_s = timer_now_s(), spent_s = now_s - state.start_s;
    char bar[WIDTH + 1], summary[120], line[512];
    summarise(summary, sizeof summary);
    const double share = spent_s / fmax(spent_s + estimate_left_s(state.estimate, now_s), 1e-9);
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i < (int)(share * WIDTH) ? '#' : '.';
    bar[WIDTH] = '\0';
    snprintf(line, sizeof line, "[%s] %s  %s", bar, summary, state.now);
    const int most = window.ws_col > 1 ? window.ws_col - 1 : 79;
    fprintf(stderr, "\r%.*s\033[K", most, line);
    fflush(stderr);
}

/* Without a terminal, a line tells from time to time that the run goes on. */
static void print_line(void)
{
    const double now_s = timer_now_s();
    char summary[120];
    if (now_s - state.line_s < LINE_EVERY_S)
        return;
    state.line_s = now_s;
    summarise(summary, sizeof summary);
    fprintf(stderr, "%s: %s\n", state.experiment, summary);
    fflush(stderr);
}

void progress_tick(void)
{
    if (state.bar)
        draw_bar();
    else if (state.estimate)
        print_line();
}

void progress_begin(const char *experiment, size_t cells, struct estimate *estimate)
{
    memset(&state, 0, sizeof state);
    snprintf(state.experiment, sizeof state.experiment, "%s", experiment);
    state.cells = cells;
    state.estimate = estimate;
    state.start_s = state.line_s = timer_now_s();
    state.bar = isatty(STDERR_FILENO) && isatty(STDOUT_FILENO);
    progress_tick();
}

void progress_now(const struct cell *cell, const char *phase)
{
    if (state.bar) {
        char text[128];
        describe(cell, text, sizeof text);
        snprintf(state.now, sizeof state.now, "%s %s", phase, text);
    }
    progress_tick();
}

void progress_round(int round, int rounds)
{
    state.round = round;
    state.rounds = rounds;
}

void progress_skip(void)
{
    state.cells--;
}

void progress_again(size_t cells)
{
    clear_line();
    printf("%s: %zu time%s in doubt; new workers measure again what the budget allows\n", state.experiment, cells,
           cells == 1 ? " is" : "s are");
    fflush(stdout);
    state.cells += cells;
}

void progress_done(const struct result *result)
{
    state.done++;
    char text[160], time[32];
    describe(&result->cell, text, sizeof text);
    clear_line();
    printf("%s [%zu/%zu] %s: ", state.experiment, state.done, state.cells, text);
    if (result->status == STATUS_OK) {
        progress_duration(result->median_s, time, sizeof time);
        printf("%s", time);
        if (isfinite(result->ci_lo_s))
            printf(" [%+.1f %%, %+.1f %%]", 100 * (result->ci_lo_s / result->median_s - 1),
                   100 * (result->ci_hi_s / result->median_s - 1));
        if (result->cell.entry->meta->unit == UNIT_FMA)
            printf("  %.4g G%s/s", result->gflops, result->cell.precision == I32 ? "op" : "FLOP");
        else if (result->cell.entry->meta->unit == UNIT_MEMORY)
            printf("  %.4g GB/s", result->gbs);
        for (int i = 0; i < RESULT_FLAGS; i++)
            if (result->flags & result_flags_of(FLAG_IS_DOUBT) & BIT(i))
                printf("  %s", result_flags[i].name);
    } else {
        printf("%s: ", status_names[result->status]);
        escape_put(stdout, escape_terminal, result->reason);
    }
    putchar('\n');
    fflush(stdout);
    progress_tick();
}

void progress_end(void)
{
    clear_line();
    state.bar = false;
    state.estimate = NULL;
}
