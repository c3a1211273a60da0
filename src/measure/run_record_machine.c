/* The part of the run record about the machine: what a result depends on, and nothing that tells who owns the machine.
 * SPDX-License-Identifier: MIT */
#include "run_record_machine.h"

#include "build_info.h"
#include "cell.h"
#include "backend/blas_describe.h"
#include "backend/cuda.h"
#include "base/hash.h"
#include "machine/host.h"
#include "machine/libraries.h"
#include "machine/nvml.h"
#include "plan/provenance.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

/* ---- Values ---- */

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value != NULL ? value : json_null());
}

/* NULL if nothing is known: the member of the record is then null. json_string returns NULL for bytes that are not
 * UTF-8. */
static json_t *text_or_null(const char *text)
{
    return *text != '\0' ? json_string(text) : NULL;
}

static json_t *integer_or_null(int64_t value)
{
    return value > 0 ? json_integer(value) : NULL;
}

static json_t *real_or_null(double value)
{
    return value > 0 ? json_real(value) : NULL;
}

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

/* ---- Parts of the record ---- */

static json_t *record_machine(void)
{
    const struct host *host = host_get();
    char fingerprint[17];
    json_t *machine = json_object();
    provenance_machine(fingerprint);
    set(machine, "fingerprint", json_string(fingerprint));
    set(machine, "cpu_model", text_or_null(host->cpu_model));
    set(machine, "vendor", text_or_null(host->vendor));
    set(machine, "architecture", text_or_null(host->architecture));
    set(machine, "kernel", text_or_null(host->kernel));
    set(machine, "os", text_or_null(host->os));
    set(machine, "cores", json_integer(host->cores));
    set(machine, "cores_allowed", json_integer(host->cores_allowed));
    set(machine, "cores_online", json_integer(host->cores_online));
    set(machine, "quota_cores", real_or_null(host->quota_cores));
    set(machine, "sockets", json_integer(host->sockets));
    set(machine, "smt", json_integer(host->smt));
    set(machine, "numa_nodes", json_integer(host->numa_nodes));
    set(machine, "memory_bytes", integer_or_null(host->memory_bytes));
    set(machine, "memory_limit_bytes", integer_or_null(host->memory_limit_bytes));
    set(machine, "l1d_bytes", integer_or_null(host->l1d_bytes));
    set(machine, "l2_bytes", integer_or_null(host->l2_bytes));
    set(machine, "l3_bytes", integer_or_null(host->l3_bytes));
    set(machine, "nominal_ghz", real_or_null(host->nominal_ghz));
    set(machine, "governor", text_or_null(host->governor));
    set(machine, "simd", text_or_null(host->simd));
    set(machine, "isa_best", json_string(cell_isa_names[host->isa_best]));
    return machine;
}

static json_t *cuda_version(int version)
{
    return version > 0 ? json_sprintf("%d.%d", version / 1000, version % 1000 / 10) : NULL;
}

static json_t *record_gpu(void)
{
    const struct cuda_device *gpu = cuda_discover_device();
    char driver[64] = "";
    if (gpu == NULL)
        return NULL;
    nvml_driver(driver, sizeof driver);
    json_t *record = json_object();
    set(record, "name", text_or_null(gpu->name));
    set(record, "compute_capability", json_sprintf("%d.%d", gpu->major, gpu->minor));
    set(record, "driver", text_or_null(driver));
    set(record, "cuda_driver", cuda_version(gpu->driver));
    set(record, "cuda_runtime", cuda_version(gpu->runtime));
    set(record, "multiprocessors", json_integer(gpu->multiprocessors));
    set(record, "warp_size", json_integer(gpu->warp_size));
    set(record, "memory_bytes", json_integer(gpu->memory_bytes));
    set(record, "l2_bytes", json_integer(gpu->l2_bytes));
    set(record, "shared_per_block_bytes", json_integer(gpu->shared_per_block_bytes));
    set(record, "shared_per_block_optin_bytes", json_integer(gpu->shared_per_block_optin_bytes));
    set(record, "shared_per_sm_bytes", json_integer(gpu->shared_per_sm_bytes));
    set(record, "registers_per_block", json_integer(gpu->registers_per_block));
    set(record, "threads_per_block", json_integer(gpu->threads_per_block));
    set(record, "threads_per_sm", json_integer(gpu->threads_per_sm));
    set(record, "clock_khz", integer_or_null(gpu->clock_khz));
    set(record, "memory_clock_khz", integer_or_null(gpu->memory_clock_khz));
    set(record, "memory_bus_bits", integer_or_null(gpu->memory_bus_bits));
    return record;
}

static json_t *record_compiler(void)
{
    json_t *compiler = json_object();
    set(compiler, "cc", without_home(TILELAB_CC));
    set(compiler, "version", text_or_null(TILELAB_CC_VERSION));
    set(compiler, "flags", without_home(TILELAB_CFLAGS));
    set(compiler, "nvcc", text_or_null(TILELAB_NVCC_VERSION));
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
        set(library, "name", json_string(blas->name));
        set(library, "path", without_home(blas->path));
        set(library, "hash", json_string(blas->hash));
        set(library, "config", json_string(blas->config));
        set(library, "kernel", text_or_null(blas->kernel));
        set(library, "setting", text_or_null(blas->setting));
        set(library, "choice", json_string(blas_choice_names[blas->choice]));
        set(library, "remark", text_or_null(blas->remark));
        set(library, "threads", json_integer(blas->threads));
        json_array_append_new(libraries, library);
    }
    return libraries;
}

static bool is_recorded(const char *variable)
{
    static const char *const prefixes[] = {"OMP_", "OPENBLAS_", "BLIS_", "MKL_", "CUDA_VISIBLE_DEVICES="};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    return false;
}

static json_t *record_environment(void)
{
    json_t *environment = json_object();
    for (char **variable = environ; *variable != NULL; variable++) {
        char name[128];
        const size_t length = strcspn(*variable, "=");
        if (!is_recorded(*variable) || length >= sizeof name || (*variable)[length] == '\0')
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, *variable);
        const char *value = *variable + length + 1;
        /* The UUID of a device is a serial number, which the record must not tell. */
        const bool serial = strstr(value, "GPU-") != NULL || strstr(value, "MIG-") != NULL;
        set(environment, name, serial ? json_string("by UUID") : without_home(value));
    }
    return environment;
}

/* The program: one hash over the code of all variants. */
static json_t *record_program(void)
{
    size_t count;
    const struct entry *entry = registry(&count);
    char *text = malloc(count * (HASH_DIGITS + 1) + 1), hex[17];
    size_t length = 0;
    json_t *program = json_object();
    for (size_t i = 0; text != NULL && i < count; i++)
        length += (size_t)sprintf(text + length, "%.*s\n", HASH_DIGITS, entry[i].source_hash);
    if (text != NULL) {
        hash_hex(text, length, hex, 16);
        set(program, "source", json_string(hex));
    }
    free(text);
    return program;
}

json_t *run_record_machine(void)
{
    json_t *record = json_object();
    set(record, "machine", record_machine());
    set(record, "gpu", record_gpu());
    set(record, "compiler", record_compiler());
    set(record, "libraries", record_libraries());
    set(record, "environment", record_environment());
    set(record, "program", record_program());
    set(record, "version", json_string(TILELAB_VERSION));
    set(record, "commit", json_string(TILELAB_COMMIT));
    set(record, "dirty", json_boolean(TILELAB_DIRTY));
    return record;
}
