/* Counters of energy of the processor.
 * SPDX-License-Identifier: MIT */
#include "energy.h"

#include "cpus.h"
#include "procfs.h"
#include "base/number.h"
#include "base/timer.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* No device takes more between two readings: a day at 10 kW. */
static const double JOULES_MOST = 10e3 * 86400;
/* Others took part in the watts if they were busy for a larger share of the time of the own threads. An idle process
 * counts like one thread, or like one for each fifty processors, whose watts are more. */
static const double OTHERS_MOST = 0.05;

enum { PACKAGES_MOST = 64, PATH_SIZE = 512 };
static char root[256];
static struct {
    bool is_open;
    int count;
    struct energy_counter counter[PACKAGES_MOST];
    char path[PACKAGES_MOST][PATH_SIZE]; /* powercap: a file that holds the counter */
    int fd[PACKAGES_MOST];               /* perf: an event that counts */
    char why[160];                       /* there are none: the reason with the remedy */
} packages;

bool energy_count(struct energy_counter *counter, uint64_t now)
{
    const uint64_t last = counter->last;
    const uint64_t moved = now >= last || counter->range == 0 ? now - last : counter->range - last + now;
    const double joules = (double)moved * counter->unit_j;
    const bool first = !counter->is_read;
    counter->is_read = true;
    counter->last = now;
    if (first)
        return true;
    if (joules > JOULES_MOST)
        return false;
    counter->joules += joules;
    return true;
}

/* ---- powercap: the kernel's own counters, in microjoules ---- */

/* Whether there are such counters; packages.why says so if they cannot be read. */
static bool open_powercap(void)
{
    bool exists = false;
    char name[64];
    for (int zone = 0; zone < PACKAGES_MOST; zone++) {
        const int at = packages.count;
        char folder[64];
        snprintf(folder, sizeof folder, "/sys/class/powercap/intel-rapl:%d", zone);
        if (!procfs_line(name, sizeof name, root, "%s/name", folder) || strncmp(name, "package", 7) != 0)
            continue;
        exists = true;
        snprintf(packages.path[at], PATH_SIZE, "%s%s/energy_uj", root, folder);
        FILE *file = fopen(packages.path[at], "re");
        if (!file) {
            snprintf(packages.why, sizeof packages.why,
                     "%s/energy_uj cannot be read (%s): sudo chmod a+r /sys/class/powercap/*/energy_uj", folder,
                     strerror(errno));
            packages.count = 0;
            return true;
        }
        fclose(file);
        const int64_t most = procfs_integer(0, root, "%s/max_energy_range_uj", folder);
        packages.counter[at] = (struct energy_counter){.unit_j = 1e-6, .range = most > 0 ? (uint64_t)most + 1 : 0};
        packages.fd[at] = -1;
        packages.count++;
    }
    return exists;
}

/* ---- perf: one event a package, on the processor that stands for it ---- */

static void close_packages(void)
{
    for (int i = 0; i < packages.count; i++)
        if (packages.fd[i] >= 0)
            close(packages.fd[i]);
    packages.count = 0;
}

/* `told`: packages.why tells a remedy already. */
static void open_perf(bool told)
{
    static const char folder[] = "/sys/bus/event_source/devices/power";
    char mask[256], event[64], scale[64];
    unsigned long long config;
    struct cpus cpus = {{0}};
    double unit_j;
    const int64_t type = procfs_integer(-1, root, "%s/type", folder);
    if (type < 0 || !procfs_line(mask, sizeof mask, root, "%s/cpumask", folder) ||
        !procfs_line(event, sizeof event, root, "%s/events/energy-pkg", folder) ||
        !procfs_line(scale, sizeof scale, root, "%s/events/energy-pkg.scale", folder) ||
        sscanf(event, "event=%llx", &config) != 1 || !number_read(scale, strlen(scale), &unit_j) || !(unit_j > 0))
        return;
    cpus_parse(&cpus, mask);
    for (int cpu = 0; cpu < CPUS_MAX && packages.count < PACKAGES_MOST; cpu++) {
        struct perf_event_attr attributes = {.type = (uint32_t)type, .size = sizeof attributes, .config = config};
        if (!cpus_has(&cpus, cpu))
            continue;
        const int fd = (int)syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
        if (fd < 0) {
            if (!told)
                snprintf(packages.why, sizeof packages.why,
                         "the kernel refuses the power events of perf (%s): sudo sysctl kernel.perf_event_paranoid=0",
                         strerror(errno));
            close_packages();
            return;
        }
        packages.counter[packages.count] = (struct energy_counter){.unit_j = unit_j};
        packages.path[packages.count][0] = '\0';
        packages.fd[packages.count++] = fd;
    }
}

static void open_packages(void)
{
    packages.is_open = true;
    packages.count = 0;
    snprintf(packages.why, sizeof packages.why,
             "this machine tells no energy of its processor (neither powercap nor perf's power events), as in most "
             "virtual machines: measure on the bare machine");
    const bool told = open_powercap();
    if (packages.count == 0)
        open_perf(told);
}

void energy_use_root(const char *path)
{
    close_packages();
    packages.is_open = false;
    snprintf(root, sizeof root, "%s", path);
}

static bool read_package(int i, uint64_t *now)
{
    if (packages.fd[i] >= 0)
        return read(packages.fd[i], now, sizeof *now) == (ssize_t)sizeof *now;
    const int64_t microjoules = procfs_integer(-1, packages.path[i], "%s", "");
    *now = (uint64_t)microjoules;
    return microjoules >= 0;
}

static double joules(char *why, size_t size)
{
    double sum_j = 0;
    if (!packages.is_open)
        open_packages();
    if (packages.count == 0)
        snprintf(why, size, "%s", packages.why);
    for (int i = 0; i < packages.count; i++) {
        uint64_t now;
        if (!read_package(i, &now) || !energy_count(&packages.counter[i], now)) {
            snprintf(why, size, "the processor's counter of energy cannot be read any more: measure again");
            return NAN;
        }
        sum_j += packages.counter[i].joules;
    }
    return packages.count > 0 ? sum_j : NAN;
}

/* ---- Other programs ---- */

static struct {
    double busy_s, own_s, now_s;
} before;

/* How long the processors were busy since the machine started, all together; NAN: not known. */
static double busy_s(void)
{
    char line[512];
    unsigned long long user, nice, system, idle, waiting, interrupts, soft;
    if (!procfs_line(line, sizeof line, root, "/proc/stat") ||
        sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &waiting, &interrupts,
               &soft) != 7)
        return NAN;
    return (double)(user + nice + system + interrupts + soft) / (double)sysconf(_SC_CLK_TCK);
}

static void begin(void)
{
    before.busy_s = busy_s();
    before.own_s = timer_cpu_s() + timer_children_s();
    before.now_s = timer_now_s();
}

static bool shared(bool idle)
{
    const double own_s = timer_cpu_s() + timer_children_s() - before.own_s, all_s = busy_s() - before.busy_s;
    const double idle_threads = fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN) / 50);
    const double threads_s = idle ? idle_threads * (timer_now_s() - before.now_s) : own_s;
    return all_s - own_s > OTHERS_MOST * threads_s + 2.0 / (double)sysconf(_SC_CLK_TCK);
}

/* What other programs do to times is noted when these are taken (noise.h). */
const struct energy_meter energy_of_processor = {
    .joules = joules, .begin = begin, .shared = shared, .shared_by = "other programs used the processor"};
