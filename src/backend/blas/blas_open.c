/* Loads one BLAS library into this process, and reads what the library says of itself.
 * SPDX-License-Identifier: MIT */
#include "blas_open.h"

#include "variant.h"
#include "base/text.h"
#include "machine/libraries.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* What a build of a library puts before and behind the names of its functions, so that programs can link two builds.
 * The wheels of PyPI have the prefix. Functions with 64-bit integers have one of the suffixes. */
static const struct spelling {
    const char *prefix, *suffix;
    bool ilp64;
} spellings[] = {{"", "", false},         {"scipy_", "", false}, {"", "64_", true},
                 {"scipy_", "64_", true}, {"", "_64", true},     {"", "_64_", true}};

static const struct spelling *spelling = spellings; /* of the library that is open */

static void *lookup(void *handle, const struct spelling *as, const char *name)
{
    char full[96];
    snprintf(full, sizeof full, "%s%s%s", as->prefix, name, as->suffix);
    return dlsym(handle, full);
}

/* Finds a function of the library, or of the libraries that it is linked with. POSIX lets a pointer to data be copied
 * to a pointer to a function. */
static bool symbol(void *handle, const char *name, void *function)
{
    void *found = lookup(handle, spelling, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

/* ---- Makes of library. The name of the call that sets threads tells the make. ---- */

static const char *openblas_open(struct blas *blas)
{
    const char *(*get_config)(void), *(*get_core)(void);
    const char *config = symbol(blas->handle, "openblas_get_config", &get_config) ? get_config() : "OpenBLAS";
    const char *core = symbol(blas->handle, "openblas_get_corename", &get_core) ? get_core() : "";
    snprintf(blas->kernel, sizeof blas->kernel, "%s", core);
    snprintf(blas->config, sizeof blas->config, "kernel %s; %s", *core ? core : "not told", config);
    return strstr(config, "USE64BITINT") != NULL ? "has 64-bit integers (ILP64)" : NULL;
}

static const char *blis_open(struct blas *blas)
{
    void (*init)(void);
    int (*query)(void);
    const char *(*name)(int), *(*get_version)(void);
    long (*integer_bits)(void);
    const char *version = symbol(blas->handle, "bli_info_get_version_str", &get_version) ? get_version() : "";
    if (symbol(blas->handle, "bli_init", &init))
        init(); /* before bli_init, BLIS does not tell its kernel if BLIS_ARCH_TYPE is set */
    const bool named =
        symbol(blas->handle, "bli_arch_query_id", &query) && symbol(blas->handle, "bli_arch_string", &name);
    snprintf(blas->kernel, sizeof blas->kernel, "%s", named ? name(query()) : "");
    snprintf(blas->config, sizeof blas->config, "kernel %s; BLIS %s", named ? blas->kernel : "not told", version);
    return symbol(blas->handle, "bli_info_get_blas_int_type_size", &integer_bits) && integer_bits() == 64
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
    /* MKL's default is Intel's OpenMP. Its threads would ask this program's libgomp for their number, and all would be
     * told 0. A product would then come out too large, by a factor of the number of threads. */
    if (symbol(blas->handle, "MKL_Set_Threading_Layer", &set_layer))
        set_layer(LAYER_GNU);
    if (symbol(blas->handle, "MKL_Set_Dynamic", &set_dynamic))
        set_dynamic(0);
    if (symbol(blas->handle, "MKL_Get_Version", &get_version))
        get_version(&version);
    snprintf(blas->config, sizeof blas->config, "kernel not told; MKL %d.%d.%d for %.60s", version.major, version.minor,
             version.update, version.processor != NULL ? version.processor : "a processor not told");
    return NULL;
}

static const char *other_open(struct blas *blas)
{
    snprintf(blas->config, sizeof blas->config, "kernel not told; threads by OpenMP");
    return NULL;
}

static const struct make {
    const char *set_threads;
    bool wide; /* set_threads takes an int64_t, not an int */
    const char *name;
    const char *(*open)(struct blas *blas); /* returns why the library cannot be used, or NULL */
} makes[] = {
    {"openblas_set_num_threads", false, "openblas", openblas_open},
    {"bli_thread_set_num_threads", true, "blis", blis_open},
    {"MKL_Set_Num_Threads", false, "mkl", mkl_open},
    {"omp_set_num_threads", false, "", other_open},
};

static const struct make *find_make(const struct blas *blas)
{
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        if (lookup(blas->handle, spelling, makes[i].set_threads) != NULL)
            return &makes[i];
    return NULL;
}

void blas_set_threads(const struct blas *blas)
{
    void (*set_int)(int);
    void (*set_wide)(int64_t);
    const struct make *make = find_make(blas);
    if (make != NULL && make->wide && symbol(blas->handle, make->set_threads, &set_wide))
        set_wide(blas->threads);
    else if (make != NULL && symbol(blas->handle, make->set_threads, &set_int))
        set_int(blas->threads);
}

bool blas_has_own_threads(const struct blas *blas)
{
    /* MKL loads its layer for OpenMP later. Other libraries are linked with OpenMP if they use it. */
    return strcmp(blas->make, "mkl") != 0 && !dlsym(blas->handle, "GOMP_parallel") &&
           !dlsym(blas->handle, "__kmpc_fork_call");
}

static bool set_up(struct blas *blas, char *why, size_t why_size)
{
    const struct spelling *const end = spellings + sizeof spellings / sizeof *spellings;
    spelling = spellings;
    while (spelling < end && !lookup(blas->handle, spelling, "cblas_sgemm"))
        spelling++;
    if (spelling == end)
        spelling = spellings; /* a function of this name is missed below */
    if (spelling->ilp64)
        return text_refuse(why, why_size, "%s has 64-bit integers (ILP64) only; its LP64 build is needed", blas->path);
    if (!symbol(blas->handle, "cblas_sgemm", &blas->sgemm) || !symbol(blas->handle, "cblas_dgemm", &blas->dgemm))
        return text_refuse(why, why_size, "%s has no cblas_sgemm or no cblas_dgemm", blas->path);
    symbol(blas->handle, "cblas_ssyrk", &blas->ssyrk);
    symbol(blas->handle, "cblas_dsyrk", &blas->dsyrk);
    symbol(blas->handle, "cblas_sgemv", &blas->sgemv);
    symbol(blas->handle, "cblas_dgemv", &blas->dgemv);
    symbol(blas->handle, "cblas_strmv", &blas->strmv);
    symbol(blas->handle, "cblas_dtrmv", &blas->dtrmv);
    symbol(blas->handle, "cblas_strsv", &blas->strsv);
    symbol(blas->handle, "cblas_dtrsv", &blas->dtrsv);
    blas->lapack = symbol(blas->handle, "sgetrf_", &blas->sgetrf) && symbol(blas->handle, "dgetrf_", &blas->dgetrf);
    const struct make *make = find_make(blas);
    if (make == NULL && blas->threads > 1)
        return text_refuse(why, why_size, "%s has no call that sets its threads; run it on one", blas->path);
    if (make == NULL) {
        snprintf(blas->config, sizeof blas->config, "kernel not told; one thread");
        return true;
    }
    snprintf(blas->make, sizeof blas->make, "%s", make->name);
    const char *fault = make->open(blas);
    if (fault != NULL)
        return text_refuse(why, why_size, "%s %s; its LP64 build is needed", blas->path, fault);
    blas_set_threads(blas);
    return true;
}

bool blas_open(const char *name, int threads, struct blas *blas, char *why, size_t why_size)
{
    memset(blas, 0, sizeof *blas);
    snprintf(blas->name, sizeof blas->name, "%s", name);
    blas->threads = threads > 0 ? threads : 1;
    if (!libraries_find(name, blas->path, sizeof blas->path, why, why_size))
        return false;
    blas->handle = dlopen(blas->path, RTLD_NOW | RTLD_LOCAL);
    if (blas->handle == NULL)
        return text_refuse(why, why_size, "%s cannot be loaded: %s", name, dlerror());
    return set_up(blas, why, why_size);
}
