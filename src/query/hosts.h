/* The data folders that a command reads, and the names by which tables and files call their hosts.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_HOSTS_H
#define TILELAB_QUERY_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

struct hosts {
    struct hosts_folder {
        const char *folder; /* belongs to the caller */
        char *path;         /* absolute; owned */
        int parts;          /* how many parts of the path the name has */
        char name[64];      /* of A-Z, a-z, 0-9, '.' and '-', so that files can have it in their names */
    } * host;               /* [count] */
    size_t count;
};

/* Adds a folder, unless it is among the folders already. The last part of its path names the host. Folders with the
 * same last part have more of their paths in their names, "elsewhere-h200", but a single one of them in a folder `data`
 * keeps its short name. Adding a folder may thus rename one that was added before. Returns NULL, or why the folder
 * cannot be added. */
const char *hosts_add(struct hosts *hosts, const char *folder);
/* Whether all folders exist. If one does not, a message tells it, which begins with the name of the subcommand. */
bool hosts_exist(const struct hosts *hosts, const char *subcommand);
void hosts_free(struct hosts *hosts);

#endif
