/* NVIDIA's management library, loaded at run time: clocks and throttling of one GPU. Makes no
 * CUDA context.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_NVML_H
#define TILELAB_MACHINE_NVML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Version of the NVIDIA driver, "580.65.06"; false without one. Needs no nvml_open. */
bool nvml_driver(char *text, size_t size);

/* Chooses the device at a PCI bus id ("0000:65:00.0") for the calls below; false: they know
 * nothing. */
bool nvml_open(const char *pci_bus);
double nvml_sm_clock_hz(void);        /* now; NAN: not told */
bool nvml_throttled(void);            /* slowed down now by power, heat or the board */
int64_t nvml_memory_free_bytes(void); /* -1: not told */
int nvml_power_limit_w(void);         /* -1: not told */

#endif
