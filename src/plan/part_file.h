/* The file <experiment>.part.json: which part of a measurement on several machines measures which cell.
 * SPDX-License-Identifier: MIT
 *
 * Every part writes the same list of cells before it measures. So `merge` and `status` need no experiment file, and can
 * tell what is missing. */
#ifndef TILELAB_PLAN_PART_FILE_H
#define TILELAB_PLAN_PART_FILE_H

#include "part.h"

struct part_file {
    struct part_name part;
    char profile[16];
    size_t count;
    char (*id)[CELL_ID_SIZE]; /* the cells that results.csv lists, in its order */
    int *of;                  /* the part that measures the cell; 0: it is a cell of another profile */
};

/* Writes the file of a study into a folder. `of`: the part of each point of the schedule, before part_select. Returns 0
 * or an errno. */
int part_file_write(const char *folder, const struct schedule *schedule, const struct part_name *part, const int *of);

/* Reads the file of a study. False if there is none, or if it cannot be understood; then `why` is one line, else it is
 * empty. The caller frees the lists with part_file_free. */
bool part_file_read(const char *folder, const char *study, struct part_file *file, char *why, size_t size);
void part_file_free(struct part_file *file);

/* Whether two parts list the same cells; and whether they have also shared them in the same way. */
bool part_file_same_cells(const struct part_file *a, const struct part_file *b);
bool part_file_same(const struct part_file *a, const struct part_file *b);

#endif
