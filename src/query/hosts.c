/* The data folders that a command reads.
 * SPDX-License-Identifier: MIT */
#include "hosts.h"

#include <stdio.h>
#include <string.h>

bool hosts_add(struct hosts *hosts, const char *folder)
{
    if (hosts->count == HOSTS_MAX)
        return false;
    struct hosts_folder *host = &hosts->host[hosts->count++];
    size_t end = strlen(folder);
    while (end > 1 && folder[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && folder[begin - 1] != '/')
        begin--;
    host->folder = folder;
    snprintf(host->name, sizeof host->name, "%.*s", (int)(end - begin), folder + begin);
    return true;
}
