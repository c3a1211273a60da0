/* How tests read an experiment file that they hold as a text.
 * SPDX-License-Identifier: MIT */
#include "study_fixture.h"
#include "test.h"
#include "base/folder.h"

struct study *read_study(const char *text, size_t size, const char *const settings[], size_t count,
                         enum profile profile, char **said)
{
    char folder[] = "/tmp/tilelab-study-XXXXXX", path[sizeof folder + 16];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/study.yaml", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    size_t length;
    FILE *diagnostics = open_memstream(said, &length);
    struct study *study = study_read(yaml_read(path), profile, settings, count, diagnostics);
    fclose(diagnostics);
    folder_remove(folder);
    return study;
}
