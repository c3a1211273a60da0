/* A thread has a CPU of its own, whoever makes it: the program, OpenMP, or a library that is loaded later.
 * SPDX-License-Identifier: MIT */
#include "backend/blas/blas_open.h"
#include "machine/host.h"
#include "machine/libraries.h"
#include "machine/placement.h"
#include "test.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

enum { CPUS = 4, THREADS = 2 * CPUS };

static const int *cpus;
static int count;
static pthread_barrier_t together;

/* A thread tells its mask while all others live. */
struct seen {
    pthread_t thread;
    int own, cpus; /* own: the one CPU that it may use, or -1 */
};

static void look(struct seen *seen)
{
    cpu_set_t mask;
    assert_int_equal(sched_getaffinity(0, sizeof mask, &mask), 0);
    seen->cpus = CPU_COUNT(&mask);
    seen->own = -1;
    for (int cpu = 0; cpu < CPU_SETSIZE && seen->cpus == 1; cpu++)
        if (CPU_ISSET(cpu, &mask))
            seen->own = cpu;
    assert_int_equal(placement_cpu(), seen->own);
}

static void *tell(void *context)
{
    look(context);
    pthread_barrier_wait(&together);
    return NULL;
}

static void make(struct seen *seen, int threads, const pthread_attr_t *attributes)
{
    assert_int_equal(pthread_barrier_init(&together, NULL, (unsigned)threads), 0);
    for (int i = 0; i < threads; i++)
        assert_int_equal(pthread_create(&seen[i].thread, attributes, tell, &seen[i]), 0);
    for (int i = 0; i < threads; i++)
        assert_int_equal(pthread_join(seen[i].thread, NULL), 0);
    pthread_barrier_destroy(&together);
}

/* The first thread that is made gets the second CPU. When all have one, the next one gets the first CPU, as the main
 * thread may only wait there. */
TEST(each_thread_has_a_cpu)
{
    struct seen seen[THREADS];
    make(seen, count, NULL);
    for (int i = 0; i < count; i++)
        assert_int_equal(seen[i].own, cpus[(i + 1) % count]);
}

TEST(a_thread_that_ends_leaves_its_cpu)
{
    struct seen seen[THREADS];
    for (int time = 0; time < 3; time++) {
        make(seen, count - 1, NULL);
        for (int i = 0; i < count - 1; i++)
            assert_int_equal(seen[i].own, cpus[i + 1]);
    }
}

TEST(more_threads_than_cpus_are_spread_evenly)
{
    struct seen seen[THREADS];
    int on[CPUS] = {1}; /* the main thread */
    make(seen, 2 * count - 1, NULL);
    for (int i = 0; i < 2 * count - 1; i++)
        for (int cpu = 0; cpu < count; cpu++)
            on[cpu] += seen[i].own == cpus[cpu];
    for (int cpu = 0; cpu < count; cpu++)
        assert_int_equal(on[cpu], 2);
}

TEST(a_mask_that_was_asked_for_stays)
{
    struct seen seen;
    cpu_set_t two;
    pthread_attr_t attributes;
    CPU_ZERO(&two);
    CPU_SET(cpus[0], &two);
    CPU_SET(cpus[1], &two);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setaffinity_np(&attributes, sizeof two, &two), 0);
    make(&seen, 1, &attributes);
    pthread_attr_destroy(&attributes);
    assert_int_equal(seen.cpus, 2);
}

static void *end_at_once(void *nothing)
{
    pthread_exit(nothing);
}

TEST(a_detached_thread_may_end_at_once)
{
    struct seen seen[THREADS];
    pthread_t thread;
    pthread_attr_t attributes;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED), 0);
    for (int i = 0; i < 200; i++)
        assert_int_equal(pthread_create(&thread, &attributes, end_at_once, NULL), 0);
    pthread_attr_destroy(&attributes);
    usleep(100000);
    make(seen, count - 1, NULL);
    for (int i = 0; i < count - 1; i++)
        assert_int_equal(seen[i].own, cpus[i + 1]);
}

/* OpenMP's team is a pool of its own beside the threads above. */
TEST(a_team_has_a_cpu_a_thread)
{
    struct seen seen[CPUS];
#pragma omp parallel num_threads(count)
    look(&seen[omp_get_thread_num()]);
    for (int i = 0; i < count; i++)
        assert_int_equal(seen[i].own, cpus[i]);
}

/* Counts the threads of this process on each of the CPUs. */
static void count_threads(int on[CPUS])
{
    char name[64], line[256];
    for (int cpu = 0; cpu < count; cpu++)
        on[cpu] = 0;
    FILE *list = popen("grep -h Cpus_allowed_list /proc/$PPID/task/*/status", "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list))
        for (int cpu = 0; cpu < count; cpu++) {
            snprintf(name, sizeof name, "Cpus_allowed_list:\t%d\n", cpus[cpu]);
            on[cpu] += strcmp(line, name) == 0;
        }
    pclose(list);
}

TEST(a_library_has_a_cpu_a_thread)
{
    enum { N = 512 };
    char path[512], why[400];
    struct blas blas;
    int before[CPUS], after[CPUS];
    if (!libraries_find("openblas", path, sizeof path, why, sizeof why))
        skip_because("OpenBLAS is not installed");
    count_threads(before);
    assert_true(blas_open("openblas", count, &blas, why, sizeof why));
    float *a = calloc((size_t)N * N, sizeof *a);
    assert_non_null(a);
    blas.sgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, N, N, N, 1.0f, a, N, a, N, 0.0f, a, N);
    free(a);
    if (!blas_has_own_threads(&blas))
        skip_because("this OpenBLAS has no threads of its own");
    count_threads(after);
    assert_int_equal(after[0] - before[0], 0);
    for (int cpu = 1; cpu < count; cpu++)
        assert_int_equal(after[cpu] - before[cpu], 1);
}

int main(void)
{
    cpus = host_get()->core_cpu;
    count = host_get()->cores < CPUS ? host_get()->cores : CPUS;
    if (count < 2) {
        puts("ok 1 - placement # SKIP this process has one core");
        return 0;
    }
    if (host_bind(count) != 0)
        return 1;
    placement_begin(cpus, count);
    if (placement_bind_main() != 0)
        return 1;
    return test_all(NULL, NULL);
}
