/* The part of the run record about the machine: what a result depends on, and nothing that tells who owns the machine.
 * SPDX-License-Identifier: MIT */
#include "run_record_machine.h"

#include "build_info.h"
#include "cell.h"
#include "backend/backend.h"
#include "backend/blas/blas_describe.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/record.h"
#include "machine/cores_probe.h"
#include "machine/environment.h"
#include "machine/host.h"
#include "machine/libraries.h"
#include "plan/counted.h"
#include "plan/provenance.h"
#include "results/kind.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

/* ---- Values ---- */

/* The length of the path of a home folder at the start of `text`; 0 if there is none. */
static size_t home_length(const char *text)
{
    static const char *const parents[] = {"/home/", "/Users/"};
    const char *home = getenv("HOME");
    const size_t length = home != NULL ? strlen(home) : 0;
    if (length > 1 && strncmp(text, home, length) == 0 && (text[length] == '/' || text[length] == '\0'))
        return length;
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        const size_t parent = strlen(parents[i]);
        if (strncmp(text, parents[i], parent) == 0 && strcspn(text + parent, "/ :=") > 0)
            return parent + strcspn(text + parent, "/ :=");
    }
    return 0;
}

/* The text with "~" in place of each home folder, whose path holds the name of a person. */
static json_t *without_home(const char *text)
{
    char *copy = malloc(strlen(text) + 1), *to = copy;
    if (copy == NULL)
        return NULL;
    while (*text != '\0') {
        const size_t length = home_length(text);
        *to++ = length > 0 ? '~' : *text;
        text += length > 0 ? length : 1;
    }
    *to = '\0';
    json_t *value = json_string(copy);
    free(copy);
    return value;
}

/* A path without home folders. One below the program's folder, as that of a library from `make setup-peers`, begins
 * there: where the tree lay tells nothing of a result. */
static json_t *without_place(const char *path)
{
    char folder[PATH_MAX];
    const size_t length = folder_of_program(folder, sizeof folder) ? strlen(folder) : 0;
    const bool below = length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
    return without_home(below ? path + length + 1 : path);
}

/* ---- Parts of the record ---- */

/* A ratio of rates; more decimals would be noise. */
static json_t *two_decimals(double ratio)
{
    return record_real(round(100 * ratio) / 100);
}

/* What the probe of the cores has found, if it has measured. */
static void record_cores(json_t *machine)
{
    char shared[1024];
    const struct cores *cores = cores_probe_found();
    if (counted_known() > 0)
        record_set(machine, "cores_counted", json_integer(counted_known()));
    if (cores == NULL)
        return;
    record_set(machine, "effective_cores", two_decimals(cores->effective));
    record_set(machine, "effective_cores_best", two_decimals(cores->best));
    record_set(machine, "cores_shared", record_text(cores_probe_shared(shared, sizeof shared)));
    record_set(machine, "gain_half", two_decimals(cores->fma_half));
    record_set(machine, "gain_half_reading", two_decimals(cores->read_half));
    record_set(machine, "gain_all_reading", two_decimals(cores->read_all));
}

/* The CPU of each thread of a worker, the main thread's first: one a core, as the system tells its cores. */
static json_t *thread_cpus(const struct host *host)
{
    json_t *cpus = json_array();
    for (int i = 0; i < host->cores; i++)
        json_array_append_new(cpus, json_integer(host->core_cpu[i]));
    return cpus;
}

static json_t *record_machine(const char *hash)
{
    const struct host *host = host_get();
    char mark[9];
    json_t *machine = json_object();
    record_set(machine, "fingerprint", json_string(hash));
    provenance_mark(mark);
    record_set(machine, "mark", record_text(mark));
    record_set(machine, "cpu_model", record_text(host->cpu_model));
    record_set(machine, "vendor", record_text(host->vendor));
    record_set(machine, "architecture", record_text(host->architecture));
    record_set(machine, "kernel", record_text(host->kernel));
    record_set(machine, "os", record_text(host->os));
    record_set(machine, "cores", json_integer(host->cores));
    record_set(machine, "cores_allowed", json_integer(host->cores_allowed));
    record_set(machine, "cores_online", json_integer(host->cores_online));
    record_set(machine, "thread_cpus", thread_cpus(host));
    record_cores(machine);
    record_set(machine, "quota_cores", record_real(host->quota_cores));
    record_set(machine, "sockets", json_integer(host->sockets));
    record_set(machine, "smt", json_integer(host->smt));
    record_set(machine, "numa_nodes", json_integer(host->numa_nodes));
    record_set(machine, "memory_bytes", record_integer(host->memory_bytes));
    record_set(machine, "memory_limit_bytes", record_integer(host->memory_limit_bytes));
    record_set(machine, "governor", record_text(host->governor));
    json_t *facts = kind_facts();
    json_object_update(machine, facts);
    json_decref(facts);
    record_set(machine, "isa_best", json_string(cell_isa_names[host->isa_best]));
    return machine;
}

static json_t *record_compiler(void)
{
    json_t *compiler = json_object();
    record_set(compiler, "cc", without_home(TILELAB_CC));
    record_set(compiler, "version", record_text(TILELAB_CC_VERSION));
    record_set(compiler, "flags", without_home(TILELAB_CFLAGS));
    record_set(compiler, "nvcc", record_text(TILELAB_NVCC_VERSION));
    return compiler;
}

/* The libraries that can be loaded here. */
static json_t *record_libraries(void)
{
    enum { MOST = 16 };
    const char *names[MOST];
    const size_t count = libraries_names(names, MOST);
    json_t *libraries = json_array();
    for (size_t i = 0; i < count; i++) {
        char why[400];
        const struct blas *blas = blas_describe(names[i], host_get()->cores, why, sizeof why);
        if (blas == NULL)
            continue;
        json_t *library = json_object();
        record_set(library, "name", json_string(blas->name));
        record_set(library, "path", without_place(blas->path));
        record_set(library, "hash", json_string(blas->hash));
        record_set(library, "config", json_string(blas->config));
        record_set(library, "kernel", record_text(blas->kernel));
        record_set(library, "setting", record_text(blas->setting));
        record_set(library, "choice", json_string(blas_choice_names[blas->choice]));
        record_set(library, "remark", record_text(blas->remark));
        record_set(library, "threads", json_integer(blas->threads));
        json_array_append_new(libraries, library);
    }
    return libraries;
}

/* The variables that decide results, and those that choose devices. */
static json_t *record_environment(void)
{
    json_t *environment = json_object();
    for (char **variable = environ; *variable != NULL; variable++) {
        char name[128];
        const size_t length = strcspn(*variable, "=");
        if (!environment_is_told(*variable) || length >= sizeof name || (*variable)[length] == '\0')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, *variable);
        const char *value = *variable + length + 1;
        /* The UUID of a device is a serial number, which the record must not tell. */
        const bool serial = strstr(value, "GPU-") != NULL || strstr(value, "MIG-") != NULL;
        record_set(environment, name, serial ? json_string("by UUID") : without_home(value));
    }
    return environment;
}

/* The program: one hash over the code of all variants. */
static json_t *record_program(void)
{
    size_t count;
    const struct entry *entry = registry(&count);
    char *text = malloc(count * (HASH_DIGITS + 1) + 1), hex[HASH_SHORT_SIZE];
    size_t length = 0;
    json_t *program = json_object();
    for (size_t i = 0; text != NULL && i < count; i++)
        length += (size_t)sprintf(text + length, "%.*s\n", HASH_DIGITS, entry[i].source_hash);
    if (text != NULL) {
        hash_hex(text, length, hex, HASH_SHORT);
        record_set(program, "source", json_string(hex));
    }
    free(text);
    return program;
}

json_t *run_record_machine(const char *hash)
{
    json_t *record = json_object();
    record_set(record, "machine", record_machine(hash));
    for (int id = 0; id < BACKENDS; id++) {
        const struct backend *backend = backend_get((enum backend_id)id);
        if (backend->record)
            record_set(record, backend->record_key, backend->record());
    }
    record_set(record, "compiler", record_compiler());
    record_set(record, "libraries", record_libraries());
    record_set(record, "environment", record_environment());
    record_set(record, "program", record_program());
    record_set(record, "version", json_string(TILELAB_VERSION));
    record_set(record, "commit", json_string(TILELAB_COMMIT));
    record_set(record, "dirty", json_boolean(TILELAB_DIRTY));
    return record;
}
