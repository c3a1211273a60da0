/* What the verbs that show results need of a study's run record.
 * SPDX-License-Identifier: MIT */
#include "study_record.h"

#include "base/regular.h"

#include <jansson.h>
#include <stdio.h>

struct study_record study_record_read(const char *folder, const char *experiment)
{
    struct study_record record = {.measured_at = 0};
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.run.json", folder, experiment);
    FILE *file = regular_open(path);
    json_t *json = file ? json_loadf(file, 0, NULL) : NULL;
    if (file)
        fclose(file);
    const char *profile = json_string_value(json_object_get(json_object_get(json, "experiment"), "profile"));
    snprintf(record.profile, sizeof record.profile, "%s", profile ? profile : "");
    record.measured_at = json_integer_value(json_object_get(json, "measured_at"));
    json_decref(json);
    return record;
}
