/* The lines of `tilelab doctor`.
 * SPDX-License-Identifier: MIT */
#include "diagnosis.h"

#include <inttypes.h>

void diagnosis_section(FILE *out, const char *title)
{
    fprintf(out, "\n%s\n", title);
}

void diagnosis_line(FILE *out, const char *state, const char *name, const char *format, ...)
{
    va_list args;
    fprintf(out, "  %-8s %-18s ", state, name);
    va_start(args, format);
    vfprintf(out, format, args);
    va_end(args);
    fputc('\n', out);
}

void diagnosis_remark(FILE *out, const char *what, const char *text)
{
    fprintf(out, "  %-8s %-18s %s: %s\n", "", "", what, text);
}

void diagnosis_missing(FILE *out, const char *name, const char *why, const char *cost, const char *remedy)
{
    diagnosis_line(out, "missing", name, "%s", why);
    diagnosis_remark(out, "costs", cost);
    if (remedy != NULL)
        diagnosis_remark(out, "remedy", remedy);
}

void diagnosis_size(FILE *out, const char *name, int64_t bytes)
{
    if (bytes >= INT64_C(1) << 30)
        diagnosis_line(out, "found", name, "%.1f GiB", (double)bytes / (double)(1 << 30));
    else
        diagnosis_line(out, "found", name, "%" PRId64 " KiB", bytes >> 10);
}
