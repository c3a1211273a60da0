/* Whether a BLAS library has chosen the right kernel, and which setting makes it choose better.
 * SPDX-License-Identifier: MIT */
#include "blas_choice.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* How the environment tells a library which kernel to use. */
static const struct knob {
    const char *make, *variable;
    bool numbered; /* the variable holds the kernel's number, not its name */
} knobs[] = {
    {"openblas", "OPENBLAS_CORETYPE", false},
    {"blis", "BLIS_ARCH_TYPE", true},
    {"mkl", "MKL_ENABLE_INSTRUCTIONS", false},
};

static const struct knob *find_knob(const char *make)
{
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
        if (strcmp(knobs[i].make, make) == 0)
            return &knobs[i];
    }
    return NULL;
}

/* The library should have chosen another kernel only if that kernel is faster by this factor. */
static const double worth = 1.1;

#if defined(__x86_64__)
/* Kernels by the instruction set that they are made for. AMD's Zen 4 computes 512 bits in two halves, so that its AVX2
 * kernels are no slower. So names decide what to try, and times decide what to take. */
static const struct kernel {
    const char *make, *name;
    int64_t isa;
} kernels[] = {
    {"openblas", "SkylakeX", ISA_V4},
    {"openblas", "Cooperlake", ISA_V4},
    {"openblas", "SapphireRapids", ISA_V4},
    {"openblas", "Haswell", ISA_V3},
    {"openblas", "Zen", ISA_V3},
    {"openblas", "Excavator", ISA_BASE},
    {"openblas", "Steamroller", ISA_BASE},
    {"openblas", "Piledriver", ISA_BASE},
    {"openblas", "Bulldozer", ISA_BASE},
    {"openblas", "Bobcat", ISA_BASE},
    {"openblas", "Barcelona", ISA_BASE},
    {"openblas", "Opteron", ISA_BASE},
    {"openblas", "Sandybridge", ISA_BASE},
    {"openblas", "Nehalem", ISA_BASE},
    {"openblas", "Atom", ISA_BASE},
    {"openblas", "Dunnington", ISA_BASE},
    {"openblas", "Penryn", ISA_BASE},
    {"openblas", "Core2", ISA_BASE},
    {"openblas", "Prescott", ISA_BASE},
    {"openblas", "Nano", ISA_BASE},
    {"blis", "skx", ISA_V4},
    {"blis", "knl", ISA_V4},
    {"blis", "zen5", ISA_V4},
    {"blis", "zen4", ISA_V4},
    {"blis", "zen3", ISA_V3},
    {"blis", "zen2", ISA_V3},
    {"blis", "zen", ISA_V3},
    {"blis", "haswell", ISA_V3},
    {"blis", "excavator", ISA_BASE},
    {"blis", "steamroller", ISA_BASE},
    {"blis", "piledriver", ISA_BASE},
    {"blis", "bulldozer", ISA_BASE},
    {"blis", "sandybridge", ISA_BASE},
    {"blis", "penryn", ISA_BASE},
    {"blis", "generic", ISA_BASE},
    /* Processors of other vendors get the kernel "def", which has AVX2 code for some of them: it has no line here. */
    {"mkl", "avx512", ISA_V4},
    {"mkl", "avx2", ISA_V3},
    {"mkl", "avx", ISA_BASE},
    {"mkl", "mc3", ISA_BASE},
    {"mkl", "mc", ISA_BASE},
};

/* Kernels worth trying on processors with an instruction set. A vendor's name restricts them to its processors. */
static const struct better {
    const char *make, *name, *vendor;
    int64_t isa;
} better[] = {
    {"openblas", "SkylakeX", NULL, ISA_V4}, {"openblas", "Zen", "AuthenticAMD", ISA_V3},
    {"openblas", "Haswell", NULL, ISA_V3},  {"blis", "zen4", "AuthenticAMD", ISA_V4},
    {"blis", "skx", NULL, ISA_V4},          {"blis", "zen3", "AuthenticAMD", ISA_V3},
    {"blis", "haswell", NULL, ISA_V3},
};

int64_t blas_kernel_isa(const char *make, const char *kernel)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(kernels[i].make, make) == 0 && strcasecmp(kernels[i].name, kernel) == 0)
            return kernels[i].isa;
    }
    return -1;
}

/* The number of a kernel in BLIS, which differs between versions; -1 if this BLIS has no kernel of that name. */
static int blis_number(const struct blas *blas, const char *kernel)
{
    enum { MOST = 64 };
    const char *(*name)(int);
    void *found = dlsym(blas->handle, "bli_arch_string");
    memcpy(&name, &found, sizeof name);
    for (int i = 0; found != NULL && i < MOST; i++) {
        const char *at = name(i);
        if (at != NULL && strcmp(at, kernel) == 0)
            return i;
        if (at == NULL || strcmp(at, "generic") == 0) /* the last kernel */
            return -1;
    }
    return -1;
}

size_t blas_candidates(const struct blas *blas, const struct host *host,
                       char candidate[BLAS_TRIES_MAX][sizeof blas->setting])
{
    const int64_t has = blas_kernel_isa(blas->make, blas->kernel);
    const struct knob *knob = find_knob(blas->make);
    size_t count = 0;
    for (size_t i = 0; knob != NULL && i < sizeof better / sizeof *better && count < BLAS_TRIES_MAX; i++) {
        const struct better *at = &better[i];
        if (strcmp(at->make, blas->make) != 0 || has < 0 || at->isa <= has || at->isa > host->isa_best ||
            (at->vendor != NULL && strcmp(at->vendor, host->vendor) != 0))
            continue;
        const int number = knob->numbered ? blis_number(blas, at->name) : 0;
        if (knob->numbered && number >= 0)
            snprintf(candidate[count++], sizeof *candidate, "%s=%d", knob->variable, number);
        else if (!knob->numbered)
            snprintf(candidate[count++], sizeof *candidate, "%s=%s", knob->variable, at->name);
    }
    return count;
}
#else
int64_t blas_kernel_isa(const char *make, const char *kernel)
{
    (void)make, (void)kernel;
    return -1;
}

size_t blas_candidates(const struct blas *blas, const struct host *host,
                       char candidate[BLAS_TRIES_MAX][sizeof blas->setting])
{
    (void)blas, (void)host, (void)candidate;
    return 0;
}
#endif

const char *blas_kernel_variable(const char *make)
{
    const struct knob *knob = find_knob(make);
    return knob != NULL ? knob->variable : NULL;
}

static const char *set_of(int64_t isa)
{
    return isa == ISA_V4 ? "AVX-512" : isa == ISA_V3 ? "AVX2" : "SSE2 or AVX";
}

bool blas_judge(const struct host *host, struct blas_found *found, struct blas_found *other)
{
    struct blas *own = &found->blas;
    const int64_t isa = blas_kernel_isa(own->make, own->kernel);
    char low[160];
    own->choice = own->setting[0] != '\0' ? BLAS_USER : BLAS_OWN;
    if (isa < 0 || isa >= host->isa_best)
        return false;
    snprintf(low, sizeof low, "%.47s is a kernel for %s, and this processor has %s", own->kernel, set_of(isa),
             set_of(host->isa_best));
    if (other == NULL) {
        snprintf(own->remark, sizeof own->remark, "%s%s; what that costs was not measured",
                 own->choice == BLAS_USER ? "by the user's setting: " : "", low);
        own->choice = own->choice == BLAS_USER ? BLAS_USER : BLAS_POOR;
        return false;
    }
    const double sgemm = found->times.sgemm_s / other->times.sgemm_s,
                 dgemm = found->times.dgemm_s / other->times.dgemm_s;
    const bool faster = sqrt(sgemm * dgemm) >= worth;
    struct blas *told = faster ? &other->blas : own;
    snprintf(told->remark, sizeof told->remark,
             faster
                 ? "its own choice, %s. With %s it takes %s: sgemm is %.3g and dgemm %.3g times as fast (n = 512, one "
                   "thread)"
                 : "%s. With %s it takes %s: sgemm is %.3g and dgemm %.3g times as fast (n = 512, one thread), so it "
                   "keeps its own choice",
             low, other->blas.setting, other->blas.kernel, sgemm, dgemm);
    told->choice = faster ? BLAS_CORRECTED : BLAS_CHECKED;
    return faster;
}
