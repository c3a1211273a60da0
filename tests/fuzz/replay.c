/* Runs a fuzz target over files and folders of files, without libFuzzer.
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int replayed;

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rbe");
    FUZZ_NEED(file);
    FUZZ_NEED(fseek(file, 0, SEEK_END) == 0);
    const long size = ftell(file);
    rewind(file);
    /* No byte more than the input has, so that the sanitizer sees a read behind it. */
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    FUZZ_NEED(data && fread(data, 1, (size_t)size, file) == (size_t)size);
    fclose(file);
    fprintf(stderr, "%s\n", path); /* the last one that a crash names */
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    replayed++;
}

static void replay(const char *path)
{
    struct stat status;
    FUZZ_NEED(stat(path, &status) == 0);
    if (!S_ISDIR(status.st_mode)) {
        replay_file(path);
        return;
    }
    struct dirent **entry;
    const int count = scandir(path, &entry, NULL, alphasort);
    FUZZ_NEED(count >= 0);
    for (int i = 0; i < count; i++) {
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.')
            replay(inner);
        free(entry[i]);
    }
    free(entry);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%d inputs replayed\n", replayed);
    return replayed == 0;
}
