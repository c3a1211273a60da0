/* Run records: their files, and values in them.
 * SPDX-License-Identifier: MIT */
#include "record.h"

#include "memory.h"
#include "regular.h"
#include "rewrite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The integers up to here are exact in f64, in which other programs read the numbers of JSON. */
static const int64_t EXACT_MOST = INT64_C(1) << 53;

json_t *record_read(const char *folder, const char *study)
{
    char *path = memory_print("%s/%s.run.json", folder, study);
    FILE *file = regular_open(path);
    json_t *record = file ? json_loadf(file, 0, NULL) : NULL;
    if (file)
        fclose(file);
    free(path);
    return record;
}

int record_write(const char *folder, const char *study, const json_t *record)
{
    char *name = memory_print("%s.run.json", study), *text = json_dumps(record, JSON_INDENT(2) | JSON_SORT_KEYS);
    bool changed;
    errno = ENOMEM;
    if (text)
        memory_append(&text, "\n");
    const int failed = !text || rewrite_bytes(folder, name, text, strlen(text), &changed) != 0 ? errno : 0;
    free(name);
    free(text);
    return failed;
}

bool record_is_time(json_int_t seconds)
{
    static const json_int_t year_10000_s = 253402300800;
    return seconds >= 0 && seconds < year_10000_s;
}

void record_set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value != NULL ? value : json_null());
}

json_t *record_text(const char *text)
{
    return *text != '\0' ? json_string(text) : NULL;
}

json_t *record_integer(int64_t value)
{
    return value > 0 && value <= EXACT_MOST ? json_integer(value) : NULL;
}

json_t *record_real(double value)
{
    return value > 0 ? json_real(value) : NULL;
}
