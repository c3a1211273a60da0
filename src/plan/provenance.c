/* What a result depends on besides its cell: source, library, machine and settings.
 * SPDX-License-Identifier: MIT */
#include "provenance.h"

#include "backend/backend.h"
#include "base/hash.h"
#include "base/timer.h"
#include "machine/host.h"
#include "machine/serial.h"
#include "results/owner.h"

#include <string.h>

void provenance_machine(const char *folder, char hex[HASH_SHORT_SIZE])
{
    const struct host *host = host_get();
    char text[512];
    /* Memory is rounded to GiB: what the kernel keeps for itself differs from one boot to the next. */
    snprintf(text, sizeof text, "%s|%s|cores %d of %d|quota %d|memory %d", host->cpu_model, host->architecture,
             host->cores, host->cores_online, (int)(1000 * host->quota_cores + 0.5),
             (int)((host->memory_bytes + (INT64_C(1) << 29)) >> 30));
    for (int id = 0; id < BACKENDS; id++) {
        const struct backend *backend = backend_get((enum backend_id)id);
        const size_t length = strlen(text);
        if (!backend->fingerprint || length + 1 >= sizeof text)
            continue;
        text[length] = '|';
        backend->fingerprint(text + length + 1, sizeof text - length - 1);
    }
    hash_hex(text, strlen(text), hex, HASH_SHORT);
    if (!host_model_masked(host) || (folder && owner_has(folder, hex)))
        return;
    const size_t length = strlen(text);
    snprintf(text + length, sizeof text - length, "|%s|%s|%lld %lld %lld", host->cpu_id, host->simd,
             (long long)host->l1d_bytes, (long long)host->l2_bytes, (long long)host->l3_bytes);
    hash_hex(text, strlen(text), hex, HASH_SHORT);
}

void provenance_mark(char mark[9])
{
    char text[256] = "tilelab machine|", hex[HASH_DIGITS + 1];
    const size_t salt = strlen(text);
    for (int id = 0; id < BACKENDS && !text[salt]; id++) {
        const struct backend *backend = backend_get((enum backend_id)id);
        if (backend->serial)
            backend->serial(text + salt, sizeof text - salt);
    }
    if (!text[salt])
        serial_read(text + salt, sizeof text - salt, "");
    hash_hex(text, strlen(text), hex, 8);
    snprintf(mark, 9, "%.8s", text[salt] ? hex : "");
}

void provenance_machine_words(char *text, size_t size)
{
    const struct host *host = host_get();
    size_t length =
        (size_t)snprintf(text, size, "%s, %d core%s", host->cpu_model, host->cores, host->cores == 1 ? "" : "s");
    for (int id = 0; id < BACKENDS; id++) {
        const struct backend *backend = backend_get((enum backend_id)id);
        const char *device = backend->fingerprint ? backend->device(NULL) : "";
        if (*device && length < size)
            length += (size_t)snprintf(text + length, size - length, ", %s", device);
    }
}

void provenance_settings(const struct experiment *experiment, bool simulated, struct criterion *criterion,
                         char hex[HASH_SHORT_SIZE])
{
    const struct measure *measure = &experiment->measure;
    *criterion = (struct criterion){.rounds = measure->rounds,
                                    .launches = measure->launches,
                                    .samples = measure->min_samples,
                                    .ci = measure->ci,
                                    .max_time_s = measure->max_time_s,
                                    .min_time_s = measure->min_time_s,
                                    .once_above_s = measure->once_above_s,
                                    .seed = measure->seed,
                                    .seed_given = measure->seed_given,
                                    .energy = measure->energy,
                                    .simulated = simulated};
    char text[256];
    /* The seed is no setting, but drawn for each run. The 1 is the seed that all runs had once. */
    const int length =
        snprintf(text, sizeof text, "%d %d %d %.17g %.17g %.17g %.17g 1%s%s", criterion->rounds, criterion->launches,
                 criterion->samples, criterion->ci, criterion->max_time_s, criterion->min_time_s,
                 criterion->once_above_s, criterion->energy ? " energy" : "", criterion->simulated ? " simulated" : "");
    hash_hex(text, (size_t)length, hex, HASH_SHORT);
}

/* The hash, the mark and the number of this machine in a folder. Finding them reads the files of all studies there. As
 * each study of a call asks for them, the answer for the last folder is kept: this process is on one machine. */
static void identify(const char *folder, struct provenance_shared *shared)
{
    static struct {
        char folder[4096];
        struct provenance_shared shared;
    } kept;
    if (!kept.shared.machine[0] || strcmp(kept.folder, folder ? folder : "") != 0) {
        snprintf(kept.folder, sizeof kept.folder, "%s", folder ? folder : "");
        provenance_machine(folder, kept.shared.machine);
        provenance_mark(kept.shared.mark);
        kept.shared.number = folder ? owner_number(folder, kept.shared.mark) : 0;
    }
    memcpy(shared->machine, kept.shared.machine, sizeof shared->machine);
    memcpy(shared->mark, kept.shared.mark, sizeof shared->mark);
    shared->number = kept.shared.number;
}

void provenance_share(const struct experiment *experiment, const char *folder, struct provenance_shared *shared)
{
    *shared = (struct provenance_shared){.profile = experiment_profiles[experiment->profile]};
    identify(folder, shared);
    provenance_settings(experiment, timer_is_fake(), &shared->criterion, shared->settings);
    for (int reach = 0; reach < ENVIRONMENT_REACHES; reach++)
        environment_hash((enum environment_reach)reach, shared->environment[reach]);
}

void provenance_begin(const struct provenance_shared *shared, const struct cell *cell, const char *id,
                      struct result *result)
{
    result_clear(result);
    result->cell = *cell;
    snprintf(result->id, sizeof result->id, "%s", id);
    provenance_now(shared, cell, result->provenance);
    snprintf(result->profile, sizeof result->profile, "%s", shared->profile);
    criterion_print(&shared->criterion, result->measure);
    result->machine_number = shared->number;
    snprintf(result->machine_mark, sizeof result->machine_mark, "%s", shared->mark);
    result->flags = shared->criterion.simulated ? FLAG_SIMULATED : 0;
}

/* Adds the variables of the environment that decide the results of a cell to the identity of its library. */
static void add_environment(const struct provenance_shared *shared, const struct cell *cell, char hex[HASH_SHORT_SIZE])
{
    static const enum environment_reach reach[] = {[MADE_BUILDS] = ENVIRONMENT_OF_ALL,
                                                   [MADE_LIBRARIES] = ENVIRONMENT_OF_LIBRARIES,
                                                   [MADE_DEVICE] = ENVIRONMENT_OF_DEVICES,
                                                   [MADE_TEAM] = ENVIRONMENT_OF_LIBRARIES};
    const char *environment = shared->environment[reach[registry_backends[cell->entry->backend].made]];
    char text[2 * HASH_SHORT_SIZE];
    if (!environment[0])
        return;
    const int length = snprintf(text, sizeof text, "%s %s", hex, environment);
    hash_hex(text, (size_t)length, hex, HASH_SHORT);
}

void provenance_now(const struct provenance_shared *shared, const struct cell *cell,
                    char now[PROVENANCES][HASH_SHORT_SIZE])
{
    snprintf(now[BY_SOURCE], HASH_SHORT_SIZE, "%.16s", cell->entry->source_hash);
    now[BY_LIBRARY][0] = '\0';
    if (backend_of(cell)->identity)
        backend_of(cell)->identity(cell, now[BY_LIBRARY]);
    add_environment(shared, cell, now[BY_LIBRARY]);
    snprintf(now[BY_MACHINE], HASH_SHORT_SIZE, "%s", shared->machine);
    snprintf(now[BY_SETTINGS], HASH_SHORT_SIZE, "%s", shared->settings);
}

int provenance_change(const struct provenance_shared *shared, const struct cell *cell,
                      char then[PROVENANCES][HASH_SHORT_SIZE])
{
    char now[PROVENANCES][HASH_SHORT_SIZE];
    provenance_now(shared, cell, now);
    int part = 0;
    while (part < PROVENANCES && strcmp(now[part], then[part]) == 0)
        part++;
    return part;
}
