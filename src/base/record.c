/* Values of a run record.
 * SPDX-License-Identifier: MIT */
#include "record.h"

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
    return value > 0 ? json_integer(value) : NULL;
}

json_t *record_real(double value)
{
    return value > 0 ? json_real(value) : NULL;
}
