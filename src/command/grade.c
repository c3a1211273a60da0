/* `tilelab grade`: builds, verifies and measures what students hand in, and gives points for it. This file reads the
 * assignment; a script does the work, and calls this program for each submission.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "base/memory.h"
#include "base/script.h"
#include "plan/assignment.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_NO_SANDBOX = 0x100, OPTION_AGAIN };

struct arguments {
    const char *submissions, *assignment, *output;
    bool sandbox, again;
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'a':
        arguments->assignment = text;
        return 0;
    case 'o':
        arguments->output = text;
        return 0;
    case OPTION_NO_SANDBOX:
        arguments->sandbox = false;
        return 0;
    case OPTION_AGAIN:
        arguments->again = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "name one folder, which holds a folder for each submission");
        arguments->submissions = text;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->submissions || !arguments->assignment)
            argp_error(state, "name the folder of the submissions, and --assignment FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Hands a value over to the script; `value` is freed. */
static void hand(const char *name, char *value)
{
    setenv(name, value, 1);
    free(value);
}

static void hand_list(const char *name, const struct number_list *list, const char *separator)
{
    char *text = memory_copy("");
    for (int i = 0; i < list->count; i++)
        memory_append(&text, "%s%lld", i ? separator : "", (long long)list->value[i]);
    hand(name, text);
}

/* The table of points, as CSV. */
static void hand_points(const struct assignment *assignment)
{
    char ratio[NUMBER_SIZE], points[NUMBER_SIZE], *text = memory_copy("kind,ratio,points\n");
    const int64_t named[] = {assignment->failed, assignment->built, assignment->right};
    static const char *const names[] = {"failed", "built", "right"};
    for (int i = 0; i < 3; i++) {
        number_print_decimal(named[i], points);
        memory_append(&text, "%s,,%s\n", names[i], points);
    }
    for (size_t i = 0; i < assignment->levels; i++) {
        number_print_decimal(assignment->level[i].ratio, ratio);
        number_print_decimal(assignment->level[i].points, points);
        memory_append(&text, "ratio,%s,%s\n", ratio, points);
    }
    hand("GRADE_POINTS", text);
}

static void hand_over(const struct arguments *arguments, const struct assignment *assignment)
{
    const bool is_hidden = assignment->hidden.count > 0;
    hand("GRADE_SUBMISSIONS", memory_copy(arguments->submissions));
    hand("GRADE_OUTPUT", memory_copy(arguments->output));
    hand("GRADE_SANDBOX", memory_copy(arguments->sandbox ? "yes" : "no"));
    hand("GRADE_AGAIN", memory_copy(arguments->again ? "yes" : "no"));
    hand("GRADE_TITLE", memory_copy(assignment->title));
    hand("GRADE_PROBLEM", memory_copy(assignment->problem));
    hand("GRADE_PRECISION", memory_copy(assignment->precision));
    hand("GRADE_VARIANT", memory_copy(assignment->variant));
    hand("GRADE_BASELINE", memory_copy(assignment->baseline));
    hand("GRADE_THREADS", memory_print("%lld", (long long)assignment->threads));
    hand("GRADE_HIDDEN", memory_copy(is_hidden ? "yes" : "no"));
    hand_list("GRADE_SIZES", is_hidden ? &assignment->hidden : &assignment->shown, ", ");
    hand_list("GRADE_VERIFIED", &assignment->verified, ", ");
    hand_list("GRADE_SEEDS", &assignment->seeds, " ");
    hand_points(assignment);
    hand("GRADE_TIME_S", memory_print("%.0f", assignment->time_s < 1 ? 1 : assignment->time_s));
    hand("GRADE_MEMORY", memory_print("%lld", (long long)assignment->memory_bytes));
    hand("GRADE_PROCESSES", memory_print("%lld", (long long)assignment->processes));
    hand("GRADE_ROUNDS", memory_print("%lld", (long long)assignment->rounds));
    hand("GRADE_ERROR", memory_print("%g", ASSIGNMENT_ERROR));
    hand("GRADE_MOST_ROUNDS", memory_print("%lld", (long long)assignment->most_rounds));
}

int grade_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"assignment", 'a', "FILE", 0, "the assignment: what is measured, and the points", 0},
        {"output", 'o', "DIR", 0, "the folder of the marks and pages (default grades)", 0},
        {"no-sandbox", OPTION_NO_SANDBOX, 0, 0,
         "run the submissions with all rights of this user, as on a machine that is thrown away; every page says so",
         0},
        {"again", OPTION_AGAIN, 0, 0, "grade again what is graded, for example on an idle machine", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "SUBMISSIONS",
        .doc = "Builds, verifies and measures each folder in SUBMISSIONS, one after the other, in a sandbox. Writes "
               "marks.csv, a page of the class, and for each submission a page and results.json for Gradescope. A "
               "folder that holds kernels itself is one submission. A call that was interrupted is gone on with by the "
               "same call: what is graded is kept until its sources or the assignment change.\vThe exit code is 1 if a "
               "submission could not be graded for a reason of this machine."};
    struct arguments arguments = {.output = "grades", .sandbox = true};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct assignment *assignment = assignment_read(arguments.assignment, stderr);
    if (!assignment)
        return EXIT_USAGE;
    hand_over(&arguments, assignment);
    assignment_free(assignment);
    return script_become("report/grade/grade.sh", 1, argv, NULL);
}
