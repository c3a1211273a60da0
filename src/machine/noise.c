/* Did another program disturb this stretch of time?
 * SPDX-License-Identifier: MIT */
#include "noise.h"

#include "host.h"
#include "base/timer.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double STEAL_MOST = 0.005, DELAY_MOST = 0.01, WALL_OVER_CPU_MOST = 1.02;
static const double BUSY_LEAST = 0.5, FREE_LEAST = 0.2;

double noise_idle_s(int threads)
{
    const struct host *host = host_get();
    double ticks = 0;
    int found = 0;
    char line[512];
    FILE *file = fopen("/proc/stat", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        int cpu;
        long long idle, waiting;
        if (sscanf(line, "cpu%d %*d %*d %*d %lld %lld", &cpu, &idle, &waiting) != 3)
            continue;
        for (int i = 0; i < threads && i < host->cores; i++) {
            if (host->core_cpu[i] == cpu) {
                ticks += (double)(idle + waiting);
                found++;
            }
        }
    }
    if (file != NULL)
        fclose(file);
    return found == threads ? ticks / (double)sysconf(_SC_CLK_TCK) : NAN;
}

double noise_run_delay_s(pid_t process)
{
    char path[48];
    unsigned long long ran_ns, delay_ns = 0;
    snprintf(path, sizeof path, "/proc/%d/schedstat", (int)process);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%llu %llu", &ran_ns, &delay_ns) != 2)
        delay_ns = 0;
    if (file)
        fclose(file);
    return 1e-9 * (double)delay_ns;
}

double noise_run_delay_of_all_s(void)
{
    DIR *threads = opendir("/proc/self/task");
    double sum_s = 0;
    for (const struct dirent *entry; threads && (entry = readdir(threads));)
        sum_s += entry->d_name[0] == '.' ? 0 : noise_run_delay_s((pid_t)atoi(entry->d_name));
    if (threads)
        closedir(threads);
    return sum_s;
}

struct noise noise_begin(int threads)
{
    struct noise now = {.start_s = timer_now_s(), .threads = threads};
    now.idle_s = threads > 1 ? noise_idle_s(threads) : NAN;
    now.run_delay_s = noise_run_delay_s(getpid());
    now.all_delay_s = threads > 1 ? noise_run_delay_of_all_s() : 0;
    FILE *file = fopen("/proc/stat", "re");
    if (file) {
        enum { STEAL = 7, FIELDS = 8 };
        unsigned long long field[FIELDS];
        int read = fscanf(file, "cpu") == 0 ? 0 : FIELDS;
        for (; read < FIELDS && fscanf(file, "%llu", &field[read]) == 1; read++)
            now.total += (double)field[read];
        if (read == FIELDS && now.total > 0)
            now.steal = (double)field[STEAL];
        fclose(file);
    }
    return now;
}

struct noise_verdict noise_end(const struct noise *begin, double kernel_s, double cpu_s)
{
    const struct noise now = noise_begin(begin->threads);
    const double wall_s = now.start_s - begin->start_s, threads = begin->threads;
    struct noise_verdict verdict = {
        .disturbed = (now.total > begin->total && now.steal - begin->steal > STEAL_MOST * (now.total - begin->total)) ||
                     now.run_delay_s - begin->run_delay_s > DELAY_MOST * wall_s ||
                     (threads > 1 && now.all_delay_s - begin->all_delay_s > DELAY_MOST * threads * wall_s),
    };
    if (threads <= 1)
        verdict.disturbed |= kernel_s > WALL_OVER_CPU_MOST * cpu_s;
    else if (cpu_s < BUSY_LEAST * threads * kernel_s) {
        const bool taken = now.idle_s - begin->idle_s < FREE_LEAST * threads * wall_s;
        verdict.disturbed |= taken;
        verdict.idle = !taken;
    }
    return verdict;
}
