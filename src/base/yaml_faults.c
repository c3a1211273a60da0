/* Faults of a YAML file, and how they are printed.
 * SPDX-License-Identifier: MIT */
#include "escape.h"
#include "memory.h"
#include "suggest.h"
#include "yaml_parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Returns the fault, or NULL if it is known or dropped. */
static struct fault *add_fault(struct yaml *yaml, int line, int column, const char *suggestion, const char *format,
                               va_list args)
{
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    for (size_t i = 0; i < yaml->faults; i++)
        if (yaml->fault[i].line == line && yaml->fault[i].column == column && !strcmp(yaml->fault[i].text, text))
            return NULL;
    if (yaml->faults == YAML_FAULTS_MAX) {
        yaml->dropped = true;
        return NULL;
    }
    yaml->fault = memory_grow(yaml->fault, yaml->faults + 1, sizeof *yaml->fault);
    struct fault *const fault = &yaml->fault[yaml->faults++];
    *fault = (struct fault){line, column, memory_copy(text), suggestion ? memory_copy(suggestion) : NULL, NULL};
    return fault;
}

void yaml_fault_at(struct yaml *yaml, int line, int column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_fault(yaml, line, column, NULL, format, args);
    va_end(args);
}

void yaml_fault(struct yaml *yaml, const struct yaml_node *at, const char *suggestion, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_fault(yaml, at ? at->line : 0, at ? at->column : 0, suggestion, format, args);
    va_end(args);
}

void yaml_fault_word(struct yaml *yaml, const struct yaml_node *at, const char *word, const char *const *names,
                     size_t count, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct fault *fault = add_fault(yaml, at->line, at->column, suggest_name(word, names, count), format, args);
    va_end(args);
    for (size_t i = 0; fault && i < count; i++)
        memory_append(&fault->names, "%s%s", i ? ", " : "", names[i]);
}

size_t yaml_faults(const struct yaml *yaml)
{
    return yaml->faults;
}

static int by_position(const void *a, const void *b)
{
    const struct fault *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

size_t yaml_sequence_length(const char *text, size_t left)
{
    const unsigned char *byte = (const unsigned char *)text;
    const size_t length = byte[0] < 0x80   ? 1
                          : byte[0] < 0xC2 ? 0
                          : byte[0] < 0xE0 ? 2
                          : byte[0] < 0xF0 ? 3
                          : byte[0] < 0xF5 ? 4
                                           : 0;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((byte[i] & 0xC0) != 0x80)
            return 0;
    const bool overlong = (byte[0] == 0xE0 && byte[1] < 0xA0) || (byte[0] == 0xF0 && byte[1] < 0x90);
    const bool beyond = (byte[0] == 0xED && byte[1] > 0x9F) || (byte[0] == 0xF4 && byte[1] > 0x8F);
    return overlong || beyond ? 0 : length;
}

size_t yaml_break_length(const char *text, size_t left)
{
    return *text == '\n' ? 1 : *text == '\r' ? 1 + (left > 1 && text[1] == '\n') : 0;
}

/* Where a line of the text begins. */
struct line_start {
    int line;
    const char *at;
};

/* Prints the part of the line around the fault, and a caret below the faulty column. *start is that of the fault
 * before, and becomes that of this one. */
static void print_line(const struct yaml *yaml, const struct fault *fault, struct line_start *start, FILE *out)
{
    enum { WIDTH = 120, BEFORE = 60 };
    const char *end = yaml->text + yaml->length;
    while (start->line < fault->line && start->at < end) {
        const size_t length = yaml_break_length(start->at, (size_t)(end - start->at));
        start->line += length > 0;
        start->at += length ? length : 1;
    }
    const char *at = start->at;
    const int first = fault->column > WIDTH - 20 ? fault->column - BEFORE : 1;
    char shown[4 * WIDTH + 1];
    size_t used = 0;
    for (int column = 1; column < first + WIDTH && at < end && !yaml_break_length(at, 1); column++) {
        const size_t length = yaml_sequence_length(at, (size_t)(end - at));
        const bool blank = !length || (unsigned char)*at < 0x20 || *at == 0x7F; /* tabs too: the caret must fit */
        if (column >= first) {
            memcpy(shown + used, blank ? " " : at, blank ? 1 : length);
            used += blank ? 1 : length;
        }
        at += length ? length : 1;
    }
    shown[used] = '\0';
    escape_put(out, escape_terminal, shown);
    fprintf(out, "\n%*s^\n", fault->column - first, "");
}

static void print_text(FILE *out, const char *text)
{
    escape_put(out, escape_terminal, text);
    putc('\n', out);
}

void yaml_report(const struct yaml *yaml, FILE *out)
{
    if (yaml->faults)
        qsort(yaml->fault, yaml->faults, sizeof *yaml->fault, by_position);
    struct line_start start = {1, yaml->text};
    for (size_t i = 0; i < yaml->faults; i++) {
        const struct fault *fault = &yaml->fault[i];
        if (fault->line) {
            fprintf(out, "%s:%d:%d: error: ", yaml->path, fault->line, fault->column);
            print_text(out, fault->text);
            print_line(yaml, fault, &start, out);
        } else {
            fprintf(out, "%s: error: ", yaml->path);
            print_text(out, fault->text);
        }
        if (fault->suggestion)
            fprintf(out, "  did you mean '%s'?\n", fault->suggestion);
        if (fault->names)
            fprintf(out, "  it can be: %s\n", fault->names);
    }
    if (yaml->dropped)
        fprintf(out, "%s: error: the file has more than %d faults; the rest is not shown\n", yaml->path,
                YAML_FAULTS_MAX);
}

void yaml_free_faults(struct yaml *yaml)
{
    for (size_t i = 0; i < yaml->faults; i++) {
        free(yaml->fault[i].text);
        free(yaml->fault[i].suggestion);
        free(yaml->fault[i].names);
    }
    free(yaml->fault);
}
