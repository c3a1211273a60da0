/* The run record of a study that several runs have measured.
 * SPDX-License-Identifier: MIT */
#include "merge_record.h"

#include "base/memory.h"
#include "base/record.h"
#include "plan/part_file.h"
#include "results/outputs.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A record, and its text: the text decides between records of the same time. */
struct record {
    json_t *root;
    char *text;
    json_int_t measured_at;
};

static int compare_text(const void *a, const void *b)
{
    return strcmp(((const struct record *)a)->text, ((const struct record *)b)->text);
}

/* The latest first. */
static int compare_time(const void *a, const void *b)
{
    const struct record *x = a, *y = b;
    return x->measured_at != y->measured_at ? (x->measured_at < y->measured_at ? 1 : -1) : compare_text(a, b);
}

static struct record record_of(json_t *root)
{
    return (struct record){.root = root,
                           .text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY),
                           .measured_at = json_integer_value(json_object_get(root, "measured_at"))};
}

/* Sorts the values of a list by their texts, and keeps each once. `list` is released. */
static json_t *each_once(json_t *list)
{
    const size_t count = json_array_size(list);
    struct record *item = memory_allocate(count, sizeof *item);
    json_t *sorted = json_array();
    for (size_t i = 0; i < count; i++)
        item[i] = record_of(json_array_get(list, i));
    if (count > 0)
        qsort(item, count, sizeof *item, compare_text);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(item[i - 1].text, item[i].text) != 0)
            json_array_append(sorted, item[i].root);
    for (size_t i = 0; i < count; i++)
        free(item[i].text);
    free(item);
    json_decref(list);
    return sorted;
}

/* Adds what a record tells of its run, or of the runs that it was joined from. */
static void add_runs(json_t *runs, const json_t *record, const struct part_file *part)
{
    json_t *joined = json_object_get(record, "runs");
    const json_t *machine = json_object_get(record, "machine");
    if (json_is_array(joined)) {
        json_array_extend(runs, joined);
        return;
    }
    json_t *run = json_object();
    static const char *const keys[] = {"measured_at", "overhead"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_object_get(record, keys[i]))
            json_object_set(run, keys[i], json_object_get(record, keys[i]));
    if (json_object_get(machine, "mark"))
        json_object_set(run, "machine_mark", json_object_get(machine, "mark"));
    if (part->part.of > 0)
        json_object_set_new(run, "part", json_sprintf("%d/%d", part->part.number, part->part.of));
    json_array_append_new(runs, run);
}

/* The sum of where the time of the runs went. */
static json_t *overhead_of(const json_t *runs)
{
    static const char *const seconds[] = {"wall_s",      "in_samples_s", "in_warmup_s", "in_verification_s",
                                          "in_inputs_s", "in_starts_s",  "waiting_s"};
    enum { SECONDS = sizeof seconds / sizeof *seconds, WALL = 0, SAMPLES, WARM_UP, VERIFICATION };
    double sum_s[SECONDS] = {0};
    json_int_t cells = 0;
    json_t *sum = json_object();
    for (size_t i = 0; i < json_array_size(runs); i++) {
        const json_t *overhead = json_object_get(json_array_get(runs, i), "overhead");
        cells += json_integer_value(json_object_get(overhead, "cells_measured"));
        for (int k = 0; k < SECONDS; k++)
            sum_s[k] += json_number_value(json_object_get(overhead, seconds[k]));
    }
    json_object_set_new(sum, "cells_measured", json_integer(cells));
    for (int k = 0; k < SECONDS; k++)
        json_object_set_new(sum, seconds[k], json_real(sum_s[k]));
    const double useful_s = sum_s[SAMPLES] + sum_s[WARM_UP] + sum_s[VERIFICATION];
    json_object_set_new(sum, "share", json_real(sum_s[WALL] > 0 ? useful_s / sum_s[WALL] : 0));
    return sum;
}

/* Whether a list has an entry of the same variant and source. */
static bool has_build(const json_t *list, const json_t *build)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *other = json_array_get(list, i);
        if (json_equal(json_object_get(other, "name"), json_object_get(build, "name")) &&
            json_equal(json_object_get(other, "source_hash"), json_object_get(build, "source_hash")))
            return true;
    }
    return false;
}

/* Adds the entries of `more` to the list, sorted by their place in the ladder. */
static void add_variants(json_t *list, const json_t *more)
{
    for (size_t i = 0; i < json_array_size(more); i++) {
        json_t *variant = json_array_get(more, i);
        const json_int_t order = json_integer_value(json_object_get(variant, "order"));
        size_t at = json_array_size(list);
        if (has_build(list, variant))
            continue;
        while (at > 0 && json_integer_value(json_object_get(json_array_get(list, at - 1), "order")) > order)
            at--;
        json_array_insert(list, at, variant);
    }
}

static json_t *counts_json(const struct merge_counts *counts)
{
    json_t *json = json_object();
    for (int i = 0; i < STATUSES; i++)
        json_object_set_new(json, status_names[i], json_integer((json_int_t)counts->status[i]));
    return json;
}

/* Joins the records, of which the first is the latest. */
static json_t *join(const struct record *record, size_t count, json_t *runs)
{
    json_t *joined = json_copy(record[0].root), *variants = json_array(), *builds = json_array();
    for (size_t i = 0; i < count; i++)
        add_variants(variants, json_object_get(record[i].root, "variants"));
    for (size_t i = 0; i < count; i++) {
        const json_t *more = json_object_get(record[i].root, "earlier_builds");
        for (size_t k = 0; k < json_array_size(more); k++)
            if (!has_build(variants, json_array_get(more, k)) && !has_build(builds, json_array_get(more, k)))
                json_array_append(builds, json_array_get(more, k));
    }
    json_object_set_new(joined, "variants", variants);
    json_object_del(joined, "earlier_builds");
    if (json_array_size(builds) > 0)
        json_object_set(joined, "earlier_builds", builds);
    json_decref(builds);
    json_object_set_new(joined, "overhead", overhead_of(runs));
    return joined;
}

/* The record's machine with the number that its mark has in the joined folder. */
static void renumber(json_t *joined, int (*number)(const void *, const char *mark), const void *context)
{
    const char *mark = json_string_value(json_object_get(json_object_get(joined, "machine"), "mark"));
    const int found = mark ? number(context, mark) : 0;
    json_t *machine = json_copy(json_object_get(joined, "machine"));
    if (machine && found > 0)
        json_object_set_new(machine, "number", json_integer(found));
    if (machine)
        json_object_set_new(joined, "machine", machine);
}

int merge_record_write(const char *into, const char *study, const char *const folder[], size_t folders,
                       const struct merge_counts *counts, int (*number)(const void *, const char *mark),
                       const void *context)
{
    struct record *record = memory_allocate(folders + 1, sizeof *record);
    json_t *runs = json_array();
    unsigned changed = counts->changed_outputs;
    size_t count = 0;
    for (size_t i = 0; i <= folders; i++) {
        const char *from = i < folders ? folder[i] : into;
        json_t *root = record_read(from, study);
        struct part_file part = {.count = 0};
        char why[512];
        if (!json_is_object(root)) {
            json_decref(root);
            continue;
        }
        if (i < folders)
            part_file_read(from, study, &part, why, sizeof why);
        add_runs(runs, root, &part);
        part_file_free(&part);
        /* What a join adds does not make a record another one. */
        json_object_del(root, "runs");
        changed |= outputs_kept_changes(root);
        record[count++] = record_of(root);
    }
    int failed = 0;
    if (count > 0) {
        qsort(record, count, sizeof *record, compare_time);
        runs = each_once(runs);
        json_t *joined = join(record, count, runs);
        renumber(joined, number, context);
        json_object_set_new(joined, "counts", counts_json(counts));
        json_object_set_new(joined, "outputs", outputs_json(into, study));
        outputs_keep_changes(joined, changed);
        json_object_set(joined, "runs", runs);
        failed = record_write(into, study, joined);
        json_decref(joined);
    }
    for (size_t i = 0; i < count; i++) {
        free(record[i].text);
        json_decref(record[i].root);
    }
    free(record);
    json_decref(runs);
    return failed;
}
