/* The command line that `run` and `plan` share: experiment files and how to measure them.
 * SPDX-License-Identifier: MIT */
#include "experiments.h"

#include "commands.h"
#include "options.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/timer.h"
#include "plan/counted.h"
#include "plan/probes.h"
#include "plan/selection.h"
#include "plan/settings.h"
#include "plan/study_file.h"
#include "results/owner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    OPTION_RETRY = 256,
    OPTION_AGAIN,
    OPTION_NEED,
    OPTION_PUBLISHED,
    OPTION_REPORT,
    OPTION_PART,
    OPTION_WAIT,
    OPTION_PAIRED,
    OPTION_SET,
    OPTION_ENERGY,
    OPTION_SEED
};

/* What `run`, `plan` and `record` have in common. */
static const struct argp_option shared_options[] = {
    {"budget", 'b', "TIME", 0, "start no cell that would end later than TIME (90s, 10m, 2h) from now", 0},
    {"set", OPTION_SET, "KEY=VALUE", 0,
     "replace the values of an axis, or a key of `measure`, as if the files had this value: n=512,1024 or rounds=3; "
     "several such options are allowed",
     0},
    {"only", 'k', "PATTERN", 0,
     "only cells that match: 'omp-*', 'n=512', one of 'matmul/omp-*,seq-ijk', or all of 'omp-* and n=512'; several "
     "such options add up",
     0},
    {"energy", OPTION_ENERGY, 0, 0,
     "measure the energy of the runs too, as with --set energy=yes: each round takes two to three seconds longer", 0},
    {"seed", OPTION_SEED, "NUMBER", 0,
     "make the inputs from this seed, as run.json tells it, instead of a seed that is drawn for the run", 0},
    {"dry-run", 'n', 0, 0, "measure nothing; show what would be measured, and how long it would take", 0},
    {0},
};

static const struct argp_option options[] = {
    {"retry", OPTION_RETRY, 0, 0, "measure failed and wrong cells again", 0},
    {"again", OPTION_AGAIN, 0, 0, "measure all cells again", 0},
    {"part", OPTION_PART, "K/N", 0,
     "measure part K of N of these experiments, which `tilelab merge` joins; the default folder is then "
     "data/local/parts/K-of-N",
     0},
    {"wait", OPTION_WAIT, 0, 0, "wait until a run that holds the folder has ended, and then go on", 0},
    {"paired", OPTION_PAIRED, 0, 0,
     "give slow cells as many rounds as the others, and measure no doubtful time again, for ratios within rounds", 0},
    {0},
};

static const struct argp_option record_options[] = {
    {"need", OPTION_NEED, "KIND", 0, "measure only cells that run on this kind of processor: cpu or gpu", 0},
    {"published", OPTION_PUBLISHED, "FOLDER", 0, "folder of the claims (default data/published)", 0},
    {"report", OPTION_REPORT, "FOLDER", 0, "folder with the findings (default report)", 0},
    {0},
};

/* Seconds of "90s", "10m" or "2h". The decimal point is '.' in every locale. NAN where the text is no time. */
static double parse_duration(const char *text)
{
    const size_t length = strspn(text, "0123456789.");
    const char *unit = text + length;
    double value;
    if (*text == '.' || length == 0 || !number_read(text, length, &value))
        return NAN;
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"m", 60}, {"h", 3600}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0 && value > 0)
            return value * units[i].seconds;
    return NAN;
}

static error_t parse_shared(int key, char *text, struct argp_state *state)
{
    struct experiments_arguments *arguments = state->input;
    switch (key) {
    case 'b':
        arguments->budget_s = parse_duration(text);
        if (isnan(arguments->budget_s))
            argp_error(state, "'%s' is no time; write 90s, 10m or 2h", text);
        break;
    case OPTION_SET:
        if (!settings_allow(text))
            argp_error(state, "--set takes KEY=VALUE, as n=512,1024 or rounds=3, not '%s'", text);
        arguments->setting[arguments->settings++] = text;
        break;
    case OPTION_ENERGY:
        arguments->setting[arguments->settings++] = "energy=yes";
        break;
    case 'k':
        if (text[strspn(text, ", ")] == '\0')
            argp_error(state, "--only takes patterns such as 'omp-*' or 'n=512', not '%s'", text);
        arguments->only[arguments->onlys++] = text;
        break;
    case 'n':
        arguments->dry_run = true;
        break;
    case OPTION_SEED:
        if (!number_read_count(text, strlen(text), &arguments->seed) || arguments->seed < 1 ||
            arguments->seed > EXPERIMENTS_SEED_MOST)
            argp_error(state, "'%s' is no seed from 1 to %lld", text, (long long)EXPERIMENTS_SEED_MOST);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp experiments_shared = {.options = shared_options, .parser = parse_shared};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct experiments_arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->data;
        state->child_inputs[1] = &arguments->profile;
        state->child_inputs[2] = arguments;
        break;
    case OPTION_RETRY:
        arguments->again = AGAIN_FAILED;
        break;
    case OPTION_AGAIN:
        arguments->again = AGAIN_ALL;
        break;
    case OPTION_NEED:
        if (strcmp(text, "cpu") != 0 && strcmp(text, "gpu") != 0)
            argp_error(state, "cells run on cpu or gpu, not on '%s'", text);
        *(*text == 'c' ? &arguments->no_gpu : &arguments->no_cpu) = true;
        break;
    case OPTION_PUBLISHED:
        arguments->published = text;
        break;
    case OPTION_REPORT:
        arguments->report = text;
        break;
    case OPTION_PART:
        if (!part_parse(text, &arguments->part))
            argp_error(state, "'%s' is no part; write 3/8 for the third of eight, of at most %d", text, PART_MOST);
        break;
    case OPTION_WAIT:
        arguments->wait = true;
        break;
    case OPTION_PAIRED:
        arguments->paired = true;
        break;
    case ARGP_KEY_ARG:
        arguments->file[arguments->files++] = study_file_path(text);
        break;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "name an experiment, for example experiments/smoke.yaml");
        break;
    case ARGP_KEY_END:
        if (arguments->part.of > 0 && arguments->settings + arguments->onlys > 0)
            argp_error(state, "--part takes whole experiments, so it cannot stand beside --set, --energy or --only");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* Machines of one kind may count their cores differently, and would then share out different cells. */
static bool suits_parts(const struct experiment *experiment, const struct experiments_arguments *arguments)
{
    bool counts = false;
    for (size_t i = 0; i < experiment->value_lists; i++)
        for (size_t j = 0; j < experiment->values[i].count; j++)
            counts |= experiment->values[i].axis == AXIS_threads && experiment->values[i].value[j] == VALUE_CORES;
    if (counts && arguments->part.of > 0)
        fprintf(stderr,
                "%s: error: each machine counts its own 'cores', so that parts would not fit together; write numbers\n",
                experiment->where);
    return !counts || arguments->part.of == 0;
}

/* Reads a study and expands its grid. A grid that does not expand is told here, before a folder is touched. NULL after
 * diagnostics. */
static struct study *read_one(const struct experiments_arguments *arguments, size_t i)
{
    if (!arguments->opened[i])
        return NULL;
    struct study *study =
        study_read(arguments->opened[i], arguments->profile, arguments->setting, arguments->settings, stderr);
    if (!study || !suits_parts(study->asked, arguments) || study_grid(study, study->asked, stderr)->count == 0) {
        study_free(study);
        return NULL;
    }
    struct experiment *experiment = study->asked;
    for (size_t i = 0; i < arguments->onlys; i++) {
        experiment->only = memory_grow(experiment->only, i + 1, sizeof *experiment->only);
        experiment->only[experiment->onlys++] = memory_copy(arguments->only[i]);
    }
    experiment->within = arguments->within ? memory_copy(arguments->within) : NULL;
    return study;
}

bool experiments_folder(const char *folder)
{
    char hash[HASH_SHORT_SIZE], machine[256], why[2048];
    provenance_machine(hash);
    provenance_machine_words(machine, sizeof machine);
    if (owner_allows(folder, hash, machine, why, sizeof why))
        return true;
    fprintf(stderr, "tilelab: %s\n", why);
    return false;
}

/* The seed of the inputs of this call. Nobody can foretell it, so that no variant knows its inputs. Simulated times go
 * with the same inputs each time. */
static uint64_t seed_of(const struct experiments_arguments *arguments)
{
    uint64_t drawn = 0;
    if (arguments->seed > 0)
        return (uint64_t)arguments->seed;
    if (timer_is_fake() || getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        return 1;
    return drawn % (uint64_t)EXPERIMENTS_SEED_MOST + 1;
}

/* Whether the patterns of --only, and of the list `within`, match cells of the studies, or probes beside them. If not,
 * a message says so. */
static bool check_patterns(struct study *const studies[], const struct experiments_arguments *arguments)
{
    struct grid *grids = memory_allocate(arguments->files, sizeof *grids);
    for (size_t i = 0; i < arguments->files; i++) {
        grid_merge(&grids[i], study_grid(studies[i], studies[i]->asked, NULL));
        if (!timer_is_fake())
            probes_append(&grids[i]);
    }
    const bool right = selection_check(arguments->only, arguments->onlys, grids, arguments->files, stderr) &&
                       selection_check(&arguments->within, arguments->within ? 1 : 0, grids, arguments->files, stderr);
    for (size_t i = 0; i < arguments->files; i++)
        grid_free(&grids[i]);
    free(grids);
    return right;
}

struct study **experiments_read(const struct experiments_arguments *arguments)
{
    struct study **studies = memory_allocate(arguments->files, sizeof *studies);
    const uint64_t seed = seed_of(arguments);
    counted_use(arguments->data);
    bool right = true;
    for (size_t i = 0; i < arguments->files; i++)
        right &= (studies[i] = read_one(arguments, i)) != NULL;
    right = right && ((arguments->onlys == 0 && !arguments->within) || check_patterns(studies, arguments));
    for (size_t i = 0; i < arguments->files; i++)
        if (right) {
            studies[i]->asked->measure.seed = seed;
            studies[i]->asked->measure.seed_given = arguments->seed > 0;
        } else {
            study_free(studies[i]);
        }
    if (right)
        return studies;
    free(studies);
    return NULL;
}

void experiments_free(struct study **studies, struct experiments_arguments *arguments)
{
    for (size_t i = 0; studies && i < arguments->files; i++)
        study_free(studies[i]);
    free(studies);
    free(arguments->file);
    free(arguments->opened);
    free(arguments->setting);
    free(arguments->only);
}

int **experiments_share(struct study *const studies[], const struct experiments_arguments *arguments, bool *failed)
{
    *failed = false;
    if (arguments->part.of == 0)
        return NULL;
    struct part_share *share = memory_allocate(arguments->files, sizeof *share);
    int **of = memory_allocate(arguments->files, sizeof *of);
    for (size_t i = 0; i < arguments->files && !*failed; i++) {
        struct schedule *schedule = schedule_make(studies[i], NULL, AGAIN_NOTHING, stderr);
        *failed = !schedule;
        of[i] = schedule ? memory_allocate(schedule->points, sizeof *of[i]) : NULL;
        share[i] = (struct part_share){schedule, of[i]};
    }
    if (!*failed)
        part_share_out(share, arguments->files, arguments->part.of);
    for (size_t i = 0; i < arguments->files; i++)
        schedule_free((struct schedule *)share[i].schedule); /* made here */
    free(share);
    if (!*failed)
        return of;
    experiments_share_free(of, arguments);
    return NULL;
}

void experiments_share_free(int **share, const struct experiments_arguments *arguments)
{
    for (size_t i = 0; share && i < arguments->files; i++)
        free(share[i]);
    free(share);
}

static void read_arguments(const struct argp_option *table, enum profile profile, const char *doc, int argc,
                           char **argv, struct experiments_arguments *arguments)
{
    static const struct argp_child children[] = {
        {&options_data, 0, NULL, 0}, {&options_profile, 0, NULL, 0}, {&experiments_shared, 0, NULL, 0}, {0}};
    const struct argp argp = {
        .options = table, .parser = parse, .args_doc = "EXPERIMENT.yaml...", .doc = doc, .children = children};
    *arguments = (struct experiments_arguments){
        .profile = profile,
        .budget_s = INFINITY,
        .published = "data/published",
        .report = "report",
        .file = memory_allocate((size_t)argc, sizeof *arguments->file),
        .opened = memory_allocate((size_t)argc, sizeof *arguments->opened),
        .setting = memory_allocate((size_t)argc, sizeof *arguments->setting),
        .only = memory_allocate((size_t)argc, sizeof *arguments->only),
    };
    options_parse(&argp, argc, argv, 0, NULL, arguments);
    for (size_t i = 0; i < arguments->files; i++)
        arguments->opened[i] = study_file_open(arguments->file[i]);
    static char parts[64];
    snprintf(parts, sizeof parts, "data/local/parts/%d-of-%d", arguments->part.number, arguments->part.of);
    if (!arguments->data)
        arguments->data = arguments->part.of > 0 ? parts : "data/local";
}

void experiments_arguments(const char *doc, int argc, char **argv, struct experiments_arguments *arguments)
{
    read_arguments(options, PROFILE_QUICK, doc, argc, argv, arguments);
}

void experiments_record_arguments(const char *doc, int argc, char **argv, struct experiments_arguments *arguments)
{
    read_arguments(record_options, PROFILE_RECORD, doc, argc, argv, arguments);
}
