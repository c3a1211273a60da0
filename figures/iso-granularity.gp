# GFLOP/s over threads, n growing with them.
# SPDX-License-Identifier: MIT
load data
left_label = 'GFLOP/s'
x_linear = 1
x_label = 'threads, with n = %d × threads'
x_number = share
load 'figures/by_n.gp'
