/* The energy of a cell: a continuous run, which is long enough for a counter of energy.
 * SPDX-License-Identifier: MIT
 *
 * A counter moves in steps, of a millisecond on a processor and of 20 to 100 ms on a GPU. So a thread watches the
 * counter, and the power is that between the first step in a stretch of time and the last one. The energy of a run is
 * the power times the time from the start of a run to the start of the next one. */
#include "continuous.h"

#include "operands.h"
#include "state.h"
#include "base/timer.h"
#include "plan/predict.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Power follows the load within a tenth of a second. PREDICT_LEAD_S is for that, and so is the rest before an idle
 * device is watched. */
static const double REST_S = 0.5;
/* A block of runs is short enough that few runs go beyond the time, and long enough that its start takes no share. */
static const double BLOCK_S = 0.05;
enum { LOOK_US = 2000 };
/* The runs must fill so much of the time, else the power is also that of the pauses between them. */
static const double FILL_LEAST = 0.95;
/* The counter must move over so much of the time, else the looks at it are too coarse. */
static const double SPAN_LEAST = 0.5;
/* A device that was heated up by a run of less power is cold for one that takes so much more. */
static const double COLD_ABOVE = 1.1;
static const double FAKE_SHARE = 0.1; /* of all times, where times are simulated */

static double idle_w, idle_at_s = -INFINITY; /* what the device of this worker took when idle, and when */
static double hot_w;                         /* the most that a run took on a device that was heated up; 0: none yet */

/* A counter that a thread watches. */
struct watch {
    const struct energy_meter *meter;
    pthread_t thread;
    bool has_thread;
    atomic_bool ends;
    int steps;
    double first_s, first_j, last_s, last_j; /* of the first step and the last one */
    char why[160];                           /* the counter cannot be read */
};

static double shortened(double seconds)
{
    return timer_is_fake() ? FAKE_SHARE * seconds : seconds;
}

static void *look(void *context)
{
    struct watch *watch = context;
    double seen_j = NAN;
    while (!atomic_load(&watch->ends) && !watch->why[0]) {
        const double joules = watch->meter->joules(watch->why, sizeof watch->why), now_s = timer_now_s();
        if (joules > seen_j) {
            if (watch->steps++ == 0) {
                watch->first_s = now_s;
                watch->first_j = joules;
            }
            watch->last_s = now_s;
            watch->last_j = joules;
        }
        seen_j = joules;
        usleep(LOOK_US);
    }
    return NULL;
}

static void begin(struct watch *watch, const struct energy_meter *meter)
{
    memset(watch, 0, sizeof *watch);
    watch->meter = meter;
    watch->has_thread = pthread_create(&watch->thread, NULL, look, watch) == 0;
    if (!watch->has_thread)
        snprintf(watch->why, sizeof watch->why, "no thread could be made to watch the counter of energy");
    meter->begin();
}

/* The mean power while the counter was watched, which was for `watched_s`; NAN, with watch->why: not known. */
static double end(struct watch *watch, double watched_s)
{
    atomic_store(&watch->ends, true);
    if (watch->has_thread)
        pthread_join(watch->thread, NULL);
    if (watch->why[0])
        return NAN;
    const double span_s = watch->last_s - watch->first_s;
    if (watch->steps >= 2 && span_s >= SPAN_LEAST * watched_s)
        return (watch->last_j - watch->first_j) / span_s;
    snprintf(watch->why, sizeof watch->why,
             "the counter of energy moved %d time%s in %.2g s, too rarely to tell the power of a run", watch->steps,
             watch->steps == 1 ? "" : "s", watched_s);
    return NAN;
}

/* Tells that others used the device, so that the round has no energy. */
static void tell_shared(const struct energy_meter *meter, const char *when, struct outcome *outcome)
{
    snprintf(outcome->no_energy, sizeof outcome->no_energy, "%s %s, so that its watts are not ours", meter->shared_by,
             when);
    for (int i = 0; i < outcome->samples && meter->spoils_times; i++)
        outcome->sample[i].flags |= FLAG_NOISY;
}

/* Leaves the device idle if that is long ago, and notes what it takes. False, with outcome->no_energy: it is not
 * known. */
static bool watch_idle(struct watch *watch, const struct energy_meter *meter, struct outcome *outcome)
{
    const double idle_s = shortened(PREDICT_IDLE_S - REST_S);
    if (timer_now_s() - idle_at_s < PREDICT_IDLE_EVERY_S)
        return true;
    usleep((useconds_t)(1e6 * shortened(REST_S)));
    begin(watch, meter);
    usleep((useconds_t)(1e6 * idle_s));
    idle_w = end(watch, idle_s);
    if (watch->why[0])
        snprintf(outcome->no_energy, sizeof outcome->no_energy, "%s", watch->why);
    else if (meter->shared(true))
        tell_shared(meter, "while this program left it idle", outcome);
    else
        idle_at_s = timer_now_s();
    return !outcome->no_energy[0];
}

/* What blocks of runs have taken together. */
struct spent {
    int runs;
    bool throttled;
    double wall_s, kernel_s;
};

static bool run_for(struct prepared *at, double least_s, struct spent *spent, struct sample *to,
                    struct outcome *outcome)
{
    const int most = at->cell.cache == CACHE_COLD ? 1 : operands_repeats_most(at->operands);
    const double wanted = BLOCK_S / fmax(at->run_s, 1e-9), start_s = timer_now_s();
    const int count = timer_is_fake() || wanted < 1 ? 1 : wanted > most ? most : (int)wanted;
    *spent = (struct spent){0};
    do {
        struct backend_times times;
        if (!prepared_run(at, count, &times, outcome))
            return false;
        spent->runs += count;
        spent->throttled |= times.throttled;
        spent->kernel_s += times.kernel_s;
        spent->wall_s = timer_now_s() - start_s;
        to->clock_hz = times.clock_hz;
        to->temperature_c = times.temperature_c;
    } while (spent->wall_s < least_s);
    return true;
}

/* Judges a continuous run, and adds its sample. */
static void conclude(const struct energy_meter *meter, const struct watch *watch, const struct spent *spent,
                     struct sample *to, struct outcome *outcome)
{
    char *why = outcome->no_energy;
    const size_t size = sizeof outcome->no_energy;
    state_left_process(); /* so that the time of the processes that the runs started is known */
    const bool shared = meter->shared(false);
    if (watch->why[0]) {
        snprintf(why, size, "%s", watch->why);
    } else if (shared) {
        tell_shared(meter, "during the continuous run", outcome);
    } else if (spent->throttled) {
        snprintf(why, size, "the GPU was throttled in the continuous run");
    } else if (spent->kernel_s < FILL_LEAST * spent->wall_s && !timer_is_fake()) {
        snprintf(why, size, "its runs cannot follow each other without pauses: they fill %.0f %% of the time",
                 100 * spent->kernel_s / spent->wall_s);
    } else {
        to->repeats = spent->runs;
        to->energy_j = to->power_w * spent->wall_s / spent->runs;
        outcome->samples++;
    }
}

/* Runs until the power is steady, for `heat_s` at least, and then for the energy. */
static bool run_heated(struct prepared *at, const struct energy_meter *meter, double heat_s, struct watch *watch,
                       struct spent *spent, struct sample *to, struct outcome *outcome)
{
    if (!run_for(at, fmax(heat_s, shortened(PREDICT_LEAD_S)), spent, to, outcome))
        return false;
    begin(watch, meter);
    const bool ran = run_for(at, shortened(PREDICT_CONTINUOUS_S), spent, to, outcome);
    to->power_w = end(watch, ran ? spent->wall_s : INFINITY);
    return ran;
}

bool continuous_run(struct prepared *at, double lately_w, struct sample *to, struct outcome *outcome)
{
    const struct energy_meter *meter = at->operands->backend->energy;
    struct spent spent;
    struct watch watch = {.meter = meter};
    outcome->no_energy[0] = '\0';
    if (!meter)
        snprintf(outcome->no_energy, sizeof outcome->no_energy, "no counter tells the energy of the backend %s",
                 registry_backends[at->cell.entry->backend].name);
    if (!meter || isnan(meter->joules(outcome->no_energy, sizeof outcome->no_energy)))
        return true;
    if (!watch_idle(&watch, meter, outcome))
        return true;
    to->idle_w = idle_w;
    const double heat_s = timer_is_fake() ? 0 : meter->heat_s;
    hot_w = fmax(hot_w, lately_w);
    bool ran = run_heated(at, meter, hot_w > 0 ? 0 : heat_s, &watch, &spent, to, outcome);
    if (ran && heat_s > 0 && hot_w > 0 && to->power_w > COLD_ABOVE * hot_w)
        ran = run_heated(at, meter, heat_s, &watch, &spent, to, outcome);
    hot_w = fmax(hot_w, to->power_w);
    if (ran)
        conclude(meter, &watch, &spent, to, outcome);
    return ran;
}
