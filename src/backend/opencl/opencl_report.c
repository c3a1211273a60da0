/* What the run record, `tilelab doctor` and `tilelab list --devices` say of the OpenCL devices.
 * SPDX-License-Identifier: MIT */
#include "opencl.h"

#include "base/finding.h"

#include <jansson.h>

json_t *opencl_record(void)
{
    return found_record(opencl_discover(), BACKEND_OPENCL, NULL);
}

void opencl_device_line(int number, char *text, size_t size)
{
    found_line(&opencl_discover()->device[number], "", text, size);
}

void opencl_doctor(FILE *out)
{
    const struct found *found = opencl_discover();
    finding_section(out, "OpenCL");
    if (found->count == 0)
        finding_missing(out, "devices", found->missing, "the cells of OpenCL variants are skipped", NULL);
    found_doctor(found, BACKEND_OPENCL, "", out);
}
