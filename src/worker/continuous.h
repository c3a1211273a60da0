/* The energy of a cell: a continuous run, which is long enough for a counter of energy.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_WORKER_CONTINUOUS_H
#define TILELAB_WORKER_CONTINUOUS_H

#include "prepared.h"

/* Repeats the runs of a prepared cell for at least PREDICT_CONTINUOUS_S, and adds the sample *to with its energy to the
 * outcome. If a minute has gone by since the device was last seen idle, it is left idle first. Where the energy cannot
 * be told, no sample is added, and outcome->no_energy says why. A cold device is heated up first, unless another worker
 * has heated it just now, with a run that took lately_w watts; 0: none has. False if a run failed. */
bool continuous_run(struct prepared *at, double lately_w, struct sample *to, struct outcome *outcome);

#endif
