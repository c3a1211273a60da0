/* `tilelab report`: measures experiments and makes a PDF of them, in any folder. A script does the work; it lies with
 * the figures, the queries and the texts of the report.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "script.h"

int report_main(int argc, char **argv)
{
    const int code = script_become("report", "report/anywhere.sh", argc - 1, argv + 1);
    fprintf(stderr, "tilelab report: without a report, `tilelab show` prints the results as a table\n");
    return code;
}
