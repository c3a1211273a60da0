/* The machine: cores, caches, memory and what limits them, from /proc and /sys.
 * SPDX-License-Identifier: MIT */
#include "cgroup.h"
#include "cpus.h"
#include "environment.h"
#include "host_parts.h"
#include "procfs.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The affinity mask at the start of the process. If the user has set OMP_PROC_BIND, libgomp's constructor narrows the
 * main thread's mask to one core. So the mask is read before the constructors of any shared library run. */
static struct cpus start_mask;
static long start_mask_size; /* bytes; 0 or less: not known */

typedef void starter(int argc, char **argv, char **environment);

__attribute__((no_sanitize("address", "undefined"))) static void remember_mask(int argc, char **argv,
                                                                               char **environment)
{
    (void)argc, (void)argv, (void)environment;
    start_mask_size = syscall(SYS_sched_getaffinity, 0, sizeof start_mask, &start_mask);
}

__attribute__((section(".preinit_array"), used)) static starter *const remember = remember_mask;

static void allowed_cpus(const char *root, struct cpus *allowed)
{
    char line[4096] = "";
    memset(allowed, 0, sizeof *allowed);
    if (*root == '\0' && start_mask_size > 0) {
        *allowed = start_mask;
        return;
    }
    FILE *file = procfs_open(root, "/proc/self/status");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "Cpus_allowed_list:", 18) == 0)
            cpus_parse(allowed, line + 18 + strspn(line + 18, " \t"));
    }
    if (file != NULL)
        fclose(file);
}

/* ---- Cores ---- */

struct core {
    int rank; /* 0: a performance core, or all cores are alike */
    int package;
    int first; /* lowest logical CPU, which names the core */
    int cpu;   /* logical CPU to bind to */
};

static int compare_cores(const void *a, const void *b)
{
    const struct core *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank - y->rank;
    if (x->package != y->package)
        return x->package - y->package;
    return x->first != y->first ? x->first - y->first : x->cpu - y->cpu;
}

/* Reads the core of one logical CPU. Returns how many logical CPUs the core has. */
static int read_core(const char *root, int cpu, const struct cpus *performance, struct core *core)
{
    char list[256];
    struct cpus siblings = {{0}};
    const bool told = procfs_line(list, sizeof list, root, CPU "/cpu%d/topology/thread_siblings_list", cpu);
    const int count = told ? cpus_parse(&siblings, list) : 1;
    core->cpu = cpu;
    core->first = told && isdigit((unsigned char)*list) ? atoi(list) : cpu;
    core->package = (int)procfs_integer(0, root, CPU "/cpu%d/topology/physical_package_id", cpu);
    core->rank = performance != NULL && !cpus_has(performance, cpu);
    return count;
}

/* Reads the CPUs of the faster cores; false if all cores are of one kind. */
static bool performance_cpus(const char *root, struct cpus *performance)
{
    char list[1024];
    return procfs_line(list, sizeof list, root, "/sys/devices/cpu_core/cpus") && cpus_parse(performance, list) > 0;
}

/* Reads the online and the allowed logical CPUs. If the system tells only one of the two sets, it stands for both. */
static void read_masks(const char *root, struct cpus *online, struct cpus *allowed)
{
    char list[4096];
    const struct cpus none = {{0}};
    *online = none;
    allowed_cpus(root, allowed);
    if (!procfs_line(list, sizeof list, root, CPU "/online") || cpus_parse(online, list) == 0)
        *online = *allowed;
    for (size_t i = 0; i < sizeof none.word / sizeof *none.word; i++)
        allowed->word[i] &= online->word[i];
    if (memcmp(allowed, &none, sizeof none) == 0)
        *allowed = *online;
}

static void read_cores(struct host *host, const char *root)
{
    struct cpus online, allowed, performance = {{0}};
    struct core core[CPUS_MAX];
    bool package_seen[1024] = {false};
    int count = 0;
    const bool hybrid = performance_cpus(root, &performance);
    read_masks(root, &online, &allowed);
    host->smt = 1;
    for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
        struct core at;
        if (!cpus_has(&online, cpu))
            continue;
        const int threads = read_core(root, cpu, hybrid ? &performance : NULL, &at);
        host->smt = threads > host->smt ? threads : host->smt;
        host->cores_online += at.first == cpu || !cpus_has(&online, at.first);
        bool *seen = &package_seen[(unsigned)at.package % 1024];
        host->sockets += !*seen;
        *seen = true;
        if (cpus_has(&allowed, cpu))
            core[count++] = at;
    }
    qsort(core, (size_t)count, sizeof *core, compare_cores);
    for (int i = 0; i < count && host->cores_allowed < HOST_CORES_MAX; i++) {
        if (i == 0 || core[i].first != core[i - 1].first)
            host->core_cpu[host->cores_allowed++] = core[i].cpu;
    }
    /* Without /sys and /proc there is still the core that this process runs on. */
    host->cores_allowed = host->cores_allowed > 0 ? host->cores_allowed : 1;
    host->cores_online = host->cores_online > host->cores_allowed ? host->cores_online : host->cores_allowed;
    host->sockets = host->sockets > 0 ? host->sockets : 1;
}

static void read_limits(struct host *host, const char *root)
{
    cgroup_limits(root, &host->quota_cores, &host->memory_limit_bytes);
    host->cores = host->cores_allowed;
    if (host->quota_cores > 0 && host->quota_cores < host->cores)
        host->cores = host->quota_cores < 1 ? 1 : (int)host->quota_cores;
}

static void read_numa(struct host *host, const char *root)
{
    char list[256];
    struct cpus nodes = {{0}};
    const bool told = procfs_line(list, sizeof list, root, "/sys/devices/system/node/online");
    host->numa_nodes = told ? cpus_parse(&nodes, list) : 1;
    host->numa_nodes = host->numa_nodes > 0 ? host->numa_nodes : 1;
}

static int64_t scaled(const char *text)
{
    char *end;
    const int64_t value = strtoll(text, &end, 10);
    return *end == 'K' ? value << 10 : *end == 'M' ? value << 20 : *end == 'G' ? value << 30 : value;
}

static void read_caches(struct host *host, const char *root)
{
    for (int index = 0; index < 16; index++) {
        char type[32], size[32];
        const int cpu = host->core_cpu[0];
        const int64_t level = procfs_integer(0, root, CPU "/cpu%d/cache/index%d/level", cpu, index);
        if (level == 0 || !procfs_line(type, sizeof type, root, CPU "/cpu%d/cache/index%d/type", cpu, index) ||
            !procfs_line(size, sizeof size, root, CPU "/cpu%d/cache/index%d/size", cpu, index) ||
            strcmp(type, "Instruction") == 0)
            continue;
        int64_t *to = level == 1 ? &host->l1d_bytes : level == 2 ? &host->l2_bytes : &host->l3_bytes;
        if (level <= 3)
            *to = scaled(size);
        struct cpus sharing = {{0}};
        char list[1024];
        if (level == 3 && procfs_line(list, sizeof list, root, CPU "/cpu%d/cache/index%d/shared_cpu_list", cpu, index))
            host->l3_cpus = cpus_parse(&sharing, list);
    }
}

static void read_memory(struct host *host, const char *root)
{
    char line[128];
    FILE *file = procfs_open(root, "/proc/meminfo");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "MemTotal:", 9) == 0)
            host->memory_bytes = strtoll(line + 9, NULL, 10) << 10;
        else if (strncmp(line, "MemAvailable:", 13) == 0)
            host->memory_available_bytes = strtoll(line + 13, NULL, 10) << 10;
    }
    if (file != NULL)
        fclose(file);
    if (host->memory_limit_bytes >= host->memory_bytes && host->memory_bytes > 0)
        host->memory_limit_bytes = 0;
    if (host->memory_limit_bytes > 0 && host->memory_available_bytes > host->memory_limit_bytes)
        host->memory_available_bytes = host->memory_limit_bytes;
}

/* ---- The interface ---- */

void host_read(struct host *host, const char *root)
{
    memset(host, 0, sizeof *host);
    read_cores(host, root);
    read_limits(host, root);
    read_numa(host, root);
    read_caches(host, root);
    read_memory(host, root);
    host_read_processor(host, root);
}

static struct host *host_here(void)
{
    static struct host host;
    static bool known;
    if (!known) {
        host_read(&host, "");
        host_order(&host, getenv(HOST_ORDER));
    }
    known = true;
    return &host;
}

const struct host *host_get(void)
{
    return host_here();
}

bool host_arrange(const int *cpu, int count)
{
    char list[HOST_CORES_MAX * sizeof "1234,"];
    size_t length = 0;
    if (getenv(HOST_ORDER) != NULL)
        return false;
    for (int i = 0; i < count && length + 16 < sizeof list; i++)
        length += (size_t)sprintf(list + length, "%s%d", i > 0 ? "," : "", cpu[i]);
    return host_order(host_here(), list) && setenv(HOST_ORDER, list, 1) == 0;
}

struct caches host_caches(const struct host *host)
{
    /* A virtual machine may see a third level that it shares with other machines. */
    enum { L3_SHARE_MOST = 8 << 20 };
    const int64_t cores = host->l3_cpus > host->smt ? host->l3_cpus / host->smt : 1;
    const int64_t share = host->l3_bytes / cores;
    return (struct caches){.l1d_bytes = host->l1d_bytes,
                           .l2_bytes = host->l2_bytes,
                           .l3_share_bytes = share < L3_SHARE_MOST ? share : L3_SHARE_MOST};
}

const char *host_cores_text(const struct host *host, char *text, size_t size)
{
    const char *noun = host->cores_online == 1 ? "core" : "cores";
    int length = host->cores == host->cores_online
                     ? snprintf(text, size, "%d %s", host->cores, noun)
                     : snprintf(text, size, "%d of %d %s (", host->cores, host->cores_online, noun);
    const bool affinity = host->cores_allowed < host->cores_online;
    if (host->cores == host->cores_online || length < 0 || (size_t)length >= size)
        return text;
    if (host->cores < host->cores_allowed) {
        const int hundredths = (int)(100 * host->quota_cores + 0.5);
        length += snprintf(text + length, size - (size_t)length, "control group: %d.%02d cores%s", hundredths / 100,
                           hundredths % 100, affinity ? "; " : "");
    }
    if ((size_t)length < size && affinity)
        length += snprintf(text + length, size - (size_t)length, "affinity mask: %d", host->cores_allowed);
    if ((size_t)length < size)
        snprintf(text + length, size - (size_t)length, ")");
    return text;
}

bool host_model_masked(const struct host *host)
{
    /* A model's number has digits. A clock, which follows '@', is no model's number. */
    const char *digit = strpbrk(host->cpu_model, "0123456789");
    const char *clock = strchr(host->cpu_model, '@');
    return digit == NULL || (clock != NULL && digit > clock);
}

static int set_mask(const struct cpus *mask)
{
    const size_t size = start_mask_size > 0 ? (size_t)start_mask_size : sizeof mask->word;
    return syscall(SYS_sched_setaffinity, 0, size, mask) == 0 ? 0 : -1;
}

int host_bind(int threads)
{
    const struct host *host = host_get();
    struct cpus mask = {{0}};
    if (threads > host->cores) {
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < threads || i == 0; i++)
        cpus_add(&mask, host->core_cpu[i]);
    return set_mask(&mask);
}

int host_bind_to(int core)
{
    struct cpus mask = {{0}};
    cpus_add(&mask, host_get()->core_cpu[core]);
    return set_mask(&mask);
}

void host_clean_environment(void)
{
    environment_clean();
    if (start_mask_size > 0)
        set_mask(&start_mask);
}
