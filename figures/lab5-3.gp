# GFLOP/s of OpenMP and of the two GPU kernels.
# SPDX-License-Identifier: MIT
left_label = 'GFLOP/s'
load 'figures/by_n.gp'
