/* The verbs of the program. Each verb gets its own argv and returns the exit code.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_COMMANDS_H
#define TILELAB_COMMAND_COMMANDS_H

#include "base/exit.h"

#include <stdio.h>

int run_main(int argc, char **argv);
int report_main(int argc, char **argv);
int record_main(int argc, char **argv);
int plan_main(int argc, char **argv);
int show_main(int argc, char **argv);
int check_main(int argc, char **argv);
int list_main(int argc, char **argv);
int merge_main(int argc, char **argv);
int status_main(int argc, char **argv);
int prune_main(int argc, char **argv);
int verify_main(int argc, char **argv);
int banks_main(int argc, char **argv);
int count_main(int argc, char **argv);
int findings_main(int argc, char **argv);
int claims_main(int argc, char **argv);
int compare_main(int argc, char **argv);
int calibrate_main(int argc, char **argv);
int cite_main(int argc, char **argv);
int columns_main(int argc, char **argv);
int keys_main(int argc, char **argv);
int doctor_main(int argc, char **argv);
/* `tilelab count-launch CELLS REPORT`: `count` runs this verb under the profiler; a person never calls it. */
int count_launch_main(int argc, char **argv);

/* `run` for `calibrate`, which has no option --again, since each call measures all cells. */
int run_calibration(int argc, char **argv);

/* Prints what `tilelab doctor` prints, to a stream. Returns the exit code. */
int doctor_print(FILE *out);

#endif
