/* The subcommands of the program. Each subcommand gets its own argv and returns the exit code.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_COMMANDS_H
#define TILELAB_COMMAND_COMMANDS_H

#include "base/exit.h"

#include <stdio.h>

#define COMMAND(name, help) int name##_main(int argc, char **argv);
#include "commands.def"
#undef COMMAND

/* `run` for `calibrate`, which has no option --again, since each call measures all cells. */
int run_calibration(int argc, char **argv);

struct study;
struct experiments_arguments;
/* `run` for `compare`: measures one study that was read. All cells of a point are measured in the same rounds, and all
 * of them again where one of them is to be measured. Returns the exit code. */
int run_together(struct study *study, const struct experiments_arguments *arguments);

/* Prints what `tilelab doctor` prints, to a stream. Returns the exit code. */
int doctor_print(FILE *out);

#endif
