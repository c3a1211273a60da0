/* The table of what studies hold besides their shown results: what `list --results` and `prune` print.
 * SPDX-License-Identifier: MIT */
#include "inventory_table.h"

void inventory_table_columns(struct table *table, const enum store_use uses[], size_t count)
{
    static const char *const names[STORE_USES] = {
        [STORE_PENDING] = "pending",       [STORE_ARCHIVED] = "archived", [STORE_UNLISTED] = "unlisted",
        [STORE_SUPERSEDED] = "superseded", [STORE_DAMAGED] = "damaged",   [STORE_UNKNOWN] = "unknown"};
    table_column(table, "study", true, false);
    for (size_t u = 0; u <= count; u++) {
        table_column(table, u < count ? names[uses[u]] : "temporary", false, true);
        table_column(table, "bytes", false, true);
    }
}

size_t inventory_table_lines(const struct inventory *study, const struct store_inventory *counts,
                             const enum store_use uses[], size_t count)
{
    size_t lines = study->temporary;
    for (size_t u = 0; u < count; u++)
        lines += counts->use[uses[u]].lines;
    return lines;
}

void inventory_table_add(struct table *table, const struct inventory *study, const struct store_inventory *counts,
                         const enum store_use uses[], size_t count)
{
    table_text(table, study->study);
    for (size_t u = 0; u <= count; u++) {
        const size_t lines = u < count ? counts->use[uses[u]].lines : study->temporary;
        char text[INVENTORY_BYTES_SIZE] = "";
        if (lines > 0)
            inventory_print_bytes(u < count ? (int64_t)counts->use[uses[u]].bytes : study->temporary_bytes, text);
        table_count(table, lines);
        table_text(table, text);
    }
}
