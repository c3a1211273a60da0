/* How many cores behave like cores, counted once for a machine and a folder.
 * SPDX-License-Identifier: MIT */
#include "counted.h"

#include "provenance.h"
#include "base/memory.h"
#include "base/record.h"
#include "base/text.h"
#include "base/timer.h"
#include "machine/cores_probe.h"
#include "machine/host.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *folder; /* NULL: none has records */
static int known;

void counted_use(const char *of)
{
    free(folder);
    folder = memory_copy(of);
    known = 0;
}

static const char record_ending[] = ".run.json";

static int is_record(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && text_ends(entry->d_name, record_ending);
}

/* Whether a run record is of this machine. Its driver may have changed since. */
static bool is_here(const json_t *machine)
{
    const struct host *host = host_get();
    const char *mark = json_string_value(json_object_get(machine, "mark"));
    const char *model = json_string_value(json_object_get(machine, "cpu_model"));
    char mine[9];
    provenance_mark(mine);
    return strcmp(mark ? mark : "", mine) == 0 && model && strcmp(model, host->cpu_model) == 0 &&
           json_integer_value(json_object_get(machine, "cores")) == host->cores;
}

/* The number that the record of a study tells; 0: it tells none of this machine. */
static int told_by(const char *study)
{
    json_t *record = record_read(folder, study);
    const json_t *machine = json_object_get(record, "machine");
    const json_int_t told = json_integer_value(json_object_get(machine, "cores_counted"));
    const bool holds = told >= 1 && told <= host_get()->cores && is_here(machine);
    json_decref(record);
    return holds ? (int)told : 0;
}

/* The number that the first record of the folder tells, by the names of studies. */
static int told(void)
{
    struct dirent **entry = NULL;
    int number = 0;
    const int count = folder ? scandir(folder, &entry, is_record, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        entry[i]->d_name[strlen(entry[i]->d_name) - strlen(record_ending)] = '\0';
        number = number > 0 ? number : told_by(entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    return number;
}

int counted_cores(void)
{
    if (known == 0)
        known = told();
    if (known == 0)
        known = timer_is_fake() || !cores_probe() ? host_get()->cores : (int)lround(cores_probe_found()->effective);
    return known;
}

int counted_known(void)
{
    return known;
}
