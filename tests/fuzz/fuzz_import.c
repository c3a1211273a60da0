/* Fuzz target: results.csv, and samples.csv behind a line "--", imported where the journal is missing. What has been
 * imported can be printed as CSV.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "results/store_parts.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fuzz_file results, samples;
    static const char between[] = "--\n";
    char why[1024] = "";
    const uint8_t *cut = memmem(data, size, between, sizeof between - 1);
    const uint8_t *behind = cut ? cut + sizeof between - 1 : data + size;
    fuzz_write(&results, "study.results.csv", data, cut ? (size_t)(cut - data) : size);
    fuzz_write(&samples, "study.samples.csv", behind, (size_t)(data + size - behind));
    struct store *store = store_open(fuzz_folder(), "study", true, why, sizeof why);
    FUZZ_NEED(!store == (why[0] != '\0'));
    FUZZ_NEED(!strchr(why, '\n') || !store);
    if (!store)
        return 0;
    for (size_t i = 0; i < store->records; i++)
        FUZZ_NEED(store->record[i].newest == 0 || store_find(store, store->record[i].id));
    store_print(store, fuzz_nowhere());
    store_close(store);
    return 0;
}
