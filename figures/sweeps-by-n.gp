# Sweeps over n, and those of the CPU's variants alone.
# SPDX-License-Identifier: MIT
left_label = 'sweeps'
right_label = 'sweeps, CPU'
load 'figures/by_n.gp'
