/* `verify --sanitize`: kernels under a sanitizer, which names the line of a fault.
 * SPDX-License-Identifier: MIT */
#include "verify_sanitize.h"

#include "cell.h"
#include "rebuild.h"
#include "backend/object.h"
#include "base/exit.h"
#include "base/folder.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/tool.h"
#include "machine/host.h"
#include "plan/variants.h"
#include "worker/guarded.h"

#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

/* The folder of the builds and reports of a run under a sanitizer, or NVIDIA. compute-sanitizer starts programs without
 * the variables that are empty. */
#define FOLDER "TILELAB_SANITIZED"
#define NVIDIA "compute-sanitizer"
/* The exit code of compute-sanitizer where it has found something; all exit codes of this program are smaller. */
#define FINDING "99"
enum { FINDING_CODE = 99, WORDS_MAX = 64 };

static const struct sanitizer {
    const char *name;
    const char *library; /* of gcc; NULL: compute-sanitizer has it */
    const char *flag;
} sanitizers[] = {{"thread", "libtsan.so", "-fsanitize=thread"},
                  {"address", "libasan.so", "-fsanitize=address"},
                  {"memcheck", NULL, NULL},
                  {"racecheck", NULL, NULL}};

static const struct sanitizer *find(const char *name)
{
    for (size_t i = 0; i < sizeof sanitizers / sizeof *sanitizers; i++)
        if (strcmp(sanitizers[i].name, name) == 0)
            return &sanitizers[i];
    return NULL;
}

bool verify_sanitize_knows(const char *name)
{
    return find(name) != NULL;
}

static bool is_compiled(const struct entry *entry)
{
    return registry_backends[entry->backend].made == MADE_BUILDS;
}

bool verify_sanitize_is_on(void)
{
    return getenv(FOLDER) != NULL;
}

const char *verify_sanitize_skips(const struct entry *entry)
{
    const char *folder = getenv(FOLDER);
    const bool by_nvidia = folder && strcmp(folder, NVIDIA) == 0;
    if (!folder || (by_nvidia ? entry->backend == BACKEND_CUDA : is_compiled(entry)))
        return NULL;
    return by_nvidia ? "compute-sanitizer is for CUDA variants" : "this sanitizer is for own kernels of the CPU";
}

/* ---- The builds of CPU kernels ---- */

/* A build has the best instruction set of this machine for a name, as `verify` asks for that one; but it is compiled
 * for vectors of 16 bytes at most, since ThreadSanitizer does not see longer accesses. */
static struct cell sanitized_cell(const struct entry *entry, int precision)
{
    return (struct cell){.entry = entry, .precision = precision, .opt = OPT_O3, .isa = host_get()->isa_best};
}

/* The file of a build; the caller frees it. */
static char *sanitized_file(const struct cell *cell, const char *folder)
{
    char build[CELL_OBJECT_SIZE];
    cell_object_name(cell, build);
    return memory_print("%s/%s_%s.so", folder, cell->entry->symbol, build);
}

/* Compiles one build of a kernel. False: the compiler has said why. */
static bool compile(const char *gcc, const struct sanitizer *sanitizer, const char *folder, const struct entry *entry,
                    int precision)
{
    const struct cell cell = sanitized_cell(entry, precision);
    const char *const flags[] = {
#if defined(__x86_64__)
        "-march=x86-64-v2",
#endif
        "-g",
        "-O1",
        "-fno-tree-vectorize",
        "-fno-omit-frame-pointer",
        sanitizer->flag,
        NULL
    };
    char *const root = rebuild_root(entry), *const file = sanitized_file(&cell, folder);
    const struct rebuild rebuild = {&cell, root, file, flags};
    const bool made = root && rebuild_compile(gcc, &rebuild);
    free(file);
    free(root);
    return made;
}

/* Compiles what the pattern matches. A file that does not compile is told by the compiler; the others go on. Returns
 * how many builds there are. */
static size_t compile_all(const char *gcc, const struct sanitizer *sanitizer, const char *folder, const char *pattern)
{
    size_t count, made = 0;
    const struct entry *entries = registry(&count);
    for (size_t i = 0; i < count; i++) {
        const unsigned precisions = entries[i].meta->precisions & entries[i].problem->precisions;
        if (!is_compiled(&entries[i]) || !variants_match(pattern, &entries[i]))
            continue;
        for (int precision = F32; precision <= PRECISIONS; precision++)
            made += precisions & BIT(precision) && compile(gcc, sanitizer, folder, &entries[i], precision);
    }
    return made;
}

void verify_sanitize_load(const char *pattern)
{
    const char *folder = getenv(FOLDER);
    size_t count;
    const struct entry *entries = registry(&count);
    if (!folder || strcmp(folder, NVIDIA) == 0)
        return;
    guarded_use_sanitizer();
    for (size_t i = 0; i < count; i++) {
        if (!is_compiled(&entries[i]) || !variants_match(pattern, &entries[i]))
            continue;
        for (int precision = F32; precision <= PRECISIONS; precision++) {
            const struct cell cell = sanitized_cell(&entries[i], precision);
            char build[CELL_OBJECT_SIZE], *const file = sanitized_file(&cell, folder);
            cell_object_name(&cell, build);
            void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
            /* A build that was not made is skipped: the program's own would pass for a clean one. */
            registry_replace(&cell, object ? object_entry(object, &cell, build) : NULL);
            free(file);
        }
    }
}

/* ---- What a sanitizer tells ---- */

/* The first word of a line that ends with the number of a line of a source: "omp_mine.c:17". Cuts the line there. */
static char *find_place(char *line)
{
    char *rest = NULL;
    for (char *word = strtok_r(line, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        const char *colon = strchr(word, ':');
        if (colon && isdigit((unsigned char)colon[1]) && *word != '(')
            return strncmp(word, "./", 2) == 0 ? word + 2 : word;
    }
    return NULL;
}

/* What a line says of an access, as "Write of size 8 by thread T1"; its address says nothing. */
static void read_access(const char *line, char *text, size_t size)
{
    const char *const at = strstr(line, " at 0x"), *rest = at ? at + strlen(" at 0x") : "";
    line += strspn(line, " ");
    rest += strspn(rest, "0123456789abcdef");
    snprintf(text, size, "%.*s%.*s", (int)(at ? (size_t)(at - line) : strcspn(line, ":\n")), line,
             (int)strcspn(rest, ":\n"), rest);
}

/* The summary, "ThreadSanitizer: data race kernels/matmul/omp_mine.c:17 in run". */
static void read_summary(char *line, char *text, size_t size)
{
    static const char poison[] = "use-after-poison"; /* what lies beside an operand is poison: see guarded.h */
    char *const found = strstr(line, poison);
    line[strcspn(line, "\n")] = '\0';
    if (found) {
        *found = '\0';
        snprintf(text, size, "%saccess beside an operand%s", line, found + sizeof poison - 1);
    } else {
        snprintf(text, size, "%s", line);
    }
}

bool verify_sanitize_told(pid_t process, char *text, size_t size, char *more, size_t more_size)
{
    static const char summary[] = "SUMMARY: ", top[] = "#0 ";
    const char *folder = getenv(FOLDER);
    char line[4096], access[128] = "";
    size_t length = 0;
    *text = *more = '\0';
    if (!folder || strcmp(folder, NVIDIA) == 0)
        return false;
    char *path = memory_print("%s/report.%d", folder, (int)process);
    FILE *file = fopen(path, "re");
    free(path);
    while (file && fgets(line, sizeof line, file)) {
        char *const frame = strstr(line, top);
        const bool of_size = strstr(line, " of size ") != NULL;
        if (strncmp(line, summary, sizeof summary - 1) == 0)
            read_summary(line + sizeof summary - 1, text, size);
        else if (of_size)
            read_access(line, access, sizeof access);
        else if (frame && access[0]) {
            const char *place = find_place(frame);
            length += (size_t)snprintf(more + length, more_size - length, "  %s: %s\n", access,
                                       place ? place : "in code without lines");
            access[0] = '\0';
            if (length >= more_size)
                break;
        }
    }
    if (file)
        fclose(file);
    return *text != '\0';
}

/* ---- The run under a sanitizer ---- */

/* The library of a sanitizer; NULL: gcc has none. */
static char *find_library(const char *gcc, const char *name)
{
    char *const option = memory_print("-print-file-name=%s", name);
    const char *const arguments[] = {gcc, option, NULL};
    char *path = tool_run(arguments);
    free(option);
    if (path)
        path[strcspn(path, "\n")] = '\0';
    if (path && *path == '/')
        return path;
    free(path);
    return NULL;
}

/* Sets what the sanitizer's library reads. `openmp`: LLVM's OpenMP with Archer, which tells ThreadSanitizer what OpenMP
 * orders; without it, each barrier would count as a race. */
static void set_environment(const char *folder, const char *library, const char *openmp, const char *archer)
{
    char *const preload = memory_print("%s%s%s", library, openmp ? ":" : "", openmp ? openmp : "");
    char *const options = memory_print("log_path='%s/report':halt_on_error=1:ignore_noninstrumented_modules=1:"
                                       "report_signal_unsafe=0:detect_leaks=0:verify_asan_link_order=0",
                                       folder);
    setenv(FOLDER, folder, 1);
    setenv("LD_PRELOAD", preload, 1);
    setenv("TSAN_OPTIONS", options, 1);
    setenv("ASAN_OPTIONS", options, 1);
    if (archer)
        setenv("OMP_TOOL_LIBRARIES", archer, 1);
    free(preload);
    free(options);
}

/* ThreadSanitizer of gcc 12 cannot have its memory where a kernel with much randomisation puts libraries. */
static int become(const void *context)
{
    const char *const *words = context;
    personality(ADDR_NO_RANDOMIZE);
    return process_become(words[0], words);
}

/* Tells how the program ended if it did not end by itself, with the first lines that the sanitizer has written. */
static int tell_early_end(const char *folder, int code)
{
    char path[PATH_MAX], line[1024];
    if (code <= EXIT_OUTPUT || code == EXIT_INTERRUPTED)
        return code;
    fprintf(stderr, "tilelab: the sanitizer ended the program with exit code %d\n", code);
    char *const pattern = memory_print("%s/report.*", folder);
    FILE *file = folder_match(pattern, path, sizeof path) ? fopen(path, "re") : NULL;
    for (int lines = 0; file && lines < 12 && fgets(line, sizeof line, file); lines++)
        fputs(line, stderr);
    if (file)
        fclose(file);
    free(pattern);
    return EXIT_CELLS;
}

/* Starts this subcommand again, as the arguments of a program before it say; NULL: by itself. Returns its exit code. */
static int start_again(const char *const before[], int argc, char **argv, const char *last)
{
    const char **words = memory_allocate((size_t)argc + WORDS_MAX, sizeof *words);
    char self[PATH_MAX] = "";
    size_t count = 0;
    if (readlink(PROCESS_SELF, self, sizeof self - 1) < 0)
        self[0] = '\0';
    for (; before && before[count]; count++)
        words[count] = before[count];
    words[count++] = self;
    words[count++] = "verify";
    for (int i = 1; i < argc; i++)
        words[count++] = argv[i];
    if (last)
        words[count++] = last;
    struct process child;
    const int failed = process_start(&child, 0, become, words);
    while (!failed && !process_await(&child, 1))
        continue;
    free(words);
    if (failed)
        return EXIT_CELLS;
    return WIFEXITED(child.status) ? WEXITSTATUS(child.status) : 128 + WTERMSIG(child.status);
}

static int run_compiled(const struct sanitizer *sanitizer, const char *pattern, int argc, char **argv)
{
    char gcc[PATH_MAX], archer[PATH_MAX] = "", folder[PATH_MAX];
    const bool races = strcmp(sanitizer->name, "thread") == 0;
    char *library = tool_find("gcc", false, gcc, sizeof gcc) ? find_library(gcc, sanitizer->library) : NULL;
    if (!library) {
        fprintf(stderr, "tilelab: --sanitize %s needs gcc with %s, the packages gcc and libgcc-*-dev\n",
                sanitizer->name, sanitizer->library);
        return EXIT_USAGE;
    }
    if (races && !folder_match("/usr/lib/llvm-*/lib/libarcher.so", archer, sizeof archer)) {
        fputs("tilelab: --sanitize thread needs LLVM's OpenMP with Archer, the package libomp-dev\n", stderr);
        free(library);
        return EXIT_USAGE;
    }
    if (!folder_temporary("tilelab-sanitize", folder, sizeof folder)) {
        perror("tilelab: no folder for the builds");
        free(library);
        return EXIT_CELLS;
    }
    int code = EXIT_USAGE;
    char *openmp = races ? memory_print("%.*s/libomp.so.5", (int)(strrchr(archer, '/') - archer), archer) : NULL;
    if (compile_all(gcc, sanitizer, folder, pattern) > 0) {
        set_environment(folder, library, openmp, races ? archer : NULL);
        code = tell_early_end(folder, start_again(NULL, argc, argv, NULL));
    } else {
        fprintf(stderr, "tilelab: no CPU kernel of '%s' could be compiled for --sanitize %s\n", pattern,
                sanitizer->name);
    }
    folder_remove(folder);
    free(openmp);
    free(library);
    return code;
}

static int run_nvidia(const struct sanitizer *sanitizer, int argc, char **argv)
{
    char path[PATH_MAX];
    if (!tool_find("compute-sanitizer", true, path, sizeof path)) {
        fprintf(stderr, "tilelab: --sanitize %s needs compute-sanitizer, which is part of the CUDA Toolkit\n",
                sanitizer->name);
        return EXIT_USAGE;
    }
    const char *const before[] = {path,  "--tool",           sanitizer->name, "--target-processes",
                                  "all", "--error-exitcode", FINDING,         NULL};
    setenv(FOLDER, NVIDIA, 1);
    const int code = start_again(before, argc, argv, "--timeout=0");
    if (code != FINDING_CODE)
        return code;
    fputs("tilelab: compute-sanitizer has found the faults above\n", stderr);
    return EXIT_CELLS;
}

int verify_sanitize(const char *name, const char *pattern, int argc, char **argv)
{
    const struct sanitizer *sanitizer = find(name);
    return sanitizer->library ? run_compiled(sanitizer, pattern, argc, argv) : run_nvidia(sanitizer, argc, argv);
}
