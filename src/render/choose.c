/* Chooses what the report says: which findings are its conclusions, and which rows of facts have a sentence.
 * SPDX-License-Identifier: MIT */
#include "choose.h"

#include "registry.h"
#include "base/memory.h"
#include "query/query_facts.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* The place of a chapter in the report: that of its first problem in the registry; 0: no problem has this chapter. */
static int place_of(const char *chapter)
{
    size_t count;
    int place = 0;
    const struct entry *entry = registry(&count);
    for (size_t i = 0; i < count; i++) {
        const struct problem *const problem = entry[i].problem;
        place += i == 0 || problem != entry[i - 1].problem;
        if (strcmp(chapter, problem->probe ? "ceilings" : problem->sweeps ? "solvers" : problem->name) == 0)
            return place;
    }
    return 0;
}

/* Whether the report has studies of a chapter: the fact `chapters` of its hosts has the names between blanks. */
static bool shows_chapter(const struct facts_table *hosts, const char *chapter)
{
    const char *const chapters = hosts && hosts->rows > 0 ? facts_value(hosts, &hosts->row[0], "chapters") : NULL;
    char *const name = memory_print(" %s ", chapter);
    const bool found = chapters && strstr(chapters, name);
    free(name);
    return found;
}

static bool read_source(struct choose *choose, const char *path, bool is_note, const struct facts *facts)
{
    enum { LAST = 99 };
    choose->source = memory_grow(choose->source, choose->sources + 1, sizeof *choose->source);
    struct choose_source *source = &choose->source[choose->sources];
    *source = (struct choose_source){.is_note = is_note, .rank = LAST};
    if (!texts_read_head(&source->head, path)) {
        texts_free(&source->head);
        return false;
    }
    const struct texts_text *const rank = texts_find(&source->head, "rank");
    const struct texts_text *const chapter = texts_find(&source->head, "chapter");
    if (rank)
        source->rank = (int)strtol(rank->text, NULL, 10);
    source->place = chapter ? place_of(chapter->text) : LAST;
    const struct texts_text *const answer = texts_find(&source->head, "answer");
    if (answer)
        source->answer = (int)strtol(answer->text, NULL, 10);
    source->is_shown = chapter && shows_chapter(choose->hosts, chapter->text);
    char *const name = query_facts_name(path);
    source->table = facts_find(facts, name);
    free(name);
    choose->sources++;
    return true;
}

bool choose_open(struct choose *choose, const char *folder, const struct facts *facts)
{
    bool right = true;
    *choose = (struct choose){.hosts = facts_find(facts, "report/hostnames")};
    for (int is_note = 0; is_note <= 1; is_note++) {
        glob_t found;
        char *const pattern = memory_print("%s/%s/*.sql", folder, is_note ? "notes" : "findings");
        if (glob(pattern, 0, NULL, &found) == 0)
            for (size_t i = 0; i < found.gl_pathc && right; i++)
                right = read_source(choose, found.gl_pathv[i], is_note, facts);
        globfree(&found);
        free(pattern);
    }
    return right;
}

void choose_free(struct choose *choose)
{
    for (size_t i = 0; i < choose->sources; i++)
        texts_free(&choose->source[i].head);
    free(choose->source);
    *choose = (struct choose){0};
}

const char *choose_fact(const struct choose_row *row, const char *name)
{
    const char *const value = facts_value(row->source->table, row->row, name);
    return value ? value : "";
}

/* ---- conclusions ---- */

static void add_row(struct choose_row **rows, size_t *count, struct choose_row row)
{
    *rows = memory_grow(*rows, *count + 1, sizeof **rows);
    (*rows)[(*count)++] = row;
}

/* Whether two rows are about one host and one device. */
static bool same_teller(const struct choose_row *a, const struct choose_row *b)
{
    return strcmp(choose_fact(a, "host"), choose_fact(b, "host")) == 0 &&
           strcmp(choose_fact(a, "side"), choose_fact(b, "side")) == 0;
}

static bool is_verdict(const struct choose_row *row, const char *verdict)
{
    return strcmp(choose_fact(row, "verdict"), verdict) == 0;
}

size_t choose_answer(const struct choose_source *source, struct choose_row **rows)
{
    size_t count = 0, kept = 0;
    *rows = NULL;
    for (size_t r = 0; source->table && r < source->table->rows; r++) {
        const struct choose_row row = {source, &source->table->row[r]};
        size_t at = 0;
        while (at < count && !same_teller(&(*rows)[at], &row))
            at++;
        if (at == count && !is_verdict(&row, "single"))
            add_row(rows, &count, row);
    }
    /* The first rows of each host and device become one row of each device. */
    for (size_t i = 0; i < count; i++) {
        const struct choose_row row = (*rows)[i];
        size_t at = 0;
        while (at < kept && strcmp(choose_fact(&(*rows)[at], "side"), choose_fact(&row, "side")) != 0)
            at++;
        if (at == kept || (is_verdict(&(*rows)[at], "undecided") && !is_verdict(&row, "undecided")))
            (*rows)[at] = row;
        kept += at == kept;
    }
    return kept;
}

static bool same_row(const struct choose_row *a, const struct choose_row *b)
{
    return a->row == b->row;
}

/* Whether a row is `same` as one of those that `choose` takes of its finding. */
static bool is_among(const struct choose_row *row,
                     size_t (*choose)(const struct choose_source *source, struct choose_row **rows),
                     bool (*same)(const struct choose_row *a, const struct choose_row *b))
{
    struct choose_row *rows;
    bool found = false;
    const size_t count = choose(row->source, &rows);
    for (size_t i = 0; i < count; i++)
        found |= same(&rows[i], row);
    free(rows);
    return found;
}

/* Whether the summary has a row. */
static bool is_answer(const struct choose_row *row)
{
    return row->source->answer > 0 && is_among(row, choose_answer, same_row);
}

/* Whether the summary answers a row's question on the same host and device: another number would only confuse. */
static bool is_answered(const struct choose_row *row)
{
    return row->source->answer > 0 && is_among(row, choose_answer, same_teller);
}

/* Whether one run, or an interval that holds both answers, leaves a row without a verdict. */
static bool is_open(const struct choose_row *row)
{
    return is_verdict(row, "single") || is_verdict(row, "undecided");
}

size_t choose_rows(const struct choose_source *source, struct choose_row **rows)
{
    size_t count = 0;
    *rows = NULL;
    for (size_t r = 0; source->table && r < source->table->rows; r++) {
        const struct choose_row row = {source, &source->table->row[r]};
        size_t at = 0;
        while (at < count && !same_teller(&(*rows)[at], &row))
            at++;
        if (at == count && !is_open(&row) && !is_answered(&row) && *choose_fact(&row, "minor") == '\0')
            add_row(rows, &count, row);
    }
    return count;
}

/* Whether two rows tell of one variant at one point, as two studies may. */
static bool same_point(const struct choose_row *a, const struct choose_row *b)
{
    static const char *const facts[] = {"host", "side", "variant", "base", "precision", "n", "threads"};
    bool same = true;
    for (size_t f = 0; f < sizeof facts / sizeof *facts; f++)
        same &= strcmp(choose_fact(a, facts[f]), choose_fact(b, facts[f])) == 0;
    return same;
}

size_t choose_undecided(const struct choose_source *source, struct choose_row **rows)
{
    size_t count = 0;
    *rows = NULL;
    for (size_t r = 0; source->table && r < source->table->rows; r++) {
        const struct choose_row row = {source, &source->table->row[r]};
        size_t at = 0;
        while (at < count && !same_point(&(*rows)[at], &row))
            at++;
        if (at == count && is_verdict(&row, "undecided") && *choose_fact(&row, "experiment") != '\0' &&
            !is_answer(&row) && *choose_fact(&row, "minor") == '\0')
            add_row(rows, &count, row);
    }
    return count;
}

/* Whether the summary, or the conclusions, have rows of a finding. */
static bool concludes(const struct choose_source *source, bool summary)
{
    struct choose_row *rows;
    if (source->is_note)
        return false;
    const size_t count = summary ? choose_answer(source, &rows) : choose_rows(source, &rows);
    free(rows);
    return count > 0;
}

static int by_answer(const void *a, const void *b)
{
    const struct choose_source *const x = *(const struct choose_source *const *)a,
                                      *const y = *(const struct choose_source *const *)b;
    return (x->answer > y->answer) - (x->answer < y->answer);
}

static int by_rank(const void *a, const void *b)
{
    const struct choose_source *const x = *(const struct choose_source *const *)a,
                                      *const y = *(const struct choose_source *const *)b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank) : (x > y) - (x < y);
}

static int by_chapter(const void *a, const void *b)
{
    const struct choose_source *const x = *(const struct choose_source *const *)a,
                                      *const y = *(const struct choose_source *const *)b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place) : by_rank(a, b);
}

size_t choose_conclusions(const struct choose *choose, bool summary, const struct choose_source *chosen[CHOOSE_MOST])
{
    const struct choose_source **all = memory_allocate(choose->sources, sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < choose->sources; i++) {
        const struct choose_source *const source = &choose->source[i];
        const bool has_place = !summary || source->answer > 0;
        if (has_place && (concludes(source, summary) || (summary && source->is_shown)))
            all[count++] = source;
    }
    qsort(all, count, sizeof *all, summary ? by_answer : by_rank);
    count = count < CHOOSE_MOST ? count : CHOOSE_MOST;
    if (!summary)
        qsort(all, count, sizeof *all, by_chapter);
    memcpy(chosen, all, count * sizeof *all);
    free(all);
    return count;
}

bool choose_is_concluded(const struct choose *choose, const struct choose_row *row)
{
    const struct choose_source *chosen[CHOOSE_MOST];
    size_t at = 0;
    const size_t sources = row->source->is_note ? 0 : choose_conclusions(choose, false, chosen);
    while (at < sources && chosen[at] != row->source)
        at++;
    return is_answer(row) || (at < sources && is_among(row, choose_rows, same_row));
}

/* ---- studies and notes ---- */

/* The study that a row is about; NULL: none, or the row decides nothing. */
static const char *study_of(const struct choose_row *row)
{
    const char *const study = choose_fact(row, "experiment");
    return *study == '\0' || is_open(row) ? NULL : study;
}

size_t choose_studies(const struct choose *choose, const char ***studies)
{
    size_t count = 0;
    *studies = NULL;
    for (size_t i = 0; i < choose->sources; i++)
        for (size_t r = 0; choose->source[i].table && r < choose->source[i].table->rows; r++) {
            const struct choose_row row = {&choose->source[i], &choose->source[i].table->row[r]};
            const char *const study = study_of(&row);
            size_t at = 0;
            while (study && at < count && strcmp((*studies)[at], study) != 0)
                at++;
            if (!study || at < count)
                continue;
            *studies = memory_grow(*studies, count + 1, sizeof **studies);
            (*studies)[count++] = study;
        }
    return count;
}

size_t choose_said(const struct choose *choose, const char *study, const char *host, struct choose_row **rows)
{
    size_t count = 0;
    *rows = NULL;
    for (size_t i = 0; i < choose->sources; i++)
        for (size_t r = 0; choose->source[i].table && r < choose->source[i].table->rows; r++) {
            const struct choose_row row = {&choose->source[i], &choose->source[i].table->row[r]};
            const char *const about = study_of(&row);
            const bool told = study ? about && strcmp(about, study) == 0
                                    : row.source->is_note && *choose_fact(&row, "experiment") == '\0';
            if (told && strcmp(choose_fact(&row, "host"), host) == 0)
                add_row(rows, &count, row);
        }
    return count;
}
