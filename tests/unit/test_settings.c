/* What the command line asks of an experiment: settings, and patterns of cells.
 * SPDX-License-Identifier: MIT */
#include "plan/selection.h"
#include "plan/settings.h"
#include "study_fixture.h"
#include "test.h"

static const struct grid_limits two_cores = {.threads_all = 2, .isa_best = ISA_V3};

static const char text[] =
    "schema: 1\ntitle: T\nproblem: matmul\ngrid:\n  variant: [seq-ijk, omp-ijk, omp-tiled]\n"
    "  n: [8, 16]\n  tile: 4\nbaseline: seq-ijk\nmeasure: {rounds: 6, launches: 3}\nquick: {n: 4, rounds: 4}\n";

static struct study *with(const char *setting, enum profile profile)
{
    char *said = NULL;
    struct study *study = read_study(text, strlen(text), &setting, 1, profile, &said);
    if (!study)
        fail_msg("%s", said);
    free(said);
    return study;
}

static void refuse(const char *const settings[], size_t count, const char *expected)
{
    char *said = NULL;
    assert_null(read_study(text, strlen(text), settings, count, PROFILE_FULL, &said));
    if (!strstr(said, expected))
        fail_msg("'%s' is not in: %s", expected, said);
    free(said);
}

/* The values that the experiment has for an axis, as the file would list them. */
static void check_values(const struct experiment *experiment, enum axis_id axis, const int64_t *expected, size_t count)
{
    size_t lists = 0;
    for (size_t i = 0; i < experiment->value_lists; i++)
        if (experiment->values[i].axis == axis) {
            lists++;
            assert_int_equal(experiment->values[i].count, count);
            assert_memory_equal(experiment->values[i].value, expected, count * sizeof *expected);
        }
    assert_int_equal(lists, 1);
}

TEST(a_setting_replaces_what_file_and_profile_say)
{
    for (enum profile profile = PROFILE_FULL; profile <= PROFILE_RECORD; profile++) {
        struct study *study = with("n=512,1024", profile);
        const struct experiment *experiment = study->asked;
        check_values(experiment, AXIS_n, (const int64_t[]){512, 1024}, 2);
        check_values(experiment, AXIS_tile, (const int64_t[]){4}, 1);
        assert_int_equal(experiment->settings, 1);
        assert_string_equal(experiment->setting[0], "n=512,1024");
        study_free(study);
        study = with("n={from: 8, to: 24, step: 8}", profile);
        experiment = study->asked;
        check_values(experiment, AXIS_n, (const int64_t[]){8, 16, 24}, 3);
        study_free(study);
        study = with("variant=*", profile);
        experiment = study->asked;
        assert_string_equal(experiment->variant[0], "*");
        study_free(study);
        study = with("variant=omp-tiled", profile);
        experiment = study->asked;
        assert_int_equal(experiment->variants, 1);
        assert_string_equal(experiment->variant[0], "omp-tiled");
        assert_string_equal(experiment->baseline, "matmul/seq-ijk");
        study_free(study);
        study = with("max-time=7s", profile);
        experiment = study->asked;
        assert_true(experiment->measure.max_time_s == 7);
        study_free(study);
    }
}

TEST(fewer_rounds_take_fewer_launches)
{
    struct study *study = with("rounds=1", PROFILE_FULL);
    const struct experiment *experiment = study->asked;
    assert_int_equal(experiment->measure.rounds, 1);
    assert_int_equal(experiment->measure.launches, 1);
    study_free(study);
    refuse((const char *const[]){"launches=9"}, 1, "--set:1:11: error: there are more launches than rounds (6)");
}

TEST(a_faulty_setting_is_told_with_its_place)
{
    static const struct {
        const char *setting, *expected;
    } faults[] = {
        {"n=abc", "--set:1:4: error: 'n' takes a whole number, not 'abc'"},
        {"n=4,4", "--set:1:7: error: '4' is given twice"},
        {"rouns=3", "--set:1:1: error: unknown key 'rouns'"},
        {"rouns=3", "did you mean 'rounds'?"},
        {"title=x", "--set:1:1: error: key 'title' belongs at the top level, not in '--set'"},
        {"variant=omp-tild", "did you mean 'omp-tiled'?"},
        {"precision=f16", "it can be: f32, f64, i32"},
        {"omega=1", "--set:1:8: error: no variant of 'study' has the axis 'omega'"},
        {"n={for: seq-ijk, values: 4}", "--set:1:4: error: variant 'matmul/omp-ijk' has no value of 'n'"},
        {"n=[4", "--set:"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        refuse(&faults[i].setting, 1, faults[i].expected);
    refuse((const char *const[]){"tile=2", "n=4", "n=8"}, 3, "--set:3:1: error: key 'n' is given twice");
}

TEST(the_form_of_a_setting)
{
    assert_true(settings_allow("n=512"));
    assert_true(settings_allow("max-time=2s"));
    assert_true(settings_allow("n={pow2: [1, 4]}"));
    assert_false(settings_allow("n"));
    assert_false(settings_allow("n="));
    assert_false(settings_allow("=5"));
    assert_false(settings_allow("N=5"));
    assert_false(settings_allow("n=5\nproblem: lu"));
}

/* ---- patterns of cells */

/* Expands the study with some lists of patterns. Returns how many cells they ask for; *said gets the diagnostics. */
static size_t count_asked(char *const lists[], size_t count, bool *right, char **said)
{
    struct study *study = with("n=8,16", PROFILE_FULL);
    const struct experiment *experiment = study->asked;
    struct grid grid;
    assert_int_equal(grid_expand(experiment, &two_cores, &grid, stderr), 0);
    size_t length, asked = 0;
    FILE *diagnostics = open_memstream(said, &length);
    *right = selection_check(lists, count, &grid, 1, diagnostics);
    fclose(diagnostics);
    for (size_t i = 0; i < grid.count; i++)
        asked += selection_has(lists, count, &grid.cell[i]);
    grid_free(&grid);
    study_free(study);
    return asked;
}

TEST(patterns_ask_for_variants_and_axes)
{
    static const struct {
        char *list[2];
        size_t lists, cells;
    } cases[] = {
        {{NULL}, 0, 6},
        {{"*"}, 1, 6},
        {{"omp-*"}, 1, 4},
        {{"matmul/seq-ijk"}, 1, 2},
        {{"seq-ijk,omp-tiled"}, 1, 4},
        {{" seq-ijk, omp-tiled,"}, 1, 4},
        {{"n=8"}, 1, 3},
        {{"omp-*", "n=8,n=9*,tile=4"}, 2, 0},
        {{"omp-*", "n=8,tile=4"}, 2, 5},
        {{"omp-* and n=8"}, 1, 2},
        {{"omp-* and n=8, seq-ijk and n=16", "tile=4 and n=16"}, 2, 4},
        {{"variant=matmul/omp-* n=16 *"}, 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said;
        bool right;
        const size_t cells = count_asked(cases[i].list, cases[i].lists, &right, &said);
        if (cases[i].cells > 0) {
            assert_int_equal(cells, cases[i].cells);
            assert_true(right);
            assert_string_equal(said, "");
        } else {
            assert_false(right);
        }
        free(said);
    }
}

TEST(a_pattern_without_a_cell_is_told_with_the_nearest_name)
{
    static const struct {
        char *list[2];
        size_t lists;
        const char *expected;
    } cases[] = {
        {{"omp-tild"}, 1, "tilelab: no cell matches 'omp-tild'; did you mean 'omp-tiled'?\n"},
        {{"seq-ijk,matmul/omp-ij"}, 1, "tilelab: no cell matches 'matmul/omp-ij'; did you mean 'matmul/omp-ijk'?\n"},
        {{"om-*"}, 1, "did you mean 'omp-*'?"},
        {{"n=9"}, 1, "did you mean 'n=8'?"},
        {{"seq-* and omp-*"}, 1, "tilelab: no cell matches all of 'seq-* and omp-*'\n"},
        {{"omp-* and n=9"}, 1, "did you mean 'n=8'?"},
        {{", "}, 1, "tilelab: no pattern is given\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said;
        bool right;
        count_asked(cases[i].list, cases[i].lists, &right, &said);
        assert_false(right);
        if (!strstr(said, cases[i].expected))
            fail_msg("'%s' is not in: %s", cases[i].expected, said);
        free(said);
    }
}
