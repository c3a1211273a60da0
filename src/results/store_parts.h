/* What the parts of the store share: an index over the lines of the journal.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_RESULTS_STORE_PARTS_H
#define TILELAB_RESULTS_STORE_PARTS_H

#include "journal_line.h"
#include "store.h"
#include "base/journal.h"

#include <sys/types.h>

/* A line of the journal that holds a result. */
struct store_line {
    uint64_t generation;     /* equal for results of the same source, library, machine and clock */
    uint64_t machine;        /* equal for results of the same kind of machine and clock */
    uint64_t mark;           /* equal for results of the same physical machine; 0: the line does not tell it */
    size_t offset;           /* of the line's body */
    uint32_t length, record; /* of the body; index of the cell's record */
    uint32_t before;         /* index + 1 of the line of the same cell that was written before; 0: none */
    uint32_t settings;       /* index in store->settings */
    int rounds, samples;
    int number; /* of the generation, as the line tells; 0: an old program wrote the line */
    uint16_t layout, flags;
    uint8_t status;
};

/* A cell. */
struct store_record {
    char id[CELL_ID_SIZE];
    uint32_t newest; /* index + 1 of its newest line; 0: none */
    uint32_t shown;  /* index + 1 of the line that the store shows, once it is chosen */
    bool is_chosen, is_expected, is_listed;
    uint64_t generation, machine; /* today's, if store_expect told them */
    struct result *result;        /* once loaded from line `loaded` - 1 */
    uint32_t loaded;
};

/* The settings of measurements. */
struct store_settings {
    uint64_t hash;
    bool is_known; /* whether `criterion` tells them */
    struct criterion criterion;
};

/* A hash table of indices: open addressing, a power of two of slots. */
struct store_slots {
    uint32_t *slot; /* index + 1; 0: empty */
    size_t count;
};

struct store {
    char *folder, *experiment;
    dev_t folder_device; /* the folder as it was opened, to see that no other has taken its place */
    ino_t folder_inode;
    struct journal journal;
    char *layout_body; /* of the line that tells today's layout, layout[0] */
    size_t layout_length;
    bool layout_told; /* the journal holds that line */
    unsigned changed_outputs;
    struct journal_layout *layout;
    size_t layouts;
    struct store_line *line; /* in the order of the journal */
    size_t lines, line_room;
    struct store_record *record; /* in the order of first lines */
    size_t records, record_room;
    struct store_slots by_id;
    struct store_settings *settings;
    size_t settings_count, settings_room;
    struct store_slots by_hash;
};

/* Takes a line of the journal into the index; a journal_function. */
bool store_index_take(void *store, size_t offset, const char *body, size_t length);
/* Forgets all lines. What store_expect and store_learn_criterion told stays. */
void store_index_clear(struct store *store);
void store_index_free(struct store *store);

/* The record of a cell; NULL: none. store_index_add adds it if there is none. */
struct store_record *store_index_find(const struct store *store, const char *id);
struct store_record *store_index_add(struct store *store, struct slice id);
/* The entry of settings with this hash; it is added if there is none. */
struct store_settings *store_index_settings(struct store *store, struct slice hash);

/* The hashes of what a result depends on, as in struct store_line. */
uint64_t store_index_machine(struct slice machine, bool simulated);
uint64_t store_index_generation(const struct slice provenance[PROVENANCES], bool simulated);

/* The generations of a cell in the order of their first lines. The caller frees them. */
uint64_t *store_index_generations(const struct store *store, const struct store_record *record, size_t *count);
/* The number of a generation of a cell; the next free one if no line has it. */
int store_index_number(const struct store *store, const struct store_record *record, uint64_t generation);

/* Index + 1 of the best line of a generation of a cell; 0: none. */
uint32_t store_index_best(const struct store *store, const struct store_record *record, uint64_t generation);
/* Index + 1 of the line that the store shows of a cell; 0: none. */
uint32_t store_index_shown(const struct store *store, struct store_record *record);

/* The body of a line; NULL with errno set if it cannot be read. */
const char *store_body(const struct store *store, const struct store_line *line);

/* The use of each line, as enum store_use. The caller frees the array. */
uint8_t *store_inventory_uses(struct store *store, const char (*ids)[CELL_ID_SIZE], size_t count);

/* Adds the rows of the CSV files that the journal lacks to it. Returns false with one line in `why` if a file cannot be
 * imported and the journal has no lines, or if the journal cannot be written. */
bool store_import(struct store *store, char *why, size_t size);

#endif
