/* The run record <experiment>.run.json.
 * SPDX-License-Identifier: MIT */
#include "run_record.h"

#include "cell.h"
#include "run_record_machine.h"
#include "backend/backend.h"
#include "base/record.h"
#include "base/timer.h"
#include "results/outputs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static json_t *names(char **name, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(name[i]));
    return list;
}

/* The experiment as the file has it, and what the command line of the last run changed. */
static json_t *experiment_json(const struct experiment *experiment)
{
    const struct measure *measure = &experiment->measure;
    json_t *problems = json_array();
    for (size_t i = 0; i < experiment->problems; i++)
        json_array_append_new(problems, json_string(experiment->problem[i]->name));
    const char *baseline = experiment->baseline ? experiment->baseline : experiment->problem[0]->baseline;
    json_t *settings = experiment->settings > 0 ? names(experiment->setting, experiment->settings) : NULL;
    json_t *only = experiment->onlys > 0 ? names(experiment->only, experiment->onlys) : NULL;
    return json_pack(
        "{s:s, s:s?, s:s?, s:s*, s:s*, s:s?, s:s?, s:s, s:o, s:o, s:o, s:o*, s:o*, s:s*, s:{s:i, s:i, s:f, s:f, s:I}}",
        "name", experiment->name, "title_en", experiment->title_en, "title_ru", experiment->title_ru, "about_en",
        experiment->about_en, "about_ru", experiment->about_ru, "source", experiment->source, "baseline", baseline,
        "profile", experiment_profiles[experiment->profile], "problems", problems, "figures",
        names(experiment->figure, experiment->figures), "tables", names(experiment->table, experiment->tables), "set",
        settings, "only", only, "within", experiment->within, "measure", "rounds", measure->rounds, "launches",
        measure->launches, "ci", measure->ci, "max_time_s", measure->max_time_s, "seed", (json_int_t)measure->seed);
}

/* The variants of the rows of results.csv, in ladder order. */
static json_t *variants_json(const struct schedule *schedule, const struct store *store)
{
    size_t count;
    const struct entry *entries = registry(&count);
    bool *used = calloc(count, sizeof *used);
    json_t *list = json_array();
    struct store_summary known;
    for (size_t i = 0; used && i < schedule->listed.count; i++)
        if (store_lookup(store, schedule->listed_id[i], &known))
            used[schedule->listed.cell[i].entry - entries] = true;
    for (size_t i = 0; used && i < count; i++) {
        const struct entry *entry = &entries[i];
        if (!used[i])
            continue;
        static const char *const units[] = {"fma", "memory", "time"};
        static const char *const pivoting[] = {"none", "partial"};
        char tensor[32];
        cell_precisions_print(entry->meta->tensor, tensor, sizeof tensor);
        json_array_append_new(
            list,
            json_pack(
                "{s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:b, s:b, s:b, s:s, s:i, s:f, s:s,"
                " s:s}",
                "name", entry->name, "problem", entry->problem->name, "backend", registry_backends[entry->backend].name,
                "order", (int)i, "summary", entry->meta->summary, "source", entry->meta->source, "file", entry->file,
                "unit", units[entry->meta->unit], "tensor", tensor, "parts",
                entry->meta->parts ? entry->meta->parts : "", "split", cell_precision_names[entry->meta->split],
                "products", entry->meta->products, "pivoting", pivoting[entry->meta->pivoting], "chaotic",
                entry->meta->chaotic, "vendor", entry->meta->vendor, "halved", entry->meta->halved, "library",
                registry_library(entry), "style", registry_style(entry), "input_roundoff", entry->meta->input_roundoff,
                "source_hash", entry->source_hash, "compile_line", entry->compile_line));
    }
    free(used);
    return list;
}

/* Whether a list of builds has an entry with this variant and source. */
static bool has_build(const json_t *builds, const char *name, const char *source)
{
    size_t index;
    const json_t *build;
    json_array_foreach(builds, index, build)
    {
        const char *of = json_string_value(json_object_get(build, "name"));
        const char *hash = json_string_value(json_object_get(build, "source_hash"));
        if (of && hash && strcmp(of, name) == 0 && strncmp(hash, source, 16) == 0)
            return true;
    }
    return false;
}

/* Adds the entries of a list of an old run record to the earlier builds, if a row of results.csv is of that build. */
static void take_builds(json_t *builds, const json_t *variants, const json_t *old, const struct schedule *schedule,
                        const struct store *store)
{
    size_t index;
    const json_t *build;
    json_array_foreach(old, index, build)
    {
        const char *name = json_string_value(json_object_get(build, "name"));
        const char *source = json_string_value(json_object_get(build, "source_hash"));
        const char *line = json_string_value(json_object_get(build, "compile_line"));
        bool wanted = false;
        if (!name || !source || !line || has_build(builds, name, source) || has_build(variants, name, source))
            continue;
        for (size_t i = 0; i < schedule->listed.count && !wanted; i++) {
            struct store_summary known;
            wanted = strcmp(schedule->listed.cell[i].entry->name, name) == 0 &&
                     store_lookup(store, schedule->listed_id[i], &known) &&
                     strncmp(known.provenance[BY_SOURCE], source, 16) == 0;
        }
        if (wanted)
            json_array_append_new(
                builds, json_pack("{s:s, s:s, s:s}", "name", name, "source_hash", source, "compile_line", line));
    }
}

/* How the earlier builds that rows of results.csv were measured with were compiled, as far as the old record tells. */
static json_t *builds_json(const json_t *variants, const json_t *old, const struct schedule *schedule,
                           const struct store *store)
{
    json_t *builds = json_array();
    take_builds(builds, variants, json_object_get(old, "variants"), schedule, store);
    take_builds(builds, variants, json_object_get(old, "earlier_builds"), schedule, store);
    return builds;
}

/* Where the time of the run went. What remains is waiting: the runner's own work, files, and messages to workers. */
static json_t *overhead_json(const struct run_report *report)
{
    const double *phase_s = report->phase_s;
    const double useful_s = phase_s[PHASE_VERIFY] + phase_s[PHASE_WARM] + phase_s[PHASE_SAMPLE];
    const double known_s = useful_s + phase_s[PHASE_INPUTS] + report->starts_s;
    return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "cells_measured", (json_int_t)report->measured,
                     "wall_s", report->wall_s, "in_samples_s", phase_s[PHASE_SAMPLE], "in_warmup_s",
                     phase_s[PHASE_WARM], "in_verification_s", phase_s[PHASE_VERIFY], "in_inputs_s",
                     phase_s[PHASE_INPUTS], "in_starts_s", report->starts_s, "waiting_s",
                     fmax(0, report->wall_s - known_s), "share", report->wall_s > 0 ? useful_s / report->wall_s : 0.0);
}

/* The rows of results.csv by status. */
static json_t *counts_json(const struct schedule *schedule, const struct store *store)
{
    json_t *counts = json_object();
    size_t count[STATUSES] = {0};
    struct store_summary known;
    for (size_t i = 0; i < schedule->listed.count; i++)
        if (store_lookup(store, schedule->listed_id[i], &known))
            count[known.status]++;
    for (int i = 0; i < STATUSES; i++)
        json_object_set_new(counts, status_names[i], json_integer((json_int_t)count[i]));
    return counts;
}

/* Whether the run measured every result of results.csv that has been measured. */
static bool measured_all(const struct schedule *schedule, const json_t *counts, const struct run_report *report)
{
    json_int_t results = 0;
    for (int i = 0; i < STATUSES; i++)
        if (i != STATUS_SKIPPED)
            results += json_integer_value(json_object_get(counts, status_names[i]));
    return schedule->experiment->settings == 0 && schedule->experiment->onlys == 0 && !schedule->experiment->within &&
           (json_int_t)report->measured >= results;
}

/* The keys that only a run which measured something can tell, beside those of the backends. */
static const char *const measured_keys[] = {"overhead",    "measured_at", "machine", "compiler", "libraries",
                                            "environment", "version",     "commit",  "dirty",    "program"};

static void carry_over(json_t *record, json_t *old, const char *key)
{
    if (json_object_get(old, key))
        json_object_set(record, key, json_object_get(old, key));
}

int run_record_write(const char *folder, const struct schedule *schedule, const struct store *store,
                     const struct run_report *report, bool changed)
{
    json_t *old = record_read(folder, schedule->experiment->name);
    const bool carry = old && report->measured == 0;
    json_t *experiment = experiment_json(schedule->experiment), *variants = variants_json(schedule, store);
    json_t *counts = counts_json(schedule, store), *builds = builds_json(variants, old, schedule, store);
    /* What the command line chose stands in the record of a run that was given `set`, `only` or `within`, and in no
     * other. */
    static const char *const of_run[] = {"profile", "measure", "set", "only", "within"};
    enum { ALWAYS_THERE = 2 };
    for (size_t i = 0; carry && i < sizeof of_run / sizeof *of_run; i++) {
        json_t *before = json_object_get(json_object_get(old, "experiment"), of_run[i]);
        if (before)
            json_object_set(experiment, of_run[i], before);
        else if (i >= ALWAYS_THERE)
            json_object_del(experiment, of_run[i]);
    }
    const unsigned changes =
        measured_all(schedule, counts, report) ? 0 : store_changed_outputs(store) | outputs_kept_changes(old);
    const bool same = carry && !changed && changes == outputs_kept_changes(old) &&
                      json_equal(json_object_get(old, "counts"), counts) &&
                      json_equal(json_object_get(old, "experiment"), experiment) &&
                      json_equal(json_object_get(old, "variants"), variants);
    json_t *record = same ? NULL : carry ? json_object() : run_record_machine(schedule->shared.machine);
    int failed = same || record ? 0 : ENOMEM;
    if (record) {
        json_object_set_new(record, "schema", json_integer(1));
        json_object_set(record, "experiment", experiment);
        json_object_set(record, "variants", variants);
        if (json_array_size(builds) > 0)
            json_object_set(record, "earlier_builds", builds);
        json_object_set(record, "counts", counts);
        json_object_set_new(record, "outputs", outputs_json(folder, schedule->experiment->name));
        outputs_keep_changes(record, changes);
        if (!carry) {
            json_object_set_new(record, "overhead", overhead_json(report));
            json_object_set_new(record, "measured_at", json_integer(timer_is_fake() ? 0 : (json_int_t)time(NULL)));
            json_object_set_new(json_object_get(record, "machine"), "number", json_integer(schedule->shared.number));
        }
        for (size_t i = 0; carry && i < sizeof measured_keys / sizeof *measured_keys; i++)
            carry_over(record, old, measured_keys[i]);
        for (int id = 0; carry && id < BACKENDS; id++)
            if (backend_get((enum backend_id)id)->record)
                carry_over(record, old, backend_get((enum backend_id)id)->record_key);
        failed = record_write(folder, schedule->experiment->name, record);
    }
    json_decref(experiment);
    json_decref(variants);
    json_decref(builds);
    json_decref(counts);
    json_decref(record);
    json_decref(old);
    return failed;
}
