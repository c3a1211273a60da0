/* What tells this machine from others of its kind.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_SERIAL_H
#define TILELAB_MACHINE_SERIAL_H

#include <stddef.h>

/* Writes the number of this installation of the system, else the number that the firmware has given to the machine,
 * which only root can read. In a container the installation has no number of its own, because many containers have the
 * same system. Empty: no number can be read. A serial number must not be written anywhere but into a hash. `root` is as
 * in host_read. */
void serial_read(char *text, size_t size, const char *root);

#endif
