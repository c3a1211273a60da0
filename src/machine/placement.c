/* A CPU of its own for each thread of this process, whoever makes the thread.
 * SPDX-License-Identifier: MIT */
#include "placement.h"

#include "cpus.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { POOLS = 32 };

static struct {
    pthread_mutex_t lock;
    const int *cpus;
    int count; /* of the CPUs; below 2: threads are not bound */
    struct {
        const void *library; /* where it is loaded */
        int *threads;        /* on each CPU */
    } pool[POOLS];
    int pools;
} placement = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int own = -1;

static int bind(pthread_t thread, int cpu)
{
    struct cpus one = {{0}};
    cpus_add(&one, cpu);
    errno = pthread_setaffinity_np(thread, sizeof one, (const cpu_set_t *)one.word);
    return errno ? -1 : 0;
}

void placement_begin(const int *cpus, int count)
{
    placement.cpus = cpus;
    placement.count = count;
}

int placement_bind_main(void)
{
    if (placement.count < 2)
        return 0;
    own = placement.cpus[0];
    return bind(pthread_self(), own);
}

int placement_cpu(void)
{
    return own;
}

/* With ThreadSanitizer, and with clang's AddressSanitizer, pthread_create has to be theirs. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define KEEPS_PTHREAD_CREATE
#endif
#elif defined(__SANITIZE_THREAD__)
#define KEEPS_PTHREAD_CREATE
#endif
#if !defined(KEEPS_PTHREAD_CREATE)

typedef void *starter(void *argument);

/* A thread that is being made. */
struct birth {
    starter *start;
    void *argument;
    int *threads; /* of its pool */
    int place;    /* among the CPUs */
    sem_t bound;
};

/* Finds the pool of the library that a function lies in. NULL: no memory. */
static int *pool_of(starter *start)
{
    Dl_info info = {.dli_fbase = NULL};
    const void *address;
    memcpy(&address, &start, sizeof address);
    dladdr(address, &info);
    for (int i = 0; i < placement.pools; i++)
        if (placement.pool[i].library == info.dli_fbase)
            return placement.pool[i].threads;
    if (placement.pools == POOLS)
        return placement.pool[POOLS - 1].threads;
    int *const threads = calloc((size_t)placement.count, sizeof *threads);
    if (!threads)
        return NULL;
    threads[0] = 1; /* the main thread */
    placement.pool[placement.pools].library = info.dli_fbase;
    placement.pool[placement.pools++].threads = threads;
    return threads;
}

/* Gives a thread its place, where its pool has the fewest threads. False: no memory. */
static bool take_place(struct birth *birth)
{
    pthread_mutex_lock(&placement.lock);
    birth->threads = pool_of(birth->start);
    if (birth->threads) {
        for (int i = 1; i < placement.count; i++)
            if (birth->threads[i] < birth->threads[birth->place])
                birth->place = i;
        birth->threads[birth->place]++;
    }
    pthread_mutex_unlock(&placement.lock);
    return birth->threads != NULL;
}

static void leave_place(void *context)
{
    struct birth *birth = context;
    pthread_mutex_lock(&placement.lock);
    birth->threads[birth->place]--;
    pthread_mutex_unlock(&placement.lock);
    sem_destroy(&birth->bound);
    free(birth);
}

static void *live(void *context)
{
    struct birth *birth = context;
    void *result;
    while (sem_wait(&birth->bound) != 0)
        continue;
    own = placement.cpus[birth->place];
    pthread_cleanup_push(leave_place, birth);
    result = birth->start(birth->argument);
    pthread_cleanup_pop(1);
    return result;
}

/* Attributes without a mask tell a mask of ones. */
static bool has_mask(const pthread_attr_t *attributes)
{
    struct cpus mask, all;
    memset(&all, 0xff, sizeof all);
    return attributes && pthread_attr_getaffinity_np(attributes, sizeof mask, (cpu_set_t *)mask.word) == 0 &&
           memcmp(&mask, &all, sizeof mask) != 0;
}

typedef int creator(pthread_t *thread, const pthread_attr_t *attributes, starter *start, void *argument);

static creator *next_creator(void)
{
    void *const found = dlsym(RTLD_NEXT, "pthread_create");
    creator *next;
    memcpy(&next, &found, sizeof next);
    return next;
}

/* Stands in the place of the C library's pthread_create, for this program and for the libraries that it loads. */
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, starter *start,
                   void *restrict argument)
{
    creator *const next = next_creator();
    if (placement.count < 2 || has_mask(attributes))
        return next(thread, attributes, start, argument);
    struct birth *birth = malloc(sizeof *birth);
    if (!birth)
        return EAGAIN;
    *birth = (struct birth){.start = start, .argument = argument};
    sem_init(&birth->bound, 0, 0);
    if (!take_place(birth)) {
        free(birth);
        return EAGAIN;
    }
    const int failed = next(thread, attributes, live, birth);
    if (failed) {
        leave_place(birth);
        return failed;
    }
    /* The maker binds the thread, since a thread that begins on a busy CPU could not do that before its turn. Where the
     * CPU is gone, whoever restores the thread's mask will notice. */
    bind(*thread, placement.cpus[birth->place]);
    sem_post(&birth->bound);
    return 0;
}

#endif
