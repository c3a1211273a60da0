/* The judge: a process that has never run a variant verifies what the variants have written.
 * SPDX-License-Identifier: MIT */
#include "judge.h"

#include "cell.h"
#include "guarded.h"
#include "window.h"
#include "base/timer.h"
#include "verify/signs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The inputs of a shape, and what verification makes of them. */
struct situation {
    struct cell shape; /* only what decides the inputs counts */
    enum inputs inputs;
    uint64_t seed, used;
    void *operand[MAX_OPERANDS]; /* INPUT and INOUT */
    void *reference;
};
enum { CASES = 6 };
static struct situation cases[CASES];
static uint64_t clock_hand;

static void forget(struct situation *one)
{
    if (one->reference)
        one->shape.entry->problem->reference_free(one->reference);
    for (int i = 0; i < MAX_OPERANDS; i++)
        free(one->operand[i]);
    *one = (struct situation){.used = 0};
}

void judge_close(void)
{
    for (int i = 0; i < CASES; i++)
        forget(&cases[i]);
}

/* Generates the inputs. False: no memory. */
static bool generate(struct situation *one)
{
    const struct problem *problem = one->shape.entry->problem;
    for (int i = 0; i < problem->operand_count; i++) {
        const size_t bytes = (size_t)cell_operand_bytes(&one->shape, i);
        if (problem->operand[i].role != OUTPUT && !(one->operand[i] = malloc(bytes > 0 ? bytes : 1)))
            return false;
    }
    problem->generate(&one->shape, one->inputs, one->seed, one->operand);
    return true;
}

/* The random numbers of the verification are the judge's own, and drawn anew for each case. */
static bool make_reference(struct situation *one)
{
    const struct problem *problem = one->shape.entry->problem;
    uint64_t secret = one->seed;
    if (!problem->reference)
        return true;
    if (!timer_is_fake())
        (void)!getrandom(&secret, sizeof secret, 0);
    one->reference = problem->reference(&one->shape, one->inputs, secret, one->operand);
    return one->reference != NULL;
}

static bool is_case(const struct situation *one, const struct cell *cell, enum inputs inputs, uint64_t seed)
{
    return one->used > 0 && one->inputs == inputs && one->seed == seed && cell_shares_operands(&one->shape, cell);
}

/* The inputs and the reference that a cell needs; NULL: no memory. The case that was not used for the longest time
 * gives way. */
static struct situation *find(const struct cell *cell, enum inputs inputs, uint64_t seed)
{
    struct situation *oldest = &cases[0];
    for (int i = 0; i < CASES; i++) {
        if (is_case(&cases[i], cell, inputs, seed)) {
            cases[i].used = ++clock_hand;
            return &cases[i];
        }
        if (cases[i].used < oldest->used)
            oldest = &cases[i];
    }
    forget(oldest);
    *oldest = (struct situation){.shape = *cell, .inputs = inputs, .seed = seed, .used = ++clock_hand};
    if (generate(oldest) && make_reference(oldest))
        return oldest;
    forget(oldest);
    return NULL;
}

/* Copies what lies in the window, where a process that a variant has left behind could still write. The copies stay
 * until the next output comes. False: no memory. */
static bool take_copies(const struct cell *cell, void *written[MAX_OPERANDS])
{
    static struct {
        void *memory;
        size_t size;
    } copies[MAX_OPERANDS];
    for (int i = 0; i < MAX_OPERANDS; i++) {
        if (!written[i])
            continue;
        const size_t size = (size_t)cell_operand_bytes(cell, i);
        if (size > copies[i].size) {
            free(copies[i].memory);
            copies[i].memory = malloc(size);
            copies[i].size = copies[i].memory ? size : 0;
        }
        if (!copies[i].memory)
            return false;
        memcpy(copies[i].memory, written[i], size);
        written[i] = copies[i].memory;
    }
    return true;
}

/* Verifies the operands that lie in the window. */
static void verify(const struct situation *one, const struct cell *cell, void *const written[], struct outcome *outcome)
{
    const struct problem *problem = cell->entry->problem;
    struct verdict verdict = {.error = NAN, .bound = NAN, .norm2 = NAN};
    void *operand[MAX_OPERANDS];
    for (int i = 0; i < MAX_OPERANDS; i++)
        operand[i] = written[i] ? written[i] : one->operand[i];
    const struct solver_log *log = problem->sweeps ? written[problem->operand_count - 1] : NULL;
    if (log && log->recorded > SOLVER_HISTORY) {
        outcome_fail(outcome, STATUS_WRONG, "the log tells of more residuals than it has room for");
        return;
    }
    problem->verify(cell, one->inputs, one->reference, operand, &verdict);
    outcome_judge(outcome, problem, &verdict, log);
}

void judge_verify(const struct cell *cell, enum inputs inputs, uint64_t seed, const struct signs *signs,
                  uint64_t known_digest, struct outcome *outcome)
{
    const double start_s = timer_now_s();
    void *written[MAX_OPERANDS];
    *outcome = outcome_none();
    if (!window_look(cell, written, outcome))
        return;
    if (!take_copies(cell, written)) {
        outcome_fail(outcome, STATUS_MEMORY, "no memory to verify the result");
        return;
    }
    signs_undo(cell, signs, written);
    for (int i = 0; i < cell->entry->problem->operand_count; i++)
        if (written[i])
            outcome->digest = outcome->digest * 31 + guarded_digest(written[i], (size_t)cell_operand_bytes(cell, i));
    outcome->verified = known_digest != outcome->digest;
    if (outcome->verified) {
        const struct situation *one = find(cell, inputs, seed);
        if (one)
            verify(one, cell, written, outcome);
        else
            outcome_fail(outcome, STATUS_MEMORY, "no memory to verify the result");
    }
    outcome->phase_s[PHASE_VERIFY] += timer_now_s() - start_s;
}
