/* The data folders that a command reads, and the names of their hosts.
 * SPDX-License-Identifier: MIT */
#include "hosts.h"

#include "base/escape.h"
#include "base/folder.h"
#include "base/memory.h"
#include "results/inventory.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names a host after the last parts of its path. */
static void name_host(struct hosts_folder *host, int parts)
{
    const char *from = folder_last_parts(host->path, parts);
    const size_t length = strlen(from), most = sizeof host->name - 1;
    host->parts = parts;
    snprintf(host->name, sizeof host->name, "%s", length > most ? from + length - most : from);
    for (char *c = host->name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.')
            *c = '-';
}

static bool lies_in_data(const struct hosts_folder *host)
{
    const char *parts = folder_last_parts(host->path, 2);
    return strncmp(parts, "data/", 5) == 0;
}

/* Whether a host needs a longer name: another host has the same one, unless this host alone of them lies in `data`. */
static bool is_ambiguous(const struct hosts *hosts, size_t i)
{
    bool shared = false, alone_in_data = lies_in_data(&hosts->host[i]);
    for (size_t k = 0; k < hosts->count; k++)
        if (k != i && strcmp(hosts->host[k].name, hosts->host[i].name) == 0) {
            shared = true;
            alone_in_data &= !lies_in_data(&hosts->host[k]);
        }
    return shared && !alone_in_data;
}

static void name_all(struct hosts *hosts)
{
    enum { MOST_PARTS = 64, NUMBER = 8 };
    bool *ambiguous = memory_allocate(hosts->count, sizeof *ambiguous);
    for (size_t i = 0; i < hosts->count; i++)
        name_host(&hosts->host[i], 1);
    for (bool renamed = true; renamed;) {
        renamed = false;
        for (size_t i = 0; i < hosts->count; i++)
            ambiguous[i] = is_ambiguous(hosts, i);
        for (size_t i = 0; i < hosts->count; i++)
            if (ambiguous[i] && hosts->host[i].parts < MOST_PARTS) {
                name_host(&hosts->host[i], hosts->host[i].parts + 1);
                renamed = true;
            }
    }
    /* Different paths can still give one name, as "a/b-c" and "a-b/c" do: such hosts get their numbers. */
    for (size_t i = 0; i < hosts->count; i++)
        if (ambiguous[i])
            snprintf(hosts->host[i].name + strnlen(hosts->host[i].name, sizeof hosts->host[i].name - NUMBER), NUMBER,
                     "-%zu", i % 1000000);
    free(ambiguous);
}

const char *hosts_add(struct hosts *hosts, const char *folder)
{
    char *path = folder_absolute(folder);
    if (!path)
        return "out of memory";
    const char *why = strcmp(folder_last_parts(path, 1), "published") != 0
                          ? NULL
                          : "a folder named `published` holds the tables of the sources, and no results";
    bool known = false;
    for (size_t i = 0; i < hosts->count; i++)
        known |= strcmp(hosts->host[i].path, path) == 0;
    if (why || known) {
        free(path);
        return why;
    }
    hosts->host = memory_grow(hosts->host, hosts->count + 1, sizeof *hosts->host);
    struct hosts_folder *const host = &hosts->host[hosts->count++];
    *host = (struct hosts_folder){.folder = folder, .path = path};
    name_host(host, 1);
    /* With hundreds of hosts, all names are compared only where two folders have one name. */
    bool clashes = false;
    for (size_t i = 0; i + 1 < hosts->count; i++)
        clashes |= strcmp(hosts->host[i].name, host->name) == 0 ||
                   strcmp(folder_last_parts(hosts->host[i].path, 1), folder_last_parts(path, 1)) == 0;
    if (clashes)
        name_all(hosts);
    return NULL;
}

bool hosts_exist(const struct hosts *hosts, const char *subcommand)
{
    for (size_t i = 0; i < hosts->count; i++)
        if (!folder_exists(hosts->host[i].folder)) {
            escape_tell("tilelab %s: %s: %s" INVENTORY_REMEDY, subcommand, hosts->host[i].folder, strerror(errno));
            return false;
        }
    return true;
}

void hosts_free(struct hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        free(hosts->host[i].path);
    free(hosts->host);
    *hosts = (struct hosts){0};
}
