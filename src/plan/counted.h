/* How many cores the symbol "cores" of an experiment file means on this machine: as many as behave like cores.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_COUNTED_H
#define TILELAB_PLAN_COUNTED_H

/* Names the folder whose run records tell the number once it was counted, so that noise does not make results stale. */
void counted_use(const char *folder);

/* The number that a run record of this machine tells, else what a probe finds, rounded. All usable cores, where the
 * probe fails or times are simulated. The number stays for the life of the process. */
int counted_cores(void);

/* The number, if somebody has asked for it in this process; else 0. The run record keeps it. */
int counted_known(void);

#endif
