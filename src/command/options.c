/* Options that several subcommands take.
 * SPDX-License-Identifier: MIT */
#include "options.h"

#include "commands.h"
#include "base/memory.h"
#include "base/number.h"
#include "own/own.h"
#include "plan/settings.h"
#include "plan/study_file.h"
#include "query/hosts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_FORMAT = 0x700, OPTION_USAGE, OPTION_KERNELS, CHILDREN = 8 };

/* Writes "a, b and c"; `last` is what stands before the last name. */
static void join(const char *const *names, const char *last, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; names[i] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i == 0 ? "" : names[i + 1] ? ", " : last, names[i]);
}

int options_find(const char *text, const char *const *names, const char *what, const struct argp_state *state)
{
    char list[128];
    for (int i = 0; names[i]; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    join(names, " and ", list, sizeof list);
    argp_error(state, "there is no %s '%s'; the %ss are %s", what, text, what, list);
    return 0; /* not reached */
}

void options_read_sizes(const char *option, const char *text, int axis, struct number_list *list,
                        const struct argp_state *state)
{
    bool right = number_list_read(text, list);
    for (int i = 0; right && i < list->count; i++)
        right = list->value[i] <= cell_axes[axis].highest;
    if (!right)
        argp_error(state, "%s takes up to %d sizes from 1 to %lld, as 1,33,64, not '%s'", option, NUMBER_LIST_MOST,
                   (long long)cell_axes[axis].highest, text);
}

void options_check_folder(const char *folder, const struct argp_state *state)
{
    if (!*folder)
        argp_error(state, "the folder has an empty name");
}

static error_t parse_data(int key, char *text, struct argp_state *state)
{
    if (key != 'd')
        return ARGP_ERR_UNKNOWN;
    options_check_folder(text, state);
    *(const char **)state->input = text;
    return 0;
}

static error_t parse_hosts(int key, char *text, struct argp_state *state)
{
    if (key == ARGP_KEY_END && ((struct hosts *)state->input)->count == 0)
        hosts_add(state->input, "data/local");
    if (key != 'd')
        return key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
    options_check_folder(text, state);
    const char *why = hosts_add(state->input, text);
    if (why)
        argp_error(state, "%s: %s", text, why);
    return 0;
}

static error_t parse_profile(int key, char *text, struct argp_state *state)
{
    if (key != 'p')
        return ARGP_ERR_UNKNOWN;
    *(enum profile *)state->input = (enum profile)options_find(text, experiment_profiles, "profile", state);
    return 0;
}

static error_t parse_format(int key, char *text, struct argp_state *state)
{
    struct options_format *format = state->input;
    if (key != OPTION_FORMAT)
        return ARGP_ERR_UNKNOWN;
    /* People write "md" for the names of files. */
    for (int i = 0; strcmp(text, "md") == 0 && format->names[i]; i++)
        if (strcmp(format->names[i], "markdown") == 0)
            text = (char *)format->names[i];
    format->chosen = options_find(text, format->names, "format", state);
    return 0;
}

/* The help text of --format with the subcommand's formats, allocated. */
static char *name_formats(int key, const char *text, void *input)
{
    const struct options_format *format = input;
    char list[128];
    if (key != OPTION_FORMAT || !format)
        return (char *)text;
    join(format->names, " or ", list, sizeof list);
    return memory_print("%s: %s (default %s)", text, list, format->names[format->chosen]);
}

static const struct argp_option data[] = {{"data", 'd', "FOLDER", 0, "folder of the results (default data/local)", 0},
                                          {0}};
static const struct argp_option hosts[] = {
    {"data", 'd', "FOLDER", 0, "folder of a host's results (default data/local); may be given several times", 0}, {0}};
static const struct argp_option profile[] = {
    {"profile", 'p', "NAME", 0, "profile of the experiment: quick, full or record (default quick; of record: record)",
     0},
    {0}};
static const struct argp_option format[] = {{"format", OPTION_FORMAT, "NAME", 0, "format of the output", 0}, {0}};

const struct argp options_data = {.options = data, .parser = parse_data};
const struct argp options_hosts = {.options = hosts, .parser = parse_hosts};
const struct argp options_profile = {.options = profile, .parser = parse_profile};
const struct argp options_format = {.options = format, .parser = parse_format, .help_filter = name_formats};

/* ---- what every subcommand takes */

static error_t parse_common(int key, char *text, struct argp_state *state)
{
    if (key == OPTION_KERNELS)
        own_use(text);
    else if (key == 'h')
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    else if (key == OPTION_USAGE)
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static const struct argp_option common_options[] = {
    {"kernels", OPTION_KERNELS, "FOLDER", 0,
     "a folder of kernels and problems of your own, which are compiled now; may be given several times", -1},
    {"help", 'h', NULL, 0, "print this text", -1},
    {"usage", OPTION_USAGE, NULL, 0, "print the options in short", -1},
    {0}};
static const struct argp common = {.options = common_options, .parser = parse_common};

void options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *next, void *input)
{
    struct argp_child children[CHILDREN + 2] = {{0}};
    struct argp with_common = *argp;
    int count = 0;
    for (; count < CHILDREN && argp->children && argp->children[count].argp; count++)
        children[count] = argp->children[count];
    children[count] = (struct argp_child){.argp = &common};
    with_common.children = children;
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&with_common, argc, argv, flags | ARGP_NO_HELP, next, input) != 0)
        exit(EXIT_USAGE);
}

/* ---- The command lines of `run`, `plan` and `record` ---- */

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
static const struct argp_option measure_options[] = {
    {"budget", 'b', "TIME", 0, "leave what would end later than TIME (90s, 10m, 2h) from now to a later call", 0},
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

static const struct argp_option run_options[] = {
    {"retry", OPTION_RETRY, 0, 0, "measure failed and wrong cells again", 0},
    {"again", OPTION_AGAIN, 0, 0, "measure all cells again", 0},
    {"part", OPTION_PART, "K/N", 0,
     "measure part K of N of these experiments, which `tilelab merge` joins; the default folder is then "
     "data/local/parts/K-of-N",
     0},
    {"wait", OPTION_WAIT, 0, 0, "wait until a run that holds the study in this folder has ended, and then go on", 0},
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

static error_t parse_measure(int key, char *text, struct argp_state *state)
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

const struct argp options_measure = {.options = measure_options, .parser = parse_measure};

static error_t parse_experiments(int key, char *text, struct argp_state *state)
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
            argp_error(state, "--part measures whole studies: leave out --set, --energy and --only");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void read_arguments(const struct argp_option *table, enum profile profile, const char *doc, int argc,
                           char **argv, struct experiments_arguments *arguments)
{
    static const struct argp_child children[] = {
        {&options_data, 0, NULL, 0}, {&options_profile, 0, NULL, 0}, {&options_measure, 0, NULL, 0}, {0}};
    const struct argp argp = {.options = table,
                              .parser = parse_experiments,
                              .args_doc = "EXPERIMENT.yaml...",
                              .doc = doc,
                              .children = children};
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

void options_read_run(const char *doc, int argc, char **argv, struct experiments_arguments *arguments)
{
    read_arguments(run_options, PROFILE_QUICK, doc, argc, argv, arguments);
}

void options_read_record(const char *doc, int argc, char **argv, struct experiments_arguments *arguments)
{
    read_arguments(record_options, PROFILE_RECORD, doc, argc, argv, arguments);
}
