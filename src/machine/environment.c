/* The environment variables that change what a library computes, or how fast.
 * SPDX-License-Identifier: MIT */
#include "environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

enum treatment {
    CLEANED,  /* workers do not get it */
    REPLACED, /* workers do not get it; the record tells it, since the runner itself may be changed by it */
    TOLD,     /* workers get it, and the record tells it; something else that decides results holds its effect */
    DECIDES,  /* workers get it, the record tells it, and results depend on it */
    FREE      /* workers get it, and it changes no result */
};

/* The first row that matches decides. A name that ends with '*' is the beginning of names. The principle: what a cell
 * or the runner says itself is cleaned, as are switches for debugging, which nobody means to measure. A setting that
 * only a person makes who wants it decides. */
static const struct rule {
    const char *name;
    enum treatment treatment;
    enum environment_reach reach;
} rules[] = {
    /* OpenMP: the cell says how many threads there are, and the runner binds them. */
    {"OMP_NUM_THREADS", CLEANED, 0},
    {"OMP_THREAD_LIMIT", CLEANED, 0},
    {"OMP_TEAMS_THREAD_LIMIT", CLEANED, 0},
    {"OMP_NUM_TEAMS", CLEANED, 0},
    {"OMP_DYNAMIC", CLEANED, 0},
    {"OMP_PROC_BIND", CLEANED, 0},
    {"OMP_PLACES", CLEANED, 0},
    {"GOMP_CPU_AFFINITY", CLEANED, 0},
    {"KMP_AFFINITY", CLEANED, 0},
    {"KMP_HW_SUBSET", CLEANED, 0},
    {"KMP_PLACE_THREADS", CLEANED, 0},
    {"KMP_ALL_THREADS", CLEANED, 0},
    {"KMP_DEVICE_THREAD_LIMIT", CLEANED, 0},
    {"OMP_MAX_TASK_PRIORITY", CLEANED, 0}, /* the runner sets it */
    {"OMP_DISPLAY_*", CLEANED, 0},         /* prints, which is no variant's doing */
    {"OMP_AFFINITY_FORMAT", CLEANED, 0},
    {"OMP_*", DECIDES, ENVIRONMENT_OF_ALL}, /* OMP_WAIT_POLICY, OMP_STACKSIZE, OMP_SCHEDULE: somebody tries them */
    {"GOMP_*", DECIDES, ENVIRONMENT_OF_ALL},
    {"KMP_*", DECIDES, ENVIRONMENT_OF_ALL},

    /* Made by a user, or by the runner after its probe of the cores: see host_arrange. */
    {"TILELAB_CORE_ORDER", TOLD, 0},

    /* BLAS: the same of threads. The kernel that a user chooses is a part of the library's identity. */
    {"OPENBLAS_NUM_THREADS", CLEANED, 0},
    {"OPENBLAS_DEFAULT_NUM_THREADS", CLEANED, 0},
    {"GOTO_NUM_THREADS", CLEANED, 0},
    {"OPENBLAS_VERBOSE", CLEANED, 0},
    {"OPENBLAS_CORETYPE", TOLD, 0},
    {"OPENBLAS_*", DECIDES, ENVIRONMENT_OF_LIBRARIES},
    {"GOTO*", DECIDES, ENVIRONMENT_OF_LIBRARIES},
    {"BLIS_NUM_THREADS", CLEANED, 0},
    {"BLIS_JC_NT", CLEANED, 0},
    {"BLIS_PC_NT", CLEANED, 0},
    {"BLIS_IC_NT", CLEANED, 0},
    {"BLIS_JR_NT", CLEANED, 0},
    {"BLIS_IR_NT", CLEANED, 0},
    {"BLIS_ARCH_DEBUG", CLEANED, 0},
    {"BLIS_ARCH_TYPE", TOLD, 0},
    {"BLIS_*", DECIDES, ENVIRONMENT_OF_LIBRARIES},
    {"MKL_NUM_THREADS", CLEANED, 0},
    {"MKL_DOMAIN_NUM_THREADS", CLEANED, 0},
    {"MKL_DYNAMIC", CLEANED, 0},
    {"MKL_VERBOSE", CLEANED, 0},
    {"MKL_ENABLE_INSTRUCTIONS", TOLD, 0},
    {"MKL_*", DECIDES, ENVIRONMENT_OF_LIBRARIES}, /* MKL_CBWR, MKL_THREADING_LAYER */
    {"AOCL_*", DECIDES, ENVIRONMENT_OF_LIBRARIES},
    {"ARMPL_*", DECIDES, ENVIRONMENT_OF_LIBRARIES},
    {"NVPL_*", DECIDES, ENVIRONMENT_OF_LIBRARIES},
    {"FLEXIBLAS*", DECIDES, ENVIRONMENT_OF_LIBRARIES},

    /* Code from elsewhere in the process could replace any function, a clock or a product. */
    {"LD_PRELOAD", REPLACED, 0},
    {"LD_AUDIT", REPLACED, 0},
    {"LD_LIBRARY_PATH*", FREE, 0}, /* the record has the file and the hash of what was found */
    {"LD_RUN_PATH", FREE, 0},      /* of the linker */
    {"LD_DEBUG*", FREE, 0},
    {"LD_*", DECIDES, ENVIRONMENT_OF_ALL},           /* LD_BIND_NOW: a first call finds its functions earlier */
    {"GLIBC_TUNABLES", DECIDES, ENVIRONMENT_OF_ALL}, /* huge pages of malloc, functions for other processors */
    {"MALLOC_*", DECIDES, ENVIRONMENT_OF_ALL},

    /* CUDA: the cell says the precision, and the handle of a library its mode. Which device it is, the machine's hash
     * holds. A share of a device under MPS is what a cluster gives, so that it stays. Others of CUDA are for debugging
     * (CUDA_LAUNCH_BLOCKING, CUDA_FORCE_PTX_JIT) or choose what the runner measures (CUDA_MODULE_LOADING). */
    {"NVIDIA_TF32_OVERRIDE", CLEANED, 0},
    {"NVIDIA_*", FREE, 0}, /* a container's image sets them */
    {"CUBLAS*", CLEANED, 0},
    {"CUSOLVER*", CLEANED, 0},
    {"CUDNN*", CLEANED, 0},
    {"NVBLAS_*", CLEANED, 0},
    {"CUDA_VISIBLE_DEVICES", TOLD, 0},
    {"CUDA_DEVICE_ORDER", TOLD, 0},
    {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", DECIDES, ENVIRONMENT_OF_DEVICES},
    {"CUDA_MPS_*", FREE, 0}, /* where the service is */
    {"CUDA_HOME", FREE, 0},
    {"CUDA_PATH*", FREE, 0},
    {"CUDA_CACHE_*", FREE, 0}, /* where compiled code is kept */
    {"CUDA_*", CLEANED, 0},
    {"NCCL_DEBUG*", FREE, 0},
    {"NCCL_COMM_ID", FREE, 0}, /* these name hosts and networks, which the GPUs of one host do not use */
    {"NCCL_HOSTID", FREE, 0},
    {"NCCL_SOCKET_*", FREE, 0},
    {"NCCL_IB_*", FREE, 0},
    {"NCCL_*", DECIDES, ENVIRONMENT_OF_DEVICES},

    /* OpenCL and SYCL: the machine's hash and the cell hold the device. */
    {"POCL_CACHE_DIR", FREE, 0},
    {"POCL_KERNEL_CACHE", FREE, 0},
    {"POCL_DEBUG*", FREE, 0},
    {"POCL_DEVICES", TOLD, 0},
    {"POCL_*", DECIDES, ENVIRONMENT_OF_DEVICES},
    {"CL_CONFIG_*", DECIDES, ENVIRONMENT_OF_DEVICES},
    {"ACPP_APPDB_DIR", FREE, 0},
    {"ACPP_DEBUG_LEVEL", FREE, 0},
    {"ACPP_VISIBILITY_MASK", TOLD, 0},
    {"ACPP_*", DECIDES, ENVIRONMENT_OF_DEVICES},
    {"HIPSYCL_*", DECIDES, ENVIRONMENT_OF_DEVICES},
    {"ONEAPI_DEVICE_SELECTOR", TOLD, 0},
    {"SYCL_CACHE_*", FREE, 0},
    {"SYCL_*", DECIDES, ENVIRONMENT_OF_DEVICES},
    {"DPCPP_*", DECIDES, ENVIRONMENT_OF_DEVICES},
    {"ZE_*", DECIDES, ENVIRONMENT_OF_DEVICES},
};

static bool matches(const struct rule *rule, const char *name, size_t length)
{
    const size_t known = strlen(rule->name);
    if (rule->name[known - 1] == '*')
        return length >= known - 1 && strncmp(name, rule->name, known - 1) == 0;
    return length == known && strncmp(name, rule->name, known) == 0;
}

/* The rule for a variable, "NAME" or "NAME=value"; NULL: there is none. */
static const struct rule *rule_of(const char *variable)
{
    const size_t length = strcspn(variable, "=");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (matches(&rules[i], variable, length))
            return &rules[i];
    return NULL;
}

void environment_clean(void)
{
    const bool testing = getenv("TILELAB_TEST") != NULL;
    for (size_t i = 0; environ != NULL && environ[i] != NULL;) {
        char name[256];
        const struct rule *rule = rule_of(environ[i]);
        const bool cleaned = rule && (rule->treatment == CLEANED || (rule->treatment == REPLACED && !testing));
        const size_t length = strcspn(environ[i], "=");
        if (!cleaned || length >= sizeof name || environ[i][length] == '\0') {
            i++;
            continue;
        }
        snprintf(name, sizeof name, "%.*s", (int)length, environ[i]);
        unsetenv(name); /* moves the later variables forward */
    }
}

bool environment_is_told(const char *name)
{
    const struct rule *rule = rule_of(name);
    return rule && (rule->treatment == REPLACED || rule->treatment == TOLD || rule->treatment == DECIDES);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void environment_hash(enum environment_reach reach, char hex[HASH_SHORT_SIZE])
{
    size_t count = 0, found = 0, length = 0;
    while (environ != NULL && environ[count] != NULL)
        length += strlen(environ[count++]) + 1;
    const char **variable = malloc((count + 1) * sizeof *variable);
    char *text = malloc(length + 1);
    hex[0] = '\0';
    for (size_t i = 0; variable != NULL && i < count; i++) {
        const struct rule *rule = rule_of(environ[i]);
        if (rule && rule->treatment == DECIDES && (rule->reach == ENVIRONMENT_OF_ALL || rule->reach == reach))
            variable[found++] = environ[i];
    }
    if (found > 0 && text != NULL) {
        qsort(variable, found, sizeof *variable, compare);
        length = 0;
        for (size_t i = 0; i < found; i++)
            length += (size_t)sprintf(text + length, "%s\n", variable[i]);
        hash_hex(text, length, hex, HASH_SHORT);
    }
    free(variable);
    free(text);
}
