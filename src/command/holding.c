/* What a data folder holds of each study.
 * SPDX-License-Identifier: MIT */
#include "holding.h"

#include "show_rows.h"
#include "study_record.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/text.h"
#include "plan/provenance.h"
#include "results/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char temporary_suffix[] = ".new";

static int64_t file_bytes(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) ? (int64_t)file.st_size : 0;
}

/* The study that a file belongs to: the name up to its first dot, without a dot in front. False if it has none. */
static bool study_of(const char *name, char study[HOLDING_STUDY_SIZE])
{
    name += *name == '.';
    const size_t length = strcspn(name, ".");
    if (length == 0 || length >= HOLDING_STUDY_SIZE || !name[length])
        return false;
    snprintf(study, HOLDING_STUDY_SIZE, "%.*s", (int)length, name);
    return true;
}

static struct holding *holding_of(struct holding **list, size_t *count, const char *study)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*list)[i].study, study) == 0)
            return &(*list)[i];
    *list = memory_grow(*list, *count + 1, sizeof **list);
    struct holding *fresh = &(*list)[(*count)++];
    *fresh = (struct holding){.machine = MACHINE_UNKNOWN};
    snprintf(fresh->study, sizeof fresh->study, "%s", study);
    return fresh;
}

/* Adds what the names and sizes of a folder's files tell. */
static bool add_files(const char *folder, struct holding **list, size_t *count)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return false;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        const bool temporary = text_ends(name, temporary_suffix), journal = text_ends(name, ".journal"),
                   csv = text_ends(name, ".csv");
        char path[1024], study[HOLDING_STUDY_SIZE];
        /* A file such as model-against-counters.csv belongs to no study. */
        if (!(temporary || journal || csv || text_ends(name, ".run.json")) || !study_of(name, study) ||
            (csv && strcmp(name + strlen(study), ".csv") == 0))
            continue;
        struct holding *holding = holding_of(list, count, study);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        holding->temporary += temporary;
        holding->has_results |= journal || text_ends(name, ".results.csv");
        *(temporary ? &holding->temporary_bytes
          : journal ? &holding->journal_bytes
                    : &holding->csv_bytes) += temporary || journal || csv ? file_bytes(path) : 0;
    }
    closedir(directory);
    return true;
}

/* Adds a word to a list of words joined by +, unless the list holds it. */
static void add_word(char *list, size_t size, const char *word)
{
    const size_t length = strlen(word), used = strlen(list);
    for (const char *at = list; length > 0 && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == '+') && (at[length] == '\0' || at[length] == '+'))
            return;
    if (length > 0 && used + length + 2 <= size)
        snprintf(list + used, size - used, "%s%s", used ? "+" : "", word);
}

static void add_row(const struct show_rows *rows, size_t row, const char *here, const char *profile,
                    struct holding *holding)
{
    const bool skipped = show_rows_has_status(rows, row, STATUS_SKIPPED),
               ok = show_rows_has_status(rows, row, STATUS_OK);
    const char *machine = show_rows_field(rows, row, RESULT_AT_machine_hash),
               *own = show_rows_field(rows, row, RESULT_AT_profile);
    holding->ok += ok;
    holding->skipped += skipped;
    holding->failed += !ok && !skipped;
    holding->partial += show_rows_has_flag(rows, row, FLAG_PARTIAL);
    if (skipped)
        return;
    holding->flagged += *show_rows_field(rows, row, RESULT_AT_flags) != '\0';
    holding->pretended += show_rows_has_flag(rows, row, FLAG_PRETENDED);
    holding->stale += show_rows_source(rows, row) == SOURCE_CHANGED;
    add_word(holding->profiles, sizeof holding->profiles, *own ? own : profile);
    if (*machine) {
        const enum holding_machine which = strcmp(machine, here) == 0 ? MACHINE_THIS : MACHINE_ANOTHER;
        holding->machine = holding->machine == MACHINE_UNKNOWN || holding->machine == which ? which : MACHINE_SEVERAL;
    }
}

/* Adds what the rows of a study tell. */
static void add_rows(const char *folder, const char *here, struct holding *holding)
{
    const struct study_record record = study_record_read(folder, holding->study);
    struct show_rows rows = {.count = 0};
    char path[256];
    show_rows_find(folder, holding->study, &rows);
    for (size_t r = 0; r < rows.count; r++)
        add_row(&rows, r, here, record.profile, holding);
    holding->archived = rows.count;
    show_rows_read_archive(folder, holding->study, &rows);
    holding->archived = rows.count - holding->archived;
    for (size_t r = 0; r < rows.count; r++) {
        const int generation = show_rows_generation(&rows, r);
        holding->generations = generation > holding->generations ? generation : holding->generations;
    }
    show_rows_free(&rows);
    holding->measured_at = record.measured_at;
    snprintf(path, sizeof path, "experiments/%s.yaml", holding->study);
    struct stat file;
    holding->has_file = stat("experiments", &file) != 0 || stat(path, &file) == 0;
}

static int by_study(const void *left, const void *right)
{
    const struct holding *a = left, *b = right;
    return strcmp(a->study, b->study);
}

int holding_find(const char *folder, struct holding **list)
{
    size_t count = 0;
    char here[HASH_SHORT_SIZE];
    *list = NULL;
    if (!add_files(folder, list, &count)) {
        const int error = errno;
        escape_tell("tilelab: %s: %s%s", folder, strerror(error), error == ENOENT ? SHOW_ROWS_REMEDY : "");
        return -1;
    }
    char *journals = store_journals(folder);
    add_files(journals, list, &count);
    free(journals);
    provenance_machine(here);
    for (size_t i = 0; i < count; i++)
        add_rows(folder, here, &(*list)[i]);
    if (count > 0)
        qsort(*list, count, sizeof **list, by_study);
    return (int)count;
}

static void visit_folder(const char *folder, const char *study, void (*visit)(void *context, const char *path),
                         void *context)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        char path[1024], owner[HOLDING_STUDY_SIZE];
        if (text_ends(entry->d_name, temporary_suffix) && study_of(entry->d_name, owner) && strcmp(owner, study) == 0) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            visit(context, path);
        }
    }
    closedir(directory);
}

void holding_visit_temporary(const char *folder, const char *study, void (*visit)(void *context, const char *path),
                             void *context)
{
    char *journals = store_journals(folder);
    visit_folder(folder, study, visit, context);
    visit_folder(journals, study, visit, context);
    free(journals);
}

void holding_print_bytes(int64_t bytes, char text[HOLDING_BYTES_SIZE])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB"};
    double size = 1e-3 * (double)bytes;
    size_t u = 0;
    for (; u < 3 && size >= 1000; u++)
        size *= 1e-3;
    snprintf(text, HOLDING_BYTES_SIZE, "%.*f %s", size < 10 ? 2 : size < 100 ? 1 : 0, size, units[u]);
}
