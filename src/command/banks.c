/* `tilelab banks`: the bank model of a variant as a table, and one access as a picture.
 * SPDX-License-Identifier: MIT */
#include "cell.h"
#include "commands.h"
#include "options.h"
#include "counters/banks.h"
#include "plan/variants.h"

#include <argp.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const space_names[] = {[SPACE_SHARED] = "shared", [SPACE_GLOBAL] = "global"};
static const char *const direction_names[] = {[DIRECTION_LOAD] = "load", [DIRECTION_STORE] = "store"};

struct arguments {
    const char *pattern;
    struct cell cell; /* 0: the default of the variant */
    int64_t site, warp;
};

enum { WARPS_MAX = 1024 / WARP_LANES };
enum { OPTION_AXIS = 256, OPTION_SITE = 1000, OPTION_WARP }; /* the key of an axis: OPTION_AXIS + its number */

enum { OPTIONS_FIXED = 3, HELP_SIZE = 200 }; /* two options beside the axes, and the end of the list */

/* Writes the values that an axis takes: "f32, f64 or i32", or "a number from 1 to 32". */
static void print_values(const struct axis *axis, char *text, size_t size)
{
    size_t at = 0;
    if (axis->kind != NAME) {
        char lowest[NUMBER_SIZE], highest[NUMBER_SIZE];
        cell_axis_print((int)(axis - cell_axes), axis->lowest, lowest);
        cell_axis_print((int)(axis - cell_axes), axis->highest, highest);
        snprintf(text, size, "a number from %s to %s", lowest, highest);
        return;
    }
    for (int64_t i = axis->lowest; i <= axis->highest && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%s",
                               i == axis->lowest    ? ""
                               : i == axis->highest ? " or "
                                                    : ", ",
                               axis->names[i]);
}

/* The axes that tell a cell with a model from another: what is computed and how, of all variants with a model. */
static unsigned modelled_axes(void)
{
    size_t count;
    unsigned supported = 0, axes = 0;
    const struct entry *entries = registry(&count);
    for (size_t i = 0; i < count; i++)
        if (entries[i].meta->accesses)
            supported |= registry_axes(&entries[i]);
    for (int axis = 0; axis < AXES; axis++)
        if (cell_axes[axis].role == ROLE_SHAPE || cell_axes[axis].role == ROLE_TUNING)
            axes |= supported & BIT(axis);
    return axes;
}

/* The options: one for each axis, then the fixed ones. */
static const struct argp_option *make_options(void)
{
    static struct argp_option options[AXES + OPTIONS_FIXED];
    static char help[AXES][HELP_SIZE];
    const unsigned axes = modelled_axes();
    size_t made = 0;
    for (int axis = 0; axis < AXES; axis++) {
        const bool named = cell_axes[axis].kind == NAME;
        char values[HELP_SIZE / 2];
        if (!(axes & BIT(axis)))
            continue;
        print_values(&cell_axes[axis], values, sizeof values);
        snprintf(help[axis], sizeof help[axis], "%s%s%s", cell_axes[axis].meaning, named ? ": " : "",
                 named ? values : "");
        options[made++] = (struct argp_option){.name = cell_axes[axis].key,
                                               .key = axis + OPTION_AXIS,
                                               .arg = named ? "NAME" : "NUMBER",
                                               .doc = help[axis]};
    }
    options[made++] =
        (struct argp_option){.name = "site",
                             .key = OPTION_SITE,
                             .arg = "NUMBER",
                             .doc = "draw this access (default: the access to shared memory with the most conflicts)"};
    options[made] = (struct argp_option){.name = "warp",
                                         .key = OPTION_WARP,
                                         .arg = "NUMBER",
                                         .doc = "draw the access of this warp of the first block (default 0)"};
    return options;
}

static bool read_integer(const char *text, int64_t lowest, int64_t highest, int64_t *value)
{
    return *text && number_read_count(text, strlen(text), value) && *value >= lowest && *value <= highest;
}

static void read_axis(int axis, const char *text, struct cell *cell, struct argp_state *state)
{
    int64_t *const value = cell_axis(cell, axis);
    char values[HELP_SIZE / 2];
    if (cell_axis_read(axis, text, strlen(text), value) && cell_axis_allows(axis, *value))
        return;
    print_values(&cell_axes[axis], values, sizeof values);
    argp_error(state, "'%s' is no value of %s, which takes %s", text, cell_axes[axis].key, values);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    const int axis = key - OPTION_AXIS;
    if (key == OPTION_SITE) {
        if (!read_integer(text, 1, BANKS_SITES_MAX, &arguments->site))
            argp_error(state, "'%s' is no number of an access", text);
    } else if (key == OPTION_WARP) {
        if (!read_integer(text, 0, WARPS_MAX - 1, &arguments->warp))
            argp_error(state, "'%s' is no warp of a block", text);
    } else if (axis >= 0 && axis < AXES) {
        read_axis(axis, text, &arguments->cell, state);
    } else if (key == ARGP_KEY_ARG && state->arg_num == 0) {
        arguments->pattern = text;
    } else if (key == ARGP_KEY_ARG) {
        argp_error(state, "give one pattern at a time");
    } else if (key == ARGP_KEY_NO_ARGS) {
        argp_error(state, "name a variant; `tilelab list` lists the variants");
    } else {
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void print_head(const struct cell *cell, const struct banks *banks)
{
    const struct geometry *geometry = &banks->geometry;
    char value[NUMBER_SIZE];
    printf("%s  %s", cell->entry->name, cell_precision_names[cell->precision]);
    for (int axis = AXIS_precision + 1; axis < AXES; axis++)
        if (cell_axis_print(axis, cell_value(cell, axis), value) > 0)
            printf("  %s %s", cell_axes[axis].key, value);
    printf("\n%" PRId64 " x %" PRId64 " blocks of %d x %d threads; passes: %" PRId64
           "; shared memory of a block: %" PRId64 " bytes\n\n",
           geometry->blocks_x, geometry->blocks_y, geometry->threads_x, geometry->threads_y, geometry->passes,
           banks->shared_bytes);
}

/* Prints instructions, then wavefronts of shared memory or sectors of global memory. */
static void print_sum(enum space space, const struct banks_sum *sum)
{
    const int64_t served = space == SPACE_SHARED ? sum->wavefronts : sum->sectors;
    printf("%15" PRId64 " %15" PRId64 " %6.2f", sum->instructions, served,
           sum->instructions ? (double)served / (double)sum->instructions : 0);
    if (space == SPACE_SHARED)
        printf(" %15" PRId64, sum->conflicts);
    putchar('\n');
}

static void print_table(const struct cell *cell, const struct banks *banks)
{
    const struct access *site = cell->entry->meta->accesses->site;
    for (int space = SPACE_SHARED; space <= SPACE_GLOBAL; space++) {
        bool head = false;
        for (int i = 0; i < banks->sites; i++) {
            if (site[i].space != (enum space)space)
                continue;
            if (!head)
                printf("%6s %-28.28s %-5s %15s %15s %6s%s\n", space_names[space], "memory", "bytes", "instructions",
                       space == SPACE_SHARED ? "wavefronts" : "sectors", "each",
                       space == SPACE_SHARED ? "       conflicts" : "");
            head = true;
            printf("%6d %-28.28s %5d ", i + 1, site[i].name, site[i].width(cell));
            print_sum(site[i].space, &banks->site[i]);
        }
        for (int direction = DIRECTION_LOAD; direction <= DIRECTION_STORE; direction++) {
            const struct banks_sum *sum = &banks->sum[space][direction];
            if (sum->instructions == 0)
                continue;
            printf("%6s all %-30s ", "", direction == DIRECTION_LOAD ? "loads" : "stores");
            print_sum((enum space)space, sum);
        }
        if (head)
            putchar('\n');
    }
}

/* The picture of one access. A line holds as many words as there are banks, or words in a sector. Each word shows the
 * lane that touches it. */
struct picture {
    int64_t line[WARP_LANES * 4]; /* the lines touched, in ascending order */
    int lines;
    int lane[WARP_LANES * 4][BANKS]; /* the first lane at a word, or -1 */
    bool more[WARP_LANES * 4][BANKS];
    int words[BANKS]; /* distinct words in a column */
};

static int find_line(struct picture *picture, int64_t line)
{
    int at = 0;
    while (at < picture->lines && picture->line[at] < line)
        at++;
    if (at < picture->lines && picture->line[at] == line)
        return at;
    const size_t behind = (size_t)(picture->lines - at);
    memmove(&picture->line[at + 1], &picture->line[at], behind * sizeof *picture->line);
    memmove(&picture->lane[at + 1], &picture->lane[at], behind * sizeof *picture->lane);
    memmove(&picture->more[at + 1], &picture->more[at], behind * sizeof *picture->more);
    picture->line[at] = line;
    memset(picture->lane[at], -1, sizeof *picture->lane);
    memset(picture->more[at], 0, sizeof *picture->more);
    picture->lines++;
    return at;
}

static void draw(struct picture *picture, const int64_t offset[WARP_LANES], int lanes, int width, int columns)
{
    memset(picture, 0, sizeof *picture);
    for (int lane = 0; lane < lanes; lane++)
        for (int byte = 0; offset[lane] != INACTIVE && byte < width; byte += BANK_BYTES) {
            const int64_t word = (offset[lane] + byte) / BANK_BYTES;
            const int column = (int)(word % columns), line = find_line(picture, word / columns);
            if (picture->lane[line][column] < 0) {
                picture->lane[line][column] = lane;
                picture->words[column]++;
            } else {
                picture->more[line][column] = true;
            }
        }
}

/* Prints a line of the picture: a label, then three characters for each word. */
static void print_line(const char *label, const char *cells)
{
    size_t length = strlen(cells);
    while (length > 0 && cells[length - 1] == ' ')
        length--;
    printf("%s%.*s\n", label, (int)length, cells);
}

enum { CELL_SIZE = 16 }; /* three characters are used; the text of any int fits */

static void print_picture(const struct picture *picture, int columns, bool counts)
{
    char label[32], cells[3 * BANKS + CELL_SIZE];
    const int label_width = columns == BANKS ? 3 : 15;
    for (int column = 0; column < columns; column++)
        snprintf(cells + 3 * column, CELL_SIZE, "%2d ", column);
    snprintf(label, sizeof label, "%*s ", label_width, columns == BANKS ? "" : "byte");
    print_line(label, cells);
    for (int line = 0; line < picture->lines; line++) {
        for (int column = 0; column < columns; column++) {
            const int lane = picture->lane[line][column];
            if (lane < 0)
                strcpy(cells + 3 * column, " . ");
            else
                snprintf(cells + 3 * column, CELL_SIZE, "%2d%c", lane & (WARP_LANES - 1),
                         picture->more[line][column] ? '+' : ' ');
        }
        snprintf(label, sizeof label, "%*" PRId64 " ", label_width,
                 columns == BANKS ? picture->line[line] : picture->line[line] * SECTOR_BYTES);
        print_line(label, cells);
    }
    if (!counts)
        return;
    for (int column = 0; column < columns; column++)
        snprintf(cells + 3 * column, CELL_SIZE, "%2d ", picture->words[column]);
    print_line("sum ", cells);
}

static void print_site(const struct cell *cell, int index, int warp)
{
    const struct access *site = &cell->entry->meta->accesses->site[index];
    const int width = site->width(cell);
    int64_t offset[WARP_LANES];
    struct picture picture;
    banks_offsets(cell, index, warp, offset);
    const bool shared = site->space == SPACE_SHARED;
    const int lanes = shared ? banks_together(offset, width, site->direction) : WARP_LANES;
    draw(&picture, offset, lanes, width, shared ? BANKS : SECTOR_BYTES / BANK_BYTES);
    printf("%d, %s: %s of %d bytes a lane, lanes 0 to %d of warp %d.\n", index + 1, site->name,
           direction_names[site->direction], width, lanes - 1, warp);
    if (!shared) {
        printf("Across: the words of a sector of 32 bytes. Down: the sectors. In a word: its first lane ('+': more "
               "lanes).\n");
        print_picture(&picture, SECTOR_BYTES / BANK_BYTES, false);
        printf("%d sectors.\n", picture.lines);
        return;
    }
    int most = 0;
    for (int bank = 0; bank < BANKS; bank++)
        most = picture.words[bank] > most ? picture.words[bank] : most;
    printf("Across: the banks. Down: lines of 32 words. In a word: its first lane ('+': more lanes).\n");
    print_picture(&picture, BANKS, true);
    if (most == 0)
        printf("None of these lanes takes part.\n");
    else if (most == 1)
        printf("No bank serves more than one word for these lanes: one wavefront, no conflict.\n");
    else
        printf("The busiest bank serves %d words for these lanes, one after the other: %d wavefronts.\n", most, most);
}

/* The access to shared memory with the most conflicts an instruction. Where no access has conflicts, the access that
 * spreads over the most lines. */
static int worst_site(const struct cell *cell, const struct banks *banks)
{
    const struct access *site = cell->entry->meta->accesses->site;
    int worst = -1, spread = 0;
    double conflicts = 0;
    for (int i = 0; i < banks->sites; i++) {
        if (site[i].space != SPACE_SHARED || banks->site[i].instructions == 0)
            continue;
        int64_t offset[WARP_LANES];
        struct picture picture;
        banks_offsets(cell, i, 0, offset);
        draw(&picture, offset, WARP_LANES, site[i].width(cell), BANKS);
        const double each = (double)banks->site[i].conflicts / (double)banks->site[i].instructions;
        if (worst >= 0 && (each < conflicts || (each == conflicts && picture.lines <= spread)))
            continue;
        worst = i;
        conflicts = each;
        spread = picture.lines;
    }
    return worst;
}

/* Prints the model of an entry. False, after a line on stderr, where the entry has no model. */
static bool print_entry(const struct entry *entry, const struct arguments *arguments)
{
    const struct cell cell = banks_cell(entry, &arguments->cell);
    struct banks banks;
    char why[256];
    if (!banks_model(&cell, &banks, why, sizeof why)) {
        fprintf(stderr, "tilelab: %s has no model: %s\n", entry->name, why);
        return false;
    }
    if (arguments->site > banks.sites) {
        fprintf(stderr, "tilelab: %s has %d accesses; there is no --site %" PRId64 "\n", entry->name, banks.sites,
                arguments->site);
        return false;
    }
    print_head(&cell, &banks);
    print_table(&cell, &banks);
    const int site = arguments->site ? (int)arguments->site - 1 : worst_site(&cell, &banks);
    if (site >= 0)
        print_site(&cell, site, (int)arguments->warp);
    return true;
}

int banks_main(int argc, char **argv)
{
    static const char doc[] =
        "Computes, without a GPU, what a CUDA variant asks of shared memory (32 banks of 4 bytes) "
        "and of global memory (sectors of 32 bytes). Prints a table and a picture of one access. "
        "VARIANT is a name or a pattern: aat/cuda-b or \"aat/cuda-b*\".\v"
        "Without options, the precision is f32 and n is 1024. m and k have the value of n. Every other axis has the "
        "default of the variant.";
    const struct argp argp = {.options = make_options(), .parser = parse, .args_doc = "VARIANT", .doc = doc};
    struct arguments arguments = {.cell = {.precision = F32, .n = 1024}};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    size_t count;
    int matched = 0, printed = 0;
    const struct entry *entries = registry(&count);
    for (size_t i = 0; i < count; i++) {
        if (entries[i].problem->hidden || !registry_matches(&entries[i], arguments.pattern))
            continue;
        matched++;
        if (printed > 0)
            putchar('\n');
        printed += print_entry(&entries[i], &arguments);
    }
    if (matched == 0)
        variants_complain(arguments.pattern);
    return printed > 0 ? EXIT_OK : EXIT_USAGE;
}
