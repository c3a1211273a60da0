/* Experiment files: every fault with its position, every form of values, the profiles. The test runs in the
 * repository's root: tests/bad holds faulty files and the diagnostics expected of each file. Below the position of a
 * fault stand the line of the file and a mark. They follow from the position, so that no expected text has them.
 * SPDX-License-Identifier: MIT */
#include "study_fixture.h"
#include "test.h"
#include "base/file.h"
#include "base/memory.h"

#include <glob.h>
#include <locale.h>
#include <unistd.h>

static struct study *load(const char *text, enum profile profile)
{
    char *said = NULL;
    struct study *study = read_study(text, strlen(text), NULL, 0, profile, &said);
    if (!study)
        fail_msg("%s", said);
    assert_string_equal(said, "");
    free(said);
    return study;
}

/* Reads a file that must be refused with `expected` among the diagnostics. */
static void refuse(const char *text, size_t size, const char *expected)
{
    char *said = NULL;
    assert_null(read_study(text, size, NULL, 0, PROFILE_FULL, &said));
    if (!strstr(said, expected))
        fail_msg("'%s' is not in: %s", expected, said);
    free(said);
}

#define HEAD "schema: 1\ntitle: T\nproblem: matmul\n"
#define GRID(values) HEAD "grid:\n  variant: [omp-ijk, omp-tiled, seq-ijk]\n  n: " values "\n"

/* ---- faults */

static char *read_whole(const char *path)
{
    char *text = file_read(path, NULL);
    if (!text)
        fail_msg("cannot read %s; run this in the repository's root", path);
    return text;
}

/* Fails unless the text is the expected one. Where a line of the expected text ends in ", ...", the line may go on: the
 * list of all figures grows with each figure. */
static void same_text(const char *said, const char *expected)
{
    static const char more[] = ", ...\n";
    for (; *said && *expected; said++, expected++) {
        if (strncmp(expected, more, sizeof more - 1) == 0 && strncmp(said, ", ", 2) == 0) {
            said += strcspn(said, "\n");
            expected += sizeof more - 2;
        }
        if (*said != *expected)
            break;
    }
    assert_string_equal(said, expected);
}

/* Takes the line of the file, and the mark below it, out of what was said. Where they do not follow from the position,
 * as for a line that is cut, a remark says so, and they stay. */
static char *without_excerpts(const char *said, const char *file)
{
    char *rest = memory_copy("");
    for (const char *line = said; *line;) {
        const char *next = line + strcspn(line, "\n") + 1, *at = file;
        int number, column;
        memory_append(&rest, "%.*s", (int)(next - line), line);
        if (sscanf(line, "%*[^:\n]:%d:%d: error", &number, &column) == 2) {
            for (int i = 1; i < number && strchr(at, '\n'); i++)
                at = strchr(at, '\n') + 1;
            char *excerpt = memory_print("%.*s\n%*s\n", (int)strcspn(at, "\n"), at, column, "^");
            if (strncmp(next, excerpt, strlen(excerpt)) == 0)
                next += strlen(excerpt);
            else
                memory_append(&rest, "  (another excerpt)\n");
            free(excerpt);
        }
        line = next;
    }
    return rest;
}

TEST(faults_are_told_with_their_position)
{
    glob_t files;
    assert_int_equal(glob("tests/bad/*.yaml", 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= 20);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        const char *path = files.gl_pathv[i];
        char expected_path[256], *said = NULL;
        snprintf(expected_path, sizeof expected_path, "%.*s.expected", (int)strlen(path) - 5, path);
        char *expected = read_whole(expected_path);
        size_t length;
        FILE *diagnostics = open_memstream(&said, &length);
        assert_null(study_read(yaml_read(path), PROFILE_FULL, NULL, 0, diagnostics));
        fclose(diagnostics);
        char *file = read_whole(path), *told = without_excerpts(said, file);
        same_text(told, expected);
        free(told);
        free(file);
        free(said);
        free(expected);
    }
    globfree(&files);
}

TEST(a_missing_file_is_a_fault)
{
    char *said = NULL;
    size_t length;
    FILE *diagnostics = open_memstream(&said, &length);
    assert_null(study_read(yaml_read("/nowhere/study.yaml"), PROFILE_FULL, NULL, 0, diagnostics));
    assert_null(study_read(yaml_read("/tmp"), PROFILE_FULL, NULL, 0, diagnostics));
    fclose(diagnostics);
    assert_non_null(strstr(said, "/nowhere/study.yaml: error: No such file or directory\n"));
    assert_non_null(strstr(said, "Is a directory"));
    free(said);
}

TEST(size_is_limited)
{
    const size_t limit = 1 << 20;
    char *text = malloc(limit + 2);
    memset(text, '#', limit + 2);
    const char *good = GRID("64");
    memcpy(text, good, strlen(good));
    char *said = NULL;
    struct study *study = read_study(text, limit, NULL, 0, PROFILE_FULL, &said);
    assert_non_null(study);
    study_free(study);
    free(said);
    refuse(text, limit + 1, "larger than 1 MiB");
    free(text);
}

TEST(depth_is_limited)
{
    static const char right[] = "a: [[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]\n",
                      deep[] = "a: [[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]\n";
    refuse(right, strlen(right), "unknown key 'a'");
    refuse(deep, strlen(deep), ":1:19: error: the file is nested deeper than 16 levels");
}

TEST(bytes_that_are_no_text_are_faults)
{
    static const char nul[] = "schema: 1\n\0title: T\n", surrogate[] = "title: \xED\xA0\x80\n",
                      overlong[] = "a: \xC0\xAF\n";
    refuse(nul, sizeof nul - 1, ":2:1: error: control character 0x00");
    refuse(surrogate, sizeof surrogate - 1, ":1:8: error: byte 0xed is not UTF-8");
    refuse(overlong, sizeof overlong - 1, ":1:4: error: byte 0xc0 is not UTF-8");
}

TEST(many_faults_end)
{
    char *text = malloc(400000), *at = text;
    for (int i = 0; i < 20000; i++)
        at += sprintf(at, "key%d: 1\n", i);
    refuse(text, (size_t)(at - text), "error: the file has more than 100 faults; the rest is not shown\n");
    free(text);
}

TEST(columns_count_characters)
{
    static const char text[] = HEAD "grid: {variant: seq-ijk, n: 8}\nexclude: {ё: 1, n: 0}\n";
    refuse(text, strlen(text),
           "study.yaml:5:20: error: 'n' must be from 1 to 2147483647, not 0\n"
           "exclude: {ё: 1, n: 0}\n"
           "                   ^\n");
}

TEST(lines_may_end_in_cr_lf)
{
    static const char text[] = "schema: 1\r\ntitle: T\r\nproblem: matmul\r\ngrid:\r\n  variant: seq-ijk\r\n  n: 8x\r\n";
    refuse(text, strlen(text), "study.yaml:6:6: error: 'n' takes a whole number, not '8x'\n  n: 8x\n     ^\n");
}

TEST(hidden_problems_are_for_tests_and_probes_for_all)
{
    static const char hidden[] = "schema: 1\ntitle: T\nproblem: fault\ngrid: {variant: cpu-right, n: 8}\n";
    static const char probe[] = "schema: 1\ntitle: T\nproblem: copy\ngrid: {variant: omp, n: 8}\n";
    refuse(hidden, strlen(hidden), ":3:10: error: unknown problem 'fault'");
    setenv("TILELAB_TEST", "1", 1);
    study_free(load(hidden, PROFILE_FULL));
    unsetenv("TILELAB_TEST");
    study_free(load(probe, PROFILE_FULL));
}

/* ---- values */

static void check_values(const struct values *values, enum axis_id axis, bool per_thread, const char *patterns,
                         const int64_t *expected, size_t count)
{
    char joined[128] = "";
    for (size_t i = 0; i < values->patterns; i++) {
        strcat(joined, values->pattern[i]);
        strcat(joined, " ");
    }
    assert_string_equal(joined, patterns);
    assert_int_equal(values->axis, axis);
    assert_int_equal(values->per_thread, per_thread);
    assert_int_equal(values->count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(values->value[i], expected[i]);
}
#define LENGTH(...) (sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
#define CHECK(values, axis, per_thread, patterns, ...) \
    check_values(values, axis, per_thread, patterns, (int64_t[]){__VA_ARGS__}, LENGTH(__VA_ARGS__))

TEST(forms_of_values)
{
    static const struct {
        const char *text;
        size_t count;
        int64_t value[6];
    } cases[] = {
        {GRID("64"), 1, {64}},
        {GRID("[64, 8, 2147483647]"), 3, {64, 8, 2147483647}},
        {GRID("{from: 192, to: 700, step: 192}"), 3, {192, 384, 576}},
        {GRID("{from: 192, to: 576, step: 192}"), 3, {192, 384, 576}},
        {GRID("{from: 7, to: 7, step: 1}"), 1, {7}},
        {GRID("{pow2: [8, 12]}"), 5, {256, 512, 1024, 2048, 4096}},
        {GRID("{pow2: [0, 0]}"), 1, {1}},
        {GRID("[3, {from: 1, to: 2, step: 1}, {pow2: [4, 5]}]"), 5, {3, 1, 2, 16, 32}},
        {GRID("\n    - 3\n    - {from: 1, to: 2, step: 1}"), 3, {3, 1, 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study *study = load(cases[i].text, PROFILE_FULL);
        const struct experiment *experiment = study->asked;
        assert_int_equal(experiment->value_lists, 1);
        check_values(&experiment->values[0], AXIS_n, false, "", cases[i].value, cases[i].count);
        study_free(study);
    }
}

TEST(values_for_some_variants)
{
    struct study *study =
        load(GRID("[8, {per-thread: [16, 32]}, {for: [omp-*, seq-ijk], values: [1, 2]},"
                  " {for: omp-tiled, values: {per-thread: 4}}]") "  threads: {for: omp-*, values: [1, half, all]}\n"
                                                                 "isa: [base, best]\nprecision: [f64, f32]\nopt: O2\n",
             PROFILE_FULL);
    const struct experiment *experiment = study->asked;
    assert_int_equal(experiment->value_lists, 8);
    CHECK(&experiment->values[0], AXIS_precision, false, "", F64, F32);
    CHECK(&experiment->values[1], AXIS_isa, false, "", ISA_BASE, VALUE_BEST);
    CHECK(&experiment->values[2], AXIS_opt, false, "", OPT_O2);
    CHECK(&experiment->values[3], AXIS_n, false, "omp-* seq-ijk ", 1, 2);
    CHECK(&experiment->values[4], AXIS_n, true, "omp-tiled ", 4);
    CHECK(&experiment->values[5], AXIS_n, false, "", 8);
    CHECK(&experiment->values[6], AXIS_n, true, "", 16, 32);
    CHECK(&experiment->values[7], AXIS_threads, false, "omp-* ", 1, VALUE_HALF, VALUE_ALL);
    assert_true(experiment_applies(&experiment->values[3], registry_find("matmul/omp-tiled")));
    assert_false(experiment_applies(&experiment->values[4], registry_find("matmul/omp-ijk")));
    assert_true(experiment_applies(&experiment->values[5], registry_find("matmul/omp-ijk")));
    study_free(study);
}

TEST(exclusions)
{
    struct study *study = load(GRID("64") "exclude:\n"
                                          "  - {variant: omp-*, n: {above: 16384}, m: {below: 8}}\n"
                                          "  - {k: {above: 2, below: 9}, precision: f64}\n",
                               PROFILE_FULL);
    const struct experiment *experiment = study->asked;
    assert_int_equal(experiment->exclusions, 2);
    const struct condition *first = experiment->exclusion[0].condition, *second = experiment->exclusion[1].condition;
    assert_int_equal(experiment->exclusion[0].count, 3);
    assert_int_equal(first[0].axis, -1);
    assert_string_equal(first[0].pattern, "omp-*");
    assert_int_equal(first[1].axis, AXIS_m);
    assert_int_equal(first[1].low, 1);
    assert_int_equal(first[1].high, 7);
    assert_int_equal(first[2].axis, AXIS_n);
    assert_int_equal(first[2].low, 16385);
    assert_int_equal(first[2].high, 2147483647);
    assert_int_equal(experiment->exclusion[1].count, 2);
    assert_int_equal(second[0].axis, AXIS_precision);
    assert_int_equal(second[0].low, F64);
    assert_int_equal(second[0].high, F64);
    assert_int_equal(second[1].low, 3);
    assert_int_equal(second[1].high, 8);
    study_free(study);
}

TEST(names)
{
    struct study *study = load(
        "schema: 1\ntitle: {en: \"a: {b} #c\", ru: Ёж}\nabout: {en: It asks., ru: Ежи}\nsource: lab5\nproblem: matmul\n"
        "grid: {n: 8, variant: [\"*\"]}\nbaseline: blas-openblas\nfigures: [gflops-by-n, roofline]\ntables: best\n",
        PROFILE_FULL);
    const struct experiment *experiment = study->asked;
    assert_string_equal(experiment->name, "study");
    assert_string_equal(experiment->title_en, "a: {b} #c");
    assert_string_equal(experiment->title_ru, "Ёж");
    assert_string_equal(experiment->about_en, "It asks.");
    assert_string_equal(experiment->about_ru, "Ежи");
    assert_string_equal(experiment->source, "lab5");
    assert_string_equal(experiment->baseline, "matmul/blas-openblas");
    assert_int_equal(experiment->problems, 1);
    assert_ptr_equal(experiment->problem[0], registry_problem("matmul"));
    assert_int_equal(experiment->variants, 1);
    assert_int_equal(experiment->figures, 2);
    assert_string_equal(experiment->figure[1], "roofline");
    assert_int_equal(experiment->tables, 1);
    assert_non_null(strstr(experiment->where, "study.yaml:6:7"));
    bool literally;
    assert_true(experiment_selects(experiment, registry_find("matmul/seq-ijk"), &literally));
    assert_false(literally);
    assert_false(experiment_selects(experiment, registry_find("copy/omp"), &literally));
    study_free(study);

    study = load(GRID("8"), PROFILE_FULL);
    experiment = study->asked;
    assert_string_equal(experiment->title_en, "T");
    assert_string_equal(experiment->title_ru, "T");
    assert_null(experiment->about_en);
    assert_null(experiment->source);
    assert_null(experiment->baseline);
    assert_true(experiment_selects(experiment, registry_find("matmul/seq-ijk"), &literally));
    assert_true(literally);
    study_free(study);
}

/* ---- profiles */

static void close_to(double value, double expected)
{
    assert_true(value > expected * (1 - 1e-12) && value < expected * (1 + 1e-12));
}

static void check_measure(const char *text, enum profile profile, int rounds, int launches, double ci,
                          double max_time_s)
{
    struct study *study = load(text, profile);
    const struct experiment *experiment = study->asked;
    assert_int_equal(experiment->measure.rounds, rounds);
    assert_int_equal(experiment->measure.launches, launches);
    close_to(experiment->measure.ci, ci);
    close_to(experiment->measure.max_time_s, max_time_s);
    study_free(study);
}

TEST(defaults_of_measure)
{
    check_measure(GRID("8"), PROFILE_FULL, 8, 3, 0.01, 30);
    check_measure(GRID("8"), PROFILE_QUICK, 5, 3, 0.02, 0.3);
    check_measure(GRID("8"), PROFILE_RECORD, 8, 3, 0.01, 3);
    struct study *study = load(GRID("8"), PROFILE_RECORD);
    const struct experiment *experiment = study->asked;
    assert_int_equal(experiment->measure.min_samples, 10);
    close_to(experiment->measure.min_time_s, 0.05);
    close_to(experiment->measure.once_above_s, 10);
    close_to(experiment->measure.skip_above_s, 120);
    assert_int_equal(experiment->measure.seed, 1);
    study_free(study);
}

TEST(profiles_bound_what_measure_asks_for)
{
    static const char more[] = GRID("8") "measure: {ci: 0.5%, max-time: 1m, rounds: 20}\n";
    static const char less[] = GRID("8") "measure: {ci: 5%, max-time: 20ms, rounds: 2, once-above: 1.5s}\n";
    static const char own[] = GRID("8") "measure: {ci: 5%, max-time: 1h}\n"
                                        "quick: {ci: 0.1%, max-time: 10s, rounds: 9, launches: 4}\n"
                                        "record: {max-time: 1m}\n";
    check_measure(more, PROFILE_FULL, 20, 3, 0.005, 60);
    check_measure(more, PROFILE_QUICK, 5, 3, 0.02, 0.3);
    check_measure(more, PROFILE_RECORD, 20, 3, 0.005, 3);
    for (enum profile profile = PROFILE_FULL; profile <= PROFILE_RECORD; profile++)
        check_measure(less, profile, 2, 2, 0.05, 0.02);
    check_measure(own, PROFILE_FULL, 8, 3, 0.05, 3600);
    check_measure(own, PROFILE_QUICK, 9, 4, 0.001, 10);
    check_measure(own, PROFILE_RECORD, 8, 3, 0.05, 60);

    struct study *study = load(less, PROFILE_FULL);
    const struct experiment *experiment = study->asked;
    close_to(experiment->measure.min_time_s, 0.01);
    close_to(experiment->measure.once_above_s, 1.5);
    study_free(study);
}

TEST(profiles_replace_keys)
{
    static const char text[] = HEAD "grid:\n  variant: [seq-*, omp-ijk]\n  n: [64, {for: seq-*, values: 512}]\n"
                                    "  tile: 8\nfigures: roofline\nexclude: {n: 64}\n"
                                    "quick: {n: [4, 5], variant: [seq-ijk], figures: time-by-n, title: Quick}\n"
                                    "record: {tile: 32, exclude: {n: 512}}\n";
    struct study *study = load(text, PROFILE_QUICK);
    const struct experiment *full = study->profile[PROFILE_FULL], *quick = study->profile[PROFILE_QUICK];
    const struct experiment *record = study->profile[PROFILE_RECORD];
    assert_ptr_equal(study->asked, quick);
    assert_int_equal(full->value_lists, 3);
    assert_int_equal(full->variants, 2);
    assert_string_equal(full->figure[0], "roofline");

    assert_int_equal(quick->value_lists, 2);
    CHECK(&quick->values[0], AXIS_n, false, "", 4, 5);
    CHECK(&quick->values[1], AXIS_tile, false, "", 8);
    assert_int_equal(quick->variants, 1);
    assert_string_equal(quick->title_en, "Quick");
    assert_int_equal(quick->figures, 1);
    assert_string_equal(quick->figure[0], "time-by-n");
    assert_int_equal(quick->exclusion[0].condition[0].low, 64);

    assert_int_equal(record->value_lists, 3);
    CHECK(&record->values[2], AXIS_tile, false, "", 32);
    assert_int_equal(record->exclusion[0].condition[0].low, 512);
    study_free(study);
}

TEST(a_decimal_comma_changes_nothing)
{
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "ru_RU.UTF-8", "fr_FR.UTF-8", "de_DE"};
    size_t i = 0;
    while (i < sizeof locales / sizeof *locales && !setlocale(LC_ALL, locales[i]))
        i++;
    if (i == sizeof locales / sizeof *locales)
        skip_because("no locale with a decimal comma is installed");
    assert_string_equal(localeconv()->decimal_point, ",");
    check_measure(GRID("8") "measure: {ci: 0.5%, max-time: 1.5s}\n", PROFILE_FULL, 8, 3, 0.005, 1.5);
    static const char comma[] = GRID("8") "measure: {ci: \"0,5%\"}\n";
    refuse(comma, strlen(comma), "'ci' takes a value such as 1% or 0.5%, not '0,5%'");
    setlocale(LC_ALL, "C");
}

TEST(the_studies_load)
{
    glob_t files;
    assert_int_equal(glob("experiments/*.yaml", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct study *study = study_read(yaml_read(files.gl_pathv[i]), PROFILE_FULL, NULL, 0, stderr);
        assert_non_null(study);
        study_free(study);
    }
    globfree(&files);
}

int main(void)
{
    unsetenv("TILELAB_TEST");
    return test_all(NULL, NULL);
}
