# Speed-up over the same variant on one thread.
# SPDX-License-Identifier: MIT
left_label = 'speed-up over one thread'
load 'figures/by_threads.gp'
