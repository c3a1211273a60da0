/* Threads that each have a CPU of their own.
 * SPDX-License-Identifier: MIT */
#include "cores_crew.h"

#include "cpus.h"
#include "base/timer.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct hand {
    pthread_t thread;
    struct cores_crew *crew;
    const char *memory; /* of its own, crew->bytes */
    sem_t called;
    double rate;
};

struct cores_crew {
    int hands;
    struct hand *hand;
    char *memory;
    size_t bytes, all_bytes; /* of each hand, of all */
    bool over;               /* a hand that is called goes home */
    enum cores_work work;
    double begin_s, end_s;
    sem_t done;
};

/* ---- Work ---- */

/* Any processor has vectors of 16 bytes. More of the sums than units and latencies need keep all units busy. */
typedef double vector __attribute__((vector_size(16)));

/* Without a use of its result a loop would be left out. */
static void keep(vector sum)
{
    volatile double kept = sum[0] + sum[1];
    (void)kept;
}

/* Some microseconds of multiply-adds. The sums stay near 2. */
static void pass_fma(void)
{
    enum { STEPS = 400 };
    const vector factor = {0.5, 0.5}, term = {1, 1};
    /* Each sum has a start of its own, or the compiler would compute one of them. */
    vector s0 = {0}, s1 = {1}, s2 = {2}, s3 = {3}, s4 = {4}, s5 = {5};
    vector s6 = {6}, s7 = {7}, s8 = {8}, s9 = {9}, s10 = {10}, s11 = {11};
    for (int i = 0; i < STEPS; i++) {
        s0 = s0 * factor + term;
        s1 = s1 * factor + term;
        s2 = s2 * factor + term;
        s3 = s3 * factor + term;
        s4 = s4 * factor + term;
        s5 = s5 * factor + term;
        s6 = s6 * factor + term;
        s7 = s7 * factor + term;
        s8 = s8 * factor + term;
        s9 = s9 * factor + term;
        s10 = s10 * factor + term;
        s11 = s11 * factor + term;
    }
    keep(s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7 + s8 + s9 + s10 + s11);
}

enum { READ_BYTES = 1 << 14 };

static void pass_read(const char *from)
{
    const vector *v = (const vector *)from;
    vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    for (size_t i = 0; i < READ_BYTES / sizeof *v; i += 4) {
        s0 += v[i];
        s1 += v[i + 1];
        s2 += v[i + 2];
        s3 += v[i + 3];
    }
    keep(s0 + s1 + s2 + s3);
}

/* ---- Threads ---- */

static void do_work(struct hand *hand)
{
    const struct cores_crew *crew = hand->crew;
    size_t at = 0;
    int64_t passes = 0;
    double now_s;
    while (timer_now_s() < crew->begin_s)
        ;
    do {
        if (crew->work == CORES_FMA) {
            pass_fma();
        } else {
            pass_read(hand->memory + at);
            at = at + 2 * READ_BYTES <= crew->bytes ? at + READ_BYTES : 0;
        }
        passes++;
    } while ((now_s = timer_now_s()) < crew->end_s);
    /* A thread that came too late has a low rate, as it did not work beside the others. */
    hand->rate = (double)passes / (now_s - crew->begin_s);
}

static void await(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR)
        ;
}

static void *live(void *argument)
{
    struct hand *hand = argument;
    memset((char *)hand->memory, 0, hand->crew->bytes); /* on the memory of its own CPU */
    sem_post(&hand->crew->done);
    for (await(&hand->called); !hand->crew->over; await(&hand->called)) {
        do_work(hand);
        sem_post(&hand->crew->done);
    }
    return NULL;
}

static bool hire_one(struct cores_crew *crew, int cpu)
{
    struct hand *hand = &crew->hand[crew->hands];
    struct cpus mask = {{0}};
    pthread_attr_t attributes;
    hand->crew = crew;
    hand->memory = crew->memory + (size_t)crew->hands * crew->bytes;
    if (cpu < 0 || cpu >= CPUS_MAX || pthread_attr_init(&attributes) != 0)
        return false;
    cpus_add(&mask, cpu);
    sem_init(&hand->called, 0, 0);
    const bool hired = pthread_attr_setaffinity_np(&attributes, sizeof mask, (const cpu_set_t *)&mask) == 0 &&
                       pthread_create(&hand->thread, &attributes, live, hand) == 0;
    pthread_attr_destroy(&attributes);
    crew->hands += hired;
    return hired;
}

struct cores_crew *cores_crew_hire(const int *cpu, int cpus, size_t bytes)
{
    struct cores_crew *crew = calloc(1, sizeof *crew);
    if (crew == NULL)
        return NULL;
    crew->bytes = bytes - bytes % READ_BYTES + (bytes < READ_BYTES ? READ_BYTES : 0);
    crew->all_bytes = (size_t)cpus * crew->bytes;
    crew->hand = calloc((size_t)cpus, sizeof *crew->hand);
    crew->memory = mmap(NULL, crew->all_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sem_init(&crew->done, 0, 0);
    bool hired = crew->hand != NULL && crew->memory != MAP_FAILED;
    for (int i = 0; hired && i < cpus; i++)
        hired = hire_one(crew, cpu[i]);
    for (int i = 0; i < crew->hands; i++)
        await(&crew->done);
    if (hired)
        return crew;
    cores_crew_dismiss(crew);
    return NULL;
}

void cores_crew_dismiss(struct cores_crew *crew)
{
    crew->over = true;
    for (int i = 0; i < crew->hands; i++)
        sem_post(&crew->hand[i].called);
    for (int i = 0; i < crew->hands; i++)
        pthread_join(crew->hand[i].thread, NULL);
    if (crew->memory != MAP_FAILED)
        munmap(crew->memory, crew->all_bytes);
    free(crew->hand);
    free(crew);
}

double cores_crew_rate(struct cores_crew *crew, enum cores_work work, const int *place, int places, double seconds)
{
    /* A thread wakes within that time, also where the hypervisor must be asked. */
    static const double WAKE_S = 300e-6, WAKE_EACH_S = 10e-6;
    double sum = 0;
    crew->work = work;
    crew->begin_s = timer_now_s() + WAKE_S + places * WAKE_EACH_S;
    crew->end_s = crew->begin_s + seconds;
    for (int i = 0; i < places; i++)
        sem_post(&crew->hand[place[i]].called);
    for (int i = 0; i < places; i++)
        await(&crew->done);
    for (int i = 0; i < places; i++)
        sum += crew->hand[place[i]].rate;
    return sum;
}
