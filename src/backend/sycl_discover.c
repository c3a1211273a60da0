/* Discovers the SYCL devices in a child process, and opens the shared object of the SYCL backend.
 * SPDX-License-Identifier: MIT */
#include "sycl.h"

#include "build_info.h"
#include "discovery.h"
#include "object.h"
#include "base/folder.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DISCOVERY_SIZE = 16384 };

/* The fields of a device. Each is one line of the text in which a discovery travels. */
#define FIELD(kind, member) DISCOVERY_FIELD(DISCOVERY_##kind, sycl_device, member)
static const struct discovery_field fields[] = {
    FIELD(TEXT, name),         FIELD(TEXT, platform),      FIELD(TEXT, version),
    FIELD(TEXT, driver),       FIELD(TEXT, kind),          FIELD(INT, fp64),
    FIELD(INT, usm),           FIELD(INT, compute_units),  FIELD(INT, clock_mhz),
    FIELD(INT, group_items),   FIELD(INT64, memory_bytes), FIELD(INT64, allocation_bytes),
    FIELD(INT64, local_bytes),
};
enum { FIELDS = sizeof fields / sizeof *fields };

void sycl_discovery_write(const struct sycl_discovery *found, FILE *out)
{
    fprintf(out, "missing=%s\n", found->missing);
    for (int i = 0; i < found->count; i++) {
        fputs("device=\n", out);
        discovery_write(fields, FIELDS, &found->device[i], out);
    }
    fputs("end\n", out);
}

bool sycl_discovery_read(char *text, struct sycl_discovery *found)
{
    int known = 0;
    *found = (struct sycl_discovery){.count = 0};
    char *key, *value;
    while (discovery_next(&text, &key, &value)) {
        if (strcmp(key, "missing") == 0)
            snprintf(found->missing, sizeof found->missing, "%s", value);
        else if (strcmp(key, "device") == 0 && found->count < SYCL_DEVICES)
            found->count++;
        else if (found->count > 0)
            known += discovery_read(fields, FIELDS, key, value, &found->device[found->count - 1]);
    }
    return known == FIELDS * found->count && strcmp(key, "end") == 0;
}

/* ---- The shared object ---- */

const struct sycl_api *sycl_object_open(void **handle, char *why, size_t size)
{
    char path[PATH_MAX];
    if (!object_path("tilelab-sycl.so", path, sizeof path)) {
        snprintf(why, size, "built without SYCL: %.150s (`tilelab doctor` says how to get a compiler)",
                 *TILELAB_SYCL_WHY ? TILELAB_SYCL_WHY : "`make sycl` has not been run");
        return NULL;
    }
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle) {
        snprintf(why, size, "%.200s", dlerror());
        return NULL;
    }
    tilelab_sycl_function function;
    *(void **)&function = dlsym(*handle, "tilelab_sycl");
    const struct sycl_api *api = function ? function() : NULL;
    if (api && api->version == SYCL_API_VERSION)
        return api;
    snprintf(why, size, "tilelab-sycl.so belongs to another version of tilelab (rebuild both with `make`)");
    dlclose(*handle);
    *handle = NULL;
    return NULL;
}

void sycl_prepare_environment(void)
{
    char folder[PATH_MAX];
    struct stat status;
    const char *home = getenv("HOME");
    (void)setenv("ACPP_DEBUG_LEVEL", "1", 0); /* errors only */
    if (getenv("ACPP_APPDB_DIR") || (home && access(home, W_OK | X_OK) == 0))
        return;
    snprintf(folder, sizeof folder, "%s/tilelab-sycl-%u", folder_for_temporaries(), (unsigned)getuid());
    mkdir(folder, 0700);
    /* Code of another user is not run. */
    if (lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == getuid() &&
        (status.st_mode & 0777) == 0700)
        (void)setenv("ACPP_APPDB_DIR", folder, 1);
}

/* ---- In the child process ---- */

static void discover_here(struct sycl_discovery *found)
{
    void *handle;
    int count = 0;
    *found = (struct sycl_discovery){.count = 0};
    sycl_prepare_environment();
    const struct sycl_api *api = sycl_object_open(&handle, found->missing, sizeof found->missing);
    if (!api)
        return;
    if (api->count(&count) != 0)
        snprintf(found->missing, sizeof found->missing, "the SYCL runtime finds no devices: %.180s", api->last_error());
    else if (count == 0)
        snprintf(found->missing, sizeof found->missing,
                 "the SYCL runtime finds no device (its library of a device, or the driver of the device, is missing)");
    for (int i = 0; i < count && i < SYCL_DEVICES; i++)
        if (api->describe(i, &found->device[i]) == 0)
            found->count++;
        else
            break;
    if (count > 0 && found->count == 0)
        snprintf(found->missing, sizeof found->missing, "no usable device of SYCL: %.180s", api->last_error());
}

int sycl_describe_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct sycl_discovery found;
    discover_here(&found);
    sycl_discovery_write(&found, stdout);
    fflush(stdout);
    /* The exit handlers of a runtime may hang or crash. */
    _exit(0);
}

/* ---- In the parent ---- */

static void discover_by_child(struct sycl_discovery *found)
{
    char text[DISCOVERY_SIZE];
    if (discovery_ask("describe-sycl", text, sizeof text) && sycl_discovery_read(text, found))
        return;
    *found = (struct sycl_discovery){.count = 0};
    snprintf(found->missing, sizeof found->missing,
             "nothing is known of the SYCL devices: `tilelab describe-sycl` gave no answer (the SYCL runtime or a "
             "driver may crash or hang)");
}

const struct sycl_discovery *sycl_discover(void)
{
    static struct sycl_discovery found;
    static bool known;
    char path[PATH_MAX], why[sizeof found.missing];
    void *handle;
    if (known)
        return &found;
    known = true;
    /* Without the file no child process is needed to tell so. */
    if (object_path("tilelab-sycl.so", path, sizeof path))
        discover_by_child(&found);
    else if (!sycl_object_open(&handle, why, sizeof why))
        snprintf(found.missing, sizeof found.missing, "%s", why);
    return &found;
}
