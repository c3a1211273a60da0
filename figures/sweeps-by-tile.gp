# Sweeps over the threads of a block.
# SPDX-License-Identifier: MIT
left_label = 'sweeps'
x_label = 'threads a block'
load 'figures/by_tile.gp'
