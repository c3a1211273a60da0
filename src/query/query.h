/* Derived data: CSV files into typed STRICT tables of SQLite, then SQL from a file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_H
#define TILELAB_QUERY_QUERY_H

/* `tilelab query [--data DIR]... [--published DIR] [--set name=value]...
 *                [--format tsv|csv|lines|latex|macros|gnuplot] FILE.sql...` */
int query_main(int argc, char **argv);

#endif
