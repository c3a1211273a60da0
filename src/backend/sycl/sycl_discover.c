/* Discovers the SYCL devices in a child process, and opens the shared object of the SYCL backend.
 * SPDX-License-Identifier: MIT */
#include "sycl.h"

#include "build_info.h"
#include "backend/object.h"
#include "base/folder.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The shared object ---- */

const struct sycl_api *sycl_object_open(void **handle, char *why, size_t size)
{
    char path[PATH_MAX];
    if (!object_path("tilelab-sycl.so", path, sizeof path)) {
        snprintf(why, size, "built without SYCL: %.150s (`tilelab doctor` says how to get a compiler)",
                 *TILELAB_SYCL_WHY ? TILELAB_SYCL_WHY : "`make sycl` has not been run");
        return NULL;
    }
    /* Global: AdaptiveCpp's plugins must share inline variables with its runtime. With copies of their own, both write
     * the table of kept kernels, the last one wins, and a later process launches a kernel with wrong arguments. */
    *handle = object_open(path, RTLD_NOW | RTLD_GLOBAL, why, size);
    if (!*handle)
        return NULL;
    tilelab_sycl_function function;
    *(void **)&function = dlsym(*handle, "tilelab_sycl");
    const struct sycl_api *api = function ? function() : NULL;
    if (api && api->version == SYCL_API_VERSION)
        return api;
    return object_refuse(handle, "tilelab-sycl.so", why, size);
}

void sycl_prepare_environment(void)
{
    char folder[PATH_MAX];
    const char *home = getenv("HOME");
    (void)setenv("ACPP_DEBUG_LEVEL", "1", 0); /* errors only */
    if (getenv("ACPP_APPDB_DIR") || (home && access(home, W_OK | X_OK) == 0))
        return;
    if (folder_own("tilelab-sycl", folder, sizeof folder))
        (void)setenv("ACPP_APPDB_DIR", folder, 1);
}

/* ---- In the child process ---- */

static void discover_here(struct found *found)
{
    void *handle;
    int count = 0;
    *found = (struct found){.count = 0};
    sycl_prepare_environment();
    const struct sycl_api *api = sycl_object_open(&handle, found->missing, sizeof found->missing);
    if (!api)
        return;
    if (api->count(&count) != 0)
        snprintf(found->missing, sizeof found->missing, "the SYCL runtime finds no devices: %.180s", api->last_error());
    else if (count == 0)
        snprintf(found->missing, sizeof found->missing,
                 "the SYCL runtime finds no device (its library of a device, or the driver of the device, is missing)");
    for (int i = 0; i < count && i < FOUND_DEVICES; i++)
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
    struct found found;
    /* A runtime may print remarks. Only the discovery belongs to standard output. */
    const int output = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    discover_here(&found);
    fflush(stdout);
    if (output >= 0)
        dup2(output, STDOUT_FILENO);
    found_write(&found, stdout);
    fflush(stdout);
    /* The exit handlers of a runtime may hang or crash. */
    _exit(0);
}

/* ---- In the parent ---- */

const struct found *sycl_discover(void)
{
    static struct found found;
    static bool known;
    char path[PATH_MAX], why[sizeof found.missing];
    void *handle;
    if (known)
        return &found;
    known = true;
    /* Without the file no child process is needed to tell so. */
    if (object_path("tilelab-sycl.so", path, sizeof path))
        found_ask("describe-sycl", "SYCL devices", "the SYCL runtime or a driver may crash or hang", &found);
    else if (!sycl_object_open(&handle, why, sizeof why))
        snprintf(found.missing, sizeof found.missing, "%s", why);
    return &found;
}
