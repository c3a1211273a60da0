/* `tilelab query`: SQL over results.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_H
#define TILELAB_QUERY_QUERY_H

/* Runs the verb; returns the exit code. */
int query_main(int argc, char **argv);

#endif
