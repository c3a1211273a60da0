# Speed-up over the same variant on one thread, over the threads, beside the ideal line.
# SPDX-License-Identifier: MIT
left_label = 'speed-up'
x_label = 'number of threads'
label_in = 0.13
ideal = 1
load 'figures/by_panel.gp'
