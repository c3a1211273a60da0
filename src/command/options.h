/* Options that several subcommands take.
 * SPDX-License-Identifier: MIT
 *
 * Each option is an argp of its own, which a subcommand names among the children of its argp. The subcommand's parser
 * tells each child where its value goes: `case ARGP_KEY_INIT: state->child_inputs[0] = &arguments->data;`. The value
 * that lies there is the default. A subcommand without a parser hands its input to the first child. A fault in the
 * command line ends the program. */
#ifndef TILELAB_COMMAND_OPTIONS_H
#define TILELAB_COMMAND_OPTIONS_H

#include "base/number.h"
#include "plan/experiments.h"

#include <argp.h>

/* Reads the command line of a subcommand, as argp_parse does, with --kernels, -h and --help in the same words for every
 * subcommand. A fault ends the program with EXIT_USAGE. The registry may be asked afterwards, and not before. */
void options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *next, void *input);

/* The index of a text in a list that ends with NULL. A text that is not there ends the program: there is no `what` of
 * this name. */
int options_find(const char *text, const char *const *names, const char *what, const struct argp_state *state);

/* Reads a list of values of an axis, "1,33,64". A text that is none ends the program. */
void options_read_sizes(const char *option, const char *text, int axis, struct number_list *list,
                        const struct argp_state *state);

/* Ends the program where the name of a folder is empty, as an unset variable of a shell gives it. */
void options_check_folder(const char *folder, const struct argp_state *state);

/* --data FOLDER; the value is a const char *. */
extern const struct argp options_data;
/* --data FOLDER, several times; the value is a struct hosts, empty at first, which the caller frees. */
extern const struct argp options_hosts;
/* --profile NAME; the value is an enum profile. */
extern const struct argp options_profile;
/* --format NAME; the value is a struct options_format. */
extern const struct argp options_format;
struct options_format {
    const char *const *names; /* ends with NULL */
    int chosen;
};
/* --budget, --set, --only, --energy, --seed and --dry-run; the value is a struct experiments_arguments, whose arrays
 * have room for each word of the command line. */
extern const struct argp options_measure;

/* Reads the command line of `run` or `plan`; `doc` is the help text of the subcommand. A fault in the command line ends
 * the program with EXIT_USAGE. */
void options_read_run(const char *doc, int argc, char **argv, struct experiments_arguments *arguments);
/* The same for `record`, whose profile is record by default. */
void options_read_record(const char *doc, int argc, char **argv, struct experiments_arguments *arguments);

#endif
