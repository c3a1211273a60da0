/* `tilelab columns`: the dictionary of the CSV columns, which is the text of data/README.md.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "options.h"
#include "counters/counters.h"
#include "results/columns.h"

#include <stdio.h>
#include <string.h>

/* The flags of a time, from flags.def. */
static void describe_flags(FILE *out)
{
    static const char *const kinds[] = {"doubt", "lack", "remark"};
    fputs(
        "\nA time with a doubt may be wrong. A time with a lack was measured less than a time needs. Neither gives a\n"
        "verdict. The letters stand raised behind a time.\n\n"
        "| flag | letter | kind | meaning |\n|---|---|---|---|\n",
        out);
    for (int i = 0; i < RESULT_FLAGS; i++)
        fprintf(out, "| %s | %s | %s | %s |\n", result_flags[i].name, result_flags[i].letter,
                kinds[result_flags[i].kind], result_flags[i].meaning);
}

static void describe(FILE *out)
{
    fputs(
        "# Results\n"
        "`tilelab columns` prints this page, from the tables that also give the files their headers.\n\n"
        "`published/` holds the numbers that the sources print. Every other folder belongs to one kind of machine,\n"
        "with the same processor, cores, GPU and driver (`machine_hash`): `local/` to yours, the others to machines\n"
        "whose runs were recorded. Rows tell the physical machine (`machine_mark`); times of two never make a ratio.\n"
        "`tilelab check DIR` compares a folder with its run records. The data are\n"
        "under CC BY 4.0 ([LICENSE](LICENSE)). A folder has these files for each experiment:\n\n"
        "- `<experiment>.results.csv` has one row for each cell: the result that counts.\n"
        "- `<experiment>.archive.csv` has the other results that are kept, in the same columns: those of earlier\n"
        "  sources, libraries and machines, those without a doubt of other physical machines of the kind, and those\n"
        "  of cells that the study no longer lists.\n"
        "- `<experiment>.archive-samples.csv` and `<experiment>.archive-history.csv` have the samples and residuals\n"
        "  of the archived results, but not of those of other physical machines. The column `generation` follows the\n"
        "  cell.\n"
        "- `<experiment>.samples.csv` has one row for each timed sample of the results in results.csv. No sample is\n"
        "  left out for its value. A round in which the cores lost their rate, or a GPU was throttled in part, is\n"
        "  measured again, and the last try is kept.\n"
        "- `<experiment>.run.json` describes the machine, the compilers and the libraries, and tells the variables\n"
        "  of the environment that decide results.\n"
        "- `<experiment>.part.json`, in the folder of a part of a measurement on several machines, tells which part\n"
        "  measures which cell.\n"
        "- `<experiment>.history.csv` tells how the residuals of iterative solvers shrink.\n"
        "- `<experiment>.counters.csv` has one row for each GPU cell that `tilelab count` has counted: the hardware\n"
        "  counters.\n"
        "- `<experiment>.timeline.csv` tells who worked when in runs of CPU kernels. `tilelab trace` prints it, and\n"
        "  somebody has put it there.\n"
        "- `left-out.csv`, one for all experiments, says what somebody left out, and why. A line with a cell marks a\n"
        "  row that stays in results.csv, and whose time nothing uses. A line with a status and a number counts rows\n"
        "  that the run record counts and results.csv has lost. No row is ever removed.\n"
        "- `claims.csv`, of recorded folders, has the verdict on each part of the sources' claims, by the rules of\n"
        "  [published/README.md](published/README.md). `calibration.csv`, `sanitizer.txt` and\n"
        "  `model-against-counters.csv` are what `tilelab calibrate`, compute-sanitizer and the check of the bank\n"
        "  model against the counters have printed.\n"
        "- `.journal/<experiment>.journal` has every result with all its samples. The runner makes the files of\n"
        "  results, samples, histories and the archive from the journal. Where there is no journal, as in a clone,\n"
        "  it first makes the journal from these files.\n\n"
        "The CSV files follow RFC 4180. They are UTF-8, with one header line and line feeds. The decimal point is\n"
        "`.`. A number has enough digits to read back the same 64 bits. Infinity is written 1e999. An empty field\n"
        "means that the value was not measured, or that the axis does not apply. Each time is the time of one run.\n"
        "A hash is the first 16 hexadecimal digits of a SHA-256. A cell is measured again when the hash of its\n"
        "source, library or machine changes, or when more care is asked for than the column `measure` tells.\n\n"
        "## results.csv\n\n",
        out);
    columns_describe(out, columns_result, RESULT_COLUMNS);
    describe_flags(out);
    fputs("\n## samples.csv\n\n", out);
    columns_describe(out, columns_sample, SAMPLE_COLUMNS);
    fputs("\n## history.csv\n\n", out);
    columns_describe(out, columns_history, HISTORY_COLUMNS);
    fputs("\n## timeline.csv\n\n", out);
    columns_describe(out, columns_timeline, TIMELINE_COLUMNS);
    fputs(
        "\n## counters.csv\n\n"
        "Each count is a sum over the kernels of one launch, taken by Nsight Compute. The meaning ends with the name\n"
        "of the metric there.\n\n",
        out);
    counters_describe(out);
}

int columns_main(int argc, char **argv)
{
    static const struct argp argp = {.doc = "Prints the dictionary of the CSV columns as Markdown."};
    options_parse(&argp, argc, argv, 0, NULL, NULL);
    describe(stdout);
    return EXIT_OK;
}
