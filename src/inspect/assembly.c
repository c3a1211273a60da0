/* `tilelab show --assembly`: the machine code of a variant.
 * SPDX-License-Identifier: MIT */
#include "assembly.h"

#include "assembly_parts.h"
#include "packages.h"
#include "base/escape.h"
#include "base/exit.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "base/tool.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How the code of each backend's variants is found. A backend without a line here says that it shows no code. */
static assembly_finder *const finders[BACKENDS] = {
    [BACKEND_CPU] = assembly_find_cpu,
    [BACKEND_CUDA] = assembly_find_cuda,
    [BACKEND_OPENCL] = assembly_find_opencl,
};

bool assembly_objdump(const char *object, const char *const range[2], struct assembly_code *code, char *why,
                      size_t size)
{
    char objdump[PATH_MAX];
    if (!tool_find("objdump", false, objdump, sizeof objdump)) {
        snprintf(why, size, "objdump is missing; install it with: " PACKAGE_INSTALL PACKAGE_ld);
        return false;
    }
    const char *const arguments[] = {objdump, "-d", "-l", "--no-show-raw-insn", "-w", object, range[0], range[1], NULL};
    code->text = tool_run(arguments);
    if (!code->text)
        snprintf(why, size, "%s cannot read %s", objdump, object);
    return code->text != NULL;
}

bool assembly_folder(char *path, size_t path_size, char *why, size_t size)
{
    if (folder_temporary("tilelab-code", path, path_size))
        return true;
    snprintf(why, size, "no folder can be made for the compiler's files: %.200s: %s; TMPDIR names another place", path,
             strerror(errno));
    return false;
}

/* The lines of one source file. */
struct source {
    char *path, *text;
    char **line;
    size_t lines;
};

static void read_source(struct source *source, const char *path)
{
    source->path = memory_copy(path);
    source->text = file_read(path, NULL);
    for (char *at = source->text; at && *at;) {
        source->line = memory_grow(source->line, source->lines + 1, sizeof *source->line);
        source->line[source->lines++] = at;
        at = strchr(at, '\n');
        if (at)
            *at++ = '\0';
    }
}

/* The text of a line of a source file; empty where the file is not here. Files stay in memory until the end. */
static const char *source_line(const char *path, int number)
{
    static struct source *sources;
    static size_t count;
    size_t i = 0;
    while (i < count && strcmp(sources[i].path, path) != 0)
        i++;
    if (i == count) {
        sources = memory_grow(sources, count + 1, sizeof *sources);
        sources[count] = (struct source){.path = NULL};
        read_source(&sources[count++], path);
    }
    return number > 0 && (size_t)number <= sources[i].lines ? sources[i].line[number - 1] : "";
}

/* A kernel's name with its arguments, "matmul_shared<f32, 32>", from a mangled C++ name. Other names stay. */
static void print_name(const char *mangled)
{
    const char *at = mangled + (strncmp(mangled, "_Z", 2) == 0 ? 2 : 0);
    at += *at == 'L';
    char *name;
    const unsigned long length = strtoul(at, &name, 10);
    if (at == mangled || name == at || strlen(name) < length) {
        escape_put(stdout, escape_terminal, mangled);
        return;
    }
    printf("%.*s", (int)length, name);
    at = name + length;
    if (*at++ != 'I')
        return;
    const char *separator = "<";
    for (; *at && *at != 'E'; separator = ", ") {
        if (*at == 'f' || *at == 'd' || *at == 'j') {
            printf("%s%s", separator, *at == 'f' ? "f32" : *at == 'd' ? "f64" : "i32");
            at++;
        } else if (*at == 'L' && isalpha((unsigned char)at[1])) {
            const size_t digits = strspn(at + 2, "0123456789");
            printf("%s%.*s", separator, (int)digits, at + 2);
            at += 2 + digits + (at[2 + digits] == 'E');
        } else {
            printf("%s...", separator);
            break;
        }
    }
    fputs(*separator == ',' ? ">" : "", stdout);
}

/* Prints instructions, each behind the source line that gave it. */
static void print_lines(const struct assembly_listing *listing, size_t first, size_t last, bool names)
{
    const struct assembly_line *before = NULL;
    for (size_t i = first; i <= last && i < listing->count; i++) {
        const struct assembly_line *line = &listing->line[i];
        if (names && (!before || before->function != line->function)) {
            fputs("\nfunction ", stdout);
            print_name(line->function);
            putchar('\n');
        }
        if (line->file && (!before || before->source_line != line->source_line || before->file != line->file)) {
            const char *text = source_line(line->file, line->source_line);
            escape_put(stdout, escape_terminal, line->file);
            printf(":%d%s", line->source_line, *text ? "  " : "");
            escape_put(stdout, escape_terminal, text + strspn(text, " \t"));
            putchar('\n');
        }
        printf("  %8llx%c ", (unsigned long long)line->address, line->work > 0 ? '*' : ' ');
        escape_put(stdout, escape_terminal, line->text);
        putchar('\n');
        before = line;
    }
}

static void print_code(const struct entry *entry, const struct assembly_request *request,
                       const struct assembly_code *code)
{
    const struct assembly_listing *listing = &code->listing;
    struct assembly_loop loop;
    char owner[64];
    printf("%s: %s\n", entry->name, code->what);
    /* A problem's kernels have its name. Kernels that several problems share do not. */
    snprintf(owner, sizeof owner, "%s_", registry_kind(entry) == KIND_GPU ? entry->problem->name : "");
    if (assembly_listing_loop(listing, registry_kind(entry) == KIND_GPU ? owner : "", &loop)) {
        printf("The innermost loop that multiplies most has %zu instructions; %zu of them (*) multiply. Its function "
               "is ",
               loop.last - loop.first + 1, loop.multiplications);
        print_name(listing->line[loop.first].function);
        putchar('\n');
        print_lines(listing, loop.first, loop.last, false);
    } else {
        puts("No loop multiplies elements.");
        if (!request->all)
            puts("With --all the whole code is shown.");
    }
    if (request->all) {
        printf("\nThe whole code has %zu instructions.\n", listing->count);
        print_lines(listing, 0, listing->count - 1, true);
    }
}

static const struct entry *find_variant(const char *name)
{
    size_t count, shown = 0;
    const struct entry *found = registry_find(name), *entries = registry(&count);
    if (found)
        return found;
    const char **names = memory_allocate(count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        if (!entries[i].problem->hidden)
            names[shown++] = entries[i].name;
    const char *near = suggest_name(name, names, shown);
    escape_tell("tilelab show: there is no variant '%s'%s; `tilelab list` lists the variants", name,
                suggest_words(near));
    free(names);
    return NULL;
}

/* The precision asked for, else the first one that the variant has. False after a message. */
static bool choose_precision(const struct entry *entry, struct assembly_request *request)
{
    const unsigned has = entry->meta->precisions;
    if (request->cell.precision == 0)
        while (!(has & BIT(++request->cell.precision)))
            continue;
    if (has & BIT(request->cell.precision))
        return true;
    char precisions[32];
    cell_precisions_print(has, precisions, sizeof precisions);
    fprintf(stderr, "tilelab show: %s has no precision %s, only %s\n", entry->name,
            cell_precision_names[request->cell.precision], precisions);
    return false;
}

int assembly_show(struct assembly_request *request)
{
    const struct entry *entry = find_variant(request->variant);
    if (!entry || !choose_precision(entry, request))
        return EXIT_USAGE;
    if (entry->meta->vendor) {
        fprintf(stderr, "tilelab show: %s leaves the work to %s, whose code is in the library\n", entry->name,
                *registry_library(entry) ? registry_library(entry) : "a library");
        return EXIT_USAGE;
    }
    if (!finders[entry->backend]) {
        fprintf(stderr, "tilelab show: the code of the backend %s is not shown yet\n",
                registry_backends[entry->backend].name);
        return EXIT_USAGE;
    }
    struct assembly_code code = {.text = NULL};
    char why[512];
    const bool found = finders[entry->backend](entry, request, &code, why, sizeof why);
    if (found && code.listing.count > 0)
        print_code(entry, request, &code);
    else
        fprintf(stderr, "tilelab show: %s\n", found ? "the tool printed no instructions" : why);
    const bool shown = found && code.listing.count > 0;
    assembly_listing_free(&code.listing);
    free(code.text);
    return shown ? EXIT_OK : EXIT_USAGE;
}
