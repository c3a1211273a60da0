/* Tests of what ranks of a team do with distributed matrices: their inputs, and the verification of Jacobi's method
 * and of the messages between GPUs. One process has all parts here, in host memory.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "registry.h"
#include "team_variant.h"
#include "common/solver_problem.h"
#include "verify/blocks.h"
#include "verify/inputs.h"
#include "test.h"

#include <math.h>

enum { SEED = 7, PARTS = 3, SWEEPS = 6 };

/* ---- Messages of a team of one process ---- */

static int sum_nothing(double *values, int64_t count)
{
    (void)values, (void)count;
    return 0;
}

static int most_nothing(double *value)
{
    (void)value;
    return 0;
}

static const struct team_messages alone = {.sum = sum_nothing, .most = most_nothing};

/* ---- Cells ---- */

struct distributed {
    struct cell cell;
    struct team team;
    struct solver_log log;
    struct team_check check;
};

/* Distributes all operands in one column of parts, and generates the inputs. */
static void distribute(struct distributed *of, const char *name, int64_t precision, int64_t n, int64_t gpus)
{
    *of = (struct distributed){.cell = {.entry = registry_find(name), .precision = precision, .n = n, .gpus = gpus},
                               .team = {.size = 1, .grid_rows = PARTS, .grid_cols = 1}};
    assert_non_null(of->cell.entry);
    const struct problem *problem = of->cell.entry->problem;
    for (int i = 0; i < problem->operand_count; i++) {
        struct team_matrix shape = {.precision = precision};
        if (problem->element_bytes[i] != 0)
            continue;
        problem->operand[i].shape(&of->cell, &shape.rows, &shape.cols);
        shape.block_rows = (shape.rows + PARTS - 1) / PARTS;
        shape.block_cols = shape.cols;
        assert_int_equal(blocks_distribute(&of->team, &blocks_host, &shape, &of->team.matrix[i]), 0);
        const struct team_inputs inputs = problem->team->inputs(&of->cell, i, INPUTS_RANDOM, SEED);
        if (problem->operand[i].role == INPUT)
            assert_int_equal(blocks_host.fill(&of->team.matrix[i], &inputs), 0);
    }
    of->check = (struct team_check){.cell = &of->cell,
                                    .inputs = INPUTS_RANDOM,
                                    .seed = SEED,
                                    .team = &of->team,
                                    .log = &of->log,
                                    .messages = &alone,
                                    .memory = &blocks_host};
}

static void release(struct distributed *of)
{
    for (int i = 0; i < MAX_OPERANDS; i++)
        blocks_free(&blocks_host, &of->team.matrix[i]);
}

static struct verdict judge(struct distributed *of)
{
    struct verdict verdict;
    of->cell.entry->problem->team->judge(&of->check, &verdict);
    return verdict;
}

/* ---- Jacobi's method ---- */

/* The system as the host generates it for the other variants. */
struct whole {
    double *a, *b, *x, *before; /* `before`: x from before the last sweep */
};

static struct whole generate(const struct cell *cell)
{
    const int64_t n = cell->n;
    struct whole whole = {calloc((size_t)(n * n), 8), calloc((size_t)n, 8), calloc((size_t)n, 8), calloc((size_t)n, 8)};
    void *const operand[MAX_OPERANDS] = {whole.a, whole.b, whole.x, NULL};
    assert_true(whole.a && whole.b && whole.x && whole.before);
    cell->entry->problem->generate(cell, INPUTS_RANDOM, SEED, operand);
    /* From the back, so that no element is overwritten before it is read. */
    for (int64_t i = n * n; i-- > 0 && cell->precision == F32;)
        whole.a[i] = operand_value(whole.a, F32, i);
    for (int64_t i = n; i-- > 0 && cell->precision == F32;)
        whole.b[i] = operand_value(whole.b, F32, i);
    return whole;
}

static void free_whole(struct whole *whole)
{
    free(whole->a);
    free(whole->b);
    free(whole->x);
    free(whole->before);
}

/* One sweep; returns the norm of the residual of the x before. */
static double sweep(const struct whole *of, const struct cell *cell, double omega)
{
    const int64_t n = cell->n;
    double squares = 0;
    memcpy(of->before, of->x, (size_t)n * sizeof *of->x);
    for (int64_t i = 0; i < n; i++) {
        double r = of->b[i];
        for (int64_t j = 0; j < n; j++)
            r -= of->a[i * n + j] * of->before[j];
        squares += r * r;
        const double next = of->before[i] + omega * r / of->a[i * n + i];
        of->x[i] = cell->precision == F32 ? (double)(float)next : next;
    }
    return sqrt(squares);
}

/* Solves as the cell asks for, and leaves x in the parts and the log. */
static void solve(struct distributed *of, const struct whole *whole)
{
    const struct solver_rule rule = solver_rule_of(&of->cell);
    solver_begin(&of->log);
    for (int64_t k = 0; solver_note(&rule, &of->log, k, sweep(whole, &of->cell, rule.omega)) == SOLVER_RUNNING; k++)
        continue;
    const double *answer = of->log.end == SOLVER_COUNTED ? whole->x : whole->before;
    assert_int_equal(blocks_host.put(&of->team.matrix[SOLVER_X], answer), 0);
}

TEST(ranks_generate_the_system_of_all_variants)
{
    for (int64_t precision = F32; precision <= F64; precision++) {
        struct distributed of;
        distribute(&of, "jacobi/nccl", precision, 50, PARTS);
        struct whole whole = generate(&of.cell);
        const struct team_matrix *a = &of.team.matrix[SOLVER_A], *b = &of.team.matrix[SOLVER_B];
        for (int p = 0; p < PARTS; p++)
            for (int64_t i = 0; i < a->part[p].rows; i++) {
                const int64_t row = team_index(i, a->block_rows, a->part[p].grid_row, PARTS);
                assert_true(operand_value(b->part[p].data, precision, i) == whole.b[row]);
                for (int64_t j = 0; j < 50; j++)
                    assert_true(operand_value(a->part[p].data, precision, j * a->part[p].ld + i) ==
                                whole.a[row * 50 + j]);
            }
        free_whole(&whole);
        release(&of);
    }
}

/* Judges a run after `change` has had its way with x and the log. */
static struct verdict judge_changed(int64_t precision, int64_t n, int64_t sweeps,
                                    void (*change)(struct distributed *of))
{
    struct distributed of;
    distribute(&of, "jacobi/nccl", precision, n, PARTS);
    of.cell.sweeps = sweeps;
    of.cell.omega = sweeps ? 0 : 2 * (int64_t)OMEGA_ONE / 3;
    struct whole whole = generate(&of.cell);
    solve(&of, &whole);
    if (change)
        change(&of);
    const struct verdict verdict = judge(&of);
    free_whole(&whole);
    release(&of);
    return verdict;
}

TEST(right_runs_of_jacobi_pass)
{
    static const int64_t sizes[] = {1, 2, 3, 4, 50, 131};
    for (int64_t precision = F32; precision <= F64; precision++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int64_t sweeps = 0; sweeps <= SWEEPS; sweeps += SWEEPS) {
                const struct verdict verdict = judge_changed(precision, sizes[i], sweeps, NULL);
                if (!verdict.ok || verdict.status != STATUS_OK)
                    fail_msg("precision %d, n %d, sweeps %d: %s", (int)precision, (int)sizes[i], (int)sweeps,
                             verdict.reason);
            }
}

static void change_x(struct distributed *of)
{
    double *x = of->team.matrix[SOLVER_X].part[PARTS - 1].data;
    x[0] *= 1 + 1e-9;
}

static void forget_x(struct distributed *of)
{
    struct team_part *part = &of->team.matrix[SOLVER_X].part[1];
    memset(part->data, 0xFF, (size_t)part->rows * sizeof(double));
}

static void count_more(struct distributed *of)
{
    of->log.sweeps++;
}

static void lower_residual(struct distributed *of)
{
    of->log.history[2] *= 0.999;
}

static void forget_log(struct distributed *of)
{
    memset(&of->log, 0xFF, sizeof of->log);
}

TEST(wrong_runs_of_jacobi_are_found)
{
    void (*const change[])(struct distributed *) = {change_x, forget_x, count_more, lower_residual, forget_log};
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        const struct verdict verdict = judge_changed(F64, 50, SWEEPS, change[i]);
        assert_false(verdict.ok);
        assert_true(verdict.reason[0] != '\0');
    }
    assert_non_null(strstr(judge_changed(F64, 50, SWEEPS, forget_x).reason, "x("));
    assert_non_null(strstr(judge_changed(F64, 50, SWEEPS, forget_log).reason, "log was not written"));
}

/* ---- Messages between GPUs ---- */

TEST(every_gpu_must_have_got_all_parts)
{
    struct distributed of;
    distribute(&of, "allgather/nccl", F64, 12, PARTS);
    double x[12] = {0};
    const struct team_matrix *y = &of.team.matrix[1];
    assert_int_equal(blocks_host.get(&of.team.matrix[0], x), 0);
    for (int p = 0; p < PARTS; p++) {
        assert_int_equal(y->part[p].rows, 12);
        memcpy(y->part[p].data, x, sizeof x);
    }
    assert_true(judge(&of).ok);
    ((double *)y->part[2].data)[5] += 0x1p-50;
    struct verdict verdict = judge(&of);
    assert_false(verdict.ok);
    assert_non_null(strstr(verdict.reason, "GPU 2 got"));
    blocks_host.set(y, 0xFF);
    assert_false(judge(&of).ok);
    release(&of);
}

/* ---- Shares ---- */

/* Every row belongs to one part, where its place follows from the rows before. */
TEST(shares_cover_a_matrix_once)
{
    for (int parts = 1; parts <= 5; parts++)
        for (int64_t block = 1; block <= 9; block++)
            for (int64_t rows = 0; rows <= 40; rows++) {
                bool seen[40] = {false};
                int64_t all = 0;
                for (int part = 0; part < parts; part++) {
                    const int64_t share = team_share(rows, block, part, parts);
                    for (int64_t i = 0; i < share; i++) {
                        const int64_t row = team_index(i, block, part, parts);
                        assert_true(row < rows && !seen[row]);
                        seen[row] = true;
                    }
                    all += share;
                }
                assert_int_equal(all, rows);
            }
}
