/* Fuzz target: the CSV files of a study, imported where the journal is missing. A line "--" ends a file. What has been
 * imported can be printed as CSV.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "results/store_parts.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"study.results.csv", "study.samples.csv", "study.archive.csv",
                                        "study.archive-samples.csv"};
    enum { FILES = sizeof names / sizeof *names };
    static struct fuzz_file file[FILES];
    static const char between[] = "--\n";
    const uint8_t *const end = data + size;
    char why[1024] = "";
    for (int i = 0; i < FILES; i++) {
        const size_t left = (size_t)(end - data);
        const uint8_t *cut = i + 1 < FILES ? memmem(data, left, between, sizeof between - 1) : NULL;
        if (i < 2 || left > 0)
            fuzz_write(&file[i], names[i], data, cut ? (size_t)(cut - data) : left);
        else
            fuzz_remove(&file[i]);
        data = cut ? cut + sizeof between - 1 : end;
    }
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
