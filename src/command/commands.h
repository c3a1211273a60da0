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

/* Prints what `tilelab doctor` prints, to a stream. Returns the exit code. */
int doctor_print(FILE *out);

#endif
