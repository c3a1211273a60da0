/* Options that several subcommands take.
 * SPDX-License-Identifier: MIT */
#include "options.h"

#include "commands.h"
#include "base/memory.h"
#include "own/own.h"
#include "query/hosts.h"

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

/* The index of a text in a list that ends with NULL. A text that is not there ends the program. */
static int find(const char *text, const char *const *names, const char *what, const struct argp_state *state)
{
    char list[128];
    for (int i = 0; names[i]; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    join(names, " and ", list, sizeof list);
    argp_error(state, "there is no %s '%s'; the %ss are %s", what, text, what, list);
    return 0; /* not reached */
}

static error_t parse_data(int key, char *text, struct argp_state *state)
{
    if (key != 'd')
        return ARGP_ERR_UNKNOWN;
    *(const char **)state->input = text;
    return 0;
}

static error_t parse_hosts(int key, char *text, struct argp_state *state)
{
    if (key == ARGP_KEY_END && ((struct hosts *)state->input)->count == 0)
        hosts_add(state->input, "data/local");
    if (key != 'd')
        return key == ARGP_KEY_END ? 0 : ARGP_ERR_UNKNOWN;
    const char *why = hosts_add(state->input, text);
    if (why)
        argp_error(state, "%s: %s", text, why);
    return 0;
}

static error_t parse_profile(int key, char *text, struct argp_state *state)
{
    if (key != 'p')
        return ARGP_ERR_UNKNOWN;
    *(enum profile *)state->input = (enum profile)find(text, experiment_profiles, "profile", state);
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
    format->chosen = find(text, format->names, "format", state);
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
