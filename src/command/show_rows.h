/* The rows of an experiment's results, as texts by column, and what the tables of `tilelab show` print of them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMAND_SHOW_ROWS_H
#define TILELAB_COMMAND_SHOW_ROWS_H

#include "results/columns.h"

/* A row has a text for each of columns_result; the text is empty where the file lacks the column. */
struct show_rows {
    char **field; /* owned; count * RESULT_COLUMNS texts, owned, NULL where empty */
    size_t count, room;
};

/* What to do where a data folder, or a file of it, is missing. */
#define SHOW_ROWS_REMEDY "; `tilelab run` measures, --data DIR names another folder"

/* Appends the rows of results.csv of an experiment. Where a run was cut off before it wrote that file, the rows are
 * read from the journal. False after a line on stderr. The caller frees the rows in any case. */
bool show_rows_read(const char *folder, const char *experiment, struct show_rows *rows);
/* The same without a line on stderr. */
bool show_rows_find(const char *folder, const char *experiment, struct show_rows *rows);
/* Appends the rows of results.csv, never those of the journal. False if the file cannot be opened. */
bool show_rows_read_file(const char *folder, const char *experiment, struct show_rows *rows);
/* Appends the rows of archive.csv of an experiment, if there is such a file. */
void show_rows_read_archive(const char *folder, const char *experiment, struct show_rows *rows);
/* Appends the newest archived row of each cell that has none yet: cells that the experiment file does not have. */
void show_rows_add_outside(const char *folder, const char *experiment, struct show_rows *rows);
void show_rows_free(struct show_rows *rows);

/* The text at a row and a column, such as RESULT_AT_status. */
static inline const char *show_rows_field(const struct show_rows *rows, size_t row, size_t column)
{
    const char *text = rows->field[row * RESULT_COLUMNS + column];
    return text ? text : "";
}

/* The number in a column; an empty text is the number NAN. */
double show_rows_number(const struct show_rows *rows, size_t row, size_t column);
bool show_rows_has_status(const struct show_rows *rows, size_t row, enum status status);
bool show_rows_has_flag(const struct show_rows *rows, size_t row, enum flag flag);
/* The generation of a row; 1 where an older program wrote the row. */
int show_rows_generation(const struct show_rows *rows, size_t row);

/* How the source that a row was measured with relates to this program's source of the variant. */
enum show_source { SOURCE_UNKNOWN, SOURCE_CURRENT, SOURCE_CHANGED };
enum show_source show_rows_source(const struct show_rows *rows, size_t row);

enum { SHOW_TEXT_SIZE = 64 };
/* Writes the time of a row with its unit and the letters of its flags, and the interval in the same unit. Both are
 * empty without a time. */
void show_rows_print_time(const struct show_rows *rows, size_t row, char time[SHOW_TEXT_SIZE],
                          char interval[SHOW_TEXT_SIZE]);
/* Prints what the letters behind the times of the rows mean. */
void show_rows_print_flags(const struct show_rows *rows);
/* Decimals that show four significant digits of a time in its unit or of a rate. */
int show_rows_decimals(double value);

/* Chooses the axes that get a column in a table: their columns go to `axes`, their number to *count. Returns the other
 * axes, which have the same value in all rows, as a text that the caller frees. */
char *show_rows_axes(const struct show_rows *rows, size_t axes[AXES], size_t *count);

#endif
