# GFLOP/s over threads, n growing with them.
# SPDX-License-Identifier: MIT
load data
left_label = 'GFLOP/s'
label_in = 0.13
x_label = 'threads, with n = %d × threads'
x_number = share
load 'figures/by_n.gp'
