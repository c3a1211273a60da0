/* NVIDIA's management library, loaded at run time: clocks, heat, energy and throttling of GPUs. It makes no CUDA
 * context.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_NVML_H
#define TILELAB_MACHINE_NVML_H

#include "energy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words for a driver that refuses performance counters. */
#define COUNTERS_REFUSED "the driver lets only the administrator read performance counters (ERR_NVGPUCTRPERM)"
#define COUNTERS_REFUSED_REMEDY \
    "run as root or with CAP_SYS_ADMIN (docker run --cap-add=SYS_ADMIN), or let an administrator " \
    "set the driver module option NVreg_RestrictProfilingToAdminUsers=0"

/* Reads the version of the NVIDIA driver, "580.65.06"; false without a driver. It works without nvml_open. */
bool nvml_driver(char *text, size_t size);

/* Chooses the device at a PCI bus id, "0000:65:00.0", for the functions below. With "", or an id that the library does
 * not know, it is the only GPU of the machine. If it returns false, they report that nothing is known. */
bool nvml_open(const char *pci_bus);
/* Chooses `count` devices, from CUDA's device `first` on; CUDA is initialised for that. `all` is the number of devices
 * that this process and others choose together. The clock is then that of the slowest device, and any of them can be
 * throttled. The energy is that of all devices together, the temperature that of the hottest one. The other functions
 * tell of the first one. */
bool nvml_open_several(int first, int count, int all);
double nvml_sm_clock_hz(void);        /* now; NAN: not known */
bool nvml_throttled(void);            /* whether heat or the board slows the GPU down now */
bool nvml_capped(void);               /* whether the GPU is at its power limit now */
double nvml_temperature_c(void);      /* now; NAN: not known */
int64_t nvml_memory_free_bytes(void); /* -1: not known */
int nvml_power_limit_w(void);         /* -1: not known */
/* Reads the UUID of the device, a serial number; false if it is not known. */
bool nvml_uuid(char *text, size_t size);

/* The counters of energy of the chosen devices, together. */
extern const struct energy_meter nvml_meter;

#endif
