/* Machine code as text: what objdump, cuobjdump and nvcc print, read into instructions, and the loops in it.
 * SPDX-License-Identifier: MIT */
#include "assembly_listing.h"

#include "base/memory.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* Instructions that multiply elements, of x86, Arm, SASS and PTX. A tensor core's instruction multiplies a tile. */
static const char *const tile_patterns[] = {"[HIDBQ]MMA*", "[HIQB]GMMA*", "*mma.*", "tdp*", NULL};
static const char *const float_patterns[] = {"*mul[sp][sdh]", "*fmadd*", "*fmsub*", "*fnmadd*", "*fnmsub*", "fmla*",
                                             "fmls*",         "fmul*",   "fmad*",   "FFMA*",    "FMUL*",    "DFMA*",
                                             "DMUL*",         "HFMA2*",  "HMUL2*",  "fma.*",    "mul*.f*",  NULL};
static const char *const integer_patterns[] = {"imul*",     "*pmul*",    "mul",       "mla",  "mul[lqwx]",
                                               "madd",      "IMAD",      "IMAD.U32",  "IDP*", "mad.lo.s*",
                                               "mad.lo.u*", "mul.lo.s*", "mul.lo.u*", NULL};

static bool matches(const char *mnemonic, const char *const *patterns)
{
    while (*patterns && fnmatch(*patterns, mnemonic, 0) != 0)
        patterns++;
    return *patterns != NULL;
}

/* The bytes of the vector that an x86 instruction works on; 4 for all others. */
static unsigned vector_bytes(const char *mnemonic, const char *text)
{
    const size_t length = strlen(mnemonic);
    if (strstr(text, "%zmm"))
        return 64;
    if (strstr(text, "%ymm"))
        return 32;
    const bool packed = length > 2 && (mnemonic[length - 2] == 'p' || strncmp(mnemonic, "pmul", 4) == 0 ||
                                       strncmp(mnemonic, "vpmul", 5) == 0);
    return strstr(text, "%xmm") && packed ? 16 : 4;
}

/* The first word of an instruction, behind a predicate such as "@!P0". */
static void mnemonic_of(const char *text, char *mnemonic, size_t size)
{
    if (*text == '@') {
        text += strcspn(text, " \t");
        text += strspn(text, " \t");
    }
    size_t length = 0;
    while (length + 1 < size && text[length] && !strchr(" \t;", text[length])) {
        mnemonic[length] = text[length];
        length++;
    }
    mnemonic[length] = '\0';
}

static struct assembly_line *add(struct assembly_listing *listing, uint64_t address, const char *text, bool integers)
{
    enum { TILE_BYTES = 4096 };
    char mnemonic[64];
    /* The room doubles: it is full whenever the count is a power of two. */
    if ((listing->count & (listing->count - 1)) == 0)
        listing->line = memory_grow(listing->line, listing->count ? 2 * listing->count : 1, sizeof *listing->line);
    struct assembly_line *line = &listing->line[listing->count++];
    mnemonic_of(text, mnemonic, sizeof mnemonic);
    *line = (struct assembly_line){.address = address, .text = text, .target = -1, .function = ""};
    if (strstr(text, ", -RZ, RZ, "))
        return line; /* so SASS moves a constant */
    if (matches(mnemonic, tile_patterns))
        line->work = TILE_BYTES;
    else if (matches(mnemonic, integers ? integer_patterns : float_patterns))
        line->work = vector_bytes(mnemonic, text);
    return line;
}

/* Ends a text before its blanks at the end. Tabs become blanks. */
static void trim(char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        text[i] = text[i] == '\t' ? ' ' : text[i];
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
}

/* Ends the line that starts at *at, moves *at to the next line, and returns the line; NULL at the end of the text. */
static char *next_line(char **at)
{
    char *line = *at;
    if (!*line)
        return NULL;
    char *end = strchr(line, '\n');
    *at = end ? end + 1 : line + strlen(line);
    if (end)
        *end = '\0';
    return line;
}

/* The address that objdump prints as the target of a jump: "jne    4a1f0 <run+0x30>". Calls are no jumps here. */
static int64_t objdump_target(const char *text)
{
    static const char *const calls[] = {"call*", "bl", "blr", "jal*", NULL};
    char mnemonic[64];
    mnemonic_of(text, mnemonic, sizeof mnemonic);
    const char *name = strstr(text, " <");
    if (!name || strchr(text, '#') || strchr(text, '(') || matches(mnemonic, calls))
        return -1;
    const char *from = name;
    while (from > text && isxdigit((unsigned char)from[-1]))
        from--;
    char *end;
    const unsigned long long target = strtoull(from, &end, 16);
    return end == name && end > from && from > text ? (int64_t)target : -1;
}

struct assembly_listing assembly_listing_objdump(char *text, bool integers)
{
    struct assembly_listing listing = {.count = 0};
    const char *function = "", *file = NULL;
    int source_line = 0;
    for (char *line; (line = next_line(&text));) {
        char *end, *colon;
        const unsigned long long address = strtoull(line, &end, 16);
        if (end > line && strncmp(end, " <", 2) == 0) { /* 000000000004a1c0 <run>: */
            function = end + 2;
            end[2 + strcspn(end + 2, ">")] = '\0';
        } else if (end > line && end[0] == ':' && end[1] == '\t') { /* "   4a1f0:\tvmovups (%rdx),%zmm0" */
            char *instruction = end + 2;
            trim(instruction);
            struct assembly_line *added = add(&listing, address, instruction, integers);
            added->target = objdump_target(instruction);
            added->function = function;
            added->file = file;
            added->source_line = source_line;
        } else if (*line != ' ' && (colon = strrchr(line, ':')) && isdigit((unsigned char)colon[1])) {
            *colon = '\0'; /* "./kernels/matmul/seq_ijk.c:21 (discriminator 3)" */
            file = strncmp(line, "./", 2) == 0 ? line + 2 : line;
            source_line = atoi(colon + 1);
        }
    }
    return listing;
}

/* The labels of a listing, and the places of the instructions behind them. */
struct labels {
    struct label {
        const char *name;
        size_t line;
    } * label;
    size_t count;
};

static void add_label(struct labels *labels, const char *name, size_t line)
{
    labels->label = memory_grow(labels->label, labels->count + 1, sizeof *labels->label);
    labels->label[labels->count++] = (struct label){name, line};
}

/* Turns the labels that instructions jump to into addresses, and frees the labels. */
static void resolve(struct labels *labels, struct assembly_listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        for (size_t l = 0; listing->line[i].jump && l < labels->count; l++)
            if (labels->label[l].line < listing->count && strcmp(listing->line[i].jump, labels->label[l].name) == 0)
                listing->line[i].target = (int64_t)listing->line[labels->label[l].line].address;
    free(labels->label);
}

/* The address in "BRA 0x180". */
static int64_t sass_target(const char *text)
{
    char mnemonic[64];
    mnemonic_of(text, mnemonic, sizeof mnemonic);
    const char *hex = strncmp(mnemonic, "BRA", 3) == 0 ? strstr(text, "0x") : NULL;
    return hex ? (int64_t)strtoull(hex, NULL, 16) : -1;
}

/* The label in "BRA `(.L_x_1)", as nvdisasm prints it; the text then ends with the label. */
static const char *sass_jump(char *text)
{
    char *name = strstr(text, "BRA `(");
    if (!name)
        return NULL;
    name += strlen("BRA `(");
    name[strcspn(name, ")")] = '\0';
    return name;
}

/* What nvdisasm prints between instructions: a source line `//## File "a.cl", line 7`, a label ".L_x_1:" or a function
 * ".text.matmul_tiled:". */
struct sass_place {
    const char *function, *file;
    int source_line;
};

static void read_sass_place(char *line, struct sass_place *place, struct labels *labels, size_t next)
{
    static const char source[] = "//## File \"", section[] = ".text.";
    char *colon = strchr(line, ':'), *quote;
    if (strncmp(line, source, sizeof source - 1) == 0 && (quote = strrchr(line, '"'))) {
        *quote = '\0';
        place->file = line + sizeof source - 1;
        place->source_line = (int)strtol(quote + 1 + strcspn(quote + 1, "0123456789"), NULL, 10);
    } else if (*line == '.' && colon) {
        *colon = '\0';
        if (strncmp(line, section, sizeof section - 1) == 0)
            place->function = line + sizeof section - 1;
        else
            add_label(labels, line, next);
    }
}

struct assembly_listing assembly_listing_sass(char *text, const char *arch, bool integers)
{
    struct assembly_listing listing = {.count = 0};
    struct labels labels = {.count = 0};
    struct sass_place place = {.function = ""};
    bool wanted = true;
    for (char *line; (line = next_line(&text));) {
        char *name = strstr(line, "Function : "), *end, *code = strstr(line, "code for ");
        if (code)
            wanted = strcmp(code + strlen("code for "), arch) == 0;
        if (name)
            place.function = name + strlen("Function : ");
        line += strspn(line, " \t");
        read_sass_place(line, &place, &labels, listing.count);
        /* An instruction stands behind its address, which is a comment. A second comment behind it is its code. */
        if (!wanted || strncmp(line, "/*", 2) != 0)
            continue;
        const unsigned long long address = strtoull(line + 2, &end, 16);
        if (end == line + 2 || strncmp(end, "*/", 2) != 0)
            continue; /* the second half of a code */
        char *instruction = end + 2 + strspn(end + 2, " \t{");
        instruction[strcspn(instruction, ";")] = '\0';
        trim(instruction);
        struct assembly_line *added = add(&listing, address, instruction, integers);
        added->target = sass_target(instruction);
        added->jump = sass_jump(instruction);
        added->function = place.function;
        added->file = place.file;
        added->source_line = place.source_line;
    }
    resolve(&labels, &listing);
    return listing;
}

/* The label of "@%p1 bra $L__BB0_2", which is the last word of a jump. */
static const char *ptx_jump(const char *text)
{
    char mnemonic[64];
    mnemonic_of(text, mnemonic, sizeof mnemonic);
    const char *blank = strrchr(text, ' '), *tab = strrchr(text, '\t');
    const char *last = blank > tab ? blank : tab;
    return strncmp(mnemonic, "bra", 3) == 0 && last ? last + 1 : NULL;
}

/* The name in a line such as ".visible .entry _Z4multIfEvPKT_(". */
static const char *ptx_function(char *line)
{
    char *name = strstr(line, ".entry ");
    if (!name)
        return NULL;
    name += strlen(".entry ");
    name[strcspn(name, "( \t")] = '\0';
    return name;
}

/* The files that ".file 1 "a.cl"" names at the end of a PTX text. */
struct ptx_file {
    const char *name;
    int number;
};

/* Puts the files' names, which stand at the end of the text, into the lines that have their numbers. */
static void name_files(struct assembly_listing *listing, const int *number_of, const struct ptx_file *files,
                       size_t count)
{
    for (size_t i = 0; i < listing->count; i++)
        for (size_t f = 0; f < count; f++)
            if (files[f].number == number_of[i])
                listing->line[i].file = files[f].name;
}

struct assembly_listing assembly_listing_ptx(char *text, bool integers)
{
    struct assembly_listing listing = {.count = 0};
    struct labels labels = {.count = 0};
    struct ptx_file *files = NULL;
    size_t file_count = 0;
    int *number_of = NULL, number = 0, source_line = 0; /* of the file of each line; 0: none */
    const char *function = "";
    for (char *line, *end; (line = next_line(&text));) {
        const char *entry = ptx_function(line);
        line += strspn(line, " \t{");
        trim(line);
        const size_t length = strlen(line);
        if (entry) {
            function = entry;
        } else if (strncmp(line, ".loc ", 5) == 0) {
            number = (int)strtol(line + 5, &end, 10);
            source_line = (int)strtol(end, NULL, 10);
        } else if (strncmp(line, ".file ", 6) == 0 && strchr(line, '"')) {
            files = memory_grow(files, file_count + 1, sizeof *files);
            files[file_count] = (struct ptx_file){strchr(line, '"') + 1, (int)strtol(line + 6, NULL, 10)};
            *strrchr(line, '"') = '\0';
            file_count++;
        } else if (length > 1 && line[0] == '$' && line[length - 1] == ':') {
            line[length - 1] = '\0';
            add_label(&labels, line, listing.count);
        } else if (length > 1 && line[length - 1] == ';' && line[0] != '.') {
            line[length - 1] = '\0';
            struct assembly_line *added = add(&listing, listing.count, line, integers);
            added->jump = ptx_jump(line);
            added->function = function;
            added->source_line = source_line;
            number_of = memory_grow(number_of, listing.count, sizeof *number_of);
            number_of[listing.count - 1] = number;
        }
    }
    name_files(&listing, number_of, files, file_count);
    resolve(&labels, &listing);
    free(number_of);
    free(files);
    return listing;
}

void assembly_listing_free(struct assembly_listing *listing)
{
    free(listing->line);
    *listing = (struct assembly_listing){.count = 0};
}

/* The line before `from` in the same function that a jump goes back to; SIZE_MAX if it does not go back. */
static size_t head_of(const struct assembly_listing *listing, size_t from)
{
    const struct assembly_line *line = listing->line;
    size_t at = from;
    if (line[from].target < 0 || (uint64_t)line[from].target > line[from].address)
        return SIZE_MAX;
    while (at > 0 && line[at - 1].function == line[from].function && line[at].address > (uint64_t)line[from].target)
        at--;
    return line[at].address == (uint64_t)line[from].target ? at : SIZE_MAX;
}

static bool find(const struct assembly_listing *listing, const char *owner, struct assembly_loop *loop)
{
    uint64_t most = 0;
    size_t inner = SIZE_MAX; /* the latest head of a loop that has ended */
    for (size_t i = 0; i < listing->count; i++) {
        const size_t head = head_of(listing, i);
        if (head == SIZE_MAX)
            continue;
        struct assembly_loop found = {.first = head, .last = i};
        uint64_t work = 0;
        for (size_t k = head; k <= i; k++) {
            work += listing->line[k].work;
            found.multiplications += listing->line[k].work > 0;
        }
        /* A loop that only waits does not count. A loop is innermost if none before begins at its head or behind it. */
        const bool innermost = inner == SIZE_MAX || inner < head;
        if (work > 0 && (inner == SIZE_MAX || head > inner))
            inner = head;
        if (!innermost || !strstr(listing->line[i].function, owner))
            continue;
        if (work > most) {
            most = work;
            *loop = found;
        }
    }
    return most > 0;
}

bool assembly_listing_loop(const struct assembly_listing *listing, const char *owner, struct assembly_loop *loop)
{
    return find(listing, owner, loop) || find(listing, "", loop);
}
