/* The probe of the cores: which threads work when, and for how long.
 * SPDX-License-Identifier: MIT */
#include "cores_probe.h"

#include "cores_crew.h"
#include "host.h"
#include "base/process.h"
#include "base/stats.h"
#include "base/timer.h"

#include <string.h>
#include <sys/mman.h>

/* The probe takes about a second, of which pairs may take half. Looks are short, so that many of them fit, and some of
 * them fall between two turns of another program. */
static const double WARM_S = 0.02, LOOK_S = 0.004, PAIR_S = 0.001, CLOSE_LOOK_S = 0.003;
static const double PAIRS_UNTIL_S = 0.6, END_S = 0.9, GIVEN_UP_AFTER_S = 10;
enum { ROUNDS = 4, CLOSE_LOOKS_MOST = 4, LOOKS_MOST = 256 };

/* ---- In the child ---- */

/* The results of the child, in memory that it shares with its parent. */
struct answer {
    bool done;
    struct cores_rates rates;
};

/* The looks at one load: the rates of all its threads together. */
struct looks {
    int count;
    double fma[LOOKS_MOST], read[LOOKS_MOST];
};

struct probe {
    struct cores_crew *crew;
    struct cores_rates *rates;
    double begin_s;
    int place[CORES_MOST]; /* of the CPUs, in binding order */
    struct looks looks[CORES_LOADS];
};

static double best(double one, double other)
{
    return one > other ? one : other;
}

/* Looks at a load. The usual rate is the median: a host may move its guests, so that the same threads have half of the
 * rate in most looks, and a measurement meets what most looks meet. Others can only lower a rate, so that the best one
 * tells what the cores could do. */
static void look_at(struct probe *probe, enum cores_load load, int threads)
{
    struct cores_rates *rates = probe->rates;
    struct looks *looks = &probe->looks[load];
    if (looks->count == LOOKS_MOST)
        return;
    const double fma = cores_crew_rate(probe->crew, CORES_FMA, probe->place, threads, LOOK_S);
    looks->fma[looks->count] = fma;
    looks->read[looks->count++] = cores_crew_rate(probe->crew, CORES_READ, probe->place, threads, LOOK_S);
    rates->fma[load] = stats_median(looks->fma, (size_t)looks->count);
    rates->read[load] = stats_median(looks->read, (size_t)looks->count);
    rates->fma_best[load] = best(rates->fma_best[load], fma);
}

static void measure_load(struct probe *probe, enum cores_load load)
{
    const int all = probe->rates->threads;
    look_at(probe, load, load == CORES_ONE ? 1 : load == CORES_ALL ? all : all > 1 ? all / 2 : 1);
}

static double rate_of(struct probe *probe, int first, int second, double seconds)
{
    const int place[] = {first, second};
    return cores_crew_rate(probe->crew, CORES_FMA, place, second < 0 ? 1 : 2, seconds);
}

/* Looks at a pair: briefly, if the first look shows two cores, else several times and at each CPU alone. */
static void measure_pair(struct probe *probe, int first, int second)
{
    struct cores_rates *rates = probe->rates;
    if (rates->pairs == CORES_PAIRS_MOST)
        return;
    struct cores_pair *pair = &rates->pair[rates->pairs++];
    *pair = (struct cores_pair){.first = first, .second = second, .alone = 2 * rates->fma_best[CORES_ONE], .looks = 1};
    pair->both = rate_of(probe, first, second, PAIR_S);
    if (cores_pair_parts(pair))
        return;
    double one = 0, other = 0;
    for (pair->looks = 0; pair->looks < CLOSE_LOOKS_MOST; pair->looks++) {
        one = best(one, rate_of(probe, first, -1, CLOSE_LOOK_S));
        pair->both = best(pair->both, rate_of(probe, first, second, CLOSE_LOOK_S));
        other = best(other, rate_of(probe, second, -1, CLOSE_LOOK_S));
        pair->alone = one + other;
        if (cores_pair_parts(pair))
            return;
    }
}

/* Whether the rate of all threads is as high as that of the cores which the pairs have left. */
static bool is_explained(const struct probe *probe, const struct cores *cores)
{
    const bool all = probe->rates->threads == probe->rates->cpus;
    return all && cores->best > cores->separate - 0.5;
}

/* Looks at the pairs of CPUs whose numbers differ so much. False once time is up, or the rate is explained. */
static bool measure_distance(struct probe *probe, int distance, struct cores *cores)
{
    for (int i = 0; i + distance < probe->rates->cpus; i++) {
        if (cores->core[i] == cores->core[i + distance])
            continue;
        if (timer_now_s() - probe->begin_s > PAIRS_UNTIL_S)
            return false;
        measure_pair(probe, i, i + distance);
        if (!cores_judge(probe->rates, cores) || is_explained(probe, cores))
            return false;
    }
    return true;
}

/* Neighbours first, then CPUs that are half of the list apart, as systems number the threads of a core. */
static void measure_pairs(struct probe *probe)
{
    struct cores cores;
    const int cpus = probe->rates->cpus;
    if (!cores_judge(probe->rates, &cores) || is_explained(probe, &cores) || !measure_distance(probe, 1, &cores) ||
        (cpus % 2 == 0 && cpus > 2 && !measure_distance(probe, cpus / 2, &cores)))
        return;
    for (int distance = 2; distance < cpus; distance++)
        if (distance != cpus / 2 && !measure_distance(probe, distance, &cores))
            return;
}

/* From now on, the first threads are on separate cores. */
static void separate(struct probe *probe)
{
    struct cores cores;
    int usual[CORES_MOST];
    memcpy(usual, probe->place, sizeof usual);
    if (cores_judge(probe->rates, &cores))
        cores_order(&cores, usual, probe->place);
}

static void measure_all(struct probe *probe)
{
    struct cores_rates *rates = probe->rates;
    probe->begin_s = timer_now_s();
    cores_crew_rate(probe->crew, CORES_FMA, probe->place, rates->threads, WARM_S);
    for (int i = 0; i < ROUNDS; i++) {
        measure_load(probe, CORES_ONE);
        measure_load(probe, CORES_ALL);
    }
    measure_pairs(probe);
    separate(probe);
    do {
        measure_load(probe, CORES_ONE);
        measure_load(probe, CORES_HALF);
        measure_load(probe, CORES_ALL);
    } while (timer_now_s() - probe->begin_s < END_S);
}

/* More than the second level of most cores holds, but no more than the machine can spare for all of them. */
static size_t bytes_to_read(const struct host *host)
{
    const int64_t each = 4 << 20, all = 256 << 20, spare = host->memory_available_bytes / 8;
    const int64_t most = (spare > 0 && spare < all ? spare : all) / host->cores_allowed;
    return (size_t)(most < each ? most : each);
}

bool cores_probe_measure(const int *cpu, int cpus, int threads, size_t bytes, struct cores_rates *rates)
{
    struct probe probe = {.rates = rates};
    rates->cpus = cpus;
    rates->threads = threads;
    for (int i = 0; i < cpus; i++)
        probe.place[i] = i;
    probe.crew = cores_crew_hire(cpu, cpus, bytes);
    if (probe.crew == NULL)
        return false;
    measure_all(&probe);
    cores_crew_dismiss(probe.crew);
    return true;
}

static int probe_child(const void *context)
{
    struct answer *answer = *(struct answer *const *)context;
    const struct host *host = host_get();
    answer->done =
        cores_probe_measure(host->core_cpu, host->cores_allowed, host->cores, bytes_to_read(host), &answer->rates);
    return 0;
}

/* ---- In the parent ---- */

static struct cores found;
static int found_cpu[CORES_MOST]; /* the list of CPUs that was probed */

/* Runs the child. False if it does not answer in time. */
static bool ask_child(struct answer *answer)
{
    struct process child;
    if (process_start(&child, PROCESS_QUIET, probe_child, &answer) != 0)
        return false;
    if (!process_await(&child, GIVEN_UP_AFTER_S))
        process_end(&child);
    return answer->done;
}

/* Has separate cores bound first, unless the list is in that order already. */
static void arrange(void)
{
    int ordered[CORES_MOST];
    cores_order(&found, found_cpu, ordered);
    if (memcmp(ordered, found_cpu, (size_t)found.cpus * sizeof *ordered) != 0)
        host_arrange(ordered, found.cpus);
}

static bool probe_now(void)
{
    const struct host *host = host_get();
    const struct cores_rates alone = {
        .cpus = 1, .threads = 1, .fma = {1, 1, 1}, .read = {1, 1, 1}, .fma_best = {1, 1, 1}};
    if (host->cores == 1) /* a single thread shares with none */
        return cores_judge(&alone, &found);
    if (host->cores_allowed > CORES_MOST)
        return false;
    struct answer *answer = mmap(NULL, sizeof *answer, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (answer == MAP_FAILED)
        return false;
    memcpy(found_cpu, host->core_cpu, (size_t)host->cores_allowed * sizeof *found_cpu);
    const bool measured = ask_child(answer) && cores_judge(&answer->rates, &found);
    munmap(answer, sizeof *answer);
    if (measured)
        arrange();
    return measured;
}

bool cores_probe(void)
{
    static bool asked, measured;
    if (!asked)
        measured = probe_now();
    asked = true;
    return measured;
}

const struct cores *cores_probe_found(void)
{
    return found.effective > 0 ? &found : NULL;
}

const char *cores_probe_shared(char *text, size_t size)
{
    return cores_shared_text(&found, found_cpu, text, size);
}
