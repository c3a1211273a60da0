/* Reads an experiment file once: YAML to a struct for each profile.
 * SPDX-License-Identifier: MIT */
#include "study.h"

#include "cell.h"
#include "experiment_keys.h"
#include "settings.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const struct measure defaults = {
    .rounds = 8,
    .launches = 3,
    .min_samples = 10,
    .ci = 0.01,
    .max_time_s = 30,
    .min_time_s = 0.05,
    .once_above_s = 10,
    .skip_above_s = 120,
    .seed = 1,
};

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* The profiles quick and record bound what `measure` asks for. The profile's own map is read later and may ask for
 * anything. */
static void bound_measure(struct measure *measure, enum profile profile)
{
    if (profile == PROFILE_QUICK) {
        measure->rounds = measure->rounds < 5 ? measure->rounds : 5;
        measure->ci = measure->ci > 0.02 ? measure->ci : 0.02;
        measure->max_time_s = lesser(measure->max_time_s, 0.3);
        measure->min_time_s = lesser(measure->min_time_s, 0.025);
        measure->once_above_s = lesser(measure->once_above_s, 2);
    }
    if (profile == PROFILE_RECORD)
        measure->max_time_s = lesser(measure->max_time_s, 3);
}

static void check_missing(struct reader *reader, const struct yaml_node *root, const struct yaml_node *const slot[KEYS])
{
    for (int i = 0; i < KEYS; i++) {
        if (!(reader_keys[i].where & REQUIRED) || slot[i])
            continue;
        if (reader_keys[i].where & IN_FILE)
            yaml_fault(reader->yaml, root, NULL, "missing key '%s'", reader_keys[i].name);
        else if (reader_keys[i].where & IN_GRID && slot[KEY_grid])
            yaml_fault(reader->yaml, slot[KEY_grid], NULL, "missing key '%s' in 'grid'", reader_keys[i].name);
    }
}

/* Every variant needs a size n. The other axes have defaults; m and k follow n. */
static void check_sizes(struct reader *reader, const struct yaml_node *const slot[KEYS])
{
    const struct experiment *experiment = reader->experiment;
    const struct yaml_node *sizes = slot[KEY_axis_n];
    size_t count;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        bool literally, sized = !(entry[i].problem->axes & HONOURS(n));
        if (!experiment_selects(experiment, &entry[i], &literally))
            continue;
        for (size_t j = 0; j < experiment->value_lists; j++)
            sized |= experiment->values[j].axis == AXIS_n && experiment_applies(&experiment->values[j], &entry[i]);
        if (sized)
            continue;
        if (sizes && !yaml_faults(reader->yaml))
            yaml_fault(reader->yaml, sizes, NULL, "variant '%s' has no value of 'n'", entry[i].name);
        else if (!sizes && slot[KEY_grid])
            yaml_fault(reader->yaml, slot[KEY_grid], NULL, "missing key 'n' in 'grid'");
    }
}

/* The axes that some variant of the study has. */
static unsigned supported_axes(const struct experiment *experiment)
{
    size_t count;
    unsigned supported = 0;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        bool literally;
        supported |= experiment_selects(experiment, &entry[i], &literally) ? registry_axes(&entry[i]) : 0;
    }
    return supported;
}

/* Whether a file may name an axis that no variant of its study has, although the axis then changes nothing: a build,
 * as `isa: best` is true of a study in CUDA too, or values `for` variants, which may be absent. */
static bool is_harmless(const struct experiment *experiment, enum axis_id axis)
{
    bool for_all = false;
    for (size_t i = 0; i < experiment->value_lists; i++)
        for_all |= experiment->values[i].axis == axis && experiment->values[i].patterns == 0;
    const enum axis_role role = cell_axes[axis].role;
    return role == ROLE_BUILD || (role != ROLE_CONDITION && !for_all);
}

/* Whether each word of a list of variants was understood. After a mistyped one it is not known which axes the study
 * has. */
static bool knows_variants(const struct experiment *experiment, const struct yaml_node *list)
{
    const bool is_list = list && list->kind == YAML_LIST;
    size_t words = list && !is_list;
    for (const struct yaml_node *word = is_list ? list->child : NULL; word; word = word->next)
        words++;
    return experiment->variants == words;
}

/* Notes axes that no variant of the study has. `study` is the study in the words of the message. */
static void check_axes(struct reader *reader, const struct yaml_node *const slot[KEYS], bool is_file, const char *study)
{
    const unsigned supported = supported_axes(reader->experiment);
    for (int i = 0; supported && i < KEYS; i++) {
        const struct key *key = &reader_keys[i];
        const bool is_axis = key->where & IN_GRID && !(key->where & REQUIRED);
        if (!slot[i] || !is_axis || supported & BIT(key->argument))
            continue;
        if (!is_file || !is_harmless(reader->experiment, (enum axis_id)key->argument))
            yaml_fault(reader->yaml, slot[i], NULL, "no variant of %s has the axis '%s'", study, key->name);
    }
}

/* Notes the conditions of an exclusion on axes that neither the grid nor a variant of the study has: they would leave
 * out no cell. A build may be named, as in the grid. */
static void check_conditions(struct reader *reader, const struct yaml_node *exclusion, unsigned supported)
{
    const struct experiment *experiment = reader->experiment;
    const struct yaml_node *slot[KEYS] = {NULL};
    reader_map(reader, exclusion, IN_EXCLUDE, "exclude", slot);
    for (int i = 0; i < KEYS; i++) {
        if (!slot[i] || reader_keys[i].takes != TAKES_AXIS || supported & BIT(reader_keys[i].argument))
            continue;
        bool known = cell_axes[reader_keys[i].argument].role == ROLE_BUILD;
        for (size_t j = 0; j < experiment->value_lists; j++)
            known |= experiment->values[j].axis == reader_keys[i].argument;
        if (!known)
            yaml_fault(
                reader->yaml, slot[i], NULL,
                "no variant of this study has the axis '%s', so the exclusion leaves out no cell; remove the exclusion",
                reader_keys[i].name);
    }
}

static void check_exclusions(struct reader *reader, const struct yaml_node *node)
{
    const unsigned supported = supported_axes(reader->experiment);
    const struct yaml_node *exclusion = supported && node ? reader_first(reader, node, "exclude") : NULL;
    for (; exclusion; exclusion = reader_next(node, exclusion))
        check_conditions(reader, exclusion, supported);
}

/* ---- a file */

/* What the file, the profile's map and the settings say of each key; NULL: nothing. */
struct slots {
    const struct yaml_node *file[KEYS], *own[KEYS], *set[KEYS];
};

/* Whether a setting replaces a key. The axis device-id has two keys. */
static bool is_set(const struct slots *slots, int id)
{
    bool is = slots->set[id] != NULL;
    for (int i = 0; i < KEYS && reader_keys[id].takes == TAKES_AXIS; i++)
        is |=
            slots->set[i] && reader_keys[i].takes == TAKES_AXIS && reader_keys[i].argument == reader_keys[id].argument;
    return is;
}

/* A launch measures at least one round. More launches than rounds are a fault where somebody asked for them. */
static void bound_launches(struct reader *reader, struct reader *setter, const struct slots *slots,
                           enum profile profile)
{
    struct measure *measure = &reader->experiment->measure;
    const struct yaml_node *set = slots->set[KEY_launches], *asked = slots->own[KEY_launches];
    if (measure->launches <= measure->rounds)
        return;
    if (!asked && profile == PROFILE_FULL)
        asked = slots->file[KEY_launches];
    if (set || (asked && !slots->set[KEY_rounds]))
        yaml_fault(set ? setter->yaml : reader->yaml, set ? set : asked, NULL,
                   "there are more launches than rounds (%d); a launch measures at least one round", measure->rounds);
    measure->launches = measure->rounds;
}

/* Reads the values of all keys. The settings come first, then the profile's map, then the file. */
static void read_values(struct reader *reader, struct reader *setter, const struct slots *slots, enum profile profile)
{
    struct experiment *experiment = reader->experiment;
    struct measure *measure = &experiment->measure;
    for (int i = 0; i < KEYS; i++)
        if (reader_keys[i].where & IN_MEASURE && slots->file[i])
            experiment_keys_read(reader, i, slots->file[i]);
    bound_measure(measure, profile);
    for (int i = 0; i < KEYS; i++) {
        const bool is_own = slots->own[i] || reader_keys[i].where & IN_MEASURE;
        const struct yaml_node *node = is_own ? slots->own[i] : slots->file[i];
        if (slots->set[i] && i != KEY_variant)
            experiment_keys_read(setter, i, slots->set[i]);
        else if (node && (i == KEY_variant || !is_set(slots, i)))
            experiment_keys_read(reader, i, node);
    }
    /* The baseline and the like belong to the variants of the file, which are replaced last. */
    for (size_t i = 0; slots->set[KEY_variant] && i < experiment->variants; i++)
        free(experiment->variant[i]);
    if (slots->set[KEY_variant]) {
        experiment->variants = 0;
        experiment_keys_read(setter, KEY_variant, slots->set[KEY_variant]);
    }
    bound_launches(reader, setter, slots, profile);
    /* A round ends after its share of max-time, even where the share is shorter than the default min_time_s. */
    measure->min_time_s = lesser(measure->min_time_s, measure->max_time_s / measure->rounds);
}

/* Keeps the settings, and notes where the grid stands for the diagnostics of grid_expand. */
static void note_settings(struct experiment *experiment, const char *const settings[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        memory_append(&experiment->where, "%s--set %s", i > 0 ? " " : " with ", settings[i]);
        experiment->setting = memory_grow(experiment->setting, i + 1, sizeof *experiment->setting);
        experiment->setting[experiment->settings++] = memory_copy(settings[i]);
    }
}

/* Notes axes and exclusions that mean no variant of the study. */
static void check_supported(struct reader *reader, struct reader *setter, const struct slots *slots,
                            enum profile profile, bool has_settings)
{
    const struct yaml_node *variants = slots->set[KEY_variant]   ? slots->set[KEY_variant]
                                       : slots->own[KEY_variant] ? slots->own[KEY_variant]
                                                                 : slots->file[KEY_variant];
    char quoted[sizeof reader->experiment->name + 2];
    if (!knows_variants(reader->experiment, variants))
        return;
    /* A profile or a setting may leave out the variants that an axis of the grid is for. */
    check_axes(reader, profile == PROFILE_FULL && !has_settings ? slots->file : slots->own, true, "this study");
    if (!has_settings)
        check_exclusions(reader, (profile == PROFILE_FULL ? slots->file : slots->own)[KEY_exclude]);
    snprintf(quoted, sizeof quoted, "'%s'", reader->experiment->name);
    check_axes(setter, slots->set, false, quoted);
}

/* The experiment as one profile sees it, changed by `settings` if there are any. Faults are noted in `yaml` and in
 * `settings`. The caller frees the experiment in any case. */
static struct experiment *build(struct yaml *yaml, const char *name, enum profile profile, struct yaml *settings)
{
    const char *path = yaml_path(yaml);
    struct experiment *experiment = memory_grow(NULL, 1, sizeof *experiment);
    *experiment = (struct experiment){.measure = defaults, .profile = profile};
    snprintf(experiment->name, sizeof experiment->name, "%s", name);
    struct reader reader = {.yaml = yaml, .experiment = experiment}, setter = reader;
    struct slots slots = {{NULL}, {NULL}, {NULL}};
    const struct yaml_node *root = yaml_root(yaml);
    setter.yaml = settings;
    if (!reader_map(&reader, root, IN_FILE, "", slots.file))
        return experiment;
    const struct yaml_node *grid = slots.file[KEY_grid], *measure = slots.file[KEY_measure];
    const int id = profile == PROFILE_QUICK ? KEY_quick : KEY_record;
    if (grid)
        reader_map(&reader, grid, IN_GRID, "grid", slots.file);
    if (measure)
        reader_map(&reader, measure, IN_MEASURE, "measure", slots.file);
    if (profile != PROFILE_FULL && slots.file[id])
        reader_map(&reader, slots.file[id], IN_PROFILE, reader_keys[id].name, slots.own);
    if (settings && yaml_root(settings))
        reader_map(&setter, yaml_root(settings), IN_GRID | IN_MEASURE, "--set", slots.set);
    check_missing(&reader, root, slots.file);
    read_values(&reader, &setter, &slots, profile);
    check_supported(&reader, &setter, &slots, profile, settings != NULL);
    for (int i = 0; i < KEYS; i++)
        slots.file[i] = slots.own[i] ? slots.own[i] : slots.file[i];
    const bool is_sized = slots.set[KEY_axis_n] != NULL;
    check_sizes(is_sized ? &setter : &reader, is_sized ? slots.set : slots.file);
    experiment->path = memory_copy(path);
    experiment->where = grid ? memory_print("%s:%d:%d", path, grid->line, grid->column) : memory_copy(path);
    return experiment;
}

/* The name of the experiment: the name of the file without folder and .yaml. */
static void name_of(struct yaml *yaml, char *name, size_t size)
{
    const char *path = yaml_path(yaml), *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path,
               *end = strrchr(base, '.');
    if (!end || strcmp(end, ".yaml"))
        yaml_fault(yaml, NULL, NULL, "the name of an experiment file ends in .yaml");
    snprintf(name, size, "%.*s", (int)(end ? end - base : (long)strlen(base)), base);
    if (!reader_is_name(name) || strlen(name) < (size_t)(end ? end - base : 0))
        yaml_fault(yaml, NULL, NULL,
                   "the name of an experiment consists of at most %zu characters a-z, 0-9 and '-', unlike '%s'",
                   size - 1, name);
}

/* Builds the experiment of each profile, and the one that is asked for. The caller frees the study in any case. */
static struct study *build_all(struct yaml *yaml, enum profile profile, struct yaml *settings)
{
    struct study *study = memory_allocate(1, sizeof *study);
    char name[sizeof study->asked->name];
    name_of(yaml, name, sizeof name);
    for (enum profile each = PROFILE_FULL; each < PROFILES; each++)
        study->profile[each] = build(yaml, name, each, NULL);
    /* Settings need not suit the profiles that are not asked for. */
    study->asked = settings ? build(yaml, name, profile, settings) : study->profile[profile];
    return study;
}

struct study *study_read(struct yaml *yaml, enum profile profile, const char *const settings[], size_t count,
                         FILE *diagnostics)
{
    struct yaml *set = count > 0 ? settings_read(settings, count) : NULL;
    struct study *study = yaml_root(yaml) ? build_all(yaml, profile, set) : NULL;
    if (yaml_faults(yaml) || (set && yaml_faults(set))) {
        if (diagnostics) {
            yaml_report(yaml, diagnostics);
            if (set)
                yaml_report(set, diagnostics);
        }
        study_free(study);
        study = NULL;
    }
    if (study)
        note_settings(study->asked, settings, count);
    yaml_free(set);
    yaml_free(yaml);
    return study;
}

void study_free(struct study *study)
{
    if (!study)
        return;
    if (study->asked != study->profile[study->asked->profile])
        experiment_free(study->asked);
    for (int i = 0; i < PROFILES; i++)
        experiment_free(study->profile[i]);
    for (int i = 0; i <= PROFILES; i++)
        grid_free(&study->grid[i]);
    free(study);
}

const struct grid *study_grid(struct study *study, const struct experiment *experiment, FILE *diagnostics)
{
    int i = 0;
    while (i < PROFILES && study->profile[i] != experiment)
        i++;
    if (study->grid[i].count == 0) {
        const struct grid_limits limits = grid_limits_here();
        grid_expand(experiment, &limits, &study->grid[i], diagnostics);
    }
    return &study->grid[i];
}
