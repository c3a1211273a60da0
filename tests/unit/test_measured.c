/* What a run says of its times in doubt.
 * SPDX-License-Identifier: MIT */
#include "run/measured.h"
#include "test.h"

static void expect(struct run_doubts doubts, bool calibrates, const char *text)
{
    char *said = NULL;
    size_t length;
    FILE *out = open_memstream(&said, &length);
    measured_say_doubts(&doubts, calibrates, out);
    fclose(out);
    assert_string_equal(said, text);
    free(said);
}

TEST(times_in_doubt_are_told_with_a_remedy)
{
    expect((struct run_doubts){.times = 9}, false, "");
    expect(
        (struct run_doubts){.times = 9, .any = 8, .noisy = 7, .wide = 5, .throttled = 1}, false,
        "warning: 8 of 9 new times are flagged or have a wide interval.\n"
        "  noisy: 7; other programs, or guests of this machine, took processor time\n"
        "  throttled: 1; the GPU lowered its clock\n"
        "  an interval wider than 10 %: 5\n"
        "End other programs or wait until the machine is idle, and measure again with --again. --profile full takes\n"
        "more rounds. Tables mark flagged times with the letters of the flags.\n");
    expect(
        (struct run_doubts){.times = 3, .any = 1, .wide = 1}, false,
        "warning: 1 of 3 new times are flagged or have a wide interval.\n"
        "  an interval wider than 10 %: 1\n"
        "End other programs or wait until the machine is idle, and measure again with --again. --profile full takes\n"
        "more rounds. Tables mark flagged times with the letters of the flags.\n");
}

TEST(a_calibration_names_no_option_that_it_lacks)
{
    expect((struct run_doubts){.times = 9}, true, "");
    expect((struct run_doubts){.times = 3, .any = 1, .wide = 1}, true,
           "warning: 1 of 3 new times are flagged or have a wide interval.\n"
           "  an interval wider than 10 %: 1\n"
           "End other programs or wait until the machine is idle, and calibrate again. --profile full takes\n"
           "more rounds.\n");
}
