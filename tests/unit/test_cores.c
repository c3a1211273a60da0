/* What is concluded from the rates of made-up machines, the order in which cores are bound, the probe itself, and
 * the watch over the cores.
 * SPDX-License-Identifier: MIT */
#include "machine/cores.h"
#include "machine/cores_probe.h"
#include "machine/cores_watch.h"
#include "machine/host_parts.h"
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CPUS = 8, SURE = 4 };

static struct cores_rates rates;
static struct cores cores;
static int ordered[CORES_MOST];

/* A machine of CPUs that have the rate 1 alone. All threads together have the rate `all`. */
static void machine(int cpus, double all)
{
    memset(&rates, 0, sizeof rates);
    rates.cpus = rates.threads = cpus;
    rates.fma[CORES_ONE] = rates.read[CORES_ONE] = 1;
    rates.fma[CORES_HALF] = rates.read[CORES_HALF] = cpus / 2;
    rates.fma[CORES_ALL] = all;
    rates.read[CORES_ALL] = 0.7 * all;
    memcpy(rates.fma_best, rates.fma, sizeof rates.fma);
}

static void pair(int first, int second, double both, int looks)
{
    rates.pair[rates.pairs++] =
        (struct cores_pair){.first = first, .second = second, .alone = 2, .both = both, .looks = looks};
}

/* Judges the rates; the CPUs of the list have the numbers 1, 3, 5 and so on. Returns which share a core. */
static const char *judged(void)
{
    static char text[256];
    int cpu[CORES_MOST];
    for (int i = 0; i < CORES_MOST; i++)
        cpu[i] = 2 * i + 1;
    assert_true(cores_judge(&rates, &cores));
    cores_order(&cores, cpu, ordered);
    return cores_shared_text(&cores, cpu, text, sizeof text);
}

#define assert_order(...) \
    do { \
        const int expected[] = {__VA_ARGS__}; \
        assert_int_equal(sizeof expected / sizeof *expected, cores.cpus); \
        assert_memory_equal(ordered, expected, sizeof expected); \
    } while (0)

TEST(test_separate_cores_keep_their_order)
{
    machine(CPUS, 7.8);
    for (int i = 0; i + 1 < CPUS; i++)
        pair(i, i + 1, 1.9, 1);
    assert_string_equal(judged(), "");
    assert_int_equal(cores.separate, CPUS);
    assert_true(cores.effective == 7.8);
    assert_true(cores.fma_half == 4 && cores.read_half == 4);
    assert_true(cores.read_all > 5.45 && cores.read_all < 5.47);
    assert_order(1, 3, 5, 7, 9, 11, 13, 15);
}

TEST(test_neighbours_that_share_a_core_are_bound_apart)
{
    machine(CPUS, 4.4);
    for (int i = 0; i + 1 < CPUS; i++)
        pair(i, i + 1, i % 2 == 0 ? 1.1 : 1.95, SURE);
    assert_string_equal(judged(), "1,3 5,7 9,11 13,15");
    assert_int_equal(cores.separate, CPUS / 2);
    assert_order(1, 5, 9, 13, 3, 7, 11, 15);
}

TEST(test_cpus_half_of_the_list_apart_share_a_core)
{
    machine(CPUS, 4.9);
    for (int i = 0; i + 1 < CPUS; i++)
        pair(i, i + 1, 2, 1);
    for (int i = 0; i < CPUS / 2; i++)
        pair(i, i + CPUS / 2, 1.25, SURE);
    assert_string_equal(judged(), "1,9 3,11 5,13 7,15");
    assert_int_equal(cores.separate, CPUS / 2);
    assert_order(1, 3, 5, 7, 9, 11, 13, 15);
}

TEST(test_four_threads_of_a_core)
{
    machine(CPUS, 2.6);
    static const int shared[][2] = {{4, 5}, {0, 1}, {2, 3}, {6, 7}, {1, 2}, {5, 6}};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        pair(shared[i][0], shared[i][1], 1.2, SURE);
    assert_string_equal(judged(), "1,3,5,7 9,11,13,15");
    assert_order(1, 9, 3, 11, 5, 13, 7, 15);
}

TEST(test_noise_joins_no_cores)
{
    machine(CPUS, 6.2);
    pair(0, 1, 1.55, SURE); /* the worst of many looks at two real cores */
    pair(1, 2, 1.1, 1);     /* slow once */
    pair(2, 3, 1.1, 2);
    pair(3, 4, 0, SURE); /* not measured */
    assert_string_equal(judged(), "");
    assert_order(1, 3, 5, 7, 9, 11, 13, 15);
}

/* Another program has slowed each pair, but all threads at once were faster than four cores can be. */
TEST(test_pairs_that_the_rate_of_all_contradicts_are_not_believed)
{
    for (int together = 0; together < 2; together++) {
        machine(CPUS, together ? 6.5 : 5.9);
        for (int i = 0; i < CPUS; i += 2)
            pair(i, i + 1, 1.3, SURE);
        assert_string_equal(judged(), together ? "" : "1,3 5,7 9,11 13,15");
    }
}

TEST(test_effective_cores_have_bounds)
{
    machine(2, 2.07); /* noise slowed the single thread */
    judged();
    assert_true(cores.effective == 2);
    machine(2, 0.8);
    judged();
    assert_true(cores.effective == 1);
    machine(4, 0);
    assert_false(cores_judge(&rates, &cores));
    assert_true(cores.effective == 0);
    assert_int_equal(cores.core[3], 3);
    machine(4, 3);
    rates.fma[CORES_ONE] = 0;
    assert_false(cores_judge(&rates, &cores));
}

/* In most looks the host has put two threads on one core, and in the best one each thread had its own. */
TEST(test_the_usual_look_counts_and_the_best_one_is_kept)
{
    char text[160];
    machine(16, 8.1);
    rates.fma_best[CORES_ALL] = 15;
    for (int i = 0; i < 16; i += 2)
        pair(i, i + 1, 1.1, SURE);
    assert_string_equal(judged(), ""); /* eight cores cannot reach the rate of the best look */
    assert_true(cores.effective == 8.1 && cores.best == 15);
    assert_non_null(cores_warning(&cores, text, sizeof text));
    machine(16, 8.1);
    rates.fma_best[CORES_ALL] = 7.9; /* of a best look at one thread that was faster still */
    judged();
    assert_true(cores.best == 8.1);
}

TEST(test_warning_below_three_quarters)
{
    char text[160];
    machine(16, 12);
    judged();
    assert_null(cores_warning(&cores, text, sizeof text));
    machine(16, 11.9);
    judged();
    assert_ptr_equal(cores_warning(&cores, text, sizeof text), text);
    assert_non_null(strstr(text, "16 threads gain like 11.9 cores"));
    /* Under a quota the threads count that the quota allows. */
    machine(16, 7.8);
    rates.threads = 8;
    judged();
    assert_null(cores_warning(&cores, text, sizeof text));
}

TEST(test_long_lists_are_cut)
{
    char text[16];
    const int cpu[] = {0, 1, 2, 3, 4, 5, 6, 7};
    machine(CPUS, 4);
    for (int i = 0; i < CPUS; i += 2)
        pair(i, i + 1, 1, SURE);
    assert_true(cores_judge(&rates, &cores));
    assert_string_equal(cores_shared_text(&cores, cpu, text, sizeof text), "0,1 2,3 4,5...");
}

/* ---- The order of a host's cores ---- */

TEST(test_only_an_order_of_all_cores_is_taken)
{
    static const char *const faulty[] = {"",    "1,3,5",    "1,3,5,9",  "1,3,3,7",   "1,3,5,7,7",       "1;3;5;7",
                                         "one", "1,3,5,-7", " 1,3,5,7", "1,3,5,7 9", "1,3,5,4294967303"};
    static struct host host = {.cores_allowed = 4, .core_cpu = {1, 3, 5, 7}};
    const int before[] = {1, 3, 5, 7}, after[] = {5, 1, 7, 3};
    assert_false(host_order(&host, NULL));
    for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
        assert_false(host_order(&host, faulty[i]));
        assert_memory_equal(host.core_cpu, before, sizeof before);
    }
    assert_true(host_order(&host, "5,1,7,3"));
    assert_memory_equal(host.core_cpu, after, sizeof after);
}

/* The first and the last core change places; a new process knows that, and binds its thread there. */
TEST(test_order_reaches_new_processes)
{
    const struct host *host = host_get();
    const int last = host->cores_allowed - 1;
    int cpu[HOST_CORES_MAX];
    char first[16];
    if (last == 0)
        skip_because("a machine with one CPU has one order");
    memcpy(cpu, host->core_cpu, sizeof cpu);
    cpu[0] = host->core_cpu[last];
    cpu[last] = host->core_cpu[0];
    snprintf(first, sizeof first, "%d", cpu[0]);
    const pid_t child = fork();
    if (child == 0) {
        unsetenv(HOST_ORDER);
        if (host_arrange(cpu, last + 1) && host->core_cpu[0] == cpu[0] && !host_arrange(cpu, last + 1))
            execl("/proc/self/exe", "test_cores", "first-core", first, (char *)NULL);
        _exit(127);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Runs in that process. */
static int check_first_core(int cpu)
{
    cpu_set_t mask;
    return host_get()->core_cpu[0] == cpu && host_bind(1) == 0 && sched_getaffinity(0, sizeof mask, &mask) == 0 &&
                   CPU_COUNT(&mask) == 1 && CPU_ISSET(cpu, &mask)
               ? 0
               : 1;
}

/* ---- The probe ---- */

/* Two threads of one CPU have the rate of one. Other programs may hide that for a while. */
TEST(test_probe_finds_two_threads_of_one_cpu)
{
    const int cpu = host_get()->core_cpu[0], list[] = {cpu, cpu};
    bool found = false;
    for (int i = 0; i < 10 && !found; i++) {
        memset(&rates, 0, sizeof rates);
        assert_true(cores_probe_measure(list, 2, 2, 1 << 16, &rates));
        assert_true(cores_judge(&rates, &cores));
        found = cores.separate == 1;
    }
    assert_true(found);
}

TEST(test_probe_fails_where_a_cpu_is_gone)
{
    const int list[] = {host_get()->core_cpu[0], 8191};
    memset(&rates, 0, sizeof rates);
    assert_false(cores_probe_measure(list, 2, 2, 1 << 16, &rates));
}

TEST(test_probe_of_this_machine)
{
    assert_null(cores_probe_found());
    assert_true(cores_probe());
    const struct cores *found = cores_probe_found();
    assert_non_null(found);
    assert_int_equal(found->threads, host_get()->cores);
    assert_true(found->effective >= 1 && found->effective <= host_get()->cores);
    assert_true(found->separate >= 1 && found->separate <= host_get()->cores_allowed);
    assert_true(cores_probe());
}

/* ---- The watch ---- */

/* The only child of this process; 0: there is none. */
static pid_t only_child(void)
{
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    if (fscanf(file, "%d", &child) != 1)
        child = 0;
    fclose(file);
    return child;
}

/* Binds all threads of a process to one CPU. */
static void crowd(pid_t process, int cpu)
{
    char path[64];
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(cpu, &mask);
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    assert_non_null(threads);
    for (const struct dirent *entry; (entry = readdir(threads)) != NULL;)
        if (entry->d_name[0] != '.')
            assert_int_equal(sched_setaffinity(atoi(entry->d_name), sizeof mask, &mask), 0);
    closedir(threads);
}

TEST(test_the_watch_sees_threads_that_share_a_core)
{
    const int all = host_get()->cores;
    if (all < 2)
        skip_because("one thread shares with none");
    assert_true(cores_probe());
    assert_true(isnan(cores_watch_share(1)));
    assert_true(isnan(cores_watch_share(all + 1)));
    const double share = cores_watch_share(all);
    assert_true(share > 0 && share <= 1);
    crowd(only_child(), host_get()->core_cpu[0]);
    assert_true(cores_watch_share(all) < CORES_WATCH_USUAL);
    cores_watch_end();
    assert_int_equal(only_child(), 0);
    assert_true(cores_watch_share(all) > 0);
}

TEST(test_a_watch_that_has_died_knows_nothing)
{
    if (host_get()->cores < 2)
        skip_because("one thread shares with none");
    const pid_t child = only_child();
    assert_true(child > 0);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_true(isnan(cores_watch_share(2)));
    assert_true(isnan(cores_watch_share(2)));
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "first-core") == 0)
        return check_first_core(atoi(argv[2]));
    return test_all(NULL, NULL);
}
