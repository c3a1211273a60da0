/* The devices of a backend that finds several: how a discovery travels, what a cell needs of a device, and the words
 * about devices.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BACKEND_FOUND_H
#define TILELAB_BACKEND_FOUND_H

#include "backend.h"
#include "found_device.h"

struct geometry; /* access.h */

enum { FOUND_DEVICES = 8, FOUND_TEXT_SIZE = 16384 };

/* What a child process has discovered. */
struct found {
    char missing[240]; /* why no variant of the backend runs here, with the remedy; empty: they run */
    int count;
    struct found_device device[FOUND_DEVICES];
};

void found_write(const struct found *found, FILE *out);
/* Reads what found_write() has written. Returns false if the text is torn; it changes the text. */
bool found_read(char *text, struct found *found);

/* Lets a child process run the subcommand that discovers, "describe-opencl", and reads what the child has found.
 * Without an answer nothing is known of the `devices`, and `hint` says what to try. */
void found_ask(const char *subcommand, const char *devices, const char *hint, struct found *found);

/* The device that a cell names; NULL: there are fewer. */
const struct found_device *found_device_of(const struct found *found, const struct cell *cell);
/* Functions of struct backend, for a backend that has `discover`. */
enum registry_kind found_kind(const struct cell *cell);
/* The device tells all that it has; a part is left to the driver and to whoever uses it too. */
int64_t found_memory_bytes(const struct cell *cell);
/* A hash of the device and its driver. The driver may compile the kernel, so a result depends on it as on a library.
 * Empty without a device. */
void found_identity(const struct cell *cell, char hex[HASH_SHORT_SIZE]);

/* Why the device does not allow a cell, whatever the backend; NULL: it does. `without_fp64` names what a device without
 * f64 lacks. A group has the work items of `geometry`, and needs `local_bytes` of local memory (NULL: none). */
const char *found_reason(const struct found_device *device, const struct cell *cell, const char *without_fp64,
                         struct geometry (*geometry)(const struct cell *cell),
                         int64_t (*local_bytes)(const struct cell *cell));

/* An array for the run record; NULL without devices. `compiler`: what compiled the kernels; NULL: their driver. */
struct json_t *found_record(enum backend_id backend, const char *compiler);
/* One line about a device, for `tilelab list --devices`. */
void found_line(enum backend_id backend, int number, char *text, size_t size);
/* The lines of `tilelab doctor` about the devices, one for each. */
void found_doctor(enum backend_id backend, FILE *out);

#endif
