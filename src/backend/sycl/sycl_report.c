/* What the run record, `tilelab doctor` and `tilelab list --devices` say of the SYCL devices.
 * SPDX-License-Identifier: MIT */
#include "sycl.h"

#include "build_info.h"
#include "base/finding.h"

#include <jansson.h>

json_t *sycl_record(void)
{
    return found_record(sycl_discover(), BACKEND_SYCL, TILELAB_SYCL_VERSION);
}

void sycl_device_line(int number, char *text, size_t size)
{
    found_line(&sycl_discover()->device[number], "SYCL on ", text, size);
}

void sycl_doctor(FILE *out)
{
    const struct found *found = sycl_discover();
    finding_section(out, "SYCL");
    if (*TILELAB_SYCL_WHY)
        finding_missing(out, "compiler", TILELAB_SYCL_WHY, "the cells of SYCL variants are skipped",
                        "no distribution packages one: build AdaptiveCpp (github.com/AdaptiveCpp/AdaptiveCpp, with "
                        "clang; about 2 minutes and 10 MB) or install Intel's oneAPI (icpx, about 3 GB); then "
                        "SYCLCXX=acpp make build");
    else
        finding_report(out, "found", "compiler", "%s", TILELAB_SYCL_VERSION);
    if (found->count == 0 && !*TILELAB_SYCL_WHY)
        finding_missing(out, "devices", found->missing, "the cells of SYCL variants are skipped", NULL);
    found_doctor(found, BACKEND_SYCL, "SYCL on ", out);
}
