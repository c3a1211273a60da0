/* Whether the files of a recorded folder agree with its run records.
 * SPDX-License-Identifier: MIT */
#include "agreement.h"

#include "inventory.h"
#include "kind.h"
#include "outputs.h"
#include "status.h"
#include "variant.h"
#include "base/csv.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/record.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char agreement_left_out[] = "left-out.csv";

struct checked {
    const char *folder;
    struct agreement found;
    char kind[HASH_SHORT_SIZE], kind_study[INVENTORY_STUDY_SIZE]; /* of the first measured row */
    json_t *machine;                                              /* of the first run record, that of machine_study */
    char machine_study[INVENTORY_STUDY_SIZE];
    bool has_kinds; /* another kind was told */
};

/* The rows of a study by status. */
struct rows {
    long count[STATUSES];
};

static void __attribute__((format(printf, 3, 4)))
fault(struct checked *checked, const char *study, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    escape_tell("%s: %s: %s", checked->folder, study, text);
    checked->found.faults++;
}

/* The status of a row; -1: the row has none. */
static int status_of(const char *text)
{
    enum status status;
    return text && status_find(text, strlen(text), &status) ? (int)status : -1;
}

/* Opens a file of the folder and reads its header. False if there is none. */
static bool open_table(const struct checked *checked, const char *name, struct csv *csv)
{
    char *path = memory_print("%s/%s", checked->folder, name);
    const bool opened = csv_open(csv, path);
    free(path);
    if (opened && csv_read(csv) == 1)
        return true;
    if (opened)
        csv_close(csv);
    return false;
}

/* A folder has one kind of machine. A skipped row may not know its machine. */
static void check_kind(struct checked *checked, const char *study, const char *hash)
{
    if (!checked->kind[0]) {
        snprintf(checked->kind, sizeof checked->kind, "%s", hash);
        snprintf(checked->kind_study, sizeof checked->kind_study, "%s", study);
    } else if (strcmp(checked->kind, hash) != 0 && !checked->has_kinds) {
        checked->has_kinds = true;
        fault(checked, study, "its rows are of another kind of machine (%s) than those of %s (%s); give it a folder",
              hash, checked->kind_study, checked->kind);
    }
}

/* Nor do its run records tell two kinds that have one hash. */
static void check_machine(struct checked *checked, const char *study, const json_t *record)
{
    json_t *machine = json_object_get(record, "machine");
    char difference[256];
    if (!checked->machine) {
        checked->machine = json_incref(machine);
        snprintf(checked->machine_study, sizeof checked->machine_study, "%s", study);
    } else if (!checked->has_kinds && kind_differs(machine, checked->machine, difference, sizeof difference)) {
        checked->has_kinds = true;
        fault(checked, study, "its run record tells of another kind of machine than that of %s (%s); give it a folder",
              checked->machine_study, difference);
    }
}

static struct rows count_results(struct checked *checked, const char *study)
{
    struct rows rows = {{0}};
    struct csv csv;
    char *name = memory_print("%s.results.csv", study), kind[HASH_SHORT_SIZE] = "";
    if (open_table(checked, name, &csv)) {
        const int of_status = csv_find(&csv, "status"), of_kind = csv_find(&csv, "machine_hash");
        while (csv_read(&csv) == 1) {
            const int status = status_of(csv_field(&csv, of_status));
            const char *hash = csv_field(&csv, of_kind);
            if (status < 0)
                continue;
            rows.count[status]++;
            if (hash && status != STATUS_SKIPPED && strcmp(hash, kind) != 0) {
                snprintf(kind, sizeof kind, "%s", hash);
                check_kind(checked, study, hash);
            }
        }
        csv_close(&csv);
    }
    free(name);
    return rows;
}

/* The rows of a study that left-out.csv says are missing from results.csv. */
static struct rows count_left_out(const struct checked *checked, const char *study)
{
    struct rows rows = {{0}};
    struct csv csv;
    if (!open_table(checked, agreement_left_out, &csv))
        return rows;
    const int of_study = csv_find(&csv, "experiment"), of_cell = csv_find(&csv, "cell"),
              of_status = csv_find(&csv, "status"), of_rows = csv_find(&csv, "rows");
    while (csv_read(&csv) == 1) {
        const char *name = csv_field(&csv, of_study), *count = csv_field(&csv, of_rows);
        const int status = status_of(csv_field(&csv, of_status));
        if (name && strcmp(name, study) == 0 && !csv_field(&csv, of_cell) && status >= 0 && count)
            rows.count[status] += atol(count);
    }
    csv_close(&csv);
    return rows;
}

/* Whether the results of a study have a row of the cell. */
static bool has_cell(const struct checked *checked, const char *study, const char *cell)
{
    bool found = false;
    struct csv csv;
    char *name = memory_print("%s.results.csv", study);
    if (open_table(checked, name, &csv)) {
        const int of_cell = csv_find(&csv, "cell");
        while (!found && csv_read(&csv) == 1) {
            const char *own = csv_field(&csv, of_cell);
            found = own && strcmp(own, cell) == 0;
        }
        csv_close(&csv);
    }
    free(name);
    return found;
}

/* Every line of left-out.csv has a reason, and either marks a cell that is there or counts lost rows. */
static void check_left_out(struct checked *checked)
{
    struct csv csv;
    if (!open_table(checked, agreement_left_out, &csv))
        return;
    const int of_study = csv_find(&csv, "experiment"), of_cell = csv_find(&csv, "cell"),
              of_status = csv_find(&csv, "status"), of_rows = csv_find(&csv, "rows"),
              of_reason = csv_find(&csv, "reason");
    while (csv_read(&csv) == 1) {
        const char *study = csv_field(&csv, of_study), *cell = csv_field(&csv, of_cell),
                   *status = csv_field(&csv, of_status), *rows = csv_field(&csv, of_rows);
        int64_t count = 0;
        const bool counts =
            status_of(status) >= 0 && rows && number_read_count(rows, strlen(rows), &count) && count > 0;
        if (!study || !csv_field(&csv, of_reason))
            fault(checked, agreement_left_out, "line %d needs an experiment and a reason", csv.line);
        else if (cell ? status || rows : !counts)
            fault(checked, agreement_left_out, "line %d needs a cell, or a status and a number of rows", csv.line);
        else if (cell && !has_cell(checked, study, cell))
            fault(checked, agreement_left_out, "line %d marks the cell %s, which %s.results.csv does not have",
                  csv.line, cell, study);
    }
    csv_close(&csv);
}

/* Compares the counts. A record of an older program may have none. */
static void check_counts(struct checked *checked, const char *study, const json_t *record)
{
    const struct rows results = count_results(checked, study), left_out = count_left_out(checked, study);
    const json_t *counts = json_object_get(record, "counts");
    bool any = false;
    for (int i = 0; i < STATUSES; i++) {
        const long told = (long)json_integer_value(json_object_get(counts, status_names[i]));
        any = any || left_out.count[i] > 0;
        if (!json_is_object(counts) || told == results.count[i] + left_out.count[i])
            continue;
        fault(checked, study, "its run record counts %ld %s, its results.csv has %ld%s", told, status_names[i],
              results.count[i], left_out.count[i] ? ", beside those of left-out.csv" : "");
    }
    checked->found.left_out += any;
}

static void check_study(struct checked *checked, const char *study, bool has_results)
{
    json_t *record = record_read(checked->folder, study);
    if (!record && !has_results)
        return; /* the folder has a table of this name, but no study */
    checked->found.studies++;
    if (!record)
        fault(checked, study, "it has no run record");
    if (record) {
        check_counts(checked, study, record);
        check_machine(checked, study, record);
    }
    const unsigned changed = record ? outputs_changed(record, checked->folder, study) : 0;
    for (int i = 0; i < OUTPUTS; i++)
        if (changed & BIT(i))
            fault(checked, study, "its %s is not the file whose hash its run record has", outputs_endings[i]);
    json_decref(record);
}

struct agreement agreement_check(const char *folder)
{
    struct checked checked = {.folder = folder};
    struct inventory *list = NULL;
    const int count = inventory_find(folder, &list);
    if (count < 0)
        checked.found.faults++;
    for (int i = 0; i < count; i++)
        check_study(&checked, list[i].study, list[i].has_results);
    free(list);
    if (count >= 0)
        check_left_out(&checked);
    json_decref(checked.machine);
    return checked.found;
}
