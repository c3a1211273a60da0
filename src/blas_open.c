/* Loading one BLAS library into this process, or into a child that tells what it found.
 * SPDX-License-Identifier: MIT */
#include "blas.h"
#include "hash.h"
#include "host.h"
#include "timer.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define DESCRIBING "TILELAB_DESCRIBING" /* set in the child: it asks no child of its own */
enum { DESCRIBE_LIMIT_S = 60 };

static bool fail(char *why, size_t size, const char *format, ...) TILELAB_PRINTF(3, 4);
static bool fail(char *why, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, size, format, args);
    va_end(args);
    return false;
}

/* A function of the library or of what it is linked with. POSIX lets the two kinds of pointer be
 * copied so. */
static bool symbol(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* ---- Makes of library, recognised by the call that sets their threads ---- */

static const char *openblas_open(struct blas *blas)
{
    const char *(*get_config)(void), *(*get_core)(void);
    const char *config =
        symbol(blas->handle, "openblas_get_config", &get_config) ? get_config() : "OpenBLAS";
    const char *core =
        symbol(blas->handle, "openblas_get_corename", &get_core) ? get_core() : "not told";
    snprintf(blas->config, sizeof blas->config, "kernel %s; %s", core, config);
    return strstr(config, "USE64BITINT") != NULL ? "has 64-bit integers (ILP64)" : NULL;
}

static const char *blis_open(struct blas *blas)
{
    void (*init)(void);
    int (*query)(void);
    const char *(*name)(int), *(*get_version)(void);
    long (*integer_bits)(void);
    const char *version =
        symbol(blas->handle, "bli_info_get_version_str", &get_version) ? get_version() : "";
    const struct host *host = host_get();
    /* BLIS tells Intel's processors with one AVX-512 unit from those with two by the model's name,
     * and takes its AVX2 kernels where a hypervisor hides that. AOCL's fork numbers its kernels in
     * another way. */
    const bool hidden = host_model_masked(host) && strcmp(host->vendor, "GenuineIntel") == 0 &&
                        host->isa_best == ISA_V4 && strstr(version, "AOCL") == NULL;
    const bool told =
        hidden && getenv("BLIS_ARCH_TYPE") == NULL && setenv("BLIS_ARCH_TYPE", "0", 1) == 0;
    if (symbol(blas->handle, "bli_init", &init))
        init(); /* asked before, the kernel's name is refused when BLIS_ARCH_TYPE is set */
    const bool named = symbol(blas->handle, "bli_arch_query_id", &query) &&
                       symbol(blas->handle, "bli_arch_string", &name);
    snprintf(blas->config, sizeof blas->config, "kernel %s; BLIS %s%s",
             named ? name(query()) : "not told", version,
             told ? "; BLIS_ARCH_TYPE=0 was set, for the processor's model is masked" : "");
    return symbol(blas->handle, "bli_info_get_blas_int_type_size", &integer_bits) &&
                   integer_bits() == 64
               ? "has 64-bit integers (ILP64)"
               : NULL;
}

static const char *mkl_open(struct blas *blas)
{
    enum { LP64 = 0, LAYER_GNU = 3 };
    struct {
        int major, minor, update;
        char *status, *build, *processor, *platform;
    } version = {0};
    int (*set_interface)(int), (*set_layer)(int);
    void (*set_dynamic)(int), (*get_version)(void *);
    if (symbol(blas->handle, "MKL_Set_Interface_Layer", &set_interface))
        set_interface(LP64);
    /* Its default, Intel's OpenMP, would ask this program's libgomp which thread it is, and be told
     * the first one by each: products come out as often too large as there are threads. */
    if (symbol(blas->handle, "MKL_Set_Threading_Layer", &set_layer))
        set_layer(LAYER_GNU);
    if (symbol(blas->handle, "MKL_Set_Dynamic", &set_dynamic))
        set_dynamic(0);
    if (symbol(blas->handle, "MKL_Get_Version", &get_version))
        get_version(&version);
    snprintf(blas->config, sizeof blas->config, "kernel %.90s; MKL %d.%d.%d",
             version.processor != NULL ? version.processor : "not told", version.major,
             version.minor, version.update);
    return NULL;
}

static const char *other_open(struct blas *blas)
{
    snprintf(blas->config, sizeof blas->config, "kernel not told; threads by OpenMP");
    return NULL;
}

static const struct make {
    const char *set_threads;
    bool wide;                              /* it takes an int64_t, not an int */
    const char *(*open)(struct blas *blas); /* returns why the library cannot be used */
} makes[] = {
    {"openblas_set_num_threads", false, openblas_open},
    {"bli_thread_set_num_threads", true, blis_open},
    {"MKL_Set_Num_Threads", false, mkl_open},
    {"omp_set_num_threads", false, other_open},
};

static void set_threads(const struct blas *blas, const struct make *make)
{
    void (*set_int)(int);
    void (*set_wide)(int64_t);
    if (make->wide && symbol(blas->handle, make->set_threads, &set_wide))
        set_wide(blas->threads);
    else if (symbol(blas->handle, make->set_threads, &set_int))
        set_int(blas->threads);
}

static bool set_up(struct blas *blas, char *why, size_t why_size)
{
    static const char *const suffixed[] = {"cblas_sgemm64_", "cblas_sgemm_64", "cblas_sgemm_64_"};
    for (size_t i = 0; i < sizeof suffixed / sizeof *suffixed; i++) {
        if (dlsym(blas->handle, "cblas_sgemm") == NULL && dlsym(blas->handle, suffixed[i]) != NULL)
            return fail(why, why_size,
                        "%s has 64-bit integers (ILP64) only; its LP64 build is needed",
                        blas->path);
    }
    if (!symbol(blas->handle, "cblas_sgemm", &blas->sgemm) ||
        !symbol(blas->handle, "cblas_dgemm", &blas->dgemm))
        return fail(why, why_size, "%s has no cblas_sgemm or no cblas_dgemm", blas->path);
    symbol(blas->handle, "cblas_ssyrk", &blas->ssyrk);
    symbol(blas->handle, "cblas_dsyrk", &blas->dsyrk);
    blas->lapack = symbol(blas->handle, "sgetrf_", &blas->sgetrf) &&
                   symbol(blas->handle, "dgetrf_", &blas->dgetrf);
    const struct make *make = makes, *end = makes + sizeof makes / sizeof *makes;
    while (make < end && dlsym(blas->handle, make->set_threads) == NULL)
        make++;
    if (make == end && blas->threads > 1)
        return fail(why, why_size, "%s has no call that sets its threads; run it on one",
                    blas->path);
    if (make == end) {
        snprintf(blas->config, sizeof blas->config, "kernel not told; one thread");
        return true;
    }
    const char *fault = make->open(blas);
    if (fault != NULL)
        return fail(why, why_size, "%s %s; its LP64 build is needed", blas->path, fault);
    set_threads(blas, make);
    return true;
}

bool blas_open(const char *name, int threads, struct blas *blas, char *why, size_t why_size)
{
    memset(blas, 0, sizeof *blas);
    snprintf(blas->name, sizeof blas->name, "%s", name);
    blas->threads = threads > 0 ? threads : 1;
    if (!blas_find(name, blas->path, sizeof blas->path, why, why_size))
        return false;
    blas->handle = dlopen(blas->path, RTLD_NOW | RTLD_LOCAL);
    if (blas->handle == NULL)
        return fail(why, why_size, "%s cannot be loaded: %s", name, dlerror());
    return set_up(blas, why, why_size);
}

/* ---- The child that tells ---- */

int blas_describe_main(int argc, char **argv)
{
    struct blas blas;
    char why[400] = "usage: describe-blas NAME THREADS";
    const int threads = argc == 3 ? atoi(argv[2]) : 0;
    if (threads > 0)
        host_bind(threads); /* more than there are: unbound, the library still tells its kernel */
    const bool known = argc == 3 && blas_open(argv[1], threads, &blas, why, sizeof why);
    if (known) {
        blas_hash(argv[1], blas.hash);
        printf("path=%s\nhash=%s\nconfig=%s\nthreads=%d\nlapack=%d\n", blas.path, blas.hash,
               blas.config, blas.threads, blas.lapack);
    } else {
        printf("why=%s\n", why);
    }
    fflush(stdout);
    _exit(known ? 0 : 1); /* without the library's own clean-up, which may wait for its threads */
}

/* Starts the child with its standard output in *from; its process id or -1. */
static pid_t start(const char *name, int threads, int *from)
{
    char count[16];
    int ends[2];
    snprintf(count, sizeof count, "%d", threads);
    if (pipe(ends) != 0)
        return -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        host_clean_environment();
        setenv(DESCRIBING, "1", 1);
        execl("/proc/self/exe", "tilelab", "describe-blas", name, count, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *from = ends[0];
    if (child < 0)
        close(ends[0]);
    return child;
}

/* All that the child prints until it ends or its time is up. */
static bool listen_to(pid_t child, int from, char *text, size_t size)
{
    const double end_s = timer_now_s() + DESCRIBE_LIMIT_S;
    size_t length = 0;
    ssize_t got = 1;
    while (got != 0 && length + 1 < size && timer_now_s() < end_s) {
        struct pollfd ready = {.fd = from, .events = POLLIN};
        if (poll(&ready, 1, 1000) > 0) {
            got = read(from, text + length, size - 1 - length);
            length += got > 0 ? (size_t)got : 0;
        }
    }
    text[length] = '\0';
    close(from);
    if (got != 0)
        kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    return got == 0;
}

static void parse(char *text, struct blas *blas, char *why, size_t why_size)
{
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        char *value = strchr(line, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        if (strcmp(line, "path") == 0)
            snprintf(blas->path, sizeof blas->path, "%s", value);
        else if (strcmp(line, "hash") == 0)
            snprintf(blas->hash, sizeof blas->hash, "%.16s", value);
        else if (strcmp(line, "config") == 0)
            snprintf(blas->config, sizeof blas->config, "%s", value);
        else if (strcmp(line, "threads") == 0)
            blas->threads = atoi(value);
        else if (strcmp(line, "lapack") == 0)
            blas->lapack = atoi(value) != 0;
        else if (strcmp(line, "why") == 0)
            snprintf(why, why_size, "%s", value);
    }
}

static void ask_child(const char *name, int threads, struct blas *blas, char *why, size_t why_size)
{
    char text[4096], path[512];
    int from;
    snprintf(blas->name, sizeof blas->name, "%s", name);
    if (!blas_find(name, path, sizeof path, why, why_size))
        return;
    const pid_t child = getenv(DESCRIBING) == NULL ? start(name, threads, &from) : -1;
    if (child < 0) {
        fail(why, why_size, "no process could be started to load %s", name);
        return;
    }
    fail(why, why_size, "%s ended the process that loaded it", path);
    if (!listen_to(child, from, text, sizeof text))
        fail(why, why_size, "%s did not answer within %d s", path, DESCRIBE_LIMIT_S);
    else
        parse(text, blas, why, why_size);
}

const struct blas *blas_describe(const char *name, int threads, char *why, size_t why_size)
{
    enum { KEPT_MAX = 32 };
    static struct answer {
        struct blas blas;
        char why[400];
        int threads;
    } kept[KEPT_MAX];
    static size_t count;
    size_t i = 0;
    while (i < count && (strcmp(kept[i].blas.name, name) != 0 || kept[i].threads != threads))
        i++;
    if (i == KEPT_MAX) {
        fail(why, why_size, "more than %d libraries and thread counts", KEPT_MAX);
        return NULL;
    }
    struct answer *answer = &kept[i];
    if (i == count) {
        count++;
        answer->threads = threads;
        ask_child(name, threads, &answer->blas, answer->why, sizeof answer->why);
    }
    if (answer->blas.path[0] != '\0')
        return &answer->blas;
    snprintf(why, why_size, "%s", answer->why);
    return NULL;
}
