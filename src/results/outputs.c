/* The CSV files of a study whose hashes its run record names.
 * SPDX-License-Identifier: MIT */
#include "outputs.h"

#include "variant.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/record.h"

#include <stdlib.h>
#include <string.h>

const char *const outputs_endings[OUTPUTS] = {"results.csv", "samples.csv", "history.csv"};

/* The hash of a file of a study. False if there is no such file. */
static bool hash_output(const char *folder, const char *study, int output, char hex[HASH_DIGITS + 1])
{
    char *path = memory_print("%s/%s.%s", folder, study, outputs_endings[output]);
    const bool hashed = hash_file(path, hex, HASH_DIGITS);
    free(path);
    return hashed;
}

json_t *outputs_json(const char *folder, const char *study)
{
    json_t *outputs = json_object();
    char hex[HASH_DIGITS + 1];
    for (int i = 0; i < OUTPUTS; i++)
        if (hash_output(folder, study, i, hex))
            json_object_set_new(outputs, outputs_endings[i], json_string(hex));
    return outputs;
}

/* BIT(i) for each file that has another hash than the record names. */
static unsigned other_hashes(const json_t *record, const char *folder, const char *study)
{
    const json_t *outputs = json_object_get(record, "outputs");
    unsigned changed = 0;
    char hex[HASH_DIGITS + 1];
    for (int i = 0; i < OUTPUTS; i++) {
        const char *named = json_string_value(json_object_get(outputs, outputs_endings[i]));
        if (named && hash_output(folder, study, i, hex) && strcmp(hex, named) != 0)
            changed |= BIT(i);
    }
    return changed;
}

unsigned outputs_kept_changes(const json_t *record)
{
    const json_t *name;
    unsigned changed = 0;
    size_t index;
    json_array_foreach(json_object_get(record, "changed_outputs"), index, name)
    {
        for (int i = 0; i < OUTPUTS; i++)
            if (json_is_string(name) && strcmp(json_string_value(name), outputs_endings[i]) == 0)
                changed |= BIT(i);
    }
    return changed;
}

void outputs_keep_changes(json_t *record, unsigned changed)
{
    json_t *names = json_array();
    for (int i = 0; i < OUTPUTS; i++)
        if (changed & BIT(i))
            json_array_append_new(names, json_string(outputs_endings[i]));
    json_object_del(record, "changed_outputs");
    if (changed)
        json_object_set(record, "changed_outputs", names);
    json_decref(names);
}

unsigned outputs_changed(const json_t *record, const char *folder, const char *study)
{
    return other_hashes(record, folder, study) | outputs_kept_changes(record);
}

unsigned outputs_changed_in(const char *folder, const char *study)
{
    json_t *record = record_read(folder, study);
    const unsigned changed = outputs_changed(record, folder, study);
    json_decref(record);
    return changed;
}

int outputs_keep_changes_in(const char *folder, const char *study, unsigned changed, bool written)
{
    json_t *record = record_read(folder, study);
    int failed = 0;
    if (json_is_object(record) && (changed || written)) {
        outputs_keep_changes(record, changed | outputs_kept_changes(record));
        json_object_set_new(record, "outputs", outputs_json(folder, study));
        failed = record_write(folder, study, record);
    }
    json_decref(record);
    return failed;
}

bool outputs_warn_changed(const char *folder, const char *study)
{
    json_t *record = record_read(folder, study);
    const unsigned other = other_hashes(record, folder, study), changed = other | outputs_kept_changes(record);
    for (int i = 0; i < OUTPUTS; i++) {
        if (!(changed & BIT(i)))
            continue;
        char *path = memory_print("%s/%s.%s", folder, study, outputs_endings[i]);
        fputs("warning: ", stderr);
        escape_put(stderr, escape_terminal, path);
        fputs(other & BIT(i) ? " is not the file that its run record names: it was changed after the run, or a run has "
                               "not ended\n"
                             : " has rows of a file that was changed after its run; option --again of `tilelab run` "
                               "measures them anew\n",
              stderr);
        free(path);
    }
    json_decref(record);
    return other != 0;
}
