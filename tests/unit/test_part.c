/* Tests of how the points of studies are shared out to the parts of a measurement.
 * SPDX-License-Identifier: MIT */
#include "registry.h"
#include "plan/part.h"
#include "test.h"

enum { POINTS = 6 };

TEST(names_of_parts_are_read_whole)
{
    static const char *const good[] = {"1/1", "3/8", "8/8", "10000/10000"};
    static const char *const bad[] = {"",    "3",    "/8",   "3/",  "0/8",  "9/8",     "-1/8",
                                      "3/0", "3/8x", " 3/8", "a/b", "3//8", "1/10001", "99999999999999999999/8"};
    struct part_name part = {0, 0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(part_parse(good[i], &part));
    assert_int_equal(part.number, 10000);
    assert_int_equal(part.of, 10000);
    assert_true(part_parse("3/8", &part));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (part_parse(bad[i], &part))
            fail_msg("\"%s\" was read as %d/%d", bad[i], part.number, part.of);
    assert_int_equal(part.number, 3);
    assert_int_equal(part.of, 8);
}

/* A schedule of products whose points have one cell each, of the sizes given. */
struct planned {
    struct experiment experiment;
    struct item item[POINTS];
    size_t order[POINTS];
    struct point point[POINTS];
    struct schedule schedule;
};

static void make_study(struct planned *study, const char *name, const int64_t n[POINTS])
{
    memset(study, 0, sizeof *study);
    snprintf(study->experiment.name, sizeof study->experiment.name, "%s", name);
    study->experiment.measure = (struct measure){
        .rounds = 5, .launches = 1, .min_samples = 10, .max_time_s = 1, .once_above_s = 1e9, .skip_above_s = 1e9};
    for (size_t i = 0; i < POINTS; i++) {
        study->item[i].cell = (struct cell){.precision = F64,
                                            .isa = ISA_BASE,
                                            .opt = OPT_O2,
                                            .m = n[i],
                                            .n = n[i],
                                            .k = n[i],
                                            .threads = 1,
                                            .entry = registry_find("matmul/omp-ijk")};
        assert_non_null(study->item[i].cell.entry);
        study->order[i] = i;
        study->point[i] = (struct point){i, 1};
    }
    study->schedule = (struct schedule){.experiment = &study->experiment,
                                        .item = study->item,
                                        .count = POINTS,
                                        .grid_items = POINTS,
                                        .order = study->order,
                                        .point = study->point,
                                        .points = POINTS};
}

static const int64_t sizes[POINTS] = {256, 2048, 512, 2048, 1024, 256};

TEST(the_largest_points_go_to_different_parts)
{
    struct planned study;
    int of[POINTS] = {0};
    make_study(&study, "a", sizes);
    part_share_out(&(struct part_share){&study.schedule, of}, 1, 2);
    assert_int_not_equal(of[1], of[3]);
    for (size_t i = 0; i < POINTS; i++)
        assert_true(of[i] == 1 || of[i] == 2);
}

TEST(the_order_of_the_studies_changes_nothing)
{
    static const int64_t others[POINTS] = {64, 4096, 128, 32, 700, 900};
    struct planned a, b;
    int a_of[POINTS] = {0}, b_of[POINTS] = {0}, a_then[POINTS] = {0}, b_then[POINTS] = {0};
    make_study(&a, "a", sizes);
    make_study(&b, "b", others);
    part_share_out((struct part_share[]){{&a.schedule, a_of}, {&b.schedule, b_of}}, 2, 3);
    part_share_out((struct part_share[]){{&b.schedule, b_then}, {&a.schedule, a_then}}, 2, 3);
    assert_memory_equal(a_of, a_then, sizeof a_of);
    assert_memory_equal(b_of, b_then, sizeof b_of);
}

TEST(what_was_measured_before_changes_nothing)
{
    struct planned study;
    int before[POINTS] = {0}, after[POINTS] = {0};
    make_study(&study, "a", sizes);
    part_share_out(&(struct part_share){&study.schedule, before}, 1, 3);
    for (size_t i = 0; i < POINTS; i += 2)
        study.item[i].state = ITEM_FINISHED;
    part_share_out(&(struct part_share){&study.schedule, after}, 1, 3);
    assert_memory_equal(before, after, sizeof before);
}

TEST(a_part_keeps_its_points_and_defers_the_others)
{
    struct planned study;
    const int of[POINTS] = {1, 2, 1, 3, 2, 1};
    make_study(&study, "a", sizes);
    part_select(&study.schedule, of, 2);
    assert_int_equal(study.schedule.points, 2);
    assert_int_equal(study.point[0].first, 1);
    assert_int_equal(study.point[1].first, 4);
    for (size_t i = 0; i < POINTS; i++)
        assert_int_equal(study.item[i].asked, of[i] == 2 ? ITEM_ASKED : ITEM_DEFERRED);
}

TEST(more_parts_than_points_leave_some_empty)
{
    struct planned study;
    int of[POINTS] = {0}, seen[20] = {0};
    make_study(&study, "a", sizes);
    part_share_out(&(struct part_share){&study.schedule, of}, 1, 19);
    for (size_t i = 0; i < POINTS; i++)
        assert_int_equal(seen[of[i]]++, 0);
}
