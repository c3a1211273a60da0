/* Discovers the GPU in a child process, and finds the shared objects of the CUDA backend.
 * SPDX-License-Identifier: MIT */
#include "cuda.h"

#include "backend/discovery.h"
#include "backend/object.h"
#include "machine/nvml.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DISCOVERY_SIZE = 8192 };

const struct cuda_library cuda_libraries[CUDA_LIBRARIES] = {
    [CUDA_CUBLAS] = {"cuBLAS", "cublas", "tilelab-cublas.so", "libcublas"},
    [CUDA_CUSOLVER] = {"cuSOLVER", "cusolver", "tilelab-cusolver.so", "libcusolver"},
};

const struct cuda_api *cuda_object_open(void **handle, char *why, size_t size)
{
    char path[PATH_MAX];
    if (!object_path("tilelab-cuda.so", path, sizeof path)) {
        snprintf(
            why, size,
            "built without CUDA: nvcc was not found when tilelab was built (install the CUDA Toolkit, then `make`)");
        return NULL;
    }
    *handle = object_open(path, RTLD_NOW | RTLD_LOCAL, why, size);
    if (!*handle)
        return NULL;
    tilelab_cuda_function function;
    *(void **)&function = dlsym(*handle, "tilelab_cuda");
    const struct cuda_api *api = function ? function() : NULL;
    if (api && api->version == CUDA_API_VERSION)
        return api;
    return object_refuse(handle, "tilelab-cuda.so", why, size);
}

/* The fields of a discovery. Each is one line of the text in which a discovery travels. */
#define FIELD(kind, member) DISCOVERY_FIELD(DISCOVERY_##kind, cuda_discovery, member)
static const struct discovery_field fields[] = {
    FIELD(TEXT, missing),
    FIELD(TEXT, missing_library[CUDA_CUBLAS]),
    FIELD(TEXT, missing_library[CUDA_CUSOLVER]),
    FIELD(TEXT, uuid),
    FIELD(INT, devices),
    FIELD(TEXT, device.name),
    FIELD(INT, device.major),
    FIELD(INT, device.minor),
    FIELD(INT, device.multiprocessors),
    FIELD(INT, device.warp_size),
    FIELD(INT64, device.memory_bytes),
    FIELD(INT64, device.l2_bytes),
    FIELD(INT64, device.shared_per_block_bytes),
    FIELD(INT64, device.shared_per_block_optin_bytes),
    FIELD(INT64, device.shared_per_sm_bytes),
    FIELD(INT, device.registers_per_block),
    FIELD(INT, device.threads_per_block),
    FIELD(INT, device.threads_per_sm),
    FIELD(INT, device.clock_khz),
    FIELD(INT, device.memory_clock_khz),
    FIELD(INT, device.memory_bus_bits),
    FIELD(INT, device.ecc),
    FIELD(INT, device.driver),
    FIELD(INT, device.runtime),
    FIELD(INT, device.built_for),
    FIELD(TEXT, device.pci_bus),
    FIELD(INT64, device.memory_free_bytes),
    FIELD(INT, device.power_limit_w),
    FIELD(TEXT, device.driver_version),
};
enum { FIELDS = sizeof fields / sizeof *fields };

void cuda_discovery_write(const struct cuda_discovery *found, FILE *out)
{
    discovery_write(fields, FIELDS, found, out);
    fputs("end\n", out);
}

bool cuda_discovery_read(char *text, struct cuda_discovery *found)
{
    int known = 0;
    *found = (struct cuda_discovery){0};
    char *key, *value;
    while (discovery_next(&text, &key, &value))
        known += discovery_read(fields, FIELDS, key, value, found);
    return known == FIELDS && strcmp(key, "end") == 0;
}

static void discover_library(const struct cuda_library *library, char *missing, size_t size)
{
    char path[PATH_MAX];
    void *object;
    if (!object_path(library->object, path, sizeof path))
        snprintf(missing, size,
                 "built without %s: its header or library was not found when tilelab was built (install %s-dev of the "
                 "CUDA Toolkit, then `make`)",
                 library->name, library->package);
    else if (!(object = dlopen(path, RTLD_LAZY | RTLD_LOCAL)))
        snprintf(missing, size, "%s cannot be loaded: %.120s (install %s of the CUDA Toolkit)", library->name,
                 dlerror(), library->package);
    else
        (void)object_fits(object, library->object, missing, size);
}

/* The part of the child process: only this part touches the driver. */
static void discover_here(struct cuda_discovery *found)
{
    void *handle;
    int devices = 0;
    *found = (struct cuda_discovery){0};
    /* Without a driver it does not matter whether the shared objects were built. */
    if (!dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL)) {
        snprintf(found->missing, sizeof found->missing,
                 "no NVIDIA driver on this machine (libcuda.so.1 not found; in Docker, run with --gpus all)");
        return;
    }
    const struct cuda_api *api = cuda_object_open(&handle, found->missing, sizeof found->missing);
    if (!api)
        return;
    struct cuda_device *device = &found->device;
    if (api->count(&devices) != 0 || devices == 0 || api->describe(0, device) != 0) {
        snprintf(found->missing, sizeof found->missing,
                 "no usable GPU: %.120s (nvidia-smi shows what the driver sees; CUDA_VISIBLE_DEVICES may hide it)",
                 devices == 0 && !*api->last_error() ? "the driver reports none" : api->last_error());
        return;
    }
    found->devices = devices;
    if (device->major * 10 + device->minor < device->built_for)
        snprintf(found->missing, sizeof found->missing,
                 "%s has compute capability %d.%d, and this CUDA Toolkit builds for %d.%d and up (use an older one)",
                 device->name, device->major, device->minor, device->built_for / 10, device->built_for % 10);
    if (nvml_open(device->pci_bus)) {
        device->memory_free_bytes = nvml_memory_free_bytes();
        device->power_limit_w = nvml_power_limit_w();
        nvml_uuid(found->uuid, sizeof found->uuid);
    }
    nvml_driver(device->driver_version, sizeof device->driver_version);
    for (int i = 0; i < CUDA_LIBRARIES; i++)
        discover_library(&cuda_libraries[i], found->missing_library[i], sizeof found->missing_library[i]);
}

int cuda_describe_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    struct cuda_discovery found;
    discover_here(&found);
    cuda_discovery_write(&found, stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}

static void discover_by_child(struct cuda_discovery *found)
{
    char text[DISCOVERY_SIZE];
    if (discovery_ask("describe-cuda", text, sizeof text) && cuda_discovery_read(text, found))
        return;
    *found = (struct cuda_discovery){0};
    snprintf(
        found->missing, sizeof found->missing,
        "nothing is known of the GPU: `tilelab describe-cuda` gave no answer (try nvidia-smi: the driver may hang)");
}

const struct cuda_discovery *cuda_discover(void)
{
    static struct cuda_discovery found;
    static bool known;
    if (!known)
        discover_by_child(&found);
    known = true;
    return &found;
}

const struct cuda_device *cuda_discover_device(void)
{
    const struct cuda_discovery *found = cuda_discover();
    return *found->missing ? NULL : &found->device;
}
