/* `tilelab show EXPERIMENT [--data DIR]`: results as a table to read.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SHOW_H
#define TILELAB_COMMAND_SHOW_H

int show_main(int argc, char **argv);

#endif
