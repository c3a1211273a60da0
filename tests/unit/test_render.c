/* The interpreter of findings, notes and captions: each command in each format, and what it refuses.
 * SPDX-License-Identifier: MIT */
#include "render/choose.h"
#include "render/template.h"
#include "test.h"

static char *columns[] = {"host",  "n",       "idea",   "ratio",      "low",      "high",      "flagged",
                          "empty", "verdict", "slower", "cost_ratio", "cost_low", "cost_high", "cost_flagged"};
enum { COLUMNS = sizeof columns / sizeof *columns, N = 1, IDEA, RATIO, LOW, FLAGGED = 6, VERDICT = 8, SLOWER };

static char *values[COLUMNS];
static struct facts_row row = {values};
static const struct facts_table table = {"t", columns, COLUMNS, &row, 1};

static char *host_columns[] = {"host", "local", "device", "limit"};
static char *host_values[2][4] = {{"here", "1", "A", NULL}, {"far", "0", "A <B>", "700 W"}};
static struct facts_row host_rows[] = {{host_values[0]}, {host_values[1]}};
static const struct facts_table hosts = {"report/hostnames", host_columns, 4, host_rows, 2};

static struct texts_text words[] = {
    {"words", 1, "isfaster", "is \\ratio{times as fast} as"},
    {"words", 2, "isslower", "takes \\ratio[cost_]{times the time} of"},
    {"words", 4, "isequal", "is as fast as"},
    {"words", 6, "equalratio", ", equal at \\ratio{}"},
    {"words", 7, "judgedsame", ", so equal"},
    {"words", 8, "judgedundecided", ", so undecided"},
    {"words", 9, "judgedsingle", ", one run"},
    {"words", 10, "betweennumbers", ", "},
    {"words", 11, "thismachine", "This machine"},
    {"words", 12, "othermachine", "\\fact{device} (\\code{host})"},
    {"words", 13, "further", "and #1 more"},
    {"words", 14, "endless", "\\endless"},
    {"words", 15, "bothcapped", " (both at \\fact{limit})"},
    {"words", 16, "judgeddoubt", ", in doubt"},
    {"words", 17, "judgedfew", ", few rounds"},
};
static const struct texts shared = {"words", words, sizeof words / sizeof *words};

FIXTURE(set_up)
{
    static char *const usual[COLUMNS] = {"far", "4096",   "cuda-b_pad", "1.25", "1.20", "1.30", NULL,
                                         NULL,  "faster", "0",          "0.8",  "0.7",  "0.9",  NULL};
    memcpy(values, usual, sizeof values);
    return 0;
}
#define RENDER_TEST(name) TEST_AROUND(name, set_up, NULL)

static struct template template_of(const struct markup *markup)
{
    return (struct template){.markup = markup, .shared = &shared, .hosts = &hosts, .table = &table, .row = &row};
}

static void becomes(const struct markup *markup, const char *text, const char *expected)
{
    struct template template = template_of(markup);
    char *const result = template_expand(&template, &(struct texts_text){"file", 1, "says", (char *)text});
    assert_string_equal(result, expected);
    assert_int_equal(template.faults, 0);
    free(result);
}

/* Expands the text to nothing that counts, and gives what was told on standard error. */
static void is_refused(const char *text, const char *expected)
{
    char told[256] = "";
    FILE *const file = tmpfile(), *const before = stderr;
    struct template template = template_of(&markup_text);
    stderr = file;
    free(template_expand(&template, &(struct texts_text){"file.sql", 7, "says", (char *)text}));
    stderr = before;
    rewind(file);
    assert_non_null(fgets(told, sizeof told, file));
    fclose(file);
    assert_string_equal(told, expected);
    assert_true(template.faults > 0);
}

RENDER_TEST(facts_stand_in_every_format)
{
    const char *const text = "\\code{idea} at $n = \\fact{n}$,~50\\,\\% of A's \\emph{best}";
    becomes(&markup_latex, text, "\\texttt{cuda-b\\_pad} at $n = 4096$,~50\\,\\% of A's \\emph{best}");
    becomes(&markup_html, text, "<code>cuda-b_pad</code> at n\u00a0=\u00a04096,\u00a050\u00a0% of A’s <em>best</em>");
    becomes(&markup_markdown, text, "<code>cuda-b\\_pad</code> at n\u00a0=\u00a04096,\u00a050\u00a0% of A’s *best*");
    becomes(&markup_text, text, "cuda-b_pad at n = 4096, 50 % of A’s best");
    becomes(&markup_html, "$2n^{3} - k_i$ a--b", "2n<sup>3</sup> − k<sub>i</sub> a–b");
    becomes(&markup_text, "a\nb \\omega c", "a b ωc");
}

RENDER_TEST(texts_are_chosen_by_facts)
{
    becomes(&markup_text, "\\iffact{n}{yes}\\nofact{n}{no}\\iffact{empty}{yes}\\nofact{empty}{no}", "yesno");
    becomes(&markup_text, "\\when{n}{4096}{a}\\whennot{n}{4096}{b}\\when{empty}{4096}{c}\\whennot{empty}{1}{d}", "ad");
    becomes(&markup_text, "\\plural{n}{one}{many} \\plural{slower}{one}{many}", "many many");
    becomes(&markup_text, "\\range{n}{n} \\range{low}{high}", "4096 1.20–1.30");
    becomes(&markup_text, "\\anyfact{empty}{a}\\anyfact{n}{b}", "b");
    becomes(&markup_latex, "\\when{n}{4096}{\\emph{a}}{}", "\\emph{a}{}");
}

RENDER_TEST(russian_words_have_three_forms)
{
    static char *const numbers[][2] = {{"1", "a"},   {"2", "b"},   {"4", "b"},   {"5", "c"},     {"11", "c"},
                                       {"14", "c"},  {"21", "a"},  {"22", "b"},  {"0", "c"},     {"111", "c"},
                                       {"101", "a"}, {"1.5", "b"}, {"few", "c"}, {"1,001", "a"}, {"2,080,374,784", "b"},
                                       {"1,2", "c"}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        values[N] = numbers[i][0];
        becomes(&markup_text, "\\forms{n}{a}{b}{c}", numbers[i][1]);
    }
}

RENDER_TEST(a_ratio_says_what_its_verdict_allows)
{
    const char *const text = "x \\speed{} y\\judged{}";
    becomes(&markup_text, text, "x is 1.25 [1.20, 1.30] times as fast as y");
    values[SLOWER] = "1";
    becomes(&markup_text, text, "x takes 0.8 [0.7, 0.9] times the time of y");
    values[VERDICT] = "undecided"; /* though the interval leaves out 1 */
    becomes(&markup_text, text, "x takes 0.8 [0.7, 0.9] times the time of y, few rounds");
    values[FLAGGED] = "ᵒ";
    becomes(&markup_text, "\\ratio{}\\judged{}", "1.25 [1.20, 1.30]ᵒ, in doubt");
    values[LOW] = "0.97";
    becomes(&markup_text, "\\ratio{}\\judged{}", "1.25 [0.97, 1.30]ᵒ, so undecided");
    values[FLAGGED] = "ᶜ"; /* a remark is no doubt */
    values[LOW] = "1.20";
    becomes(&markup_text, "\\ratio{}\\judged{}", "1.25 [1.20, 1.30] (both at 700 W), few rounds");
    values[FLAGGED] = NULL;
    values[VERDICT] = "same";
    becomes(&markup_text, text, "x is as fast as y, equal at 1.25 [1.20, 1.30]");
    values[FLAGGED] = "ᵒ";
    values[LOW] = NULL;
    becomes(&markup_latex, "\\ratio{}\\judged{}", "1.25$^{\\mathrm{o}}$, so equal");
    values[VERDICT] = "single";
    becomes(&markup_text, "\\ratio{}\\judged{}", "1.25ᵒ, one run");
    values[FLAGGED] = "ᵒᶜ"; /* both sides at the power limit */
    becomes(&markup_text, "\\ratio{}", "1.25ᵒ (both at 700 W)");
    values[VERDICT] = "faster";
    values[SLOWER] = "0";
    becomes(&markup_text, text, "x is 1.25ᵒ times as fast (both at 700 W) as y");
}

RENDER_TEST(a_line_breaks_neither_before_a_dash_nor_before_the_number_of_a_word)
{
    becomes(&markup_latex, "a — b", "a~— b");
    becomes(&markup_html, "a\n— b", "a\u00a0— b");
    becomes(&markup_latex, "потоков: \\fact{n}, тайл \\fact{n}, × \\fact{n}", "потоков:~4096, тайл~4096, ×~4096");
    becomes(&markup_html, "$n = \\fact{n}$", "n\u00a0=\u00a04096");
    becomes(&markup_latex, "$\\omega =$ \\fact{n}", "$\\omega =$~4096");
    becomes(&markup_latex, "8.83 s, 3 ms; 52 GFLOP/s (2 µs) 4 sweeps", "8.83~s, 3~ms; 52~GFLOP/s (2~µs) 4 sweeps");
    becomes(&markup_latex, "8,83 с и 52 ГФЛОП/с, 4 столбца", "8,83~с и~52~ГФЛОП/с, 4 столбца");
    /* A name may end its line, a formula has blanks of its own, and LaTeX drops a blank behind a command. */
    becomes(&markup_latex, "\\code{idea} \\fact{n}", "\\texttt{cuda-b\\_pad} 4096");
    becomes(&markup_latex, "$n = 4$ \\$ = 5 \\quad 6", "$n = 4$ \\$~=~5 \\quad 6");
    becomes(&markup_text, "a — 1, b 2", "a — 1, b 2");
}

RENDER_TEST(hosts_have_labels)
{
    becomes(&markup_html, "\\host. \\hostbrief{}", "A &#60;B&#62; (<code>far</code>). far");
    values[0] = "here";
    becomes(&markup_text, "\\host. \\hostbrief{}", "This machine. This machine");
    struct template template = template_of(&markup_text);
    char *const more = template_word(&template, "further", "3");
    assert_string_equal(more, "and 3 more");
    free(more);
}

RENDER_TEST(a_caption_has_its_rows_up_to_a_limit)
{
    struct facts_row rows[25];
    struct facts_table many = {"t", columns, COLUMNS, rows, 2};
    for (size_t i = 0; i < 25; i++)
        rows[i] = row;
    struct template template = template_of(&markup_text);
    template.table = &many;
    template.row = NULL;
    const struct texts_text text = {"file", 1, "caption", "Rows:\\each{ \\fact{n}}"};
    char *result = template_expand(&template, &text);
    assert_string_equal(result, "Rows: 4096 4096");
    free(result);
    many.rows = 25;
    result = template_expand(&template, &text);
    assert_int_equal(strlen(result), strlen("Rows:") + 24 * strlen(" 4096") + strlen(" …"));
    free(result);
    many.rows = 0;
    result = template_expand(&template, &text);
    assert_string_equal(result, "Rows:");
    free(result);
}

RENDER_TEST(what_is_wrong_is_told_with_its_line)
{
    is_refused("a\nb \\fact{nonsense}", "file.sql:8: error: the query lacks the fact \"nonsense\"\n");
    /* Also in a text that the facts do not choose. */
    is_refused("\\iffact{empty}{\n\\code{nonsense}}", "file.sql:8: error: the query lacks the fact \"nonsense\"\n");
    is_refused("\\each{\\ratio[x_]{}}", "file.sql:7: error: the query lacks the fact \"x_ratio\"\n");
    is_refused("\\when{verdict}{swift}{a}", "file.sql:7: error: this is no verdict: \"swift\"\n");
    is_refused("\\nonsense{a}", "file.sql:7: error: no such command in this format: \"nonsense\"\n");
    is_refused("\\endless", "words:14: error: words mean each other: \"endless\"\n");
}

RENDER_TEST(facts_are_read_as_a_query_prints_them)
{
    static char good[] = "table\tfindings/a\thost\tn\nrow\tfindings/a\thost=h\nrow\tfindings/a\thost=i\tn=a=b\n"
                         "table\tfindings/a\thost\tn\n";
    static const char *const bad[] = {"row\tb\tn=1\n",
                                      "table\tb\tn\nrow\tb\tm=1\n",
                                      "table\tb\tn\nrow\tb\tn\n",
                                      "x\n",
                                      "table\n",
                                      "table\tb\tn\nrow\tb\tn=1\ntable\tb\tm\n"};
    struct facts facts = {0};
    FILE *file = fmemopen(good, strlen(good), "r");
    assert_true(facts_take(&facts, file, "good"));
    fclose(file);
    const struct facts_table *const read = facts_find(&facts, "findings/a");
    assert_int_equal(read->rows, 2);
    assert_null(facts_value(read, &read->row[0], "n"));
    assert_string_equal(facts_value(read, &read->row[1], "n"), "a=b");
    facts_free(&facts);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        file = fmemopen((char *)bad[i], strlen(bad[i]), "r");
        assert_false(facts_take(&facts, file, "bad"));
        fclose(file);
        facts_free(&facts);
    }
}

RENDER_TEST(a_conclusion_has_decided_rows_and_a_table_the_undecided_ones)
{
    char *names[] = {"host", "side", "verdict", "experiment", "minor"};
    char *cells[][5] = {
        {"a", "CPU", "single", "x"},      {"a", "CPU", "undecided", "x"}, {"a", "GPU", "undecided", "x"},
        {"a", "CPU", "faster", "x"},      {"a", "CPU", "slower", "x"},    {"b", "CPU", "single", "x"},
        {"b", "CPU", "faster", "x", "1"}, {"a", "CPU", "undecided", "y"}, {"b", "GPU", "undecided", "x", "1"}};
    struct facts_row rows[9];
    for (size_t i = 0; i < 9; i++)
        rows[i] = (struct facts_row){cells[i]};
    const struct facts_table facts = {"findings/x", names, 5, rows, 9};
    const struct choose_source source = {.table = &facts};
    struct choose_row *chosen;
    assert_int_equal(choose_rows(&source, &chosen), 1);
    assert_ptr_equal(chosen[0].row, &rows[3]);
    free(chosen);
    /* Neither what another study tells of the same point, nor what is for its study alone. */
    assert_int_equal(choose_undecided(&source, &chosen), 2);
    assert_ptr_equal(chosen[0].row, &rows[1]);
    assert_ptr_equal(chosen[1].row, &rows[2]);
    free(chosen);
}

RENDER_TEST(an_answer_has_for_each_device_the_first_row_that_decides)
{
    char *names[] = {"host", "side", "verdict"};
    /* The second row of a host does not count. */
    char *cells[][3] = {{"a", "CPU", "undecided"}, {"a", "CPU", "faster"}, {"b", "CPU", "single"},
                        {"b", "CPU", "undecided"}, {"b", "GPU", "slower"}, {"c", "CPU", "faster"},
                        {"c", "GPU", "faster"}};
    struct facts_row rows[7];
    for (size_t i = 0; i < 7; i++)
        rows[i] = (struct facts_row){cells[i]};
    struct facts_table facts = {"findings/x", names, 3, rows, 7};
    const struct choose_source source = {.table = &facts};
    struct choose_row *chosen;
    assert_int_equal(choose_answer(&source, &chosen), 2);
    assert_ptr_equal(chosen[0].row, &rows[5]);
    assert_ptr_equal(chosen[1].row, &rows[4]);
    free(chosen);
    facts.rows = 4;
    assert_int_equal(choose_answer(&source, &chosen), 1);
    assert_ptr_equal(chosen[0].row, &rows[0]);
    free(chosen);
}
