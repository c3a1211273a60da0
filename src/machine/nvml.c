/* NVIDIA's management library, loaded at run time.
 * SPDX-License-Identifier: MIT
 *
 * Not every CUDA Toolkit has nvml.h, and a machine without a GPU has no such library. So this file declares the part of
 * the stable C interface that it uses. */
#include "nvml.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <sys/time.h>

typedef struct nvml_device *nvml_handle;
struct nvml_memory {
    unsigned long long total, free, used;
};

/* How busy a process kept the multiprocessors, as the driver has sampled it. */
struct nvml_use {
    unsigned pid;
    unsigned long long time_us; /* since 1970 */
    unsigned sm_percent, memory_percent, encoder_percent, decoder_percent;
};

enum { NVML_OK = 0, NVML_NO_PERMISSION = 4, NVML_CLOCK_SM = 1, NVML_TEMPERATURE_GPU = 0 };

/* The clock event reasons that slow a busy GPU down. 0x08: hardware slowdown; 0x20: heat, found by software; 0x40:
 * heat, found by hardware; 0x80: power brake. Idle (0x01), application clocks (0x02) and sync boost (0x10) are no
 * faults. Nor is the power limit (0x04), at which large products always are. */
enum { REASONS_THROTTLED = 0xE8, REASON_CAPPED = 0x04 };

static struct {
    void *library;
    int (*init)(void);
    int (*shutdown)(void);
    int (*driver_version)(char *text, unsigned size);
    int (*count)(unsigned *devices);
    int (*by_index)(unsigned index, nvml_handle *device);
    int (*by_pci_bus)(const char *pci_bus, nvml_handle *device);
    int (*clock)(nvml_handle device, int kind, unsigned *mhz);
    int (*reasons)(nvml_handle device, unsigned long long *mask);
    int (*memory)(nvml_handle device, struct nvml_memory *memory);
    int (*power_limit)(nvml_handle device, unsigned *milliwatts);
    int (*uuid)(nvml_handle device, char *text, unsigned size);
    int (*temperature)(nvml_handle device, int sensor, unsigned *celsius);
    int (*energy)(nvml_handle device, unsigned long long *millijoules);
    int (*uses)(nvml_handle device, struct nvml_use *uses, unsigned *count, unsigned long long after_us);
} nvml;

/* The GPUs that are watched; the first one is described too. */
enum { WATCHED_MOST = 64 };
static nvml_handle watched[WATCHED_MOST], device;
static int watched_count;
static struct energy_counter counters[WATCHED_MOST]; /* of the watched GPUs */
static unsigned long long since_us;                  /* when nvml_meter.begin was called */

static void *symbol(const char *name)
{
    return dlsym(nvml.library, name);
}

/* Loads and initialises the library; false without a driver. The library counts its users, so each load needs one
 * unload. */
static bool load(void)
{
    if (!nvml.library) {
        nvml.library = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
        if (!nvml.library)
            return false;
        *(void **)&nvml.init = symbol("nvmlInit_v2");
        *(void **)&nvml.shutdown = symbol("nvmlShutdown");
        *(void **)&nvml.driver_version = symbol("nvmlSystemGetDriverVersion");
        *(void **)&nvml.count = symbol("nvmlDeviceGetCount_v2");
        *(void **)&nvml.by_index = symbol("nvmlDeviceGetHandleByIndex_v2");
        *(void **)&nvml.by_pci_bus = symbol("nvmlDeviceGetHandleByPciBusId_v2");
        *(void **)&nvml.clock = symbol("nvmlDeviceGetClockInfo");
        *(void **)&nvml.reasons = symbol("nvmlDeviceGetCurrentClocksEventReasons");
        if (!nvml.reasons) /* the function's name before driver 535 */
            *(void **)&nvml.reasons = symbol("nvmlDeviceGetCurrentClocksThrottleReasons");
        *(void **)&nvml.memory = symbol("nvmlDeviceGetMemoryInfo");
        *(void **)&nvml.power_limit = symbol("nvmlDeviceGetEnforcedPowerLimit");
        *(void **)&nvml.uuid = symbol("nvmlDeviceGetUUID");
        *(void **)&nvml.temperature = symbol("nvmlDeviceGetTemperature");
        *(void **)&nvml.energy = symbol("nvmlDeviceGetTotalEnergyConsumption");
        *(void **)&nvml.uses = symbol("nvmlDeviceGetProcessUtilization");
    }
    return nvml.init && nvml.init() == NVML_OK;
}

static void unload(void)
{
    if (nvml.shutdown)
        nvml.shutdown();
}

bool nvml_driver(char *text, size_t size)
{
    char version[81] = "";
    if (!load())
        return false;
    const bool known = nvml.driver_version && nvml.driver_version(version, sizeof version - 1) == NVML_OK;
    unload();
    if (known)
        snprintf(text, size, "%s", version);
    return known;
}

/* Finds a GPU by its PCI bus id, which may be "". A virtual machine may number the bus differently. GPUs that are all
 * of the machine's are certain to be the right ones, whatever their order. */
static bool find(const char *pci_bus, int index, int all, nvml_handle *found)
{
    unsigned devices = 0;
    if (pci_bus[0] != '\0' && nvml.by_pci_bus && nvml.by_pci_bus(pci_bus, found) == NVML_OK)
        return true;
    return nvml.count && nvml.by_index && nvml.count(&devices) == NVML_OK && devices == (unsigned)all &&
           nvml.by_index((unsigned)index, found) == NVML_OK;
}

static bool watch(const char *pci_bus, int index, int all)
{
    nvml_handle found;
    if (watched_count == WATCHED_MOST || !find(pci_bus, index, all, &found))
        return false;
    counters[watched_count] = (struct energy_counter){.unit_j = 1e-3};
    watched[watched_count++] = found;
    device = watched[0];
    return true;
}

static void forget(void)
{
    watched_count = 0;
    device = NULL;
}

bool nvml_open(const char *pci_bus)
{
    forget();
    if (!load())
        return false;
    if (watch(pci_bus, 0, 1))
        return true;
    unload();
    return false;
}

bool nvml_open_several(int first, int count, int all)
{
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    int (*start)(unsigned flags) = NULL, (*pci_bus_of)(char *text, int size, int device) = NULL;
    forget();
    if (driver) {
        *(void **)&start = dlsym(driver, "cuInit");
        *(void **)&pci_bus_of = dlsym(driver, "cuDeviceGetPCIBusId");
    }
    if (start)
        start(0);
    if (!load())
        return false;
    for (int i = first; i < first + count; i++) {
        char pci_bus[32] = "";
        if (pci_bus_of && pci_bus_of(pci_bus, sizeof pci_bus, i) != 0)
            pci_bus[0] = '\0';
        if (watch(pci_bus, i, all))
            continue;
        forget();
        unload();
        return false;
    }
    return true;
}

double nvml_sm_clock_hz(void)
{
    unsigned lowest = 0;
    for (int i = 0; i < watched_count; i++) {
        unsigned mhz;
        if (!nvml.clock || nvml.clock(watched[i], NVML_CLOCK_SM, &mhz) != NVML_OK)
            return NAN;
        lowest = i == 0 || mhz < lowest ? mhz : lowest;
    }
    return watched_count > 0 ? lowest * 1e6 : NAN;
}

/* The reasons of all watched devices together. */
static unsigned long long reasons_now(void)
{
    unsigned long long all = 0, mask;
    for (int i = 0; i < watched_count && nvml.reasons; i++)
        all |= nvml.reasons(watched[i], &mask) == NVML_OK ? mask : 0;
    return all;
}

bool nvml_throttled(void)
{
    return (reasons_now() & REASONS_THROTTLED) != 0;
}

bool nvml_capped(void)
{
    return (reasons_now() & REASON_CAPPED) != 0;
}

double nvml_temperature_c(void)
{
    unsigned hottest = 0, celsius;
    for (int i = 0; i < watched_count; i++) {
        if (!nvml.temperature || nvml.temperature(watched[i], NVML_TEMPERATURE_GPU, &celsius) != NVML_OK)
            return NAN;
        hottest = celsius > hottest ? celsius : hottest;
    }
    return watched_count > 0 ? hottest : NAN;
}

int64_t nvml_memory_free_bytes(void)
{
    struct nvml_memory memory;
    return device && nvml.memory && nvml.memory(device, &memory) == NVML_OK ? (int64_t)memory.free : -1;
}

int nvml_power_limit_w(void)
{
    unsigned milliwatts;
    return device && nvml.power_limit && nvml.power_limit(device, &milliwatts) == NVML_OK ? (int)(milliwatts / 1000)
                                                                                          : -1;
}

bool nvml_uuid(char *text, size_t size)
{
    char uuid[97] = "";
    const bool known = device && nvml.uuid && nvml.uuid(device, uuid, sizeof uuid - 1) == NVML_OK;
    if (known)
        snprintf(text, size, "%s", uuid);
    return known;
}

/* ---- Energy ---- */

static double joules(char *why, size_t size)
{
    double sum_j = 0;
    if (watched_count == 0)
        snprintf(why, size, "NVML, the management library of NVIDIA's driver, does not know this device");
    for (int i = 0; i < watched_count; i++) {
        unsigned long long millijoules;
        const int failed = nvml.energy ? nvml.energy(watched[i], &millijoules) : -1;
        if (failed) {
            snprintf(why, size, "%s",
                     failed == NVML_NO_PERMISSION
                         ? "the driver lets only the administrator read the GPU's counter of energy: run as root"
                         : "the driver has no counter of this GPU's energy: GPUs before Volta and parts of a GPU have "
                           "none");
            return NAN;
        }
        if (!energy_count(&counters[i], millijoules)) {
            snprintf(why, size, "the GPU's counter of energy began anew during the run: measure again");
            return NAN;
        }
        sum_j += counters[i].joules;
    }
    return watched_count > 0 ? sum_j : NAN;
}

static unsigned long long time_us(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_usec;
}

static void begin(void)
{
    since_us = time_us();
}

/* How many processes have used a device since a time. In a container their numbers may be those of the host, so that
 * the own process cannot be told from others. */
static int processes_on(nvml_handle watched_device, unsigned long long after_us)
{
    enum { USES_MOST = 256 };
    static struct nvml_use uses[USES_MOST];
    unsigned count = USES_MOST;
    int processes = 0;
    if (!nvml.uses || nvml.uses(watched_device, uses, &count, after_us) != NVML_OK)
        return 0;
    for (unsigned i = 0; i < count && i < USES_MOST; i++) {
        bool is_new = uses[i].sm_percent > 0 && uses[i].time_us > after_us;
        for (unsigned j = 0; j < i && is_new; j++)
            is_new = uses[j].sm_percent == 0 || uses[j].time_us <= after_us || uses[j].pid != uses[i].pid;
        processes += is_new;
    }
    return processes;
}

/* A sample tells of up to half a second before it. Other workers of this program may have been busy then. */
static bool shared(bool idle)
{
    enum { SAMPLE_US = 500000 };
    bool others = false;
    for (int i = 0; i < watched_count; i++)
        others |= processes_on(watched[i], since_us + SAMPLE_US) > (idle ? 0 : 1);
    return others;
}

/* An H100 took 665 W for a product in f32 at 56 degrees, and 681 to 688 W from 60 degrees on, ten seconds later.
 * Nothing else tells that another process used the GPU while times were taken. */
const struct energy_meter nvml_meter = {.joules = joules,
                                        .begin = begin,
                                        .shared = shared,
                                        .shared_by = "another process used the GPU",
                                        .heat_s = 10,
                                        .spoils_times = true};
