/* `tilelab record`: measures what a record of many studies still needs, the most wanted cells first.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/memory.h"
#include "base/timer.h"
#include "render/headlines.h"
#include "run/measured.h"
#include "run/pool.h"
#include "run/progress.h"
#include "run/run_plan.h"

#include <math.h>
#include <stdlib.h>

/* One study of the record. */
struct recorded {
    struct study *study;
    struct store *store;
    struct schedule *schedule;
    struct run_report report; /* of all parts of the study together */
};

struct record {
    const struct experiments_arguments *arguments;
    struct need_headlines headlines;
    struct recorded *study;
    size_t studies;
    double end_s;
    bool stopped; /* interrupted, or the store refuses */
};

/* A group of a study, with its size for the rank that is measured now. */
struct candidate {
    struct recorded *study;
    struct need_group group;
    struct need_size size;
};

static enum exit_code open_study(struct record *record, struct recorded *study)
{
    char why[512];
    const bool dry_run = record->arguments->dry_run;
    study->store = store_open(record->arguments->data, study->study->asked->name, dry_run, why, sizeof why);
    if (!study->store && !dry_run) {
        fprintf(stderr, "tilelab: %s\n", why);
        return EXIT_STORE;
    }
    if (!dry_run)
        measured_warn_changed(study->study->asked->name, study->store);
    study->schedule = schedule_make(study->study, study->store, AGAIN_NOTHING, stderr);
    if (!study->schedule)
        return EXIT_USAGE;
    schedule_list(study->schedule, study->store);
    need_judge(study->schedule, study->store, &record->headlines);
    if (dry_run)
        run_plan_print(study->schedule, study->store);
    else
        measured_say_missing(study->schedule);
    return EXIT_OK;
}

static void add_report(struct run_report *sum, const struct run_report *report)
{
    sum->measured += report->measured;
    measured_add_doubts(&sum->doubts, &report->doubts);
    sum->changed |= report->changed;
    sum->store_failed |= report->store_failed;
    sum->interrupted |= report->interrupted;
    sum->wall_s += report->wall_s;
    for (int phase = 0; phase < PHASES; phase++)
        sum->phase_s[phase] += report->phase_s[phase];
}

/* Runs what is not deferred, and judges the study anew. */
static void run_selected(struct record *record, struct recorded *study, double end_s)
{
    struct run_report report;
    measured_probe_cores(study->schedule);
    run_schedule(study->schedule, study->store,
                 &(struct run_options){.budget_s = record->arguments->budget_s, .end_s = end_s}, &report);
    add_report(&study->report, &report);
    record->stopped |= report.interrupted || report.store_failed;
    need_note_tried(study->schedule, study->store);
    need_judge(study->schedule, study->store, &record->headlines);
}

static int by_cost(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    const bool shown_x = need_is_shown(x->study->schedule), shown_y = need_is_shown(y->study->schedule);
    if (shown_x != shown_y)
        return shown_x ? -1 : 1;
    if (x->size.cost_s != y->size.cost_s)
        return x->size.cost_s < y->size.cost_s ? -1 : 1;
    if (x->study != y->study)
        return x->study < y->study ? -1 : 1;
    return (x->group.point > y->group.point) - (x->group.point < y->group.point);
}

/* The groups that have cells of the ranks up to `rank`: those of studies that are shown first, then the cheapest first.
 * The caller frees them. */
static struct candidate *find_candidates(const struct record *record, enum registry_kind kind, enum need rank,
                                         size_t *count)
{
    struct candidate *found = NULL;
    *count = 0;
    for (size_t s = 0; s < record->studies; s++) {
        struct recorded *study = &record->study[s];
        for (size_t p = 0; p < study->schedule->points; p++) {
            const struct need_group group = {.point = p, .kind = kind};
            const struct need_size size = need_size(study->schedule, study->store, &group, rank);
            if (size.wanted + size.partners == 0)
                continue;
            found = memory_grow(found, *count + 1, sizeof *found);
            found[(*count)++] = (struct candidate){study, group, size};
        }
    }
    if (found)
        qsort(found, *count, sizeof *found, by_cost);
    return found;
}

/* The rank up to which cells of a group are measured when cells of `rank` are wanted. Cells of one group are best
 * measured in the same rounds, so less wanted cells come along if they fit and cost no more than the wanted cells. */
static enum need whole_rank(const struct recorded *study, const struct need_group *group, enum need rank,
                            const struct need_size *wanted, double left_s)
{
    if (rank >= NEED_MISSING)
        return rank;
    const struct need_size whole = need_size(study->schedule, study->store, group, NEED_MISSING);
    return whole.cost_s <= left_s && whole.cost_s <= 2 * wanted->cost_s ? NEED_MISSING : rank;
}

/* Measures the groups of one kind and rank, as far as the budget goes. A group is measured whole, because its cells are
 * compared with each other, unless the whole budget is too short for it. */
static void measure_rank(struct record *record, enum registry_kind kind, enum need rank)
{
    size_t count;
    struct candidate *candidate = find_candidates(record, kind, rank, &count);
    for (size_t i = 0; i < count && !record->stopped; i++) {
        struct recorded *study = candidate[i].study;
        const struct need_group *group = &candidate[i].group;
        /* An earlier group of the study may have measured the probes. */
        const struct need_size size = need_size(study->schedule, study->store, group, rank);
        const double left_s = record->end_s - timer_now_s();
        if (size.wanted + size.partners == 0 || size.least_s > left_s ||
            (size.cost_s > left_s && size.cost_s <= record->arguments->budget_s))
            continue;
        need_select(study->schedule, study->store, group, whole_rank(study, group, rank, &size, left_s));
        run_selected(record, study, record->end_s);
    }
    free(candidate);
}

/* What is left of one rank. */
struct left_rank {
    size_t wanted, partners;
    double cost_s, least_s;
};

static struct left_rank left_of(const struct record *record, enum registry_kind kind, enum need rank)
{
    struct left_rank left = {.least_s = INFINITY};
    for (size_t s = 0; s < record->studies; s++) {
        const struct recorded *study = &record->study[s];
        unsigned probed = 0; /* the precisions whose probes are counted: those of a study are measured once */
        for (size_t p = 0; p < study->schedule->points; p++) {
            const struct need_group group = {.point = p, .kind = kind};
            const struct need_size size = need_size(study->schedule, study->store, &group, rank);
            const bool again = size.probes > 0 && probed & BIT(size.precision);
            probed |= size.probes > 0 ? BIT(size.precision) : 0;
            left.wanted += size.wanted;
            left.partners += size.partners + (again ? 0 : size.probes);
            left.cost_s += size.cost_s - (again ? size.probes_s : 0);
            left.least_s = fmin(left.least_s, size.least_s);
        }
    }
    return left;
}

/* Prints what is left of each rank, and adds it to `left`. A rank is told without what the ranks before it cost. */
static void say_left(const struct record *record, enum registry_kind kind, struct measured_left *left)
{
    struct left_rank before = {.least_s = INFINITY}, now = before;
    for (enum need rank = NEED_HEADLINE; rank < NEEDS; rank++, before = now) {
        now = left_of(record, kind, rank);
        /* Probes that came along before may now be wanted themselves. */
        if (now.wanted + now.partners == before.wanted + before.partners)
            continue;
        char time[32];
        progress_duration(fmax(now.cost_s - before.cost_s, 0), time, sizeof time);
        printf("left on the %s, about %s: %zu %s", registry_kind_names[kind], time, now.wanted - before.wanted,
               need_names[rank]);
        if (now.partners > before.partners)
            printf(", and %zu that come along for comparison", now.partners - before.partners);
        putchar('\n');
    }
    const size_t cells = now.wanted + now.partners;
    if (cells == 0)
        return;
    left->least_s = left->cells ? fmin(left->least_s, now.least_s) : now.least_s;
    left->cells += cells;
    left->time_s += now.cost_s;
}

static void measure_kind(struct record *record, enum registry_kind kind, struct measured_left *left)
{
    if (record->arguments->dry_run) {
        say_left(record, kind, left);
        return;
    }
    for (enum need rank = NEED_HEADLINE; rank < NEEDS && !record->stopped; rank++)
        measure_rank(record, kind, rank);
    /* Cells for which there was no time tell so in their rows, with their price. */
    for (size_t s = 0; s < record->studies && !record->stopped; s++) {
        need_select_left(record->study[s].schedule, kind);
        run_selected(record, &record->study[s], -INFINITY);
    }
    say_left(record, kind, left);
}

/* Writes the files of all studies, and tells the exit code of the record. */
static enum exit_code write_studies(struct record *record, struct measured_left *left)
{
    enum exit_code code = EXIT_OK;
    for (size_t s = 0; s < record->studies; s++) {
        struct recorded *study = &record->study[s];
        const enum exit_code one =
            measured_write(study->schedule, study->store, record->arguments->data, &study->report);
        measured_say_orphaned(study->schedule, study->store);
        measured_say_failed(study->schedule, &study->report, record->arguments->data);
        left->measured += study->report.measured;
        measured_add_doubts(&left->doubts, &study->report.doubts);
        code = one > code ? one : code;
    }
    return code;
}

static enum exit_code make_record(struct record *record)
{
    struct measured_left left = {0};
    enum exit_code code = experiments_folder(record->arguments->data) ? EXIT_OK : EXIT_STORE;
    for (size_t s = 0; code == EXIT_OK && s < record->studies; s++)
        code = open_study(record, &record->study[s]);
    if (code != EXIT_OK)
        return code;
    if (!record->arguments->no_gpu)
        measure_kind(record, KIND_GPU, &left);
    if (!record->arguments->no_cpu)
        measure_kind(record, KIND_CPU, &left);
    if (record->arguments->dry_run)
        return EXIT_OK;
    code = write_studies(record, &left);
    measured_say_doubts(&left.doubts, false, stderr);
    if (code == EXIT_INTERRUPTED || (code != EXIT_STORE && left.cells > 0))
        measured_say_how_to_go_on(&left, code == EXIT_INTERRUPTED, record->arguments);
    return code;
}

int record_main(int argc, char **argv)
{
    struct experiments_arguments arguments;
    options_read_record("Measures what a record of these studies still needs: first the missing and stale "
                        "cells that headlines use, then other stale, missing and flagged cells.",
                        argc, argv, &arguments);
    struct study **studies = experiments_read(&arguments);
    if (!studies)
        return EXIT_USAGE;
    pool_catch_interrupts();
    struct record record = {.arguments = &arguments,
                            .study = memory_allocate(arguments.files, sizeof *record.study),
                            .studies = arguments.files,
                            .end_s = timer_now_s() + arguments.budget_s};
    for (size_t s = 0; s < record.studies; s++)
        record.study[s].study = studies[s];
    const bool right = headlines_read(arguments.data, arguments.published, arguments.report, &record.headlines);
    const enum exit_code code = right ? make_record(&record) : EXIT_USAGE;
    for (size_t s = 0; s < record.studies; s++) {
        schedule_free(record.study[s].schedule);
        store_close(record.study[s].store);
    }
    free(record.study);
    need_headlines_free(&record.headlines);
    experiments_free(studies, &arguments);
    return code;
}
