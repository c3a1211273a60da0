/* An experiment: which variants and values it names, and the end of its memory.
 * SPDX-License-Identifier: MIT */
#include "experiment.h"

#include <stdlib.h>
#include <string.h>

const char *const experiment_profiles[] = {"full", "quick", "record", NULL};

bool experiment_has(const struct experiment *experiment, const struct entry *entry)
{
    for (size_t i = 0; i < experiment->problems; i++)
        if (experiment->problem[i] == entry->problem)
            return true;
    return false;
}

bool experiment_selects(const struct experiment *experiment, const struct entry *entry, bool *literally)
{
    bool selected = false;
    *literally = false;
    for (size_t i = 0; i < experiment->variants && experiment_has(experiment, entry); i++) {
        const char *pattern = experiment->variant[i];
        selected |= registry_matches(entry, pattern);
        *literally |= !strcmp(pattern, entry->name) || !strcmp(pattern, entry->idea);
    }
    return selected;
}

bool experiment_applies(const struct values *values, const struct entry *entry)
{
    for (size_t i = 0; i < values->patterns; i++)
        if (registry_matches(entry, values->pattern[i]))
            return true;
    return !values->patterns;
}

static void free_texts(char **list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(list[i]);
    free(list);
}

void experiment_free(struct experiment *experiment)
{
    if (!experiment)
        return;
    for (size_t i = 0; i < experiment->value_lists; i++) {
        free_texts(experiment->values[i].pattern, experiment->values[i].patterns);
        free(experiment->values[i].value);
    }
    for (size_t i = 0; i < experiment->exclusions; i++) {
        for (size_t j = 0; j < experiment->exclusion[i].count; j++)
            free(experiment->exclusion[i].condition[j].pattern);
        free(experiment->exclusion[i].condition);
    }
    free(experiment->values);
    free(experiment->exclusion);
    free_texts(experiment->variant, experiment->variants);
    free_texts(experiment->figure, experiment->figures);
    free_texts(experiment->table, experiment->tables);
    free_texts(experiment->setting, experiment->settings);
    free_texts(experiment->only, experiment->onlys);
    free(experiment->within);
    free(experiment->problem);
    free(experiment->path);
    free(experiment->where);
    free(experiment->title_en);
    free(experiment->title_ru);
    free(experiment->about_en);
    free(experiment->about_ru);
    free(experiment->source);
    free(experiment->baseline);
    free(experiment);
}
