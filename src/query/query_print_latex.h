/* Rows as a table of LaTeX.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_PRINT_LATEX_H
#define TILELAB_QUERY_QUERY_PRINT_LATEX_H

#include "rows.h"

#include <stdio.h>

/* Prints a longtable. \tilelabcaption, defined by the caller, is its caption. The style of the report defines the sizes
 * of type \tablelarge, \tablemiddle and \tablesmall, and report.tex the type of column L{share of the line}. A break
 * leaves five rows on each side. Numbers below 0.01, and rounded ones from 100000 on, have a power of ten:
 * \tenpower{first digit}{other digits}{exponent}. */
void query_print_latex(const struct rows *rows, FILE *out);

#endif
