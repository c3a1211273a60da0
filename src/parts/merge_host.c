/* Joining the folders of one host.
 * SPDX-License-Identifier: MIT */
#include "merge_host.h"

#include "merge_files.h"
#include "merge_record.h"
#include "base/memory.h"
#include "plan/part_file.h"
#include "results/outputs.h"
#include "results/store_merge.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* All studies of the folders and of the joined folder. */
static struct merge_names studies_of(const struct merge_host *host)
{
    struct merge_names names = {.count = 0};
    for (size_t i = 0; i < host->folders; i++)
        merge_files_studies(&names, host->folder[i]);
    merge_files_studies(&names, host->into);
    return names;
}

/* Whether a folder has anything of a study. */
static bool has_study(const char *folder, const char *study)
{
    struct merge_names names = {.count = 0};
    merge_files_studies(&names, folder);
    bool found = false;
    for (size_t i = 0; i < names.count; i++)
        found |= strcmp(names.name[i], study) == 0;
    merge_files_free(&names);
    return found;
}

/* Opens the results of a study to read them. NULL: there are none, or after a message, with *failed set. */
static struct store *open_source(const char *folder, const char *study, bool *failed)
{
    char why[1024];
    if (!has_study(folder, study))
        return NULL;
    struct store *store = store_open(folder, study, true, why, sizeof why);
    if (!store) {
        fprintf(stderr, "tilelab: %s\n", why);
        *failed = true;
    }
    return store;
}

/* Whether the parts of a study have shared the same cells in the same way. Parts of another number of parts, or of
 * another profile, may be joined with them if they list the same cells. */
static bool check_parts(const struct merge_host *host, const char *study)
{
    struct part_file first = {.count = 0}, other;
    const char *of_first = NULL;
    char why[1024];
    bool fine = true;
    for (size_t i = 0; i < host->folders && fine; i++) {
        if (!part_file_read(host->folder[i], study, &other, why, sizeof why)) {
            fine = !*why;
            if (*why)
                fprintf(stderr, "tilelab: %s\n", why);
            continue;
        }
        const bool alike = first.part.of == other.part.of && strcmp(first.profile, other.profile) == 0;
        if (of_first && !(alike ? part_file_same(&first, &other) : part_file_same_cells(&first, &other))) {
            fprintf(stderr,
                    "tilelab: %s and %s have shared out other cells of %s: their experiment files or the cores that "
                    "they may use differ\n",
                    of_first, host->folder[i], study);
            fine = false;
        }
        if (of_first) {
            part_file_free(&other);
        } else {
            first = other;
            of_first = host->folder[i];
        }
    }
    part_file_free(&first);
    return fine;
}

/* Takes what all folders hold into the check. */
static void check_all(const struct merge_host *host, struct merge_check *check)
{
    struct merge_names studies = studies_of(host);
    for (size_t s = 0; s < studies.count && !check->failed; s++) {
        check->failed = !check_parts(host, studies.name[s]);
        for (size_t i = 0; i <= host->folders && !check->failed; i++) {
            const char *folder = i < host->folders ? host->folder[i] : host->into;
            struct store *store = open_source(folder, studies.name[s], &check->failed);
            if (store)
                merge_check_take(check, store, studies.name[s]);
            store_close(store);
        }
    }
    merge_files_free(&studies);
}

bool merge_host_check(const struct merge_host *host)
{
    struct merge_check check = {.count = 0};
    check_all(host, &check);
    const bool fine = !check.failed;
    merge_check_free(&check);
    return fine;
}

bool merge_host_machine(const char *folder, char machine[MERGE_MACHINE_SIZE])
{
    struct merge_names studies = {.count = 0};
    bool failed = false;
    machine[0] = '\0';
    merge_files_studies(&studies, folder);
    for (size_t s = 0; s < studies.count && !failed; s++) {
        struct store *store = open_source(folder, studies.name[s], &failed);
        if (store && !merge_check_machine(store, machine)) {
            fprintf(stderr, "tilelab: %s holds results of several machines, for example of %s: it is no host\n", folder,
                    studies.name[s]);
            failed = true;
        }
        store_close(store);
    }
    merge_files_free(&studies);
    return !failed;
}

/* The cells of a study in the order of its results.csv: those that the parts list, then those of the files. */
static struct merge_cells cells_of(const struct merge_host *host, const char *study)
{
    struct merge_cells cells = {.count = 0};
    for (size_t i = 0; i < host->folders && !cells.id; i++) {
        struct part_file part;
        char why[1024];
        if (!part_file_read(host->folder[i], study, &part, why, sizeof why))
            continue;
        cells = (struct merge_cells){part.id, part.count};
        free(part.of);
    }
    for (size_t i = 0; i < host->folders; i++)
        merge_files_cells(&cells, host->folder[i], study);
    merge_files_cells(&cells, host->into, study);
    return cells;
}

/* Says what the part `number` lacks of the cells that `list` shares out. Returns whether it lacks any. */
static bool say_part(const struct merge_host *host, const char *study, const struct store *store,
                     const struct part_file *part, const struct part_file *list, int number)
{
    const char *folder = NULL;
    size_t cells = 0, missing = 0;
    struct store_summary known;
    for (size_t c = 0; c < list->count; c++) {
        cells += list->of[c] == number;
        missing += list->of[c] == number && !store_lookup(store, list->id[c], &known);
    }
    if (missing == 0)
        return false;
    for (size_t i = 0; i < host->folders; i++)
        if (part[i].part.number == number && part_file_same(&part[i], list))
            folder = host->folder[i];
    printf("%s: part %d of %d ", study, number, list->part.of);
    if (!folder)
        printf("is missing: %zu cells\n", missing);
    else if (store_is_held(folder, study))
        printf("is still being measured in %s: %zu of %zu cells are missing\n", folder, missing, cells);
    else
        printf("in %s has ended early: %zu of %zu cells are missing; run this part again\n", folder, missing, cells);
    return true;
}

/* Says which parts of a study lack cells in the joined store. Returns whether any does. */
static bool say_missing(const struct merge_host *host, const char *study, const struct store *store)
{
    struct part_file *part = memory_allocate(host->folders, sizeof *part);
    bool any = false;
    for (size_t i = 0; i < host->folders; i++) {
        char why[1024];
        part_file_read(host->folder[i], study, &part[i], why, sizeof why);
    }
    for (size_t i = 0; i < host->folders; i++) {
        /* The parts of one run share the same list, which counts once. */
        bool is_first = part[i].part.of > 0;
        for (size_t k = 0; k < i && is_first; k++)
            is_first = !part_file_same(&part[k], &part[i]);
        for (int number = 1; is_first && number <= part[i].part.of; number++)
            any |= say_part(host, study, store, part, &part[i], number);
    }
    for (size_t i = 0; i < host->folders; i++)
        part_file_free(&part[i]);
    free(part);
    return any;
}

/* Counts the listed results by their status, and those that lack rounds. */
static size_t count_results(const struct store *store, const struct merge_cells *cells, struct merge_counts *counts)
{
    size_t partial = 0;
    for (size_t c = 0; c < cells->count; c++) {
        struct store_summary known;
        if (!store_lookup(store, cells->id[c], &known))
            continue;
        counts->status[known.status]++;
        partial += (known.flags & FLAG_PARTIAL) != 0;
    }
    return partial;
}

/* Writes the joined files of a study. Returns 0 or an errno. */
static int write_study(const struct merge_host *host, const char *study, struct store *into, struct store **from,
                       size_t stores, const struct merge_check *check, bool *is_lacking)
{
    size_t doubled = 0;
    bool changed;
    errno = EIO;
    if (store_merge(into, from, stores, merge_check_number, check, &doubled) != 0)
        return errno;
    struct merge_cells cells = cells_of(host, study);
    struct merge_counts counts = {.changed_outputs = store_changed_outputs(into)};
    for (size_t i = 0; i < stores; i++)
        counts.changed_outputs |= store_changed_outputs(from[i]);
    errno = EIO;
    int failed = store_export(into, (const char(*)[CELL_ID_SIZE])cells.id, cells.count, &changed) != 0 ? errno : 0;
    const size_t partial = count_results(into, &cells, &counts);
    if (!failed)
        failed = merge_record_write(host->into, study, host->folder, host->folders, &counts, merge_check_number, check);
    if (!failed) {
        printf("%s: %zu folder%s joined in %s\n", study, stores, stores == 1 ? "" : "s", host->into);
        if (doubled > 0)
            printf("%s: %zu cell%s measured more than once with different results. A wrong result counts first; then "
                   "the more careful one, one without doubts, and the one with the narrower interval. The others stay "
                   "in the journal\n",
                   study, doubled, doubled == 1 ? " was" : "s were");
        if (partial > 0)
            printf("%s: %zu cell%s rounds, because a run was interrupted; the same run goes on with them\n", study,
                   partial, partial == 1 ? " lacks" : "s lack");
        *is_lacking |= say_missing(host, study, into) || partial > 0;
    }
    free(cells.id);
    return failed;
}

/* Joins one study. False after a message. */
static bool join_study(const struct merge_host *host, const char *study, const struct merge_check *check,
                       bool *is_lacking)
{
    char why[1024];
    struct store **from = memory_allocate(host->folders, sizeof(struct store *));
    size_t stores = 0;
    bool failed = false;
    for (size_t i = 0; i < host->folders && !failed; i++) {
        outputs_warn_changed(host->folder[i], study);
        struct store *store = open_source(host->folder[i], study, &failed);
        if (store)
            from[stores++] = store;
    }
    struct store *into = failed ? NULL : store_open(host->into, study, false, why, sizeof why);
    if (!into && !failed)
        fprintf(stderr, "tilelab: %s\n", why);
    const int error = into ? write_study(host, study, into, from, stores, check, is_lacking) : 0;
    if (error)
        fprintf(stderr, "tilelab: %s in %s could not be joined: %s; the folders that were to be joined are as before\n",
                study, host->into,
                error == EPROTO ? "lines of its journal are damaged or of another version; "
                                  "`tilelab prune` drops the damaged ones"
                                : store_failure(error));
    for (size_t i = 0; i < stores; i++)
        store_close(from[i]);
    store_close(into);
    free(from);
    return into && !error;
}

/* Whether a signal waits that would have ended the program. */
static bool is_interrupted(void)
{
    sigset_t waiting;
    sigpending(&waiting);
    return sigismember(&waiting, SIGINT) || sigismember(&waiting, SIGTERM);
}

enum exit_code merge_host_join(const struct merge_host *host)
{
    struct merge_check check = {.count = 0};
    struct merge_names studies = studies_of(host);
    bool is_lacking = false;
    check_all(host, &check);
    enum exit_code code = check.failed ? EXIT_STORE : EXIT_OK;
    for (size_t s = 0; s < studies.count && code == EXIT_OK; s++)
        code = is_interrupted()                                         ? EXIT_INTERRUPTED
               : join_study(host, studies.name[s], &check, &is_lacking) ? EXIT_OK
                                                                        : EXIT_STORE;
    for (size_t i = 0; i < host->folders && code == EXIT_OK; i++) {
        const int error = merge_files_others(host->folder[i], host->into);
        if (error) {
            fprintf(stderr, "tilelab: further files of %s could not be copied: %s\n", host->folder[i], strerror(error));
            code = EXIT_STORE;
        }
    }
    merge_files_free(&studies);
    merge_check_free(&check);
    return code == EXIT_OK && is_lacking ? EXIT_CELLS : code;
}
