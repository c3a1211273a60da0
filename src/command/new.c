/* `tilelab new`: writes the beginning of a kernel, a problem or a study. A script does the work.
 * SPDX-License-Identifier: MIT */
#include "commands.h"
#include "base/script.h"

int new_main(int argc, char **argv)
{
    return script_become("tools/new", argc, argv, NULL);
}
