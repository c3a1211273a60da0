/* Which of two results of a cell counts.
 * SPDX-License-Identifier: MIT */
#include "results/choice.h"
#include "test.h"

static const struct criterion
    quick = {.rounds = 5, .launches = 1, .samples = 5, .ci = 0.05, .max_time_s = 1, .seed = 1},
    full = {.rounds = 8, .launches = 3, .samples = 10, .ci = 0.01, .max_time_s = 30, .seed = 1},
    other_seed = {.rounds = 8, .launches = 3, .samples = 10, .ci = 0.01, .max_time_s = 30};

static struct choice_merit ok(const struct criterion *criterion)
{
    return (struct choice_merit){
        .ok = true, .rounds = 5, .samples = 50, .settings = (uint64_t)criterion->rounds, .criterion = criterion};
}

/* Whether `better` counts in both orders of arrival. */
static void assert_better(struct choice_merit better, struct choice_merit worse)
{
    assert_true(choice_keeps_older(&better, &worse));
    assert_false(choice_keeps_older(&worse, &better));
}

/* Whether the newer of two results counts, whichever it is. */
static void assert_newer_counts(struct choice_merit a, struct choice_merit b)
{
    assert_false(choice_keeps_older(&a, &b));
    assert_false(choice_keeps_older(&b, &a));
}

TEST(a_time_counts_more_than_a_skip)
{
    struct choice_merit skip = ok(&full), wrong = ok(&quick);
    skip.skipped = true, skip.ok = false;
    wrong.ok = false, wrong.wrong = true;
    assert_better(ok(&quick), skip);
    assert_better(wrong, skip);
    assert_newer_counts(skip, skip);
}

TEST(a_complete_result_counts_more_than_a_partial_one)
{
    struct choice_merit partial = ok(&full), partial_quick = ok(&quick), skip = ok(&full);
    partial.partial = partial_quick.partial = true;
    skip.skipped = true;
    assert_better(ok(&quick), partial);
    assert_better(partial, partial_quick);
    assert_better(partial_quick, skip);
    assert_newer_counts(partial, partial);
}

TEST(a_careful_result_counts_more_than_a_careless_one)
{
    assert_better(ok(&full), ok(&quick));
    assert_newer_counts(ok(&full), ok(&full));
    assert_newer_counts(ok(&full), ok(&other_seed)); /* neither satisfies the other */
}

TEST(a_newer_wrong_result_counts_always)
{
    struct choice_merit wrong = ok(&quick), careful = ok(&full);
    wrong.ok = false, wrong.wrong = true;
    assert_false(choice_keeps_older(&careful, &wrong));
    assert_true(choice_ends(&wrong));
    assert_false(choice_ends(&careful));
}

/* --retry with a less careful profile can replace a failure; a less careful failure replaces no time. */
TEST(a_newer_time_counts_more_than_a_failure)
{
    struct choice_merit careful_crash = ok(&full), crash = ok(&quick);
    careful_crash.ok = crash.ok = false;
    assert_false(
        choice_keeps_older(&careful_crash, &(struct choice_merit){.ok = true, .settings = 5, .criterion = &quick}));
    assert_better(ok(&full), crash);
}

TEST(without_known_care_rounds_and_samples_count)
{
    struct choice_merit old = ok(&full), older = ok(&full);
    old.criterion = older.criterion = NULL;
    old.settings = 98, older.settings = 99;
    assert_newer_counts(old, older);
    older.samples = 51;
    assert_better(older, old);
    old.rounds = 6;
    assert_better(old, older);
    old.settings = older.settings;
    assert_newer_counts(old, older); /* equal settings are equal criterion */
    /* Known settings count as their rounds, even where time ran out before all rounds. */
    struct choice_merit known = ok(&full);
    old.settings = 98;
    old.rounds = 8;
    known.rounds = 2, known.samples = 50;
    assert_newer_counts(old, known);
    known.criterion = &quick;
    assert_better(old, known);
}
