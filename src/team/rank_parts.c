/* The cells that a rank holds, and what it does with them.
 * SPDX-License-Identifier: MIT */
#include "rank_parts.h"

#include "cell.h"
#include "backend/object.h"
#include "base/timer.h"
#include "machine/noise.h"
#include "machine/nvml.h"
#include "verify/blocks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell that is prepared. Its matrices lie in `team`. */
struct held {
    struct cell cell;
    struct job job;
    struct team team;
    struct solver_log log; /* of a solver's last run: its last operand */
    int inputs;            /* an enum inputs; -1: none */
    uint64_t seed;
    bool used; /* a run has changed the operands that it works on in place */
    int (*launch)(struct job *job);
    int (*solve)(struct job *job, struct team_matrix *x);
};

enum { HELD_MOST = 64 };
static struct held *held[HELD_MOST];

/* ---- Failures ---- */

static void fail(struct team_answer *answer, const char *format, ...) TILELAB_PRINTF(2, 3);
static void fail(struct team_answer *answer, const char *format, ...)
{
    va_list args;
    answer->failed = 1;
    answer->code = errno;
    va_start(args, format);
    vsnprintf(answer->error, sizeof answer->error, format, args);
    va_end(args);
}

static void fail_job(struct team_answer *answer, const struct job *job)
{
    fail(answer, "%.199s", job->error[0] ? job->error : "the variant returned an error without saying which");
}

/* Fails unless all ranks are well so far, since a rank alone would wait for ever in the next step. */
static bool all_well(const struct rank *rank, const struct team_answer *answer)
{
    double failed = answer->failed;
    return rank->messages->most(&failed) == 0 && failed == 0;
}

/* ---- Cells ---- */

static struct held **find(const struct cell *cell)
{
    struct held **free_place = NULL;
    for (int i = 0; i < HELD_MOST; i++) {
        if (held[i] && cell_compare(&held[i]->cell, cell) == 0)
            return &held[i];
        if (!held[i] && !free_place)
            free_place = &held[i];
    }
    return free_place;
}

/* A grid of parts: rows * cols is the number of parts. */
static void choose_grid(struct team *team, const struct variant *variant)
{
    const int parts = team->devices > team->size ? team->devices : team->size;
    int rows = 1;
    if (variant->distribution == DISTRIBUTION_SQUARE)
        for (int i = 1; i * i <= parts; i++)
            rows = parts % i == 0 ? i : rows;
    if (variant->distribution == DISTRIBUTION_COLUMN)
        rows = parts;
    team->grid_rows = rows;
    team->grid_cols = variant->distribution == DISTRIBUTION_WHOLE ? 1 : parts / rows;
    team->in_host_memory = variant->distribution == DISTRIBUTION_WHOLE && team->devices > 0;
}

static bool is_distributed(const struct cell *cell, int operand)
{
    return cell->entry->problem->element_bytes[operand] == 0;
}

static void release(const struct rank *rank, struct held **place)
{
    struct held *of = *place;
    void (*variant_release)(struct job *);
    *(void **)&variant_release = object_entry(rank->object, &of->cell, "release");
    if (variant_release && of->job.state)
        variant_release(&of->job);
    for (int i = 0; i < MAX_OPERANDS; i++)
        blocks_free(rank->memory, &of->team.matrix[i]);
    free(of);
    *place = NULL;
}

/* The side of the blocks: the axis `tile`. One column of parts takes one block each. */
static void choose_blocks(const struct cell *cell, const struct team *team, struct team_matrix *shape)
{
    const int64_t tile = cell->tile;
    const int64_t share = (shape->rows + team->grid_rows - 1) / team->grid_rows;
    const bool whole = cell->entry->meta->distribution == DISTRIBUTION_COLUMN || tile == 0;
    shape->block_rows = whole ? share : tile;
    shape->block_cols = whole ? shape->cols : tile;
}

static bool distribute(const struct rank *rank, struct held *of, int operand)
{
    struct team_matrix shape = {.precision = of->cell.precision};
    of->cell.entry->problem->operand[operand].shape(&of->cell, &shape.rows, &shape.cols);
    choose_blocks(&of->cell, &of->team, &shape);
    return blocks_distribute(&of->team, rank->memory, &shape, &of->team.matrix[operand]) == 0;
}

static void prepare(const struct rank *rank, const struct cell *cell, struct team_answer *answer)
{
    struct held **place = find(cell);
    struct held *of = place ? calloc(1, sizeof *of) : NULL;
    int (*variant_prepare)(struct job *);
    if (of) {
        *of = (struct held){.cell = *cell, .team = rank->team, .inputs = -1};
        of->job.cell = &of->cell;
        of->job.team = &of->team;
        of->job.stream = rank->api->stream ? rank->api->stream() : NULL;
        *place = of;
        choose_grid(&of->team, cell->entry->meta);
        *(void **)&of->launch = object_entry(rank->object, cell, "launch");
        *(void **)&of->solve = object_entry(rank->object, cell, "solve");
    }
    if (!of)
        fail(answer, "no room for a further cell in this team");
    else if (!of->launch)
        fail(answer, "no %s_launch in the shared object (rebuild with `make`)", cell->entry->symbol);
    for (int i = 0; !answer->failed && i < cell->entry->problem->operand_count; i++) {
        errno = 0;
        if (is_distributed(cell, i) && !distribute(rank, of, i)) {
            errno = ENOMEM;
            fail(answer, "operand %s: %.150s", cell->entry->problem->operand[i].name, rank->memory->why());
        }
        of->job.operand[i] = is_distributed(cell, i) ? of->team.matrix[i].part[0].data : &of->log;
    }
    const bool well = all_well(rank, answer);
    *(void **)&variant_prepare = object_entry(rank->object, cell, "prepare");
    if (well && variant_prepare && variant_prepare(&of->job) != 0)
        fail_job(answer, &of->job);
    const bool is_prepared = all_well(rank, answer);
    if (of && !is_prepared)
        release(rank, place);
}

/* ---- Operands ---- */

static int fill_operand(const struct rank *rank, const struct held *of, int operand)
{
    const struct team_inputs inputs =
        of->cell.entry->problem->team->inputs(&of->cell, operand, (enum inputs)of->inputs, of->seed);
    return rank->memory->fill(&of->team.matrix[operand], &inputs);
}

/* Generates the operands of a role. */
static void fill_role(const struct rank *rank, const struct held *of, enum role role, struct team_answer *answer)
{
    const struct problem *problem = of->cell.entry->problem;
    for (int i = 0; i < problem->operand_count; i++)
        if (is_distributed(&of->cell, i) && problem->operand[i].role == role && fill_operand(rank, of, i) != 0)
            fail(answer, "operand %s: %.150s", problem->operand[i].name, rank->memory->why());
}

static void fill(const struct rank *rank, struct held *of, const struct team_request *request,
                 struct team_answer *answer)
{
    if (of->inputs == (int)request->inputs && of->seed == request->seed)
        return;
    of->inputs = (int)request->inputs;
    of->seed = request->seed;
    of->used = true;
    fill_role(rank, of, INPUT, answer);
}

static void poison(const struct rank *rank, const struct held *of, struct team_answer *answer)
{
    const struct problem *problem = of->cell.entry->problem;
    for (int i = 0; i < problem->operand_count; i++)
        if (is_distributed(&of->cell, i) && problem->operand[i].role == OUTPUT &&
            rank->memory->set(&of->team.matrix[i], 0xFF) != 0)
            fail(answer, "operand %s: %.150s", problem->operand[i].name, rank->memory->why());
}

static void digest(const struct rank *rank, const struct held *of, struct team_answer *answer)
{
    const struct problem *problem = of->cell.entry->problem;
    for (int i = 0; i < problem->operand_count; i++)
        if (is_distributed(&of->cell, i) && problem->operand[i].role != INPUT &&
            rank->memory->digest(&of->team.matrix[i], &answer->digest, &answer->norm2) != 0)
            fail(answer, "operand %s: %.150s", problem->operand[i].name, rank->memory->why());
    /* A sum of doubles would lose bits of the digest, but not of its halves, in up to 2^21 ranks. */
    double halves[] = {(double)(answer->digest >> 32), (double)(answer->digest & UINT32_MAX), answer->norm2};
    if (rank->messages->sum(halves, 3) != 0)
        fail(answer, "the team has broken up");
    answer->digest = ((uint64_t)halves[0] << 32) + (uint64_t)halves[1];
    answer->norm2 = halves[2];
}

/* ---- Runs ---- */

/* The times of a rank's runs, and the processor time that it spent in them. */
struct spent {
    double wall_s, cpu_s;
};

/* Times one run: from the moment when all ranks are ready until this one is done. */
static void time_run(const struct rank *rank, struct held *of, struct spent *spent, struct team_answer *answer)
{
    double together = 0;
    rank->memory->wait();
    rank->messages->most(&together);
    const double start_s = timer_now_s(), start_cpu_s = timer_cpu_s();
    of->job.error[0] = '\0';
    errno = 0;
    if (of->launch(&of->job) != 0)
        fail_job(answer, &of->job);
    else if (rank->memory->wait() != 0)
        fail(answer, "%.199s", rank->memory->why());
    spent->cpu_s += timer_cpu_s() - start_cpu_s;
    spent->wall_s += timer_now_s() - start_s;
}

/* Asks what the clocks of all GPUs of the team are now. A clock that is not known is 0. */
static bool read_clocks(const struct rank *rank, struct team_answer *answer)
{
    const double own_hz = nvml_sm_clock_hz();
    double slowest = own_hz > 0 ? -own_hz : 0, throttled = nvml_throttled(), capped = nvml_capped();
    if (rank->messages->most(&slowest) != 0 || rank->messages->most(&throttled) != 0 ||
        rank->messages->most(&capped) != 0)
        return false;
    answer->clock_hz = -slowest;
    answer->throttled = throttled > 0;
    answer->capped = capped > 0;
    return true;
}

/* Asks whether a rank was disturbed. Each has one core, on which it also waits for the others. */
static bool read_noise(const struct rank *rank, const struct noise *begin, const struct spent *spent,
                       struct team_answer *answer)
{
    double disturbed = noise_end(begin, spent->wall_s, spent->cpu_s).disturbed;
    if (rank->messages->most(&disturbed) != 0)
        return false;
    answer->disturbed = disturbed > 0;
    return true;
}

static void run(const struct rank *rank, struct held *of, int count, struct team_answer *answer)
{
    const bool on_cores = rank->team.devices == 0;
    const struct noise noise = on_cores ? noise_begin(1) : (struct noise){0};
    struct spent spent = {0};
    for (int i = 0; i < count; i++) {
        if (of->used)
            fill_role(rank, of, INOUT, answer);
        of->used = true;
        if (!all_well(rank, answer))
            return;
        time_run(rank, of, &spent, answer);
    }
    double seconds = spent.wall_s;
    if (rank->messages->most(&seconds) != 0 ||
        !(on_cores ? read_noise(rank, &noise, &spent, answer) : read_clocks(rank, answer)))
        fail(answer, "the team has broken up");
    answer->seconds = seconds;
    answer->log = of->log;
}

/* ---- Verification ---- */

struct judging {
    const struct rank *rank;
    struct held *of;
    char error[200];
};

static int refill(struct team_check *check, int operand)
{
    const struct judging *judging = check->context;
    judging->of->used = true;
    return fill_operand(judging->rank, judging->of, operand);
}

static int solve(struct team_check *check, double *x)
{
    struct judging *judging = check->context;
    struct held *of = judging->of;
    const struct team_memory *memory = judging->rank->memory;
    const struct team_matrix *a = &of->team.matrix[0];
    const struct team_matrix shape = {.rows = of->cell.n,
                                      .cols = 1,
                                      .block_rows = a->block_rows,
                                      .block_cols = of->cell.tile ? a->block_cols : 1,
                                      .precision = of->cell.precision};
    struct team_matrix distributed;
    double failed =
        blocks_distribute(&of->team, memory, &shape, &distributed) != 0 || memory->put(&distributed, x) != 0;
    if (judging->rank->messages->most(&failed) != 0 || failed != 0)
        return -1;
    for (int64_t i = 0; i < of->cell.n; i++)
        x[i] = 0;
    failed = !of->solve || of->solve(&of->job, &distributed) != 0 || memory->wait() != 0 ||
             memory->get(&distributed, x) != 0;
    blocks_free(memory, &distributed);
    return judging->rank->messages->most(&failed) != 0 || failed != 0 ? -1
                                                                      : judging->rank->messages->sum(x, of->cell.n);
}

static void judge(const struct rank *rank, struct held *of, struct team_answer *answer)
{
    struct judging judging = {.rank = rank, .of = of};
    struct team_check check = {.cell = &of->cell,
                               .inputs = (enum inputs)of->inputs,
                               .seed = of->seed,
                               .team = &of->team,
                               .log = &of->log,
                               .messages = rank->messages,
                               .memory = rank->memory,
                               .refill = refill,
                               .solve = solve,
                               .context = &judging};
    of->job.error[0] = '\0';
    of->cell.entry->problem->team->judge(&check, &answer->verdict);
    if (!answer->verdict.ok && of->job.error[0])
        snprintf(answer->verdict.reason, sizeof answer->verdict.reason, "the solution failed: %.150s", of->job.error);
}

void rank_serve(struct rank *rank, const struct team_request *request, struct team_answer *answer)
{
    size_t count;
    struct cell cell = {.entry = &registry(&count)[request->entry]};
    for (int i = 0; i < AXES; i++)
        *cell_axis(&cell, i) = request->axis[i];
    if (request->command == TEAM_PREPARE) {
        prepare(rank, &cell, answer);
        return;
    }
    struct held **place = find(&cell);
    if (!place || !*place) {
        fail(answer, "the team does not hold this cell");
        return;
    }
    switch (request->command) {
    case TEAM_FILL:
        fill(rank, *place, request, answer);
        break;
    case TEAM_POISON:
        poison(rank, *place, answer);
        break;
    case TEAM_RUN:
        run(rank, *place, request->count, answer);
        break;
    case TEAM_JUDGE:
        judge(rank, *place, answer);
        break;
    case TEAM_DIGEST:
        digest(rank, *place, answer);
        break;
    default:
        release(rank, place);
        break;
    }
}
