/* `tilelab count-launch CELLS REPORT`: `count` runs this subcommand under the profiler; a person never calls it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COUNTERS_COUNT_LAUNCH_H
#define TILELAB_COUNTERS_COUNT_LAUNCH_H

int count_launch_main(int argc, char **argv);

#endif
