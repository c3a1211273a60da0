/* `tilelab cite`: a BibTeX entry that names the data by their hash and the program by its commit.
 * SPDX-License-Identifier: MIT */
#include "build_info.h"
#include "commands.h"
#include "options.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/record.h"
#include "base/regular.h"
#include "base/text.h"
#include "query/hosts.h"
#include "query/query_author.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The newest run record of a folder. */
struct newest {
    json_int_t measured_at;
    char commit[80], cpu[128], gpu[128];
    bool dirty;
};

/* What the entry says. It is gathered over all folders. The program and the date are those of the first folder that
 * has a record, as on the report's title page. */
struct citation {
    SHA2_CTX hash;
    size_t files;
    struct newest first;
    char *machines;  /* the machines of all folders, with "; " between them; owned */
    sqlite3 *author; /* the table of query_author.h */
};

/* A foreign file that cannot be read does not cost the citation. */
static int leave_out(const char *path, const char *why)
{
    escape_tell("%s: warning: left out: %s", path, why);
    return 0;
}

/* Adds a file to the hash, with its name and the hash of its bytes. */
static int add_file(struct citation *citation, const char *path, const char *name)
{
    FILE *file = regular_open(path);
    if (!file)
        return leave_out(path, regular_why(errno));
    SHA2_CTX content;
    SHA256Init(&content);
    uint8_t buffer[65536], digest[SHA256_DIGEST_LENGTH];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
        SHA256Update(&content, buffer, got);
    SHA256Final(digest, &content);
    SHA256Update(&citation->hash, (const uint8_t *)name, strlen(name) + 1);
    SHA256Update(&citation->hash, digest, sizeof digest);
    citation->files++;
    const int failed = ferror(file);
    fclose(file);
    return failed ? -1 : 0;
}

static void copy_member(const json_t *object, const char *member, char *to, size_t size)
{
    const char *text = json_string_value(json_object_get(object, member));
    snprintf(to, size, "%s", text ? text : "");
}

/* Takes commit, machine and date from a record, if it is the newest so far. */
static int add_record(struct newest *newest, const char *path)
{
    json_error_t error;
    FILE *file = regular_open(path);
    if (!file)
        return leave_out(path, regular_why(errno));
    json_t *record = json_loadf(file, 0, &error);
    fclose(file);
    if (!record)
        return leave_out(path, error.text);
    const json_int_t measured_at = json_integer_value(json_object_get(record, "measured_at"));
    if (measured_at > newest->measured_at && record_is_time(measured_at)) {
        newest->measured_at = measured_at;
        newest->dirty = json_is_true(json_object_get(record, "dirty"));
        copy_member(record, "commit", newest->commit, sizeof newest->commit);
        copy_member(json_object_get(record, "machine"), "cpu_model", newest->cpu, sizeof newest->cpu);
        copy_member(json_object_get(record, "gpu"), "name", newest->gpu, sizeof newest->gpu);
    }
    json_decref(record);
    return 0;
}

/* Names the machine of a folder, unless another folder is of the same machine. */
static void add_machine(struct citation *citation, const struct newest *newest)
{
    if (!newest->cpu[0])
        return;
    char *machine = memory_print("%s%s%s", newest->cpu, newest->gpu[0] ? " with " : "", newest->gpu);
    if (!strstr(citation->machines, machine))
        memory_append(&citation->machines, "%s%s", citation->machines[0] ? "; " : "", machine);
    free(machine);
}

static int add_folder(struct citation *citation, const struct hosts_folder *host)
{
    struct newest newest = {0};
    struct dirent **entry = NULL;
    const int count = scandir(host->folder, &entry, NULL, alphasort);
    int failed = count < 0 && errno != ENOENT;
    for (int i = 0; i < count; i++) {
        char path[1024], name[512];
        snprintf(path, sizeof path, "%s/%s", host->folder, entry[i]->d_name);
        snprintf(name, sizeof name, "%s/%s", host->name, entry[i]->d_name);
        if (!failed && text_ends(name, ".csv"))
            failed = add_file(citation, path, name);
        else if (!failed && text_ends(name, ".run.json"))
            failed = add_record(&newest, path);
        free(entry[i]);
    }
    free(entry);
    if (citation->first.measured_at == 0)
        citation->first = newest;
    add_machine(citation, &newest);
    if (failed)
        fprintf(stderr, "tilelab cite: the folder %s cannot be read\n", host->folder);
    return failed;
}

/* Prints a name without the characters that BibTeX or LaTeX would obey. BibTeX knows ASCII only: another letter is one
 * question mark. */
static void print_plain(const char *text)
{
    for (; *text; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte >= 0x80 && (byte & 0xc0) != 0x80)
            putchar('?');
        else if (byte < 0x80 && !strchr("\\{}$&#^_%~\"@", *text))
            putchar(byte < ' ' || byte == 0x7f ? ' ' : *text);
    }
}

/* What the file about the author says of a key, without the characters `but`, which BibTeX or LaTeX would obey; NULL:
 * nothing. Its letters stay, as BibTeX of today takes them. The caller frees the text. */
static char *given(const struct citation *citation, const char *key, const char *but)
{
    sqlite3_stmt *statement = NULL;
    char *text = NULL;
    if (sqlite3_prepare_v2(citation->author, "SELECT value FROM author WHERE key = ?", -1, &statement, NULL) ==
            SQLITE_OK &&
        sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW)
        text = memory_copy((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    size_t kept = 0;
    for (size_t i = 0; text && text[i]; i++)
        if (!strchr(but, text[i]))
            text[kept++] = text[i];
    if (text)
        text[kept] = '\0';
    return text;
}

/* Running text that the file about the author says of a key; NULL: nothing. It has no braces, which BibTeX would count:
 * query_author_load refuses them. The caller frees the text. */
static char *given_text(const struct citation *citation, const char *key)
{
    char *const plain = given(citation, key, ""), *const text = plain ? escape_latex(plain) : NULL;
    free(plain);
    return text;
}

/* Who wrote it, and what: the user's own report, where the file about the author names one. */
static void print_work(const struct citation *citation)
{
    char *const name = given_text(citation, "name"), *const title = given_text(citation, "title"),
                *const institution = given_text(citation, "institution");
    printf("  author      = {%s%s%s},\n", name ? "" : "{", name ? name : "The tilelab authors", name ? "" : "}");
    if (title)
        printf("  title       = {{%s}},\n", title);
    else
        printf("  title       = {{tilelab}: dense kernels against the {BLAS}, measured and verified},\n");
    printf("  type        = {Reproducible measurement report},\n");
    printf("  institution = {%s},\n", institution ? institution : "tilelab");
    free(name);
    free(title);
    free(institution);
}

static void print_entry(const struct citation *citation, const char *digest)
{
    const time_t seconds = (time_t)citation->first.measured_at;
    struct tm day = {0};
    gmtime_r(&seconds, &day);
    printf("@techreport{tilelab-%.12s,\n", digest);
    print_work(citation);
    /* Styles set an address with \url, which takes every character but those that end it or its field. */
    char *repository = given(citation, "repository", "\\{}");
    if (citation->first.measured_at)
        printf("  year        = {%d},\n  month       = {%d},\n", day.tm_year + 1900, day.tm_mon + 1);
    else
        printf("  year        = {%.4s},\n", TILELAB_RELEASED);
    if (repository || TILELAB_ADDRESS[0])
        printf("  url         = {%s},\n", repository ? repository : TILELAB_ADDRESS);
    printf("  version     = {");
    print_plain(citation->first.commit[0] ? citation->first.commit : "not recorded");
    printf("%s},\n  note        = {Measured on ", citation->first.dirty ? ", with local changes" : "");
    print_plain(citation->machines[0] ? citation->machines : "a machine without a record");
    if (!repository && !TILELAB_ADDRESS[0])
        printf(".\n                 The project has no public address yet");
    free(repository);
    printf(".\n                 Data SHA-256: %s}\n}\n", digest);
}

struct arguments {
    struct hosts hosts;
    const char *author; /* the file about the author; NULL: that of this folder, if it has one */
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = &arguments->hosts;
    else if (key == 'a')
        arguments->author = text;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

/* Reads the data and the file about the author, and prints the entry. False after a message. */
static bool cite(struct citation *citation, const struct arguments *arguments)
{
    static const char own[] = "report/author.yaml";
    const char *author = arguments->author ? arguments->author : access(own, R_OK) == 0 ? own : NULL;
    if (sqlite3_open(":memory:", &citation->author) != SQLITE_OK ||
        !query_author_load(citation->author, author, stderr))
        return false;
    SHA256Init(&citation->hash);
    for (size_t i = 0; i < arguments->hosts.count; i++)
        if (add_folder(citation, &arguments->hosts.host[i]) != 0)
            return false;
    if (citation->files == 0) {
        fputs("tilelab cite: there are no data yet; measure some with `make report` or `tilelab run`\n", stderr);
        return false;
    }
    uint8_t raw[SHA256_DIGEST_LENGTH];
    char digest[2 * SHA256_DIGEST_LENGTH + 1];
    SHA256Final(raw, &citation->hash);
    for (size_t i = 0; i < sizeof raw; i++)
        snprintf(digest + 2 * i, 3, "%02x", raw[i]);
    print_entry(citation, digest);
    return true;
}

int cite_main(int argc, char **argv)
{
    static const struct argp_option options[] = {
        {"author", 'a', "FILE", 0, "whose report it is (default report/author.yaml, if it is there)", 0}, {0}};
    static const struct argp_child children[] = {{&options_hosts, 0, NULL, 0}, {0}};
    static const struct argp argp = {.options = options,
                                     .parser = parse,
                                     .children = children,
                                     .doc = "Prints a BibTeX entry with the commit and the hash of the data."};
    struct arguments arguments = {.author = NULL};
    options_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct citation citation = {.machines = memory_copy("")};
    const bool cited = cite(&citation, &arguments);
    sqlite3_close(citation.author);
    hosts_free(&arguments.hosts);
    free(citation.machines);
    return cited ? EXIT_OK : EXIT_USAGE;
}
