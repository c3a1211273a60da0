/* What host_read makes of fake machines, each described by a few files of /proc and /sys, and of this machine.
 * SPDX-License-Identifier: MIT */
#include "backend/blas/blas_describe.h"
#include "backend/cuda/cuda.h"
#include "base/hash.h"
#include "command/commands.h"
#include "machine/host.h"
#include "machine/serial.h"
#include "run/run_record_machine.h"
#include "plan/provenance.h"
#include "folder_fixture.h"

#include <errno.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Fake machines ---- */

static struct host host;
#define TEST_ON_ROOT(name) TEST_AROUND(name, make_folder, remove_folder)

static void put_cpu(int cpu, int package, const char *siblings)
{
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/physical_package_id", cpu);
    put(path, "%d\n", package);
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    put(path, "%s\n", siblings);
}

static void put_allowed(const char *list)
{
    put("/proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t%s\nMems_allowed_list:\t0\n", list);
}

/* A machine with eight cores of one thread each. */
static void put_eight_cores(void)
{
    put("/sys/devices/system/cpu/online", "0-7\n");
    put_allowed("0-7");
    for (int cpu = 0; cpu < 8; cpu++) {
        char siblings[32];
        snprintf(siblings, sizeof siblings, "%d", cpu);
        put_cpu(cpu, 0, siblings);
    }
}

/* A machine with four cores, whose second threads are CPUs 4 to 7. */
static void put_smt(const char *allowed)
{
    put("/sys/devices/system/cpu/online", "0-7\n");
    put_allowed(allowed);
    for (int cpu = 0; cpu < 8; cpu++) {
        char siblings[32];
        snprintf(siblings, sizeof siblings, "%d,%d", cpu % 4, cpu % 4 + 4);
        put_cpu(cpu, 0, siblings);
    }
}

static void put_cgroup2(const char *shown, const char *group)
{
    put("/proc/self/mountinfo",
        "22 1 0:20 / /proc rw - proc proc rw\n"
        "29 23 0:26 %s /sys/fs/cgroup ro,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
        shown);
    put("/proc/self/cgroup", "0::%s\n", group);
}

static void put_flags(const char *flags)
{
    put("/proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Some CPU 1\nflags\t\t: %s\n\n"
        "processor\t: 1\nmodel name\t: Some CPU 1\nflags\t\t: %s\n",
        flags, flags);
}

/* ---- Cores ---- */

TEST_ON_ROOT(test_machine_that_tells_nothing_has_one_core)
{
    host_read(&host, folder);
    assert_int_equal(host.cores, 1);
    assert_int_equal(host.cores_online, 1);
    assert_int_equal(host.sockets, 1);
    assert_int_equal(host.numa_nodes, 1);
    assert_int_equal(host.smt, 1);
    assert_int_equal(host.memory_bytes, 0);
    assert_int_equal(host.isa_best, ISA_BASE);
    assert_string_equal(host.governor, "");
    assert_true(host.cpu_model[0] != '\0');
}

TEST_ON_ROOT(test_all_cores_without_limits)
{
    char text[160];
    put_eight_cores();
    host_read(&host, folder);
    assert_int_equal(host.cores, 8);
    assert_int_equal(host.core_cpu[7], 7);
    assert_true(host.quota_cores == 0);
    assert_string_equal(host_cores_text(&host, text, sizeof text), "8 cores");
}

TEST_ON_ROOT(test_affinity_mask_limits_cores)
{
    char text[160];
    put_eight_cores();
    put_allowed("2-3,6");
    host_read(&host, folder);
    assert_int_equal(host.cores, 3);
    assert_int_equal(host.cores_online, 8);
    assert_int_equal(host.core_cpu[0], 2);
    assert_int_equal(host.core_cpu[2], 6);
    assert_string_equal(host_cores_text(&host, text, sizeof text), "3 of 8 cores (affinity mask: 3)");
}

TEST_ON_ROOT(test_mask_of_odd_cpus)
{
    const int odd[] = {1, 3, 5, 7};
    put_eight_cores();
    put_allowed("1,3,5,7");
    host_read(&host, folder);
    assert_int_equal(host.cores, 4);
    assert_memory_equal(host.core_cpu, odd, sizeof odd);
    put_smt("1,3,5,7"); /* both threads of two cores */
    host_read(&host, folder);
    assert_int_equal(host.cores, 2);
    assert_memory_equal(host.core_cpu, odd, 2 * sizeof *odd);
}

TEST_ON_ROOT(test_threads_of_a_core_count_once)
{
    put_smt("0-7");
    host_read(&host, folder);
    assert_int_equal(host.cores, 4);
    assert_int_equal(host.cores_online, 4);
    assert_int_equal(host.smt, 2);
    for (int i = 0; i < 4; i++)
        assert_int_equal(host.core_cpu[i], i);
}

TEST_ON_ROOT(test_second_threads_alone_are_cores_to_bind_to)
{
    put_smt("3-5");
    host_read(&host, folder);
    assert_int_equal(host.cores, 3);
    assert_int_equal(host.core_cpu[0], 4); /* the core of CPUs 0 and 4 */
    assert_int_equal(host.core_cpu[1], 5);
    assert_int_equal(host.core_cpu[2], 3);
}

TEST_ON_ROOT(test_offline_cpus_do_not_count)
{
    put_eight_cores();
    put("/sys/devices/system/cpu/online", "0-3,6\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 5);
    assert_int_equal(host.cores_online, 5);
}

TEST_ON_ROOT(test_first_socket_is_filled_first)
{
    put_eight_cores();
    for (int cpu = 0; cpu < 8; cpu++) {
        char siblings[32];
        snprintf(siblings, sizeof siblings, "%d", cpu);
        put_cpu(cpu, cpu % 2, siblings);
    }
    put("/sys/devices/system/node/online", "0-1\n");
    host_read(&host, folder);
    const int order[] = {0, 2, 4, 6, 1, 3, 5, 7};
    assert_int_equal(host.sockets, 2);
    assert_int_equal(host.numa_nodes, 2);
    assert_memory_equal(host.core_cpu, order, sizeof order);
}

TEST_ON_ROOT(test_performance_cores_come_first)
{
    put_eight_cores();
    put("/sys/devices/cpu_core/cpus", "6-7\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 8);
    assert_int_equal(host.core_cpu[0], 6);
    assert_int_equal(host.core_cpu[1], 7);
    assert_int_equal(host.core_cpu[2], 0);
}

/* ---- Control groups ---- */

TEST_ON_ROOT(test_quota_of_one_and_a_half_cores_is_one)
{
    char text[160];
    put_eight_cores();
    put_cgroup2("/", "/work");
    put("/sys/fs/cgroup/work/cpu.max", "150000 100000\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 1);
    assert_int_equal(host.cores_allowed, 8);
    assert_true(host.quota_cores == 1.5);
    assert_string_equal(host_cores_text(&host, text, sizeof text), "1 of 8 cores (control group: 1.50 cores)");
}

TEST_ON_ROOT(test_quota_below_one_core_leaves_one)
{
    put_eight_cores();
    put_cgroup2("/", "/work");
    put("/sys/fs/cgroup/work/cpu.max", "20000 100000\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 1);
    assert_true(host.quota_cores == 0.2);
}

TEST_ON_ROOT(test_quota_of_a_parent_counts)
{
    put_eight_cores();
    put_cgroup2("/", "/slice/job/step");
    put("/sys/fs/cgroup/slice/job/step/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/slice/job/cpu.max", "600000 100000\n");
    put("/sys/fs/cgroup/slice/cpu.max", "150000 50000\n");
    put("/sys/fs/cgroup/slice/job/memory.max", "1073741824\n");
    put("/proc/meminfo", "MemTotal: 8388608 kB\nMemFree: 1 kB\nMemAvailable: 4194304 kB\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 3);
    assert_true(host.quota_cores == 3);
    assert_int_equal(host.memory_limit_bytes, INT64_C(1) << 30);
    assert_int_equal(host.memory_available_bytes, INT64_C(1) << 30);
    assert_int_equal(host.memory_bytes, INT64_C(8) << 30);
}

TEST_ON_ROOT(test_quota_at_the_mount_point_of_a_container)
{
    put_eight_cores();
    put_cgroup2("/docker/abc", "/docker/abc");
    put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    put("/sys/fs/cgroup/memory.max", "max\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 2);
    assert_int_equal(host.memory_limit_bytes, 0);
}

TEST_ON_ROOT(test_group_outside_of_the_namespace)
{
    put_eight_cores();
    put_cgroup2("/", "/../../other");
    put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 4);
}

TEST_ON_ROOT(test_no_cpu_max_is_no_quota)
{
    put_eight_cores();
    put_cgroup2("/", "/");
    host_read(&host, folder);
    assert_int_equal(host.cores, 8);
    assert_true(host.quota_cores == 0);
}

static void put_cgroup1(void)
{
    put("/proc/self/mountinfo", "30 25 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                                "31 25 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                                "32 25 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
    put("/proc/self/cgroup", "5:memory:/batch/job\n4:cpuset:/elsewhere\n3:cpu,cpuacct:/batch/job\n0::/\n");
}

TEST_ON_ROOT(test_version_1_limits)
{
    put_eight_cores();
    put_cgroup1();
    put("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
    put("/sys/fs/cgroup/cpu,cpuacct/batch/job/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu,cpuacct/batch/job/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_quota_us", "250000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/batch/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/cpuset/elsewhere/cpu.cfs_quota_us", "1\n");
    put("/sys/fs/cgroup/memory/batch/job/memory.limit_in_bytes", "2147483648\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 2);
    assert_true(host.quota_cores == 2.5);
    assert_int_equal(host.memory_limit_bytes, INT64_C(2) << 30);
}

TEST_ON_ROOT(test_version_1_without_limits)
{
    put_eight_cores();
    put_cgroup1();
    put("/sys/fs/cgroup/cpu,cpuacct/batch/job/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu,cpuacct/batch/job/cpu.cfs_period_us", "100000\n");
    put("/sys/fs/cgroup/memory/batch/job/memory.limit_in_bytes", "9223372036854771712\n");
    host_read(&host, folder);
    assert_int_equal(host.cores, 8);
    assert_int_equal(host.memory_limit_bytes, 0);
}

/* ---- Names, clocks, instruction sets ---- */

TEST_ON_ROOT(test_masked_models)
{
    static const struct {
        const char *model;
        bool masked;
    } models[] = {{"AMD EPYC", true},
                  {"Intel(R) Xeon(R) Processor @ 2.10GHz", true},
                  {"AMD EPYC 9654 96-Core", false},
                  {"Intel(R) Xeon(R) Platinum 8480C @ 2.00GHz", false},
                  {"13th Gen Intel(R) Core(TM) i7", false}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        put("/proc/cpuinfo", "model name\t:  %s  \n", models[i].model);
        host_read(&host, folder);
        assert_string_equal(host.cpu_model, models[i].model);
        assert_int_equal(host_model_masked(&host), models[i].masked);
    }
}

TEST_ON_ROOT(test_number_of_a_masked_model)
{
    put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: AMD EPYC\n");
    host_read(&host, folder);
    assert_string_equal(host.cpu_model, "AMD EPYC");
    assert_string_equal(host.cpu_id, "family 25, model 1");
}

TEST_ON_ROOT(test_processor_without_a_model_name)
{
    put("/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n");
    host_read(&host, folder);
    assert_non_null(strstr(host.cpu_model, "implementer 0x41, part 0xd40"));
    assert_string_equal(host.simd, "neon sve");
    assert_string_equal(host.cpu_id, "");
    assert_int_equal(host.isa_best, ISA_BASE);
}

#define FLAGS_V3 "fpu avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"

TEST_ON_ROOT(test_instruction_sets)
{
    put_flags("fpu sse2");
    host_read(&host, folder);
    assert_int_equal(host.isa_best, ISA_BASE);
    put_flags(FLAGS_V3);
    host_read(&host, folder);
    assert_int_equal(host.isa_best, ISA_V3);
    put_flags(FLAGS_V3 " avx512f avx512bw avx512cd avx512dq");
    host_read(&host, folder);
    assert_int_equal(host.isa_best, ISA_V3);
    put_flags(FLAGS_V3 " avx512f avx512bw avx512cd avx512dq avx512vl");
    host_read(&host, folder);
    assert_int_equal(host.isa_best, ISA_V4);
    assert_string_equal(host.simd, "avx fma avx2 avx512");
    put_flags("avx512f avx512bw avx512cd avx512dq avx512vl"); /* without the level below it */
    host_read(&host, folder);
    assert_int_equal(host.isa_best, ISA_BASE);
}

TEST_ON_ROOT(test_clocks)
{
    put("/proc/cpuinfo", "model name\t: X @ 2.10GHz\nflags\t: constant_tsc\nbogomips\t: 5192.29\n");
    host_read(&host, folder);
    assert_true(host.nominal_ghz > 2.0999 && host.nominal_ghz < 2.1001);
    assert_string_equal(host.governor, "");
    put("/proc/cpuinfo", "model name\t: X\nflags\t: fpu constant_tsc \nbogomips\t: 5192.29\n");
    host_read(&host, folder);
    assert_true(host.nominal_ghz > 2.5999 && host.nominal_ghz < 2.6001);
    put("/proc/cpuinfo", "model name\t: X\nbogomips\t: 100.00\n");
    host_read(&host, folder);
    assert_true(host.nominal_ghz == 0);
    put("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "3100000\n");
    put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
    host_read(&host, folder);
    assert_true(host.nominal_ghz == 3.1);
    assert_string_equal(host.governor, "powersave");
}

TEST_ON_ROOT(test_caches_and_names)
{
    static const char *const cache[][3] = {
        {"1", "Data", "48K"}, {"1", "Instruction", "32K"}, {"2", "Unified", "2048K"}, {"3", "Unified", "36M"}};
    for (int i = 0; i < 4; i++) {
        static const char *const part[] = {"level", "type", "size"};
        for (int j = 0; j < 3; j++) {
            char path[128];
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, part[j]);
            put(path, "%s\n", cache[i][j]);
        }
    }
    put("/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n");
    put("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
    host_read(&host, folder);
    assert_int_equal(host.l1d_bytes, 48 << 10);
    assert_int_equal(host.l2_bytes, 2 << 20);
    assert_int_equal(host.l3_bytes, 36 << 20);
    assert_string_equal(host.os, "Debian GNU/Linux 12 (bookworm)");
    assert_string_equal(host.kernel, "6.1.0-18-amd64");
}

/* The system says that these CPUs share a third level of this size. Checks what one core may count on. */
static int64_t l3_share(const char *size, const char *shared_by)
{
    struct host host;
    put("/sys/devices/system/cpu/cpu0/cache/index3/level", "3\n");
    put("/sys/devices/system/cpu/cpu0/cache/index3/type", "Unified\n");
    put("/sys/devices/system/cpu/cpu0/cache/index3/size", "%s\n", size);
    put("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "%s\n", shared_by);
    host_read(&host, folder);
    return host_caches(&host).l3_share_bytes;
}

TEST_ON_ROOT(test_shared_cache)
{
    struct host host;
    host_read(&host, folder);
    assert_int_equal(host_caches(&host).l3_share_bytes, 0);
    assert_int_equal(l3_share("36M", "0-11"), 3 << 20);
    assert_int_equal(l3_share("4M", "0"), 4 << 20);
    assert_int_equal(l3_share("480M", "0-1"), 8 << 20);
}

/* ---- This machine ---- */

static int bind_and_count(int threads)
{
    cpu_set_t mask;
    if (host_bind(threads) != 0 || sched_getaffinity(0, sizeof mask, &mask) != 0)
        return 0;
    for (int i = 0; i < threads; i++) {
        if (!CPU_ISSET(host_get()->core_cpu[i], &mask))
            return 0;
    }
    return CPU_COUNT(&mask);
}

TEST(test_binding)
{
    const int cores = host_get()->cores;
    errno = 0;
    assert_int_equal(host_bind(cores + 1), -1);
    assert_int_equal(errno, EINVAL);
    const pid_t child = fork();
    if (child == 0)
        _exit(bind_and_count(cores) == cores && bind_and_count(1) == 1 ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* libgomp's constructor binds the main thread of a process that was started with OMP_PROC_BIND. */
TEST(test_omp_proc_bind_hides_no_core)
{
    const pid_t child = fork();
    if (child == 0) {
        char cores[16];
        snprintf(cores, sizeof cores, "%d", host_get()->cores);
        setenv("OMP_PROC_BIND", "true", 1);
        setenv("OMP_NUM_THREADS", "1", 1);
        execl("/proc/self/exe", "test_host", "count-cores", cores, (char *)NULL);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Runs in that process: all cores are there, and after the clean-up nothing is left of the setting. */
static int count_cores(const char *expected)
{
    cpu_set_t mask;
    const int seen = host_get()->cores, allowed = host_get()->cores_allowed;
    host_clean_environment();
    return sched_getaffinity(0, sizeof mask, &mask) == 0 && seen == atoi(expected) && CPU_COUNT(&mask) >= allowed &&
                   getenv("OMP_PROC_BIND") == NULL && getenv("OMP_NUM_THREADS") == NULL
               ? 0
               : 1;
}

TEST(test_record_tells_facts_and_no_person)
{
    setenv("HOME", "/srv/people/somebody", 1);
    setenv("OMP_ALLOCATOR", "/home/somebody/places:/srv/people/somebody/x", 1);
    setenv("CUDA_VISIBLE_DEVICES", "GPU-8f3c1b2a-somebody", 1);
    setenv("SECRET_OMP_TOKEN", "somebody", 1);
    char hash[17];
    provenance_machine(NULL, hash);
    json_t *record = run_record_machine(hash);
    char *text = json_dumps(record, JSON_SORT_KEYS | JSON_COMPACT);
    assert_non_null(text);
    assert_null(strstr(text, "somebody"));
    assert_non_null(strstr(text, "\"OMP_ALLOCATOR\":\"~/places:~/x\""));
    assert_non_null(strstr(text, "\"CUDA_VISIBLE_DEVICES\":\"by UUID\""));
    static const char *const parts[] = {"machine", "gpu", "compiler", "libraries", "environment", "commit", "dirty"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_non_null(json_object_get(record, parts[i]));
    json_t *machine = json_object_get(record, "machine");
    assert_int_equal(json_integer_value(json_object_get(machine, "cores")), host_get()->cores);
    assert_string_equal(json_string_value(json_object_get(machine, "cpu_model")), host_get()->cpu_model);
    const json_t *cpus = json_object_get(machine, "thread_cpus");
    assert_int_equal(json_array_size(cpus), host_get()->cores);
    assert_int_equal(json_integer_value(json_array_get(cpus, 0)), host_get()->core_cpu[0]);
    assert_int_equal(strspn(hash, "0123456789abcdef"), 16);
    assert_string_equal(json_string_value(json_object_get(machine, "fingerprint")), hash);
    free(text);
    json_decref(record);
}

/* An EPYC of 2017 and one of 2021 have one masked name. A folder whose hash is that of the name alone goes on with it
 * where its run record tells this machine's caches. */
TEST_ON_ROOT(test_hash_of_a_masked_model)
{
    static const char of_name[] = "149de40ff144a352"; /* of the machine below, without a GPU */
    struct host *const host = (struct host *)host_get();
    const struct host before = *host;
    char hash[17], other[17], path[512];
    host->cores = host->cores_online = 2;
    host->quota_cores = 0;
    host->memory_bytes = INT64_C(24) << 30;
    snprintf(host->architecture, sizeof host->architecture, "x86_64");
    snprintf(host->cpu_model, sizeof host->cpu_model, "AMD EPYC 7001");
    provenance_machine(NULL, hash);
    host->l3_bytes = 8;
    provenance_machine(NULL, other);
    assert_string_equal(hash, other); /* the name tells it */
    snprintf(host->cpu_model, sizeof host->cpu_model, "AMD EPYC");
    provenance_machine(NULL, hash);
    host->l3_bytes = 32;
    provenance_machine(NULL, other);
    assert_string_not_equal(hash, other);
    put("/data/x.results.csv", "experiment\n");
    put("/data/x.run.json", "{\"machine\": {\"fingerprint\": \"%s\", \"l3_bytes\": 32}}\n", of_name);
    snprintf(path, sizeof path, "%s/data", folder);
    provenance_machine(path, hash);
    if (!*backend_get(BACKEND_CUDA)->device(NULL))
        assert_string_equal(hash, of_name);
    host->l3_bytes = 8;
    provenance_machine(path, hash);
    assert_string_not_equal(hash, of_name);
    *host = before;
}

TEST(test_doctor_reports_each_part)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(doctor_print(out), 0);
    fclose(out);
    static const char *const parts[] = {"\nTools\n",
                                        "\nProcessor and memory\n",
                                        "\nBLAS libraries\n",
                                        "\nGPU\n",
                                        " gcc ",
                                        " nvcc ",
                                        " ncu ",
                                        " cores ",
                                        " governor ",
                                        " openblas ",
                                        " driver "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_non_null(strstr(text, parts[i]));
    free(text);
}

TEST_ON_ROOT(test_serial_number_of_the_best_source)
{
    char text[64];
    serial_read(text, sizeof text, folder);
    assert_string_equal(text, "");
    put("/sys/class/dmi/id/product_uuid", "firmware\n");
    serial_read(text, sizeof text, folder);
    assert_string_equal(text, "firmware");
    put("/etc/machine-id", "system\n");
    serial_read(text, sizeof text, folder);
    assert_string_equal(text, "system");
    /* Containers of one image have the same machine-id. */
    put("/.dockerenv", "%s", "");
    serial_read(text, sizeof text, folder);
    assert_string_equal(text, "firmware");
}

TEST(test_mark_is_short_and_stable)
{
    char mark[9], again[9];
    provenance_mark(mark);
    provenance_mark(again);
    assert_string_equal(mark, again);
    assert_int_equal(strspn(mark, "0123456789abcdef"), strlen(mark));
    assert_true(strlen(mark) == 8 || strlen(mark) == 0);
}

TEST_ON_ROOT(test_hashes)
{
    char hex[HASH_DIGITS + 1];
    hash_hex("abc", 3, hex, HASH_DIGITS);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash_hex("", 0, hex, 5);
    assert_string_equal(hex, "e3b0c");
    char path[128];
    put("/file", "abc");
    snprintf(path, sizeof path, "%s/file", folder);
    assert_true(hash_file(path, hex, 16));
    assert_string_equal(hex, "ba7816bf8f01cfea");
    assert_false(hash_file("/nowhere/file", hex, 16));
    assert_int_equal(errno, ENOENT);
    assert_false(hash_file("/", hex, 16));
    assert_string_equal(hex, "");
}

int main(int argc, char **argv)
{
    /* The record starts this program as the child process that describes libraries and discovers the GPU. */
    if (argc > 1 && strcmp(argv[1], "describe-blas") == 0)
        return blas_describe_main(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "describe-cuda") == 0)
        return cuda_describe_main(argc - 1, argv + 1);
    if (argc > 2 && strcmp(argv[1], "count-cores") == 0)
        return count_cores(argv[2]);
    return test_all(NULL, NULL);
}
