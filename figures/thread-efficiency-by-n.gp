# Speed-up over one thread, divided by the threads.
# SPDX-License-Identifier: MIT
left_label = 'efficiency'
reference = 1
load 'figures/by_panel.gp'
