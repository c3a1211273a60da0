# The best own variant and the best library over n, and the first in per cent of the second.
# SPDX-License-Identifier: MIT
load data
left_label = 'GFLOP/s'
right_label = '% of the best library'
right_reference = 100
load 'figures/by_n.gp'
