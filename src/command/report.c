/* `tilelab report`: measures experiments and makes a PDF of them, in any folder. A script does the work; it lies with
 * the figures, the queries and the texts of the report.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "base/script.h"
#include "base/text.h"
#include "own/own.h"
#include "plan/study_file.h"

int report_main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *path = study_file_path(argv[i]);
        if (!text_ends(path, ".yaml"))
            continue;
        struct yaml *yaml = yaml_read(path);
        own_export_experiment(yaml);
        yaml_free(yaml);
    }
    return script_become("report/anywhere.sh", argc, argv,
                         "without them, `tilelab show` prints the results as a table");
}
