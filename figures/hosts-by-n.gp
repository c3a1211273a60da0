# GFLOP/s over n of several machines, of solvers GB/s.
# SPDX-License-Identifier: MIT
load data
left_label = of_memory ? 'GB/s' : 'GFLOP/s'
load 'figures/by_n.gp'
