/* Run records: their files, and values in them. A value that is not known is null.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_RECORD_H
#define TILELAB_BASE_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Reads FOLDER/STUDY.run.json. NULL: there is no such file, or it holds no JSON. The caller releases the record. */
json_t *record_read(const char *folder, const char *study);
/* Makes FOLDER/STUDY.run.json hold the record. Returns 0 or an errno. */
int record_write(const char *folder, const char *study, const json_t *record);

/* Whether a number, as `measured_at`, is a time since 1970 in seconds. From the year 10000 on it is no date. */
bool record_is_time(json_int_t seconds);

/* Sets a member, which takes over the reference; NULL is null. */
void record_set(json_t *object, const char *key, json_t *value);
/* NULL for an empty text, and for bytes that are not UTF-8. */
json_t *record_text(const char *text);
/* NULL unless the number is positive. A number above 2^53 is NULL too: a device that tells it knows no limit. */
json_t *record_integer(int64_t value);
json_t *record_real(double value);

#endif
