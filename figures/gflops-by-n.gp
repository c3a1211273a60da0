# GFLOP/s over n, of solvers GB/s.
# SPDX-License-Identifier: MIT
load data
left_label = of_memory ? 'GB/s' : 'GFLOP/s'
ceilings_drawn = 1
load 'figures/by_n.gp'
