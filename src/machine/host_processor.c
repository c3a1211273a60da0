/* The processor's names, clock and instruction sets, and the system's names.
 * SPDX-License-Identifier: MIT */
#include "host_parts.h"
#include "procfs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* Copies a name; a run of blanks, as firmware leaves them, becomes one blank. */
static void copy_words(char *to, size_t size, const char *from)
{
    size_t length = 0;
    for (; *from != '\0' && length + 1 < size; from++) {
        const bool blank = isspace((unsigned char)*from) != 0;
        if (!blank || (length > 0 && to[length - 1] != ' '))
            to[length++] = blank ? ' ' : *from;
    }
    while (length > 0 && to[length - 1] == ' ')
        length--;
    to[length] = '\0';
}

/* What /proc/cpuinfo says of the first logical CPU. */
struct cpuinfo {
    char model[128], vendor[32], implementer[32], part[32], family[16], number[16];
    char flags[4096]; /* a blank is before and after each flag */
    double bogomips;
};

static void read_cpuinfo(struct cpuinfo *info, const char *root)
{
    static const char *const model_keys[] = {"model name", "cpu model", "cpu", "uarch"};
    char line[4096];
    memset(info, 0, sizeof *info);
    FILE *file = procfs_open(root, "/proc/cpuinfo");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *value = strchr(line, ':'), key[64];
        if (value == NULL)
            continue;
        *value++ = '\0';
        copy_words(key, sizeof key, line);
        for (size_t i = 0; i < sizeof model_keys / sizeof *model_keys; i++) {
            if (strcmp(key, model_keys[i]) == 0 && info->model[0] == '\0')
                copy_words(info->model, sizeof info->model, value);
        }
        if (strcmp(key, "vendor_id") == 0)
            copy_words(info->vendor, sizeof info->vendor, value);
        else if (strcmp(key, "cpu family") == 0)
            copy_words(info->family, sizeof info->family, value);
        else if (strcmp(key, "model") == 0)
            copy_words(info->number, sizeof info->number, value);
        else if (strcmp(key, "CPU implementer") == 0)
            copy_words(info->implementer, sizeof info->implementer, value);
        else if (strcmp(key, "CPU part") == 0)
            copy_words(info->part, sizeof info->part, value);
        else if (strcmp(key, "bogomips") == 0)
            info->bogomips = procfs_decimal(value);
        else if ((strcmp(key, "flags") == 0 || strcmp(key, "Features") == 0) && info->flags[0] == '\0') {
            value[strcspn(value, "\n")] = ' ';
            snprintf(info->flags, sizeof info->flags, "%s", value);
        }
    }
    if (file != NULL)
        fclose(file);
}

static bool has_flag(const struct cpuinfo *info, const char *flag)
{
    char word[32];
    snprintf(word, sizeof word, " %s ", flag);
    return strstr(info->flags, word) != NULL;
}

static bool has_flags(const struct cpuinfo *info, const char *const *flags)
{
    while (*flags != NULL && has_flag(info, *flags))
        flags++;
    return *flags == NULL;
}

/* The highest instruction set that the processor itself reports. An emulator such as valgrind may offer less than the
 * kernel lists, since the kernel lists the flags of the real processor. */
static int64_t isa_admitted(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return v3 && v4 ? ISA_V4 : v3 ? ISA_V3 : ISA_BASE;
#else
    return ISA_BASE;
#endif
}

static void read_isa(struct host *host, const struct cpuinfo *info, const char *root)
{
    static const char *const v3[] = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave", NULL};
    static const char *const v4[] = {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl", NULL};
    static const char *const named[][2] = {{"avx", "avx"},        {"fma", "fma"},      {"avx2", "avx2"},
                                           {"avx512f", "avx512"}, {"amx_tile", "amx"}, {"asimd", "neon"},
                                           {"sve", "sve"},        {"sve2", "sve2"}};
    host->isa_best = !has_flags(info, v3) ? ISA_BASE : !has_flags(info, v4) ? ISA_V3 : ISA_V4;
    if (*root == '\0' && isa_admitted() < host->isa_best)
        host->isa_best = isa_admitted();
    for (size_t i = 0, length = 0; i < sizeof named / sizeof *named; i++) {
        const bool is_amx = strcmp(named[i][1], "amx") == 0; /* products of BF16 and of bytes beside the tiles */
        if (has_flag(info, named[i][0]) && (!is_amx || (has_flag(info, "amx_bf16") && has_flag(info, "amx_int8"))))
            length += (size_t)snprintf(host->simd + length, sizeof host->simd - length, "%s%s", length > 0 ? " " : "",
                                       named[i][1]);
    }
}

static void read_clock(struct host *host, const struct cpuinfo *info, const char *root)
{
    const int cpu = host->core_cpu[0];
    const char *at = strchr(info->model, '@');
    const int64_t base_khz = procfs_integer(0, root, CPU "/cpu%d/cpufreq/base_frequency", cpu);
    const int64_t nominal_mhz = procfs_integer(0, root, CPU "/cpu%d/acpi_cppc/nominal_freq", cpu);
    procfs_line(host->governor, sizeof host->governor, root, CPU "/cpu%d/cpufreq/scaling_governor", cpu);
    if (base_khz > 0)
        host->nominal_ghz = (double)base_khz / 1e6;
    else if (nominal_mhz > 0)
        host->nominal_ghz = (double)nominal_mhz / 1e3;
    else if (at != NULL && strstr(at, "GHz") != NULL)
        host->nominal_ghz = procfs_decimal(at + 1);
    else if (has_flag(info,
                      "constant_tsc")) /* the counter runs at the nominal clock, and its rate is measured at boot */
        host->nominal_ghz = (double)(int)(info->bogomips / 20 + 0.5) / 100;
}

static void read_names(struct host *host, const struct cpuinfo *info, const char *root)
{
    char line[256];
    struct utsname name;
    if (uname(&name) == 0)
        snprintf(host->architecture, sizeof host->architecture, "%.15s", name.machine);
    procfs_line(host->kernel, sizeof host->kernel, root, "/proc/sys/kernel/osrelease");
    FILE *file = procfs_open(root, "/etc/os-release");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *value = strncmp(line, "PRETTY_NAME=", 12) == 0 ? line + 12 : NULL;
        if (value == NULL)
            continue;
        value += strspn(value, "\"'");
        value[strcspn(value, "\"'\n")] = '\0';
        snprintf(host->os, sizeof host->os, "%.*s", (int)sizeof host->os - 1, value);
    }
    if (file != NULL)
        fclose(file);
    snprintf(host->vendor, sizeof host->vendor, "%s", info->vendor[0] != '\0' ? info->vendor : info->implementer);
    if (info->family[0] != '\0' && info->number[0] != '\0')
        snprintf(host->cpu_id, sizeof host->cpu_id, "family %s, model %s", info->family, info->number);
    if (info->model[0] != '\0')
        snprintf(host->cpu_model, sizeof host->cpu_model, "%s", info->model);
    else if (info->implementer[0] != '\0')
        snprintf(host->cpu_model, sizeof host->cpu_model, "%s, implementer %s, part %s", host->architecture,
                 info->implementer, info->part);
    else
        snprintf(host->cpu_model, sizeof host->cpu_model, "%s", host->architecture);
}

void host_read_processor(struct host *host, const char *root)
{
    struct cpuinfo info;
    read_cpuinfo(&info, root);
    read_names(host, &info, root);
    read_clock(host, &info, root);
    read_isa(host, &info, root);
}
