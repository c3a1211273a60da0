/* BLAS libraries: their names, the reasons why a library cannot be used, and this machine's libraries at work.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "registry.h"
#include "backend/backend.h"
#include "backend/blas/blas_describe.h"
#include "backend/blas/blas_open.h"
#include "backend/blas/blas_choice.h"
#include "backend/cuda/cuda.h"
#include "machine/host.h"
#include "machine/libraries.h"
#include "test.h"

#include <dlfcn.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16 };

static char why[400];

/* A process reads its settings once, so that each check below needs a process of its own. That process is this program,
 * started with the name of the check. A check returns 0 if all is well. */
static int in_process(const char *check, const char *setting)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        if (setting != NULL)
            setenv("TILELAB_BLAS", setting, 1);
        else
            unsetenv("TILELAB_BLAS");
        execl("/proc/self/exe", "test_blas", check, (char *)NULL);
        _exit(127);
    }
    if (waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* A shared library that is not a BLAS library: the library of the mathematical functions. */
static const char *other_library(void)
{
    Dl_info about;
    double (*function)(double) = cbrt;
    void *address;
    memcpy(&address, &function, sizeof address);
    return dladdr(address, &about) != 0 && strchr(about.dli_fname, '/') != NULL ? about.dli_fname : NULL;
}

/* ---- Checks in a process of their own ---- */

static int check_known_names(void)
{
    const char *names[MOST];
    static const char *const known[] = {"openblas", "blis", "mkl", "openblas-pypi"};
    enum { KNOWN = sizeof known / sizeof *known };
    if (libraries_names(names, MOST) != KNOWN || !libraries_setting_valid(why, sizeof why))
        return 1;
    int others = 0;
    for (size_t i = 0; i < KNOWN; i++)
        others += strcmp(names[i], known[i]) != 0;
    return others;
}

/* TILELAB_BLAS is "blis=/here/libblis.so:mine=/proc/self/exe". */
static int check_added_names(void)
{
    const char *names[MOST];
    char path[512];
    if (libraries_names(names, MOST) != 5 || strcmp(names[4], "mine") != 0 || libraries_names(names, 2) != 2)
        return 1;
    if (!libraries_find("mine", path, sizeof path, why, sizeof why) || strcmp(path, "/proc/self/exe") != 0)
        return 2;
    if (libraries_find("blis", path, sizeof path, why, sizeof why) || strstr(why, "/here/libblis.so") == NULL ||
        strstr(why, "No such file") == NULL)
        return 3;
    return !libraries_setting_valid(why, sizeof why);
}

static int check_bad_setting(void)
{
    const char *names[MOST];
    return libraries_names(names, MOST) != 4 || libraries_setting_valid(why, sizeof why) ||
           strstr(why, "TILELAB_BLAS") == NULL;
}

/* The library "mine" cannot be used. The reason is told, and the process lives on. */
static int check_unusable(void)
{
    struct blas blas;
    if (blas_open("mine", 1, &blas, why, sizeof why) || why[0] == '\0')
        return 1;
    why[0] = '\0';
    if (blas_describe("mine", 1, why, sizeof why) != NULL || why[0] == '\0')
        return 2;
    const struct backend_setup setup = {.backend = BACKEND_BLAS, .threads = 1, .library = "mine"};
    why[0] = '\0';
    return backend_blas.worker->open(&setup, false, why, sizeof why) == 0 || why[0] == '\0' ? 3 : 0;
}

/* C = A A for a permutation A that shifts rows by one. Every order of summation is exact. */
#define CHECK_PRODUCT(gemm, type) \
    do { \
        enum { N = 96 }; \
        static type a[N * N], c[N * N]; \
        for (int i = 0; i < N * N; i++) { \
            a[i] = i % N == (i / N + 1) % N; \
            c[i] = (type)NAN; \
        } \
        gemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, N, N, N, 1, a, N, a, N, 0, c, N); \
        for (int i = 0; i < N * N; i++) { \
            if (c[i] != (i % N == (i / N + 2) % N)) \
                return 1; \
        } \
    } while (0)

static int check_products(const struct blas *blas)
{
    CHECK_PRODUCT(blas->sgemm, float);
    CHECK_PRODUCT(blas->dgemm, double);
    return 0;
}

static int check_library(const char *name)
{
    const struct host *host = host_get();
    const int threads = host->cores < 2 ? 1 : 2;
    struct blas blas;
    if (host_bind(threads) != 0 || !blas_open(name, threads, &blas, why, sizeof why))
        return 1;
    if (blas.threads != threads || strncmp(blas.config, "kernel ", 7) != 0 || check_products(&blas) != 0)
        return 2;
    struct backend_setup setup = {.backend = BACKEND_BLAS, .threads = threads};
    snprintf(setup.library, sizeof setup.library, "%s", name);
    return backend_blas.worker->open(&setup, false, why, sizeof why) != 0 ? 3 : 0;
}

static const struct {
    const char *name;
    int (*check)(void);
} checks[] = {
    {"known-names", check_known_names},
    {"added-names", check_added_names},
    {"bad-setting", check_bad_setting},
    {"unusable", check_unusable},
};

/* ---- Tests ---- */

TEST(test_names_without_a_setting)
{
    assert_int_equal(in_process("known-names", NULL), 0);
    assert_int_equal(in_process("known-names", ""), 0);
}

TEST(test_setting_adds_and_replaces)
{
    assert_int_equal(in_process("added-names", "blis=/here/libblis.so:mine=/proc/self/exe"), 0);
}

TEST(test_setting_that_cannot_be_understood)
{
    assert_int_equal(in_process("bad-setting", "/usr/lib/libx.so"), 0);
    assert_int_equal(in_process("bad-setting", "My Name=/usr/lib/libx.so"), 0);
    assert_int_equal(in_process("bad-setting", "mine=lib/libx.so"), 0);
    assert_int_equal(in_process("bad-setting", "=/usr/lib/libx.so"), 0);
    assert_int_equal(in_process("bad-setting", "a-name-that-is-longer-than-fits=/usr/lib/libx.so"), 0);
}

TEST(test_file_that_is_no_library)
{
    assert_int_equal(in_process("unusable", "mine=/proc/self/status"), 0);
    assert_int_equal(in_process("unusable", "mine=/nowhere/lib.so"), 0);
}

TEST(test_library_that_is_no_blas)
{
    char setting[600];
    if (other_library() == NULL)
        skip_because("the C library does not tell where it lies");
    snprintf(setting, sizeof setting, "mine=%s", other_library());
    assert_int_equal(in_process("unusable", setting), 0);
}

TEST(test_unknown_name)
{
    char path[512], hash[17];
    assert_false(libraries_find("atlas", path, sizeof path, why, sizeof why));
    assert_non_null(strstr(why, "TILELAB_BLAS"));
    assert_false(libraries_hash("atlas", hash));
}

/* Each library that is installed here multiplies and describes itself; it uses two threads if there are two cores. It
 * does so too if the user has set variables that would mislead it. */
TEST(test_libraries_of_this_machine)
{
    const char *names[MOST];
    char path[512], hash[17];
    const size_t count = libraries_names(names, MOST);
    setenv("OMP_PROC_BIND", "true", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    for (size_t i = 0; i < count; i++) {
        int status = -1;
        if (!libraries_find(names[i], path, sizeof path, why, sizeof why)) {
            assert_non_null(strstr(why, "install"));
            continue;
        }
        const pid_t child = fork();
        if (child == 0) {
            host_clean_environment();
            execl("/proc/self/exe", "test_blas", "library", names[i], (char *)NULL);
            _exit(127);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        const struct blas *blas = blas_describe(names[i], 1, why, sizeof why);
        assert_non_null(blas);
        assert_ptr_equal(blas, blas_describe(names[i], 1, why, sizeof why));
        assert_string_equal(blas->path, path);
        assert_memory_equal(blas->config, "kernel ", 7);
        assert_true(libraries_hash(names[i], hash));
        assert_string_equal(blas->hash, hash);
        assert_int_equal(strspn(hash, "0123456789abcdef"), 16);
    }
    unsetenv("OMP_PROC_BIND");
    unsetenv("OMP_NUM_THREADS");
}

#if defined(__x86_64__)
TEST(test_kernels_have_an_instruction_set)
{
    assert_int_equal(blas_kernel_isa("blis", "haswell"), ISA_V3);
    assert_int_equal(blas_kernel_isa("blis", "skx"), ISA_V4);
    assert_int_equal(blas_kernel_isa("openblas", "SapphireRapids"), ISA_V4);
    assert_int_equal(blas_kernel_isa("openblas", "Sapphirerapids"), ISA_V4);
    assert_int_equal(blas_kernel_isa("openblas", "Prescott"), ISA_BASE);
    assert_int_equal(blas_kernel_isa("mkl", "def"), -1);
    assert_int_equal(blas_kernel_isa("", "haswell"), -1);
    assert_string_equal(blas_kernel_variable("blis"), "BLIS_ARCH_TYPE");
    assert_null(blas_kernel_variable(""));
}

static struct blas_found found_with(const char *make, const char *kernel, double sgemm_s, double dgemm_s)
{
    struct blas_found found = {.times = {sgemm_s, dgemm_s}};
    snprintf(found.blas.make, sizeof found.blas.make, "%s", make);
    snprintf(found.blas.kernel, sizeof found.blas.kernel, "%s", kernel);
    return found;
}

TEST(test_settings_are_tried_for_a_poor_kernel_only)
{
    static struct host intel = {.vendor = "GenuineIntel", .isa_best = ISA_V4};
    static struct host amd = {.vendor = "AuthenticAMD", .isa_best = ISA_V3};
    static struct host old = {.vendor = "GenuineIntel", .isa_best = ISA_BASE};
    char candidate[BLAS_TRIES_MAX][sizeof((struct blas *)0)->setting];
    const struct blas_found haswell = found_with("openblas", "Haswell", 0, 0),
                            prescott = found_with("openblas", "Prescott", 0, 0),
                            skylake = found_with("openblas", "SkylakeX", 0, 0),
                            unknown = found_with("openblas", "Zen9", 0, 0);
    assert_int_equal(blas_candidates(&haswell.blas, &intel, candidate), 1);
    assert_string_equal(candidate[0], "OPENBLAS_CORETYPE=SkylakeX");
    assert_int_equal(blas_candidates(&haswell.blas, &amd, candidate), 0);
    assert_int_equal(blas_candidates(&prescott.blas, &amd, candidate), 2);
    assert_string_equal(candidate[0], "OPENBLAS_CORETYPE=Zen");
    assert_int_equal(blas_candidates(&prescott.blas, &intel, candidate), 2);
    assert_string_equal(candidate[1], "OPENBLAS_CORETYPE=Haswell");
    assert_int_equal(blas_candidates(&prescott.blas, &old, candidate), 0);
    assert_int_equal(blas_candidates(&skylake.blas, &intel, candidate), 0);
    assert_int_equal(blas_candidates(&unknown.blas, &intel, candidate), 0);
}

TEST(test_times_decide_what_a_poor_kernel_costs)
{
    static struct host wide = {.isa_best = ISA_V4}, old = {.isa_best = ISA_BASE};
    struct blas_found own = found_with("blis", "haswell", 0.002, 0.004),
                      other = found_with("blis", "skx", 0.001, 0.002);
    snprintf(other.blas.setting, sizeof other.blas.setting, "BLIS_ARCH_TYPE=0");
    assert_true(blas_judge(&wide, &own, &other));
    assert_int_equal(other.blas.choice, BLAS_CORRECTED);
    assert_non_null(strstr(other.blas.remark, "sgemm is 2 and dgemm 2 times as fast"));

    own = found_with("blis", "zen3", 0.001, 0.002);
    assert_false(blas_judge(&wide, &own, &other)); /* as fast: the library is right */
    assert_int_equal(own.blas.choice, BLAS_CHECKED);
    assert_non_null(strstr(own.blas.remark, "keeps its own choice"));

    own = found_with("blis", "haswell", 0, 0);
    assert_false(blas_judge(&wide, &own, NULL));
    assert_int_equal(own.blas.choice, BLAS_POOR);
    assert_non_null(strstr(own.blas.remark, "not measured"));

    own = found_with("blis", "haswell", 0, 0);
    snprintf(own.blas.setting, sizeof own.blas.setting, "BLIS_ARCH_TYPE=3");
    assert_false(blas_judge(&wide, &own, NULL));
    assert_int_equal(own.blas.choice, BLAS_USER);
    assert_non_null(strstr(own.blas.remark, "user"));

    own = found_with("blis", "penryn", 0, 0);
    assert_false(blas_judge(&old, &own, NULL)); /* a processor without AVX2 has no better one */
    assert_int_equal(own.blas.choice, BLAS_OWN);
    assert_string_equal(own.blas.remark, "");
}
#endif

TEST(test_cells_beyond_this_machine_have_a_reason)
{
    struct cell cell = {
        .entry = registry_find("matmul/seq-ijk"), .threads = host_get()->cores, .isa = host_get()->isa_best};
    assert_null(backend_cpu.missing(&cell));
    cell.threads++;
    assert_non_null(strstr(backend_cpu.missing(&cell), "threads, but this process may use"));
    cell.threads = 1;
    cell.isa = host_get()->isa_best + 1;
    if (cell.isa <= ISAS)
        assert_non_null(strstr(backend_cpu.missing(&cell), cell_isa_names[cell.isa]));
    cell = (struct cell){.entry = registry_find("matmul/omp-amx"), .threads = 1, .isa = 1};
    const char *reason = backend_cpu.missing(&cell);
    assert_true(strstr(host_get()->simd, "amx") ? !reason : strstr(reason, "amx") != NULL);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof checks / sizeof *checks; i++) {
        if (strcmp(argv[1], checks[i].name) == 0)
            return checks[i].check();
    }
    if (argc > 2 && strcmp(argv[1], "library") == 0)
        _exit(check_library(argv[2])); /* as a worker does: the library's threads are still there */
    if (argc > 1 && strcmp(argv[1], "describe-blas") == 0)
        return blas_describe_main(argc - 1, argv + 1);
    return test_all(NULL, NULL);
}
