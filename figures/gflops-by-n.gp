# GFLOP/s, of solvers GB/s, over n, and per cent of the vendor's product on the same device.
# SPDX-License-Identifier: MIT
load data
left_label = of_memory ? 'GB/s' : 'GFLOP/s'
right_label = has_vendor ? '% of the library on the same device' : '% of the fastest variant'
ceilings_drawn = 1
right_reference = 100
load 'figures/by_n.gp'
