/* Asks a child process, which loads a BLAS library, what the library says of itself and which setting is best for it.
 * SPDX-License-Identifier: MIT */
#include "blas_describe.h"

#include "blas_choice.h"
#include "blas_open.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/timer.h"
#include "machine/host.h"
#include "machine/libraries.h"

#include <link.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const blas_choice_names[] = {"own", "user", "checked", "corrected", "poor", NULL};

#define DESCRIBING "TILELAB_DESCRIBING" /* set in the child process: it starts no child of its own */
enum { DESCRIBE_LIMIT_S = 60 };

/* ---- The child process ---- */

/* MKL does not name its kernel. MKL loads a file for its first product, and the name of that file tells the kernel. */
static int find_mkl_kernel(struct dl_phdr_info *object, size_t size, void *to)
{
    struct blas *blas = to;
    const char *at = strstr(object->dlpi_name, "/libmkl_");
    (void)size;
    if (at == NULL)
        return 0;
    at += strlen("/libmkl_");
    const size_t length = strcspn(at, ".");
    const bool kernel = strncmp(at, "avx", 3) == 0 || strncmp(at, "mc", 2) == 0 || strncmp(at, "def", 3) == 0;
    if (kernel && length < sizeof blas->kernel)
        snprintf(blas->kernel, sizeof blas->kernel, "%.*s", (int)length, at);
    return kernel;
}

static void ask_mkl(struct blas *blas)
{
    const float a[64] = {0};
    float c[64];
    char rest[sizeof blas->config];
    blas->sgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, 8, 8, 8, 1, a, 8, a, 8, 0, c, 8);
    dl_iterate_phdr(find_mkl_kernel, blas);
    if (blas->kernel[0] == '\0')
        return;
    memcpy(rest, blas->config, sizeof rest);
    snprintf(blas->config, sizeof blas->config, "kernel %s%.100s", blas->kernel, strchr(rest, ';'));
}

/* Times some products of each precision, and keeps the fastest; 0 if there is no memory. */
static struct blas_times time_products(const struct blas *blas)
{
    enum { N = 512, LEAST = 4 };
    static const double least_s = 0.03;
    struct blas_times best = {INFINITY, INFINITY};
    double *a = malloc(sizeof *a * N * N), *c = malloc(sizeof *c * N * N);
    if (a == NULL || c == NULL) {
        free(a);
        free(c);
        return (struct blas_times){0};
    }
    for (int wide = 0; wide < 2; wide++) {
        double *time_s = wide ? &best.dgemm_s : &best.sgemm_s;
        for (int i = 0; i < N * N; i++) {
            if (wide)
                a[i] = i % 7 - 3;
            else
                ((float *)a)[i] = (float)(i % 7 - 3);
        }
        const double start_s = timer_now_s();
        for (int i = 0; i < LEAST || timer_now_s() - start_s < least_s; i++) {
            const double from_s = timer_now_s();
            if (wide)
                blas->dgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, N, N, N, 1, a, N, a, N, 0, c, N);
            else
                blas->sgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, N, N, N, 1, (float *)a, N, (float *)a, N, 0,
                            (float *)c, N);
            *time_s = fmin(*time_s, timer_now_s() - from_s);
        }
    }
    free(a);
    free(c);
    return best;
}

static void tell(struct blas *blas, bool timed)
{
    char candidate[BLAS_TRIES_MAX][sizeof blas->setting];
    if (strcmp(blas->make, "mkl") == 0)
        ask_mkl(blas);
    printf("path=%s\nconfig=%s\nthreads=%d\nlapack=%d\nmake=%s\nkernel=%s\n", blas->path, blas->config, blas->threads,
           blas->lapack, blas->make, blas->kernel);
    const char *variable = blas_kernel_variable(blas->make);
    if (variable != NULL && getenv(variable) != NULL)
        printf("setting=%s=%.40s\n", variable, getenv(variable));
    const size_t count = blas_candidates(blas, host_get(), candidate);
    for (size_t i = 0; i < count; i++)
        printf("candidate=%s\n", candidate[i]);
    if (timed) {
        const struct blas_times times = time_products(blas);
        printf("sgemm_ns=%.0f\ndgemm_ns=%.0f\n", 1e9 * times.sgemm_s, 1e9 * times.dgemm_s);
    }
}

int blas_describe_main(int argc, char **argv)
{
    struct blas blas;
    char why[400] = "usage: describe-blas NAME THREADS [time]";
    const int threads = argc >= 3 ? atoi(argv[2]) : 0;
    if (threads > 0)
        host_bind(threads); /* for more threads than cores this fails, and the library still tells its kernel */
    const bool known = argc >= 3 && blas_open(argv[1], threads, &blas, why, sizeof why);
    if (known)
        tell(&blas, argc > 3);
    else
        printf("why=%s\n", why);
    fflush(stdout);
    _exit(known ? 0 : 1); /* skips the library's own clean-up, which may wait for its threads */
}

/* ---- Asking the child process ---- */

/* Sets the variable of "NAME=value"; an empty setting changes nothing. */
static void set_variable(const char *setting)
{
    char name[64];
    const char *equals = strchr(setting, '=');
    if (equals == NULL)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
    setenv(name, equals + 1, 1);
}

struct question {
    const char *name, *setting;
    int threads;
    bool timed;
};

/* Runs in the child process. */
static int become_describer(const void *context)
{
    const struct question *question = context;
    char threads[16];
    snprintf(threads, sizeof threads, "%d", question->threads);
    host_clean_environment();
    setenv(DESCRIBING, "1", 1);
    set_variable(question->setting);
    const char *const arguments[] = {
        "tilelab", "describe-blas", question->name, threads, question->timed ? "time" : NULL, NULL};
    return process_become(PROCESS_SELF, arguments);
}

static void copy(char *to, size_t size, const char *value)
{
    snprintf(to, size, "%s", value);
}

static void parse(char *text, struct blas_found *found, char *why, size_t why_size)
{
    struct blas *blas = &found->blas;
    const struct {
        const char *key;
        char *to;
        size_t size;
    } texts[] = {{"path", blas->path, sizeof blas->path},          {"config", blas->config, sizeof blas->config},
                 {"make", blas->make, sizeof blas->make},          {"kernel", blas->kernel, sizeof blas->kernel},
                 {"setting", blas->setting, sizeof blas->setting}, {"why", why, why_size}};
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        char *value = strchr(line, '=');
        if (value == NULL)
            continue;
        *value++ = '\0';
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            if (strcmp(line, texts[i].key) == 0)
                copy(texts[i].to, texts[i].size, value);
        }
        if (strcmp(line, "threads") == 0)
            blas->threads = atoi(value);
        else if (strcmp(line, "lapack") == 0)
            blas->lapack = atoi(value) != 0;
        else if (strcmp(line, "candidate") == 0 && found->candidates < BLAS_TRIES_MAX)
            copy(found->candidate[found->candidates++], sizeof *found->candidate, value);
        else if (strcmp(line, "sgemm_ns") == 0)
            found->times.sgemm_s = 1e-9 * (double)strtoll(value, NULL, 10);
        else if (strcmp(line, "dgemm_ns") == 0)
            found->times.dgemm_s = 1e-9 * (double)strtoll(value, NULL, 10);
    }
}

/* Returns true if the library was loaded; all facts are then in `found`. */
static bool ask_child(const char *name, int threads, const char *setting, bool timed, struct blas_found *found,
                      char *why, size_t why_size)
{
    char text[4096], path[512];
    struct process child;
    memset(found, 0, sizeof *found);
    snprintf(found->blas.name, sizeof found->blas.name, "%s", name);
    if (!libraries_find(name, path, sizeof path, why, why_size))
        return false;
    const struct question question = {name, setting, threads, timed};
    if (getenv(DESCRIBING) != NULL || process_start(&child, PROCESS_OUTPUT, become_describer, &question) != 0) {
        snprintf(why, why_size, "no process could be started to load %s", name);
        return false;
    }
    snprintf(why, why_size, "%.300s ended the process that loaded it", path);
    if (!process_collect(&child, text, sizeof text, DESCRIBE_LIMIT_S))
        snprintf(why, why_size, "%.300s did not answer within %d s", path, DESCRIBE_LIMIT_S);
    else
        parse(text, found, why, why_size);
    return found->blas.path[0] != '\0';
}

/* ---- The best setting ---- */

static double both_s(const struct blas_found *found)
{
    return sqrt(found->times.sgemm_s * found->times.dgemm_s);
}

static void keep_faster(struct blas_times *times, const struct blas_times *more)
{
    times->sgemm_s = times->sgemm_s > 0 ? fmin(times->sgemm_s, more->sgemm_s) : more->sgemm_s;
    times->dgemm_s = times->dgemm_s > 0 ? fmin(times->dgemm_s, more->dgemm_s) : more->dgemm_s;
}

/* Finds the fastest candidate, in `best`; false if there is none or nothing could be measured. A candidate and the
 * library's own choice run in turn, since other programs may hold the core for some time. */
static bool try_candidates(const char *name, int threads, struct blas_found *own, struct blas_found *best)
{
    enum { TURNS = 3 };
    char why[400];
    bool any = false;
    for (size_t c = 0; c < own->candidates; c++) {
        struct blas_times times = {0};
        struct blas_found found, again;
        bool works = ask_child(name, threads, own->candidate[c], false, &found, why, sizeof why) &&
                     strcmp(found.blas.kernel, own->blas.kernel) != 0;
        for (int turn = 0; turn < TURNS && works; turn++) {
            works = ask_child(name, 1, "", true, &again, why, sizeof why) && both_s(&again) > 0;
            if (works)
                keep_faster(&own->times, &again.times);
            works = works && ask_child(name, 1, own->candidate[c], true, &again, why, sizeof why) && both_s(&again) > 0;
            if (works)
                keep_faster(&times, &again.times);
        }
        found.times = times;
        if (works && (!any || both_s(&found) < both_s(best)))
            *best = found;
        any = any || works;
    }
    return any;
}

/* Times mean nothing if the clock is simulated. */
static bool can_measure(void)
{
    return !timer_is_fake();
}

static void find_best(const char *name, int threads, struct blas *blas, char *why, size_t why_size)
{
    struct blas_found own, other;
    if (!ask_child(name, threads, "", false, &own, why, why_size))
        return;
    const bool tried = own.blas.setting[0] == '\0' && own.candidates > 0 && can_measure() &&
                       try_candidates(name, threads, &own, &other);
    *blas = blas_judge(host_get(), &own, tried ? &other : NULL) ? other.blas : own.blas;
}

/* ---- Answers that are kept ---- */

static struct answer {
    struct blas blas;
    char why[400];
    int threads;
} kept[32];
static size_t kept_count;

const struct blas *blas_describe(const char *name, int threads, char *why, size_t why_size)
{
    enum { KEPT_MAX = sizeof kept / sizeof *kept };
    size_t i = 0;
    while (i < kept_count && (strcmp(kept[i].blas.name, name) != 0 || kept[i].threads != threads))
        i++;
    if (i == KEPT_MAX) {
        snprintf(why, why_size, "more than %d libraries and thread counts", (int)KEPT_MAX);
        return NULL;
    }
    struct answer *answer = &kept[i];
    if (i == kept_count) {
        kept_count++;
        answer->threads = threads;
        snprintf(answer->blas.name, sizeof answer->blas.name, "%s", name);
        find_best(name, threads, &answer->blas, answer->why, sizeof answer->why);
        libraries_hash(name, answer->blas.hash); /* not in each child: a file of tens of megabytes takes long */
    }
    if (answer->blas.path[0] != '\0')
        return &answer->blas;
    snprintf(why, why_size, "%s", answer->why);
    return NULL;
}

void blas_set_environment(const char *name)
{
    for (size_t i = 0; i < kept_count; i++) {
        if (strcmp(kept[i].blas.name, name) == 0 && kept[i].blas.choice == BLAS_CORRECTED)
            set_variable(kept[i].blas.setting);
    }
}

void blas_identity(const char *name, char hex[HASH_SHORT_SIZE])
{
    char why[400], text[128];
    if (!libraries_hash(name, hex))
        return;
    const struct blas *blas = blas_describe(name, host_get()->cores, why, sizeof why);
    if (blas == NULL || blas->setting[0] == '\0')
        return;
    const int length = snprintf(text, sizeof text, "%s %s", hex, blas->setting);
    hash_hex(text, (size_t)length, hex, HASH_SHORT);
}
