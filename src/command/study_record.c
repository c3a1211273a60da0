/* What the verbs that show results need of a study's run record.
 * SPDX-License-Identifier: MIT */
#include "study_record.h"

#include "base/record.h"

#include <stdio.h>

struct study_record study_record_read(const char *folder, const char *experiment)
{
    struct study_record record = {.measured_at = 0};
    json_t *json = record_read(folder, experiment);
    const char *profile = json_string_value(json_object_get(json_object_get(json, "experiment"), "profile"));
    snprintf(record.profile, sizeof record.profile, "%s", profile ? profile : "");
    record.measured_at = json_integer_value(json_object_get(json, "measured_at"));
    json_decref(json);
    return record;
}
