/* `tilelab compare VARIANT VARIANT`: measures both in the same rounds, unless their results are there.
 * SPDX-License-Identifier: MIT */
#include "compare.h"

#include "cell.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/rewrite.h"
#include "plan/selection.h"
#include "plan/settings.h"
#include "plan/study_file.h"
#include "run/run_plan.h"
#include "run/run_study.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A study of two variants, without --exp, has this size and these rounds. They are more than those of other studies,
 * because the launches alone are independent, and of the many launches the outermost ones are left out. */
static const char default_size[] = "n=512";
static const char measure_text[] = "measure: {rounds: 48, launches: 24, max-time: 5s}\n"
                                   "quick: {rounds: 24, launches: 12, max-time: 1200ms}\n"
                                   "record: {rounds: 48, launches: 24, max-time: 5s}\n";

const struct entry *compare_variants_find(const char *text, const struct problem *problem, bool *several)
{
    size_t count;
    const struct entry *entry = registry(&count), *found = registry_find(text);
    int matches = 0;
    for (size_t i = 0; i < count && !found; i++)
        if (strcmp(entry[i].idea, text) == 0 && entry[i].problem == problem)
            found = &entry[i];
    for (size_t i = 0; i < count && !found; i++)
        matches += strcmp(entry[i].idea, text) == 0;
    for (size_t i = 0; i < count && !found && matches == 1; i++)
        if (strcmp(entry[i].idea, text) == 0)
            found = &entry[i];
    if (several)
        *several = matches > 1;
    return found;
}

/* The axis that a setting gives values; -1: it is another key. */
static int axis_of(const char *setting)
{
    return cell_axis_find(setting, strcspn(setting, "="));
}

static bool sets(const struct experiments_arguments *run, int axis)
{
    for (size_t i = 0; i < run->settings; i++)
        if (axis_of(run->setting[i]) == axis)
            return true;
    return false;
}

/* Writes the study of both variants, FOLDER/NAME.yaml. Settings of axes become part of the file, so that its results
 * are those of the asked cells; only other settings stay in run->setting. Returns the path, or NULL with errno. */
static const char *write_study(struct experiments_arguments *run, const struct entry *a, const struct entry *b)
{
    char *text = NULL, *name = memory_print("%.20s-%.20s-%.20s.yaml", a->problem->name, a->idea, b->idea);
    bool changed;
    size_t kept = 0;
    memory_append(&text, "schema: 1\ntitle: {en: \"%s and %s\"}\nsource: tilelab\nproblem: %s\n", a->name, b->name,
                  a->problem->name);
    memory_append(&text, "%sgrid:\n  variant: [%s, %s]\n", measure_text, a->idea, b->idea);
    if (!sets(run, AXIS_n))
        run->setting[run->settings++] = default_size;
    if (!sets(run, AXIS_precision) && a->meta->precisions & b->meta->precisions & a->problem->precisions & BIT(F64))
        run->setting[run->settings++] = "precision=f64";
    for (size_t i = 0; i < run->settings; i++) {
        char *line = axis_of(run->setting[i]) >= 0 ? settings_line(run->setting[i]) : NULL;
        if (line)
            memory_append(&text, "  %s", line);
        else
            run->setting[kept++] = run->setting[i];
        free(line);
    }
    run->settings = kept;
    const bool written = folder_make(run->data) && rewrite_bytes(run->data, name, text, strlen(text), &changed) == 0;
    const int error = errno;
    const char *path = written ? memory_print("%s/%s", run->data, name) : NULL;
    free(text);
    free(name);
    errno = error;
    return path;
}

/* The ids of the cells that are asked for, with blanks between them; the caller frees them. */
static char *ids_of(struct study *study)
{
    const struct grid *grid = study_grid(study, study->asked, NULL);
    char *ids = memory_copy("");
    for (size_t i = 0; i < grid->count; i++) {
        char id[CELL_ID_SIZE];
        cell_id(&grid->cell[i], id);
        if (selection_asks(study->asked, &grid->cell[i]))
            memory_append(&ids, " %s", id);
    }
    return ids;
}

/* Measures the study. What a run prints goes to standard error, as standard output is for the verdict. */
static enum exit_code measure(struct study *study, const struct experiments_arguments *run)
{
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    if (kept < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return EXIT_OUTPUT;
    const enum exit_code code = run_together(study, run);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    return code;
}

static enum exit_code measure_and_print(struct study *study, const struct compare_asked *asked,
                                        const struct entry *subject, const struct entry *base)
{
    const enum exit_code code = measure(study, &asked->run);
    if (code != EXIT_OK && code != EXIT_CELLS)
        return code;
    struct query query = {.study = study->asked->name};
    char *ids = ids_of(study);
    query_set(&query, "subject", subject->name);
    query_set(&query, "base", base->name);
    query_set(&query, "cells", ids);
    const char *why = hosts_add(&query.hosts, asked->run.data);
    if (why)
        fprintf(stderr, "tilelab compare: %s: %s\n", asked->run.data, why);
    const enum exit_code printed = why ? EXIT_USAGE : compare_print_launches(&query, asked, subject->idea, base->idea);
    query_close(&query);
    free(ids);
    return printed;
}

enum exit_code compare_variants(struct compare_asked *asked, const struct entry *subject, const struct entry *base)
{
    struct experiments_arguments *run = &asked->run;
    char *both = memory_print("%s,%s", subject->name, base->name), *folder = memory_print("%s/.compare", run->data);
    enum exit_code code = EXIT_USAGE;
    const char *path = NULL;
    bool sets_axis = false;
    for (int axis = 0; axis < AXES; axis++)
        sets_axis |= sets(run, axis);
    if (asked->study && sets_axis) {
        fputs("tilelab compare: --exp takes the cells of the study, of which --only chooses; without --exp, --set and "
              "--sizes say which cells there are\n",
              stderr);
    } else if (asked->study) {
        path = study_file_path(asked->study);
    } else {
        run->data = folder;
        /* Both orders of the variants are one study. */
        path = subject < base ? write_study(run, subject, base) : write_study(run, base, subject);
        if (!path) {
            fprintf(stderr, "tilelab compare: %s: %s\n", folder, strerror(errno));
            code = EXIT_STORE;
        }
    }
    if (path) {
        run->opened[run->files] = study_file_open(path);
        run->file[run->files++] = path;
        run->within = both;
        /* Results with a given seed tell no run. */
        run->again = run->seed > 0 ? AGAIN_ALL : run->again;
        struct study **studies = experiments_read(run);
        if (studies)
            code = run->dry_run ? run_plan_studies(studies, run) : measure_and_print(*studies, asked, subject, base);
        for (size_t i = 0; studies && i < run->files; i++)
            study_free(studies[i]);
        free(studies);
    }
    if (!asked->study)
        free((char *)path);
    free(both);
    free(folder);
    return code;
}
