/* Rows as a table of LaTeX.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_QUERY_PRINT_LATEX_H
#define TILELAB_QUERY_QUERY_PRINT_LATEX_H

#include "rows.h"

#include <stdio.h>

/* Prints a longtable. \tilelabcaption, defined by the caller, is its caption. The style of the report defines the sizes
 * of type \tablelarge, \tablemiddle and \tablesmall, and report.tex the type of column L{share of the line}. Up to 20
 * rows stay on one page. \flagrow{columns}{\flagname{letter}, ...} stands below a table with marks. */
void query_print_latex(const struct rows *rows, FILE *out);

#endif
