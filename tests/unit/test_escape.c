/* Text of others, escaped for LaTeX, gnuplot, the terminal and CSV; numbers as text.
 * SPDX-License-Identifier: MIT */
#include "base/csv.h"
#include "base/escape.h"
#include "base/number.h"
#include "base/rewrite.h"
#include "verify/inputs.h"
#include "test.h"

#include <float.h>
#include <locale.h>
#include <math.h>

static void becomes(escape_function *escape, const char *text, const char *expected)
{
    char *escaped = escape(text);
    assert_string_equal(escaped, expected);
    free(escaped);
}

static void put_field(struct sink *sink, const void *text)
{
    csv_put(sink, text, strlen(text), '\n');
}

static void csv_becomes(const char *text, const char *expected)
{
    char *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    assert_int_equal(rewrite_print(out, put_field, text), 0);
    fclose(out);
    assert_int_equal(line[size - 1], '\n');
    line[size - 1] = '\0';
    assert_string_equal(line, expected);
    free(line);
}

TEST(latex_prints_the_same_characters)
{
    becomes(escape_latex, "", "");
    becomes(escape_latex, "C = AB, lab 5", "C = AB, lab 5");
    becomes(escape_latex, "\\input{/etc/passwd}`id`%_{}",
            "\\textbackslash{}input\\{/etc/"
            "passwd\\}\\textasciigrave{}id\\textasciigrave{}\\%\\_\\{\\}");
    becomes(escape_latex, "a&b#c$d~e^f<g>h|i\"j",
            "a\\&b\\#c\\$d\\textasciitilde{}e\\textasciicircum{}f\\textless{}"
            "g\\textgreater{}h\\textbar{}i\\char34{}j");
    becomes(escape_latex, "лабораторная №5 – µs × 2", "лабораторная №5 – µs × 2");
}

TEST(latex_makes_no_ligature)
{
    becomes(escape_latex, "--std --- ''x'' ,,y", "-{}-std -{}-{}- '{}'x'{}' ,{},y");
}

TEST(latex_gets_no_character_it_cannot_set)
{
    becomes(escape_latex, "a\nb\tc", "a b c");
    becomes(escape_latex, "\x1b[1m", "[U+001B][1m");
    becomes(escape_latex, "\xf0\x9f\x98\x80", "[U+1F600]");
    becomes(escape_latex, "n ≈ 262 ≤ 512", "n ≈ 262 ≤ 512");
    becomes(escape_latex, "1 sⁿᵒ", "1 s$^{\\mathrm{n}}$$^{\\mathrm{o}}$");
    becomes(escape_latex, "\xff\xc3", "[0xFF][0xC3]");
    becomes(escape_latex, "\xc0\xaf", "[0xC0][0xAF]"); /* an overlong slash */
}

TEST(html_shows_the_same_characters)
{
    becomes(escape_html, "", "");
    becomes(escape_html, "лабораторная №5 – µs × 2", "лабораторная №5 – µs × 2");
    becomes(escape_html, "</title><script src='x' a=\"1\">&amp;",
            "&#60;/title&#62;&#60;script src=&#39;x&#39; a=&#34;1&#34;&#62;&#38;amp;");
    becomes(escape_html, "a\nb\x1b[1m\xff\xe2\x80\xae", "a b[U+001B][1m[0xFF][U+202E]");
}

TEST(markdown_shows_the_same_characters)
{
    becomes(escape_markdown, "", "");
    becomes(escape_markdown, "*a* _b_ `c` [d](e) <f> g|h #i &j",
            "\\*a\\* \\_b\\_ \\`c\\` \\[d\\](e) \\<f\\> g\\|h \\#i \\&j");
    becomes(escape_markdown, "\033[1m", "\\\\x1b\\[1m");
    becomes(escape_markdown, "быстрее × 2", "быстрее × 2");
}

TEST(gnuplot_string_cannot_be_left)
{
    becomes(escape_gnuplot, "", "''");
    becomes(escape_gnuplot, "it's", "'it''s'");
    becomes(escape_gnuplot, "`id` \"x\"", "'`id` \"x\"'");
    becomes(escape_gnuplot, "a_1^2{}@&~\\n", "'a\\_1\\^2\\{\\}\\@\\&\\~\\\\n'");
    becomes(escape_gnuplot, "a\n'\nplot", "'a '' plot'");
    becomes(escape_gnuplot, "умножение", "'умножение'");
}

TEST(terminal_obeys_nothing)
{
    becomes(escape_terminal, "plain, умножение", "plain, умножение");
    becomes(escape_terminal, "\x1b[31mred\a\x7f", "\\x1b[31mred\\x07\\x7f");
    becomes(escape_terminal, "a\nb\tc\rd", "a\\nb\\tc\\rd");
    becomes(escape_terminal,
            "\xc2\x9b"
            "31m",
            "\\u009b31m"); /* CSI as one character */
    becomes(escape_terminal,
            "\xe2\x80\xae"
            "fdp",
            "\\u202efdp");
    becomes(escape_terminal, "\xff", "\\xff");
}

TEST(a_shell_reads_the_same_word)
{
    static const char *const words[][2] = {{"data/h200", "data/h200"},
                                           {"EXPS=lab5-aat lab5-matmul", "'EXPS=lab5-aat lab5-matmul'"},
                                           {"", "''"},
                                           {"it's $HOME; `id` *", "'it'\\''s $HOME; `id` *'"},
                                           {"\xd0\xaf", "'\xd0\xaf'"},
                                           {"a\n\x1b'", "$'a\\012\\033\\047'"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *word = escape_shell(words[i][0]);
        assert_string_equal(word, words[i][1]);
        free(word);
    }
}

TEST(csv_follows_rfc_4180)
{
    csv_becomes("", "");
    csv_becomes("plain text", "plain text");
    csv_becomes("a,b", "\"a,b\"");
    csv_becomes("say \"no\"", "\"say \"\"no\"\"\"");
    csv_becomes("two\nlines", "\"two\nlines\"");
    csv_becomes("cr\r", "\"cr\r\"");
    csv_becomes(" spaced ", "\" spaced \"");
}

TEST(a_nul_in_csv_shifts_no_field)
{
    static const char text[] = "a,b\n1\0002,3\n\n";
    struct csv csv;
    csv_start(&csv, fmemopen((char *)text, sizeof text - 1, "r"), "text");
    assert_int_equal(csv_read(&csv), 1);
    assert_int_equal(csv_read(&csv), 1);
    assert_int_equal(csv.fields, 2);
    assert_string_equal(csv_field(&csv, 0), "1?2");
    assert_string_equal(csv_field(&csv, 1), "3");
    assert_int_equal(csv_read(&csv), 1);
    assert_null(csv_field(&csv, 0));
    assert_int_equal(csv_read(&csv), 0);
    csv_close(&csv);
}

TEST(width_counts_characters)
{
    assert_int_equal(escape_width("n = 5"), 5);
    assert_int_equal(escape_width("µs"), 2);
    assert_int_equal(escape_width("лаба"), 4);
}

static void same_bits(double value)
{
    char text[NUMBER_SIZE];
    double back;
    const size_t length = number_print(value, text);
    assert_int_equal(length, strlen(text));
    assert_true(number_read(text, length, &back));
    assert_memory_equal(&back, &value, sizeof value);
    assert_null(strchr(text, ','));
}

static void every_number_reads_back_the_same_bits(void)
{
    static const double edge[] = {0,
                                  -0.0,
                                  1,
                                  0.1,
                                  1.0 / 3,
                                  DBL_MAX,
                                  DBL_MIN,
                                  5e-324,
                                  1e22,
                                  1e23,
                                  1e15,
                                  1e16 + 2,
                                  123456.5,
                                  0.00012345678,
                                  1e-7,
                                  -2.5,
                                  INFINITY,
                                  -INFINITY,
                                  9007199254740993.0,
                                  2.2250738585072011e-308};
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
        same_bits(edge[i]);
    for (uint64_t i = 0; i < 20000; i++) {
        const uint64_t bits = inputs_bits(3, 0, i);
        double any;
        memcpy(&any, &bits, sizeof any);
        if (!isnan(any))
            same_bits(any);
        same_bits((double)inputs_integer(3, 1, i, 1, 1000000000) / 1e9); /* times as a clock gives them */
        same_bits(ldexp(inputs_uniform(3, 2, i), (int)(bits % 60) - 40));
    }
}

TEST(numbers_round_trip)
{
    every_number_reads_back_the_same_bits();
}

TEST(numbers_are_short)
{
    char text[NUMBER_SIZE];
    number_print(0.1, text);
    assert_string_equal(text, "0.1");
    number_print(0.000123, text);
    assert_string_equal(text, "0.000123");
    number_print(134217728, text);
    assert_string_equal(text, "134217728");
    assert_int_equal(number_print(NAN, text), 0);
    assert_string_equal(text, "");
    number_print(INFINITY, text);
    assert_string_equal(text, "1e999");
}

TEST(what_is_no_number_is_refused)
{
    static const char *const bad[] = {"nan", "inf", "0x10", " 1", "1 ", "1,5", "1.5.2", "e5", "1e", "-", ".", "12a"};
    double value;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(number_read(bad[i], strlen(bad[i]), &value));
        assert_true(isnan(value));
    }
    assert_true(number_read("", 0, &value));
    assert_true(isnan(value));
    assert_true(number_read("2,", 1, &value));
    assert_true(value == 2);
}

TEST(decimals_are_exact_and_short)
{
    static const struct {
        const char *read, *printed;
        int64_t value;
    } decimals[] = {{"1", "1", 1000000000},
                    {"0.5", "0.5", 500000000},
                    {"0.666666667", "0.666666667", 666666667},
                    {"1.900000000", "1.9", 1900000000},
                    {"0.000000001", "0.000000001", 1},
                    {"10", "10", INT64_C(10000000000)},
                    {"999999999.999999999", "999999999.999999999", INT64_C(999999999999999999)}};
    for (size_t i = 0; i < sizeof decimals / sizeof *decimals; i++) {
        char text[NUMBER_SIZE];
        int64_t value;
        assert_true(number_read_decimal(decimals[i].read, strlen(decimals[i].read), &value));
        assert_int_equal(value, decimals[i].value);
        assert_int_equal(number_print_decimal(value, text), strlen(decimals[i].printed));
        assert_string_equal(text, decimals[i].printed);
    }
    static const char *const bad[] = {"", ".", "1.", ".5", "-1", "1e3", "1,5", "1.5 ", "1.0000000001", "1234567890"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t value;
        assert_false(number_read_decimal(bad[i], strlen(bad[i]), &value));
    }
}

TEST(a_decimal_comma_changes_nothing)
{
    static const char *const names[] = {"ru_RU.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8", "pl_PL.UTF-8"};
    size_t i = 0;
    while (i < 4 && (!setlocale(LC_ALL, names[i]) || *localeconv()->decimal_point != ','))
        i++;
    if (i == 4)
        skip_because("no locale with a decimal comma is installed");
    every_number_reads_back_the_same_bits();
    char text[NUMBER_SIZE];
    number_print(0.5, text);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "0.5");
}
