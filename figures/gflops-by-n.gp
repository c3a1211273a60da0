# GFLOP/s over n, of solvers GB/s.
# SPDX-License-Identifier: MIT
load data
left_label = of_memory ? 'GB/s' : 'GFLOP/s'
ceilings_drawn = 1
# A rate of six digits reaches the label of the axis.
if ((exists("all_most") ? all_most : y_most) >= 1e5) { left_wanted_in = 0.68 }
load 'figures/by_n.gp'
