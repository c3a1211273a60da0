/* YAML files through libfyaml's events, which know the position of everything.
 * SPDX-License-Identifier: MIT */
#include "yaml_parts.h"

#include "memory.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t data[];
};

static void *take(struct yaml *yaml, size_t size)
{
    const size_t unit = sizeof(max_align_t), need = (size + unit - 1) / unit * unit;
    if (!yaml->chunk || yaml->chunk->size - yaml->chunk->used < need) {
        const size_t room = need > 65536 ? need : 65536;
        struct chunk *chunk = memory_grow(NULL, 1, sizeof *chunk + room);
        *chunk = (struct chunk){.next = yaml->chunk, .size = room};
        yaml->chunk = chunk;
    }
    void *memory = (char *)yaml->chunk->data + yaml->chunk->used;
    yaml->chunk->used += need;
    return memset(memory, 0, need);
}

static bool read_file(struct yaml *yaml)
{
    FILE *file = fopen(yaml->path, "rb");
    if (!file) {
        yaml_fault_at(yaml, 0, 0, "%s", strerror(errno));
        return false;
    }
    /* Most files are a page of text. */
    for (size_t room = 1 << 14, got = 1; got > 0 && yaml->length <= YAML_SIZE_MAX; room *= 2) {
        yaml->text = memory_grow(yaml->text, room, 1);
        got = fread(yaml->text + yaml->length, 1, room - yaml->length, file);
        yaml->length += got;
    }
    if (ferror(file))
        yaml_fault_at(yaml, 0, 0, "%s", strerror(errno));
    fclose(file);
    if (yaml->length > YAML_SIZE_MAX)
        yaml_fault_at(yaml, 0, 0, "the file is larger than 1 MiB; an experiment file is a page of text");
    return !yaml->faults;
}

/* Notes the characters that the parser would accept in silence, or would stop at without a message. */
static void check_characters(struct yaml *yaml)
{
    int line = 1, column = 1;
    bool indenting = true, reported = false;
    for (size_t i = 0; i < yaml->length;) {
        const char *at = yaml->text + i;
        const size_t left = yaml->length - i, length = yaml_sequence_length(at, left),
                     ends = yaml_break_length(at, left);
        if (ends) {
            line++;
            column = 1;
            indenting = true;
            reported = false;
            i += ends;
            continue;
        }
        if (!length)
            yaml_fault_at(yaml, line, column, "byte 0x%02x is not UTF-8", (unsigned char)*at);
        else if ((*at >= 0 && *at < 0x20 && *at != '\t') || *at == 0x7F)
            yaml_fault_at(yaml, line, column, "control character 0x%02x is not allowed", (unsigned char)*at);
        else if (*at == '\t' && indenting && !reported)
            yaml_fault_at(yaml, line, column, "a tab cannot indent; use spaces");
        reported |= *at == '\t';
        indenting &= *at == ' ' || *at == '\t';
        i += length ? length : 1;
        column++;
    }
}

/* ---- events to tree */

struct builder {
    struct yaml *yaml;
    struct fy_parser *parser;
    struct yaml_node *open[YAML_DEPTH_MAX]; /* the lists and maps around the next node */
    const struct yaml_node **tail[YAML_DEPTH_MAX + 1];
    struct yaml_node *last; /* the node before; an empty value is reported at its place */
    size_t members[YAML_DEPTH_MAX + 1];
    bool in_brackets[YAML_DEPTH_MAX]; /* of `open` */
    int depth, documents;
};

static void mark(int *line, int *column, const struct fy_mark *mark)
{
    *line = mark ? mark->line + 1 : 1;
    *column = mark ? mark->column + 1 : 1;
}

static void refuse(struct builder *builder, struct fy_token *token, const char *what)
{
    int line, column;
    if (!token)
        return;
    mark(&line, &column, fy_token_start_mark(token));
    if (column > 1) /* the mark is behind the sign & or * */
        column--;
    yaml_fault_at(builder->yaml, line, column, "%s are not allowed", what);
}

static struct yaml_node *add_node(struct builder *builder, struct fy_event *event, enum yaml_kind kind)
{
    struct yaml_node *node = take(builder->yaml, sizeof *node);
    const struct fy_mark *start = fy_event_start_mark(event);
    node->kind = kind;
    if (start) {
        mark(&node->line, &node->column, start);
    } else {
        node->line = builder->last ? builder->last->line : 1;
        node->column = builder->last ? builder->last->column : 1;
    }
    refuse(builder, fy_event_get_anchor_token(event), "anchors");
    struct fy_token *tag = fy_event_get_tag_token(event);
    if (tag) {
        int line, column;
        mark(&line, &column, fy_token_start_mark(tag));
        yaml_fault_at(builder->yaml, line, column, "tags are not allowed");
    }
    const int depth = builder->depth;
    const bool is_key = depth > 0 && builder->open[depth - 1]->kind == YAML_MAP && builder->members[depth] % 2 == 0;
    if (is_key && kind != YAML_SCALAR)
        yaml_fault_at(builder->yaml, node->line, node->column, "a key must be a word");
    *builder->tail[depth] = node;
    builder->tail[depth] = &node->next;
    builder->members[depth]++;
    builder->last = node;
    return node;
}

static void add_scalar(struct builder *builder, struct fy_event *event)
{
    const struct yaml_node *before = builder->last;
    struct yaml_node *node = add_node(builder, event, YAML_SCALAR);
    struct fy_token *token = fy_event_get_token(event);
    size_t length = 0;
    const char *text = token ? fy_token_get_text(token, &length) : NULL;
    char *copy = take(builder->yaml, length + 1);
    if (text)
        memcpy(copy, text, length);
    node->text = copy;
    const enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
    node->quoted = style != FYSS_PLAIN && style != FYSS_ANY;
    if (!node->quoted && length == 0 && before) { /* the releases of libfyaml place it differently */
        node->line = before->line;
        node->column = before->column;
    }
    if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && node->column > 1)
        node->column--; /* libfyaml's mark is behind the quote */
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)copy[i] < 0x20 || copy[i] == 0x7F) {
            yaml_fault_at(builder->yaml, node->line, node->column,
                          "the text holds a line break or a control character");
            break;
        }
}

/* Adds an event to the tree. False: the rest of the file is not read. */
static bool add_event(struct builder *builder, struct fy_event *event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (builder->documents++) {
            int line, column;
            mark(&line, &column, fy_event_start_mark(event));
            yaml_fault_at(builder->yaml, line, column, "the file holds a second document; an experiment file has one");
            return false;
        }
        return true;
    case FYET_ALIAS: {
        struct yaml_node *node = add_node(builder, event, YAML_SCALAR);
        node->text = "";
        refuse(builder, fy_event_get_token(event), "aliases (a text that begins with '*' stands in quotes)");
        return true;
    }
    case FYET_SCALAR:
        add_scalar(builder, event);
        return true;
    case FYET_SEQUENCE_START:
    case FYET_MAPPING_START: {
        struct yaml_node *node = add_node(builder, event, event->type == FYET_SEQUENCE_START ? YAML_LIST : YAML_MAP);
        if (builder->depth == YAML_DEPTH_MAX) {
            yaml_fault_at(builder->yaml, node->line, node->column, "the file is nested deeper than %d levels",
                          YAML_DEPTH_MAX);
            return false;
        }
        builder->in_brackets[builder->depth] = fy_event_get_node_style(event) == FYNS_FLOW;
        builder->open[builder->depth++] = node;
        builder->tail[builder->depth] = &node->child;
        builder->members[builder->depth] = 0;
        return true;
    }
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        builder->last = builder->open[--builder->depth];
        return true;
    default:
        return true;
    }
}

static void swallow(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    (void)diag;
    (void)user;
    (void)text;
    (void)length;
}

/* What a message of the parser most probably means for the writer of the file; "": the message says it. */
static const char *syntax_hint(const char *message)
{
    static const char *const hints[][2] = {
        {"invalid alias", "a text that begins with '*' stands in quotes: '*'"},
        {"missing comma in flow", "a ']' or '}' may be missing before"},
        {"wrongly indented flow sequence", "a ']' may be missing before"},
        {"wrongly indented flow mapping", "a '}' may be missing before"},
        {"wrongly indented double-quoted scalar", "a closing '\"' may be missing"},
        {"wrongly indented single-quoted scalar", "a closing ' may be missing"},
        {"invalid nested block mapping", "a text with ': ' in it stands in quotes"},
        {"invalid multiline plain key", "a blank belongs behind the ':' of a key"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
        if (!strncmp(message, hints[i][0], strlen(hints[i][0])))
            return hints[i][1];
    return "";
}

/* Tells where the bracket opens that a fault of brackets ("flow ...") is about. */
static void tell_open(const struct builder *builder, const char *message, char *text, size_t size)
{
    const int at = builder->depth - 1;
    text[0] = '\0';
    if (at >= 0 && builder->in_brackets[at] && strstr(message, "flow "))
        snprintf(text, size, "; the '%c' of line %d is not closed", builder->open[at]->kind == YAML_LIST ? '[' : '{',
                 builder->open[at]->line);
}

static void note_syntax(const struct builder *builder, struct fy_diag *diag)
{
    struct yaml *yaml = builder->yaml;
    char open[64];
    void *iterator = NULL;
    const struct fy_diag_error *error;
    const size_t before = yaml->faults;
    while ((error = fy_diag_errors_iterate(diag, &iterator)))
        if (error->type == FYET_ERROR) {
            const char *hint = syntax_hint(error->msg);
            tell_open(builder, error->msg, open, sizeof open);
            yaml_fault_at(yaml, error->line > 0 ? error->line : 1, error->column > 0 ? error->column : 1, "%s%s%s%s",
                          error->msg, *hint ? "; " : "", hint, open);
        }
    if (yaml->faults == before)
        yaml_fault_at(yaml, 1, 1, "the file is not YAML");
}

static void parse(struct yaml *yaml)
{
    struct fy_diag_cfg settings;
    fy_diag_cfg_default(&settings);
    settings.fp = NULL;
    settings.output_fn = swallow;
    struct fy_diag *diag = fy_diag_create(&settings);
    if (diag)
        fy_diag_set_collect_errors(diag, true);
    struct fy_parser *parser =
        fy_parser_create(&(struct fy_parse_cfg){.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG, .diag = diag});
    if (!diag || !parser || fy_parser_set_string(parser, yaml->text, yaml->length)) {
        yaml_fault_at(yaml, 0, 0, "out of memory");
    } else {
        struct builder builder = {.yaml = yaml, .parser = parser};
        builder.tail[0] = &yaml->root;
        bool more = true;
        struct fy_event *event;
        while (more && (event = fy_parser_parse(parser))) {
            more = add_event(&builder, event);
            fy_parser_event_free(parser, event);
        }
        if (fy_parser_get_stream_error(parser))
            note_syntax(&builder, diag);
        else if (!builder.documents)
            yaml_fault_at(yaml, 1, 1, "the file is empty");
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
}

static void check_and_parse(struct yaml *yaml)
{
    check_characters(yaml);
    if (!yaml->faults)
        parse(yaml);
}

struct yaml *yaml_read(const char *path)
{
    struct yaml *yaml = memory_grow(NULL, 1, sizeof *yaml);
    *yaml = (struct yaml){.path = memory_copy(path)};
    if (read_file(yaml))
        check_and_parse(yaml);
    if (yaml->faults)
        yaml->root = NULL;
    return yaml;
}

struct yaml *yaml_read_text(const char *name, const char *text)
{
    struct yaml *yaml = memory_grow(NULL, 1, sizeof *yaml);
    *yaml = (struct yaml){.path = memory_copy(name), .text = memory_copy(text), .length = strlen(text)};
    check_and_parse(yaml);
    if (yaml->faults)
        yaml->root = NULL;
    return yaml;
}

const struct yaml_node *yaml_root(const struct yaml *yaml)
{
    return yaml->root;
}

const char *yaml_path(const struct yaml *yaml)
{
    return yaml->path;
}

void yaml_free(struct yaml *yaml)
{
    if (!yaml)
        return;
    yaml_free_faults(yaml);
    while (yaml->chunk) {
        struct chunk *next = yaml->chunk->next;
        free(yaml->chunk);
        yaml->chunk = next;
    }
    free(yaml->text);
    free(yaml->path);
    free(yaml);
}
