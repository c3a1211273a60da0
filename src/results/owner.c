/* The machine to which a folder of results belongs.
 * SPDX-License-Identifier: MIT */
#include "owner.h"

#include "kind.h"
#include "status.h"
#include "base/csv.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/record.h"
#include "base/text.h"

#include <dirent.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The name of a folder: the last part of its path. False if it cannot be told. */
static bool name_of(const char *folder, char *name, size_t size)
{
    char *path = folder_absolute(folder);
    const int length = path ? snprintf(name, size, "%s", folder_last_parts(path, 1)) : 0;
    free(path);
    return length > 0 && (size_t)length < size;
}

/* Reads the machine of the first row of a results.csv that was measured. A skipped row says nothing of its machine,
 * which may be unknown by a transient error, and a line without a status, as a second header, is no row. False if there
 * is none. */
static bool first_machine(const char *path, char hash[HASH_SHORT_SIZE])
{
    struct csv csv;
    hash[0] = '\0';
    if (!csv_open(&csv, path))
        return false;
    const bool header = csv_read(&csv) == 1;
    const int column = header ? csv_find(&csv, "machine_hash") : -1, of_status = header ? csv_find(&csv, "status") : -1;
    while (column >= 0 && !hash[0] && csv_read(&csv) == 1) {
        const char *text = csv_field(&csv, column), *told = csv_field(&csv, of_status);
        enum status status;
        const bool is_row = told ? status_find(told, strlen(told), &status) && status != STATUS_SKIPPED : of_status < 0;
        if (text && is_row)
            snprintf(hash, HASH_SHORT_SIZE, "%s", text);
    }
    csv_close(&csv);
    return hash[0] != '\0';
}

/* What a run record tells of its machine: " (CPU, 16 cores, GPU)". Empty if the record is of another machine. */
static void describe(const json_t *record, const char *hash, char *text, size_t size)
{
    const json_t *machine = json_object_get(record, "machine");
    const char *fingerprint = json_string_value(json_object_get(machine, "fingerprint"));
    const char *cpu = json_string_value(json_object_get(machine, "cpu_model"));
    const char *gpu = json_string_value(json_object_get(json_object_get(record, "gpu"), "name"));
    const int cores = (int)json_integer_value(json_object_get(machine, "cores"));
    text[0] = '\0';
    if (fingerprint && strcmp(fingerprint, hash) == 0)
        snprintf(text, size, " (%s, %d core%s%s%s)", cpu ? cpu : "unknown CPU", cores, cores == 1 ? "" : "s",
                 gpu ? ", " : "", gpu ? gpu : "");
}

/* Looks in a CSV file for rows of the physical machine with this mark. Returns its number, or 0. *most becomes the
 * greatest number of any machine. */
static int number_in(const char *path, const char *mark, int *most)
{
    struct csv csv;
    int number = 0;
    if (!csv_open(&csv, path))
        return 0;
    const bool header = csv_read(&csv) == 1;
    const int of_mark = header ? csv_find(&csv, "machine_mark") : -1;
    const int of_number = header ? csv_find(&csv, "machine_number") : -1;
    while (of_mark >= 0 && of_number >= 0 && number == 0 && csv_read(&csv) == 1) {
        const char *found = csv_field(&csv, of_mark), *text = csv_field(&csv, of_number);
        const int counted = text ? atoi(text) : 0;
        *most = counted > *most ? counted : *most;
        if (found && strcmp(found, mark) == 0)
            number = counted;
    }
    csv_close(&csv);
    return number;
}

static int is_results(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && text_ends(entry->d_name, ".results.csv");
}

static int is_rows(const struct dirent *entry)
{
    return is_results(entry) || (entry->d_name[0] != '.' && text_ends(entry->d_name, ".archive.csv"));
}

int owner_number(const char *folder, const char *mark)
{
    if (!*mark)
        return 0;
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_rows, alphasort);
    int number = 0, most = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (number == 0)
            number = number_in(path, mark, &most);
        free(entry[i]);
    }
    free(entry);
    return number ? number : most + 1;
}

/* The name of the study whose results are in a file; the caller frees it. */
static char *study_of(const char *results)
{
    return memory_print("%.*s", (int)(strlen(results) - strlen(".results.csv")), results);
}

bool owner_has(const char *folder, const char *hash)
{
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_results, alphasort);
    json_t *facts = kind_facts();
    bool found = false;
    for (int i = 0; i < count; i++) {
        char *study = study_of(entry[i]->d_name), difference[256];
        json_t *record = found ? NULL : record_read(folder, study);
        const json_t *machine = json_object_get(record, "machine");
        const char *fingerprint = json_string_value(json_object_get(machine, "fingerprint"));
        found = found || (fingerprint && strcmp(fingerprint, hash) == 0 &&
                          !kind_differs(machine, facts, difference, sizeof difference));
        json_decref(record);
        free(study);
        free(entry[i]);
    }
    json_decref(facts);
    free(entry);
    return found;
}

/* Whether the results in a file are of the kind of this machine. `words` tells of their machine if they are not, and
 * `difference` what differs between processors of one name. */
static bool is_of_kind(const char *folder, const char *results, const char *hash, char words[256], char difference[256])
{
    char *path = memory_print("%s/%s", folder, results), *study = study_of(results), found[HASH_SHORT_SIZE];
    bool same = true;
    difference[0] = '\0';
    if (first_machine(path, found)) {
        json_t *record = record_read(folder, study), *facts = kind_facts();
        same = !kind_differs(json_object_get(record, "machine"), facts, difference, sizeof(char[256])) &&
               strcmp(found, hash) == 0;
        describe(record, found, words, sizeof(char[256]));
        json_decref(facts);
        json_decref(record);
    }
    free(study);
    free(path);
    return same;
}

bool owner_allows(const char *folder, const char *hash, const char *machine, char *why, size_t size)
{
    char name[256], words[256], difference[256];
    if (!name_of(folder, name, sizeof name) || strcmp(name, "local") == 0)
        return true;
    if (strcmp(name, "published") == 0) {
        snprintf(why, size, "%s holds the tables of the sources; results need a folder with another name", folder);
        return false;
    }
    struct dirent **entry = NULL;
    const int count = scandir(folder, &entry, is_results, alphasort);
    bool allowed = true;
    for (int i = 0; i < count; i++) {
        if (allowed && !is_of_kind(folder, entry[i]->d_name, hash, words, difference)) {
            snprintf(
                why, size,
                "%s holds results of another kind of machine%s, for example in %s; this machine is: %s%s%s. Choose "
                "another folder (--data, or DATA= and HOST= of make); only a folder named `local` may hold several "
                "machines",
                folder, words, entry[i]->d_name, machine, *difference ? "; there " : "", difference);
            allowed = false;
        }
        free(entry[i]);
    }
    free(entry);
    return allowed;
}
