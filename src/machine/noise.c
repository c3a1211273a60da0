/* Did another program disturb this stretch of time?
 * SPDX-License-Identifier: MIT */
#include "noise.h"

#include "base/timer.h"

#include <stdio.h>

static const double STEAL_MOST = 0.005, DELAY_MOST = 0.01, WALL_OVER_CPU_MOST = 1.02;

struct noise noise_begin(void)
{
    struct noise now = {.start_s = timer_now_s()};
    FILE *file = fopen("/proc/self/schedstat", "re");
    if (file) {
        unsigned long long ran_ns, delay_ns;
        if (fscanf(file, "%llu %llu", &ran_ns, &delay_ns) == 2)
            now.run_delay_s = 1e-9 * (double)delay_ns;
        fclose(file);
    }
    file = fopen("/proc/stat", "re");
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

bool noise_end(const struct noise *begin, double kernel_s, double cpu_s)
{
    const struct noise now = noise_begin();
    const double wall_s = now.start_s - begin->start_s;
    if (now.total > begin->total && now.steal - begin->steal > STEAL_MOST * (now.total - begin->total))
        return true;
    if (now.run_delay_s - begin->run_delay_s > DELAY_MOST * wall_s)
        return true;
    return kernel_s > WALL_OVER_CPU_MOST * cpu_s;
}
