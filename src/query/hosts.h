/* The data folders that a command reads. The last part of a folder's path names the host that was measured.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_QUERY_HOSTS_H
#define TILELAB_QUERY_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

enum { HOSTS_MAX = 64 };

struct hosts {
    struct hosts_folder {
        const char *folder; /* belongs to the caller */
        char name[64];
    } host[HOSTS_MAX];
    size_t count;
};

/* Adds a folder; false if there are too many. */
bool hosts_add(struct hosts *hosts, const char *folder);

#endif
