/* The lines of `tilelab doctor`.
 * SPDX-License-Identifier: MIT */
#include "finding.h"

#include <inttypes.h>

void finding_section(FILE *out, const char *title)
{
    fprintf(out, "\n%s\n", title);
}

void finding_report(FILE *out, const char *state, const char *name, const char *format, ...)
{
    va_list args;
    fprintf(out, "  %-8s %-18s ", state, name);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
}

void finding_remark(FILE *out, const char *what, const char *text)
{
    fprintf(out, "  %-8s %-18s %s: %s\n", "", "", what, text);
}

void finding_missing(FILE *out, const char *name, const char *why, const char *cost, const char *remedy)
{
    finding_report(out, "missing", name, "%s", why);
    finding_remark(out, "costs", cost);
    if (remedy != NULL)
        finding_remark(out, "remedy", remedy);
}

void finding_size(FILE *out, const char *name, int64_t bytes)
{
    if (bytes >= INT64_C(1) << 30)
        finding_report(out, "found", name, "%.1f GiB", (double)bytes / (double)(1 << 30));
    else
        finding_report(out, "found", name, "%" PRId64 " KiB", bytes >> 10);
}
