/* Fuzz target: the lines of a journal. The target puts the right checksum before each line, as damaged lines are left
 * out before anything reads them; a line that begins with '!' keeps its own.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"
#include "results/store_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void write_journal(const uint8_t *data, size_t size)
{
    static struct fuzz_file file;
    char *text = NULL, path[256];
    size_t length;
    FILE *out = open_memstream(&text, &length);
    FUZZ_NEED(out);
    for (const char *from = (const char *)data, *end = from + size; from < end;) {
        const char *feed = memchr(from, '\n', (size_t)(end - from)), *stop = feed ? feed : end;
        if (*from != '!')
            fprintf(out, "%08x\t", (unsigned)journal_crc(from, (size_t)(stop - from)));
        fwrite(from, 1, (size_t)(stop - from), out);
        if (feed)
            putc('\n', out);
        from = stop + 1;
    }
    fclose(out);
    if (!file.path[0]) {
        snprintf(path, sizeof path, "%s/.journal", fuzz_folder());
        FUZZ_NEED(mkdir(path, 0700) == 0);
    }
    fuzz_write(&file, ".journal/study.journal", text, length);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[1024] = "";
    write_journal(data, size);
    struct store *store = store_open(fuzz_folder(), "study", true, why, sizeof why);
    FUZZ_NEED(store);
    struct store_inventory inventory;
    store_inventory_take(store, NULL, 0, &inventory);
    for (size_t i = 0; i < store->records; i++) {
        struct store_summary summary;
        struct result result = {0};
        result_clear(&result);
        FUZZ_NEED(memchr(store->record[i].id, '\0', CELL_ID_SIZE) && store->record[i].id[0]);
        FUZZ_NEED(store_index_find(store, store->record[i].id) == &store->record[i]);
        store_lookup(store, store->record[i].id, &summary);
        store_find(store, store->record[i].id);
        if (store_resume(store, store->record[i].id, "", &result))
            result_summarise(&result);
        result_clear(&result);
    }
    store_print(store, fuzz_nowhere());
    for (size_t i = 0; i < store->lines; i++) {
        const struct store_line *line = &store->line[i];
        struct result result = {0};
        static char bytes[SINK_SIZE];
        struct sink sink = {.kind = SINK_STREAM, .stream = fuzz_nowhere(), .buffer = bytes};
        const char *body = journal_text(&store->journal, line->offset, line->length);
        FUZZ_NEED(body);
        result_clear(&result);
        journal_line_read_samples(&store->layout[line->layout], body, line->length, &result);
        result_clear(&result);
        journal_line_put_samples(&sink, &store->layout[line->layout], body, line->length, i % 2);
        if (journal_line_has_history(&store->layout[line->layout], body, line->length))
            journal_line_put_history(&sink, &store->layout[line->layout], body, line->length, i % 2);
    }
    store_close(store);
    return 0;
}
