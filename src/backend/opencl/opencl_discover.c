/* Discovers the OpenCL devices in a child process.
 * SPDX-License-Identifier: MIT */
#include "opencl.h"

#include "packages.h"
#include "base/folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A folder for compiled kernels ---- */

/* Whether a folder can be written, or be made in the nearest folder above it that exists. */
static bool can_write(const char *format, const char *folder)
{
    char path[4096];
    if (!folder || !*folder || snprintf(path, sizeof path, format, folder) >= (int)sizeof path)
        return false;
    while (access(path, F_OK) != 0) {
        char *slash = strrchr(path, '/');
        if (!slash || slash == path)
            return false;
        *slash = '\0';
    }
    /* The rights of a folder do not tell everything: a file system may be read-only, or hold no files at all. */
    if (strlen(path) + sizeof "/tilelab-XXXXXX" > sizeof path || !mkdtemp(strcat(path, "/tilelab-XXXXXX")))
        return false;
    return rmdir(path) == 0;
}

bool opencl_cache_prepare(void)
{
    if (getenv("POCL_CACHE_DIR")
            ? can_write("%s", getenv("POCL_CACHE_DIR"))
            : can_write("%s/pocl", getenv("XDG_CACHE_HOME")) || can_write("%s/.cache/pocl", getenv("HOME")))
        return true;
    char folder[4096];
    return folder_own("tilelab-pocl", folder, sizeof folder) && setenv("POCL_CACHE_DIR", folder, 1) == 0;
}

/* ---- In the child process ---- */

static void get_text(const struct opencl_api *api, cl_device device, uint32_t what, char *text, size_t size)
{
    char all[4096] = "";
    api->GetDeviceInfo(device, what, sizeof all - 1, all, NULL);
    snprintf(text, size, "%.*s", (int)size - 1, all + strspn(all, " "));
}

/* A number of `size` bytes, as the specification has it. */
static int64_t get_number(const struct opencl_api *api, cl_device device, uint32_t what, size_t size)
{
    uint64_t number = 0;
    if (api->GetDeviceInfo(device, what, size, &number, NULL) != CL_SUCCESS)
        return 0;
    return number > INT64_MAX ? INT64_MAX : (int64_t)number;
}

static void describe(const struct opencl_api *api, cl_device device, cl_platform platform, struct found_device *to)
{
    size_t items[8] = {0};
    char extensions[4096];
    get_text(api, device, CL_DEVICE_NAME, to->name, sizeof to->name);
    get_text(api, device, CL_DEVICE_VERSION, to->version, sizeof to->version);
    get_text(api, device, CL_DRIVER_VERSION, to->driver, sizeof to->driver);
    get_text(api, device, CL_DEVICE_EXTENSIONS, extensions, sizeof extensions);
    api->GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof to->platform - 1, to->platform, NULL);
    api->GetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items, NULL);
    const bool cpu = (uint64_t)get_number(api, device, CL_DEVICE_TYPE, 8) & CL_DEVICE_TYPE_CPU;
    snprintf(to->kind, sizeof to->kind, "%s", registry_kind_names[cpu ? KIND_CPU : KIND_GPU]);
    to->available = (int)get_number(api, device, CL_DEVICE_AVAILABLE, 4);
    to->compiler = (int)get_number(api, device, CL_DEVICE_COMPILER_AVAILABLE, 4);
    to->fp64 = get_number(api, device, CL_DEVICE_DOUBLE_FP_CONFIG, 8) != 0 || strstr(extensions, "cl_khr_fp64") != NULL;
    to->compute_units = (int)get_number(api, device, CL_DEVICE_MAX_COMPUTE_UNITS, 4);
    to->clock_mhz = (int)get_number(api, device, CL_DEVICE_MAX_CLOCK_FREQUENCY, 4);
    to->group_items = (int)get_number(api, device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    to->items_x = items[0] > INT32_MAX ? INT32_MAX : (int)items[0];
    to->items_y = items[1] > INT32_MAX ? INT32_MAX : (int)items[1];
    to->memory_bytes = get_number(api, device, CL_DEVICE_GLOBAL_MEM_SIZE, 8);
    to->allocation_bytes = get_number(api, device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8);
    to->local_bytes = get_number(api, device, CL_DEVICE_LOCAL_MEM_SIZE, 8);
}

static void discover_here(struct found *found)
{
    cl_device device[FOUND_DEVICES];
    cl_platform platform[FOUND_DEVICES];
    *found = (struct found){.count = 0};
    const bool cached = opencl_cache_prepare();
    const struct opencl_api *api = opencl_api_open(found->missing, sizeof found->missing);
    if (!api)
        return;
    uint32_t platforms = 0;
    (void)api->GetPlatformIDs(0, NULL, &platforms);
    if (platforms == 0)
        snprintf(found->missing, sizeof found->missing,
                 "the OpenCL loader finds no platform (install the driver of a device, or for the CPU PoCL: %s)",
                 PACKAGE_INSTALL PACKAGE_libpocl);
    else if ((found->count = opencl_api_devices(api, device, platform, FOUND_DEVICES)) == 0)
        snprintf(found->missing, sizeof found->missing, "the OpenCL loader finds %u platform%s without any device (%s)",
                 platforms, platforms == 1 ? "" : "s",
                 cached ? "`clinfo` shows what it sees"
                        : "no folder for compiled kernels can be written; POCL_CACHE_DIR names another");
    for (int i = 0; i < found->count; i++)
        describe(api, device[i], platform[i], &found->device[i]);
}

int opencl_describe_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct found found;
    discover_here(&found);
    found_write(&found, stdout);
    fflush(stdout);
    /* The exit handlers of a driver may hang or crash. */
    _exit(0);
}

/* ---- In the parent ---- */

const struct found *opencl_discover(void)
{
    static struct found found;
    static bool known;
    if (!known)
        found_ask("describe-opencl", "OpenCL devices", "try clinfo: a driver may crash or hang", &found);
    known = true;
    return &found;
}
