/* Loads OpenCL, names its errors and finds its devices.
 * SPDX-License-Identifier: MIT */
#include "opencl_api.h"

#include "packages.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const struct opencl_api *opencl_api_open(char *why, size_t size)
{
    static struct opencl_api api;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(why, size, "no OpenCL loader on this machine: %.100s (" PACKAGE_INSTALL PACKAGE_libOpenCL ")",
                 dlerror());
        return NULL;
    }
#define CALL(name, result, arguments) \
    if (!(*(void **)&api.name = dlsym(library, "cl" #name))) { \
        snprintf(why, size, "the OpenCL loader is older than OpenCL 1.2: it has no cl" #name); \
        return NULL; \
    }
    OPENCL_CALLS(CALL)
#undef CALL
    return &api;
}

const char *opencl_api_error(int code)
{
    static const struct {
        int code;
        const char *name;
    } errors[] = {
#define ERROR(name) {name, #name}
        ERROR(CL_DEVICE_NOT_FOUND),        ERROR(CL_DEVICE_NOT_AVAILABLE), ERROR(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        ERROR(CL_OUT_OF_RESOURCES),        ERROR(CL_OUT_OF_HOST_MEMORY),   ERROR(CL_BUILD_PROGRAM_FAILURE),
        ERROR(CL_INVALID_DEVICE),          ERROR(CL_INVALID_CONTEXT),      ERROR(CL_INVALID_COMMAND_QUEUE),
        ERROR(CL_INVALID_WORK_GROUP_SIZE), ERROR(CL_INVALID_BUFFER_SIZE),  ERROR(CL_PLATFORM_NOT_FOUND),
#undef ERROR
    };
    static char text[40];
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == code)
            return errors[i].name;
    snprintf(text, sizeof text, "OpenCL error %d", code);
    return text;
}

enum { PLATFORMS_MOST = 16 };

/* The platforms, sorted by name. */
static int find_platforms(const struct opencl_api *api, cl_platform platform[PLATFORMS_MOST])
{
    char name[PLATFORMS_MOST][64];
    uint32_t found = 0;
    if (api->GetPlatformIDs(PLATFORMS_MOST, platform, &found) != CL_SUCCESS)
        return 0;
    const int count = found < PLATFORMS_MOST ? (int)found : PLATFORMS_MOST;
    for (int i = 0; i < count; i++) {
        const cl_platform here = platform[i];
        char text[64] = "";
        api->GetPlatformInfo(here, CL_PLATFORM_NAME, sizeof text, text, NULL);
        text[sizeof text - 1] = '\0';
        int at = i;
        for (; at > 0 && strcmp(name[at - 1], text) > 0; at--) {
            memcpy(name[at], name[at - 1], sizeof *name);
            platform[at] = platform[at - 1];
        }
        memcpy(name[at], text, sizeof *name);
        platform[at] = here;
    }
    return count;
}

int opencl_api_devices(const struct opencl_api *api, cl_device *device, cl_platform *platform, int most)
{
    cl_platform platforms[PLATFORMS_MOST];
    const int count = find_platforms(api, platforms);
    int filled = 0;
    for (int i = 0; i < count && filled < most; i++) {
        uint32_t found = 0;
        if (api->GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, (uint32_t)(most - filled), device + filled, &found) !=
            CL_SUCCESS)
            continue;
        for (uint32_t d = 0; d < found && filled < most; d++)
            platform[filled++] = platforms[i];
    }
    return filled;
}
