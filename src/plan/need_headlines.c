/* Which cells a headline uses.
 * SPDX-License-Identifier: MIT */
#include "need_headlines.h"

#include "base/csv.h"
#include "base/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One side of a claim. */
struct side {
    char *studies, *patterns; /* words between blanks */
    bool largest;             /* the claim is only about the largest n */
};

struct need_headlines {
    struct side *side;
    size_t sides;
    bool *named; /* of each entry of the registry: a finding names the variant */
};

static void take_side(struct need_headlines *headlines, const char *studies, const char *patterns, const char *points)
{
    if (!studies || !patterns)
        return;
    headlines->side = memory_grow(headlines->side, headlines->sides + 1, sizeof *headlines->side);
    headlines->side[headlines->sides++] =
        (struct side){memory_copy(studies), memory_copy(patterns), points && strcmp(points, "largest") == 0};
}

static void read_claims(struct need_headlines *headlines, const char *published)
{
    char path[4096];
    struct csv csv;
    snprintf(path, sizeof path, "%s/claims.csv", published);
    if (!csv_open(&csv, path))
        return;
    if (csv_read(&csv) == 1) {
        const int studies = csv_find(&csv, "studies"), subject = csv_find(&csv, "subject");
        const int reference = csv_find(&csv, "reference"), points = csv_find(&csv, "points");
        while (csv_read(&csv) == 1) {
            take_side(headlines, csv_field(&csv, studies), csv_field(&csv, subject), csv_field(&csv, points));
            take_side(headlines, csv_field(&csv, studies), csv_field(&csv, reference), csv_field(&csv, points));
        }
    }
    csv_close(&csv);
}

/* Notes the variants whose names stand in quotes in a query: 'cuda-async' or 'matmul/cuda-async'. */
static void take_query(struct need_headlines *headlines, FILE *file)
{
    size_t count;
    const struct entry *entry = registry(&count);
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, file) >= 0)
        for (size_t i = 0; i < count; i++) {
            char whole[64], idea[64];
            snprintf(whole, sizeof whole, "'%s'", entry[i].name);
            snprintf(idea, sizeof idea, "'%s'", entry[i].idea);
            headlines->named[i] |= strstr(line, whole) || strstr(line, idea);
        }
    free(line);
}

static void read_findings(struct need_headlines *headlines, const char *folder)
{
    DIR *stream = opendir(folder);
    for (const struct dirent *entry; stream && (entry = readdir(stream));) {
        const char *suffix = strrchr(entry->d_name, '.');
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = suffix && strcmp(suffix, ".sql") == 0 ? fopen(path, "re") : NULL;
        if (file) {
            take_query(headlines, file);
            fclose(file);
        }
    }
    if (stream)
        closedir(stream);
}

struct need_headlines *need_headlines_read(const char *published, const char *findings)
{
    size_t count;
    registry(&count);
    struct need_headlines *headlines = memory_allocate(1, sizeof *headlines);
    headlines->named = memory_allocate(count, sizeof *headlines->named);
    read_claims(headlines, published);
    read_findings(headlines, findings);
    return headlines;
}

void need_headlines_free(struct need_headlines *headlines)
{
    for (size_t i = 0; i < headlines->sides; i++) {
        free(headlines->side[i].studies);
        free(headlines->side[i].patterns);
    }
    free(headlines->side);
    free(headlines->named);
    free(headlines);
}

/* Whether a word between blanks is `text`, or, as a pattern, matches the entry. */
static bool has_word(const char *words, const char *text, const struct entry *entry)
{
    for (size_t length; words += strspn(words, " "), (length = strcspn(words, " ")) > 0; words += length) {
        char word[128];
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (entry ? registry_matches(entry, word) : strcmp(word, text) == 0)
            return true;
    }
    return false;
}

bool need_headlines_name(const struct need_headlines *headlines, const char *experiment, const struct entry *entry,
                         bool largest)
{
    size_t count;
    if (largest && (entry->meta->vendor || headlines->named[entry - registry(&count)]))
        return true;
    for (size_t i = 0; i < headlines->sides; i++)
        if ((largest || !headlines->side[i].largest) && has_word(headlines->side[i].studies, experiment, NULL) &&
            has_word(headlines->side[i].patterns, "", entry))
            return true;
    return false;
}
