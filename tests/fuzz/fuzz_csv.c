/* Fuzz target: CSV. What is read from any bytes, written and read again is the same.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

static char buffer[SINK_SIZE];

/* Writes all records into `buffer`; with `again`, compares them with what it holds. Returns the length. */
static size_t pass(const void *bytes, size_t size, bool again)
{
    static char written[SINK_SIZE];
    struct sink sink = {.kind = SINK_STREAM, .buffer = written};
    struct csv csv;
    FILE *file = fmemopen((void *)bytes, size, "r");
    FUZZ_NEED(file);
    csv_start(&csv, file, "input.csv");
    int got, line = 0;
    while ((got = csv_read(&csv)) > 0) {
        FUZZ_NEED(csv.line > line && csv.fields > 0);
        line = csv.line;
        for (size_t i = 0; i < csv.fields; i++) {
            const char *field = csv_field(&csv, (int)i);
            FUZZ_NEED(!field || csv_find(&csv, field) <= (int)i);
            csv_put(&sink, field ? field : "", field ? strlen(field) : 0, i + 1 < csv.fields ? ',' : '\n');
        }
        FUZZ_NEED(!csv_field(&csv, -1) && !csv_field(&csv, (int)csv.fields));
    }
    csv_close(&csv);
    FUZZ_NEED(!again || got == 0);
    if (!again)
        memcpy(buffer, written, sink.used);
    else
        FUZZ_NEED(sink.used == size && memcmp(buffer, written, size) == 0);
    return sink.used;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > SINK_SIZE / 4)
        return 0;
    const size_t used = pass(data, size, false);
    if (used > 0) {
        char *copy = malloc(used);
        FUZZ_NEED(copy);
        memcpy(copy, buffer, used);
        pass(copy, used, true);
        free(copy);
    }
    return 0;
}
