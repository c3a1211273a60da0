# GFLOP/s of the source's variants A, B, B*.
# SPDX-License-Identifier: MIT
left_label = 'GFLOP/s'
load 'figures/by_n.gp'
