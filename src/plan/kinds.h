/* The kinds of figures and tables that an experiment file may name.
 * SPDX-License-Identifier: MIT
 *
 * The files of the report are the list, so that a new kind needs no build: figures/NAME.sql with figures/NAME.gp is a
 * figure, report/tables/NAME.sql a table. They are those that come with the program (folder_installed), else those of
 * the current folder. */
#ifndef TILELAB_PLAN_KINDS_H
#define TILELAB_PLAN_KINDS_H

#include <stddef.h>

struct kind {
    char *name;
    char *problems; /* that it is about, between blanks; none: any problem */
    char *takes;    /* what a problem must have, between blanks: operations, library, threads, tile */
};

/* The kinds in the order of their names. There are none where the program was copied without its files. */
struct kinds {
    struct kind *kind;
    size_t count;
};

/* They are read at the first call, and live as long as the program. */
const struct kinds *kinds_of_figures(void);
const struct kinds *kinds_of_tables(void);

#endif
