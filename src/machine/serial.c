/* What tells this machine from others of its kind.
 * SPDX-License-Identifier: MIT */
#include "serial.h"

#include "procfs.h"

static bool in_container(const char *root)
{
    static const char *const signs[] = {"/.dockerenv", "/run/.containerenv"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        FILE *file = procfs_open(root, "%s", signs[i]);
        if (file) {
            fclose(file);
            return true;
        }
    }
    return false;
}

void serial_read(char *text, size_t size, const char *root)
{
    if (!in_container(root) && procfs_line(text, size, root, "/etc/machine-id") && *text)
        return;
    procfs_line(text, size, root, "/sys/class/dmi/id/product_uuid");
}
