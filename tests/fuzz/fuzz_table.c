/* Fuzz target: a CSV file that a query loads, as results of a host or as a published table of its own.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "query/query_csv.h"
#include "query/query_schema.h"

static sqlite3 *open_database(void)
{
    sqlite3 *db = NULL;
    FUZZ_NEED(sqlite3_open(":memory:", &db) == SQLITE_OK && query_schema_create(db, stderr) == 0);
    return db;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static sqlite3 *db;
    static struct fuzz_file file;
    static unsigned calls;
    if (!db)
        db = open_database();
    fuzz_write(&file, "study.results.csv", data, size);
    FUZZ_NEED(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK);
    if (calls++ % 2) {
        query_csv_load_published(db, file.path, "fuzzed", fuzz_nowhere());
    } else {
        struct left_out left_out = {.db = db, .host = "host", .path = file.path, .diagnostics = fuzz_nowhere()};
        query_csv_load(db, "results", "study", &left_out);
        left_out_end(&left_out);
    }
    FUZZ_NEED(sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK);
    return 0;
}
