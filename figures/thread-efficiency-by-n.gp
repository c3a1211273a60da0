# Speed-up over one thread, divided by the threads.
# SPDX-License-Identifier: MIT
left_label = 'efficiency'
load 'figures/by_threads.gp'
