/* The devices of a backend that finds several.
 * SPDX-License-Identifier: MIT */
#include "found.h"

#include "access.h"
#include "cell.h"
#include "discovery.h"
#include "base/diagnosis.h"
#include "base/hash.h"
#include "base/record.h"

#include <string.h>

/* The fields of a device. Each is one line of the text in which a discovery travels. */
#define FIELD(kind, member) DISCOVERY_FIELD(DISCOVERY_##kind, found_device, member)
static const struct discovery_field fields[] = {
    FIELD(TEXT, name),         FIELD(TEXT, platform),     FIELD(TEXT, version),       FIELD(TEXT, driver),
    FIELD(TEXT, kind),         FIELD(INT, available),     FIELD(INT, compiler),       FIELD(INT, fp64),
    FIELD(INT, usm),           FIELD(INT, compute_units), FIELD(INT, clock_mhz),      FIELD(INT, group_items),
    FIELD(INT, items_x),       FIELD(INT, items_y),       FIELD(INT64, memory_bytes), FIELD(INT64, allocation_bytes),
    FIELD(INT64, local_bytes),
};
enum { FIELDS = sizeof fields / sizeof *fields };

void found_write(const struct found *found, FILE *out)
{
    fprintf(out, "missing=%s\n", found->missing);
    for (int i = 0; i < found->count; i++) {
        fputs("device=\n", out);
        discovery_write(fields, FIELDS, &found->device[i], out);
    }
    fputs("end\n", out);
}

bool found_read(char *text, struct found *found)
{
    int known = 0;
    *found = (struct found){.count = 0};
    char *key, *value;
    while (discovery_next(&text, &key, &value)) {
        if (strcmp(key, "missing") == 0)
            snprintf(found->missing, sizeof found->missing, "%s", value);
        else if (strcmp(key, "device") == 0 && found->count < FOUND_DEVICES)
            found->count++;
        else if (found->count > 0)
            known += discovery_read(fields, FIELDS, key, value, &found->device[found->count - 1]);
    }
    return known == FIELDS * found->count && strcmp(key, "end") == 0;
}

void found_ask(const char *subcommand, const char *devices, const char *hint, struct found *found)
{
    char text[FOUND_TEXT_SIZE];
    if (discovery_ask(subcommand, text, sizeof text) && found_read(text, found))
        return;
    *found = (struct found){.count = 0};
    snprintf(found->missing, sizeof found->missing, "nothing is known of the %s: `tilelab %s` gave no answer (%s)",
             devices, subcommand, hint);
}

const struct found_device *found_device_of(const struct found *found, const struct cell *cell)
{
    const int number = backend_device(cell);
    return number < found->count ? &found->device[number] : NULL;
}

static const struct found_device *device_of(const struct cell *cell)
{
    return found_device_of(backend_of(cell)->discover(), cell);
}

enum registry_kind found_kind(const struct cell *cell)
{
    const struct found_device *device = device_of(cell);
    return device && strcmp(device->kind, registry_kind_names[KIND_CPU]) == 0 ? KIND_CPU : KIND_GPU;
}

int64_t found_memory_bytes(const struct cell *cell)
{
    const struct found_device *device = device_of(cell);
    return device ? device->memory_bytes / 10 * 9 + 1 : 0;
}

/* Why the device does not allow such groups; NULL: it does. */
static const char *group_reason(const struct found_device *device, const struct cell *cell, struct geometry geometry,
                                int64_t local_bytes)
{
    const int64_t items = (int64_t)geometry.threads_x * geometry.threads_y;
    if (items > device->group_items)
        return cell_reason("a group of tile %lld has %lld work items; %s allows %d", (long long)cell->tile,
                           (long long)items, device->name, device->group_items);
    if (geometry.threads_x > device->items_x || geometry.threads_y > device->items_y)
        return cell_reason("a group of tile %lld has %d x %d work items; %s allows %d x %d", (long long)cell->tile,
                           geometry.threads_x, geometry.threads_y, device->name, device->items_x, device->items_y);
    if (local_bytes > device->local_bytes)
        return cell_reason("a group of tile %lld needs %lld bytes of local memory; %s has %lld", (long long)cell->tile,
                           (long long)local_bytes, device->name, (long long)device->local_bytes);
    return NULL;
}

const char *found_reason(const struct found_device *device, const struct cell *cell, const char *without_fp64,
                         struct geometry (*geometry)(const struct cell *cell),
                         int64_t (*local_bytes)(const struct cell *cell))
{
    if (cell->precision == F64 && !device->fp64)
        return cell_reason("%s has no f64 (%s)", device->name, without_fp64);
    if (cell->n <= 0)
        return NULL;
    for (int i = 0; i < cell->entry->problem->operand_count; i++)
        if (cell_operand_bytes(cell, i) > device->allocation_bytes)
            return cell_reason("operand %s of %.4g GB; %s allocates %.4g GB at once",
                               cell->entry->problem->operand[i].name, 1e-9 * (double)cell_operand_bytes(cell, i),
                               device->name, 1e-9 * (double)device->allocation_bytes);
    return group_reason(device, cell, geometry(cell), local_bytes ? local_bytes(cell) : 0);
}

void found_identity(const struct cell *cell, char hex[HASH_SHORT_SIZE])
{
    const struct found_device *device = device_of(cell);
    char text[320];
    hex[0] = '\0';
    if (!device)
        return;
    snprintf(text, sizeof text, "%s|%s|%s|%s", device->platform, device->version, device->name, device->driver);
    hash_hex(text, strlen(text), hex, HASH_SHORT);
}

/* ---- Words ---- */

/* The name of a device in an experiment file: "opencl:0". */
static const char *id_of(enum backend_id backend, int number)
{
    return cell_device_names[registry_device(backend, number)];
}

json_t *found_record(enum backend_id backend, const char *compiler)
{
    const struct found *found = backend_get(backend)->discover();
    if (found->count == 0)
        return NULL;
    json_t *devices = json_array();
    for (int i = 0; i < found->count; i++) {
        const struct found_device *device = &found->device[i];
        json_t *record = json_object();
        record_set(record, "id", record_text(id_of(backend, i)));
        record_set(record, "name", record_text(device->name));
        record_set(record, "kind", record_text(device->kind));
        record_set(record, "platform", record_text(device->platform));
        record_set(record, "version", record_text(device->version));
        record_set(record, "driver", record_text(device->driver));
        if (compiler)
            record_set(record, "compiler", record_text(compiler));
        record_set(record, "compute_units", record_integer(device->compute_units));
        record_set(record, "clock_mhz", record_integer(device->clock_mhz));
        record_set(record, "memory_bytes", record_integer(device->memory_bytes));
        record_set(record, "local_bytes", record_integer(device->local_bytes));
        record_set(record, "group_items", record_integer(device->group_items));
        record_set(record, "fp64", json_integer(device->fp64));
        json_array_append_new(devices, record);
    }
    return devices;
}

void found_line(enum backend_id backend, int number, char *text, size_t size)
{
    const struct found_device *device = &backend_get(backend)->discover()->device[number];
    char local[48] = "local memory without a limit";
    if (device->local_bytes < device->memory_bytes)
        snprintf(local, sizeof local, "%lld KiB local memory", (long long)(device->local_bytes >> 10));
    snprintf(text, size, "%s, %s: %s%s, %d compute units, groups of %d, %s%s", device->name, device->kind,
             backend_get(backend)->through, device->platform, device->compute_units, device->group_items, local,
             device->fp64 ? ", f64" : "");
}

void found_doctor(enum backend_id backend, FILE *out)
{
    const int count = backend_get(backend)->discover()->count;
    for (int i = 0; i < count; i++) {
        char line[300];
        found_line(backend, i, line, sizeof line);
        diagnosis_line(out, "found", id_of(backend, i), "%s", line);
    }
}
