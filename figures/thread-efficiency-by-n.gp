# Speed-up over one thread, divided by the threads.
# SPDX-License-Identifier: MIT
left_label = 'efficiency'
right_label = ''
reference = 1
load 'figures/by_n.gp'
