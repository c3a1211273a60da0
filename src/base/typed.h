/* The command that the user typed, for messages that tell how to go on.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_TYPED_H
#define TILELAB_BASE_TYPED_H

#include <stdbool.h>
#include <stdio.h>

/* Notes the words of the command line, before a parser of options reorders them. */
void typed_note(int argc, char **argv);

/* How this program was called, quoted for a shell. The caller frees the text. */
char *typed_program(void);

/* How the user asks for cells to be measured again, and for a profile: as options, or as variables of make. */
const char *typed_again(void);
const char *typed_retry(void);
const char *typed_profile(void);

/* Prints the command on a line of its own, quoted for a shell, without the option --again and, if asked, without a
 * budget. A program that calls this one tells what its user typed in the variable TILELAB_TYPED: words between blanks,
 * in which a backslash precedes each blank and each backslash, as in MAKEOVERRIDES of make. */
void typed_print(FILE *out, bool with_budget);

#endif
