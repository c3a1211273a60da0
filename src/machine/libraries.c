/* The BLAS libraries of this machine: their names and their files.
 * SPDX-License-Identifier: MIT */
#include "libraries.h"

#include "packages.h"
#include "base/folder.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/regular.h"
#include "base/text.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KNOWN_MAX = 16, FILES_MAX = 9, LOAD_LIMIT_S = 60 };

/* The known libraries, with their files in order of preference. A file with a '/' is a pattern of full paths, which may
 * start with '~' for this program's folder or with '$' for MKLROOT. A file without a '/' is a name for the loader. */
static const struct known {
    const char *name;
    const char *file[FILES_MAX];
    const char *install;
    int style;
} known[] = {
    {"openblas",
     {"/usr/lib/*/openblas-openmp/libopenblas.so.0", "/usr/lib64/libopenblaso.so.0",
      "/usr/lib/*/openblas-pthread/libopenblas.so.0", "/usr/lib64/libopenblasp.so.0", "libopenblas.so.0",
      "libopenblas.so"},
     PACKAGE_INSTALL PACKAGE_libopenblas,
     .style = 1},
    {"blis",
     {"/usr/lib/*/blis-openmp/libblis.so.4", "/usr/lib/*/blis-pthread/libblis.so.4", "libblis.so.4", "libblis.so"},
     PACKAGE_INSTALL PACKAGE_libblis,
     .style = 2},
    {"mkl",
     {"$/lib/libmkl_rt.so.[0-9]", "$/lib/intel64/libmkl_rt.so.[0-9]", "~/mkl/lib/libmkl_rt.so.[0-9]",
      "~/mkl/local/lib/libmkl_rt.so.[0-9]", "/opt/intel/oneapi/mkl/latest/lib/libmkl_rt.so.[0-9]",
      "/opt/intel/oneapi/mkl/latest/lib/intel64/libmkl_rt.so.[0-9]", "libmkl_rt.so.3", "libmkl_rt.so.2",
      "libmkl_rt.so"},
     "make setup-mkl (pip install --no-deps --prefix build/mkl mkl)",
     .style = 3},
    /* A newer OpenBLAS, beside that of the distribution. */
    {"openblas-pypi", {"~/peers/libscipy_openblas.so"}, "make setup-peers", .style = 4},
};

/* A library: one that is known, or one that TILELAB_BLAS names. */
struct place {
    char name[24];
    const struct known *known; /* NULL: only TILELAB_BLAS names it */
    const char *given;         /* its path in TILELAB_BLAS, or NULL */
};
static struct place place[KNOWN_MAX];
static size_t places;
static char setting_fault[240];
static char *setting_items; /* copy of TILELAB_BLAS, which the given paths point into */

/* ---- Names ---- */

static struct place *find_place(const char *name)
{
    for (size_t i = 0; i < places; i++) {
        if (strcmp(place[i].name, name) == 0)
            return &place[i];
    }
    return NULL;
}

static void add_setting(char *item)
{
    char *equals = strchr(item, '=');
    if (equals != NULL)
        *equals = '\0';
    const size_t length = strlen(item);
    if (equals == NULL || equals[1] != '/' || length == 0 || length >= sizeof place->name ||
        strspn(item, "abcdefghijklmnopqrstuvwxyz0123456789-") != length) {
        text_refuse(setting_fault, sizeof setting_fault,
                    "TILELAB_BLAS: \"%.80s\" is not name=/path/of/library.so (name: a-z, 0-9 and -, at most %zu)", item,
                    sizeof place->name - 1);
        return;
    }
    struct place *at = find_place(item);
    if (at == NULL && places == KNOWN_MAX) {
        text_refuse(setting_fault, sizeof setting_fault, "TILELAB_BLAS: more than %d libraries", KNOWN_MAX);
        return;
    }
    if (at == NULL) {
        at = &place[places++];
        snprintf(at->name, sizeof at->name, "%s", item);
    }
    at->given = equals + 1;
}

static void read_places(void)
{
    const char *setting = getenv("TILELAB_BLAS");
    if (places > 0)
        return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        place[places].known = &known[i];
        snprintf(place[places++].name, sizeof place->name, "%s", known[i].name);
    }
    setting_items = setting == NULL ? NULL : strdup(setting);
    for (char *rest = setting_items, *item; (item = strsep(&rest, ":")) != NULL;) {
        if (*item != '\0')
            add_setting(item);
    }
}

int libraries_style(const char *name)
{
    enum { STYLE_OTHER = 4 };
    read_places();
    const struct place *at = find_place(name);
    return at != NULL && at->known != NULL ? at->known->style : STYLE_OTHER;
}

size_t libraries_names(const char **names, size_t most)
{
    read_places();
    const size_t count = places < most ? places : most;
    for (size_t i = 0; i < count; i++)
        names[i] = place[i].name;
    return count;
}

bool libraries_setting_valid(char *why, size_t why_size)
{
    read_places();
    return setting_fault[0] == '\0' || text_refuse(why, why_size, "%s", setting_fault);
}

/* ---- Places ---- */

/* Finds the last file, in the order of names, that matches a pattern of full paths. */
static bool match_path(const char *pattern, char *path, size_t size)
{
    char folder[512] = "", full[1024];
    if (*pattern == '$') {
        const char *mkl = getenv("MKLROOT");
        if (mkl == NULL || snprintf(folder, sizeof folder, "%s", mkl) >= (int)sizeof folder)
            return false;
    } else if (*pattern == '~' && !folder_of_program(folder, sizeof folder)) {
        return false;
    }
    snprintf(full, sizeof full, "%s%s", folder, pattern + (*pattern != '/'));
    return folder_match(full, path, size) && access(path, R_OK) == 0;
}

/* Runs in a child process: prints the path of the file that the loader finds. */
static int print_loaded(const void *name)
{
    struct link_map *map;
    const int output = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* a library may print when it is loaded */
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
        return 1;
    return dprintf(output, "%s", map->l_name) > 0 ? 0 : 1;
}

/* Asks the loader where it finds a name. A child process loads the library, since this process must not load it. */
static bool ask_loader(const char *name, char *path, size_t size)
{
    struct process child;
    return process_start(&child, PROCESS_OUTPUT, print_loaded, name) == 0 &&
           process_collect(&child, path, size, LOAD_LIMIT_S) && path[0] == '/';
}

static bool locate(const struct place *at, char *path, size_t path_size, char *why, size_t why_size)
{
    if (at->given != NULL) {
        FILE *file = regular_open(at->given); /* the loader would wait for ever for a pipe that nobody writes to */
        const char *fault = file ? NULL : regular_why(errno);
        if (file)
            fclose(file);
        if (!fault && snprintf(path, path_size, "%s", at->given) >= (int)path_size)
            fault = strerror(ENAMETOOLONG);
        return !fault || text_refuse(why, why_size, "TILELAB_BLAS names %.200s for %s: %s", at->given, at->name, fault);
    }
    for (int i = 0; i < FILES_MAX && at->known->file[i] != NULL; i++) {
        const char *file = at->known->file[i];
        if (strchr(file, '/') != NULL ? match_path(file, path, path_size) : ask_loader(file, path, path_size))
            return true;
    }
    return text_refuse(why, why_size, "no %s on this machine; install it: %s", at->name, at->known->install);
}

bool libraries_find(const char *name, char *path, size_t path_size, char *why, size_t why_size)
{
    static struct answer {
        enum { NOT_ASKED, ABSENT, PRESENT } state;
        char path[512], why[400];
    } answers[KNOWN_MAX];
    read_places();
    const struct place *at = find_place(name);
    if (at == NULL)
        return text_refuse(why, why_size,
                           "no BLAS library is called \"%s\"; TILELAB_BLAS=\"%s=/path/lib.so\" names one", name, name);
    struct answer *answer = &answers[at - place];
    if (answer->state == NOT_ASKED)
        answer->state =
            locate(at, answer->path, sizeof answer->path, answer->why, sizeof answer->why) ? PRESENT : ABSENT;
    if (answer->state == ABSENT)
        return text_refuse(why, why_size, "%s", answer->why);
    snprintf(path, path_size, "%s", answer->path);
    return true;
}

bool libraries_hash(const char *name, char hash[HASH_SHORT_SIZE])
{
    static char hashes[KNOWN_MAX][HASH_SHORT_SIZE];
    char path[512], why[400];
    hash[0] = '\0';
    if (!libraries_find(name, path, sizeof path, why, sizeof why))
        return false;
    char *kept = hashes[find_place(name) - place];
    if (kept[0] == '\0' && !hash_file(path, kept, HASH_SHORT))
        return false;
    memcpy(hash, kept, HASH_SHORT_SIZE);
    return true;
}
